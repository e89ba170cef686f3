// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "fetch/collector.h"
#include "fetch/curl_fetcher.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {
namespace {

const std::string kShortHello = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

std::string UrlOf(int host, uint16_t port) {
  return "http://h" + std::to_string(host) + ".test:" + std::to_string(port) + "/";
}
std::string AddressOf(int host) { return "127.0.1." + std::to_string(host + 1); }

TEST(ConnectionLimitTest, HostsInTurnsFindTheirsOpenAsFarAsTheLimitGoes) {
  constexpr int kHosts = 40, kLimit = 25;
  ScriptedServer server(ScriptedServer::Always(kShortHello), "0.0.0.0");
  TestFetcher fetcher({.max_connections = kLimit});
  for (int turn = 0; turn < 3; turn++) {
    int reused = 0;
    for (int host = 0; host < kHosts; host++) {
      const auto fetch = fetcher.Get(MakeFetch(UrlOf(host, server.port()), AddressOf(host)));
      ASSERT_TRUE(fetch->response.ok()) << fetch->response.message;
      reused += fetch->response.reused_connection ? 1 : 0;
      EXPECT_EQ(fetch->request.keep_alive, host < kLimit) << host;
      EXPECT_LE(fetcher->stats().open, uint64_t{kLimit});
    }
    EXPECT_EQ(reused, turn == 0 ? 0 : kLimit);
  }
}

TEST(ConnectionLimitTest, ManyHostsAreSpreadOverManyHandlesAndKeepTheirConnections) {
  // With more than some dozens of connections a loop has several multi handles; each host must find its own.
  constexpr int kHosts = 150;
  ScriptedServer server(ScriptedServer::Always(kShortHello), "0.0.0.0");
  TestFetcher fetcher({.max_connections = 1000});
  for (int turn = 0; turn < 2; turn++) {
    for (int host = 0; host < kHosts; host++) {
      const auto fetch = fetcher.Get(MakeFetch(UrlOf(host, server.port()), AddressOf(host)));
      ASSERT_TRUE(fetch->response.ok()) << fetch->response.message;
      EXPECT_EQ(fetch->response.reused_connection, turn > 0) << host;
    }
  }
  EXPECT_EQ(fetcher->stats().open, uint64_t{kHosts});
}

}  // namespace
}  // namespace crivello::fetch
