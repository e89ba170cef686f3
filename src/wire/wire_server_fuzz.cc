// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes over a socket to a process that answers requests: it answers or refuses, and ends.

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "wire/connection.h"
#include "wire/server.h"
#include "wire/wire_test_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using crivello::wire::Connection;
  int sockets[2] = {};
  // No more bytes than a socket buffers without a reader.
  if (size > (64 << 10) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return 0;
  if (send(sockets[0], data, size, MSG_NOSIGNAL | MSG_DONTWAIT) != static_cast<ssize_t>(size)) std::abort();
  shutdown(sockets[0], SHUT_WR);
  crivello::wire::EmptyService service;
  // Answers are empty but may be many: the server gives up on a client that does not read them.
  const auto soon = std::chrono::milliseconds(10);
  Connection connection(sockets[1], {.message_bytes = 1 << 20, .send_frame = soon});
  ServeConnection(connection, service, {});
  close(sockets[0]);
  return 0;
}
