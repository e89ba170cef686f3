// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/fence_command.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace crivello::cluster {

Status RunFenceCommand(const std::string& command, const std::string& agent) {
  std::string shell = "/bin/sh", option = "-c", text = command, zero = "fence", name = agent;
  char* arguments[] = {shell.data(), option.data(), text.data(), zero.data(), name.data(), nullptr};
  // This process blocks the signals that should end the command, so unblock them there.
  posix_spawnattr_t attributes;
  sigset_t none;
  ::sigemptyset(&none);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = 0;
  const int error = ::posix_spawn(&process, shell.c_str(), nullptr, &attributes, arguments, environ);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    return Status::FromErrno("start the --fence command", command, error);
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Status::Ok();
  return Status::Unavailable(
      fmt::format("the --fence command failed for agent {}: its tablets are not taken", agent));
}

}  // namespace crivello::cluster
