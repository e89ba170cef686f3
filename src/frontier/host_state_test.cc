// SPDX-License-Identifier: Apache-2.0
#include "frontier/host_state.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace crivello::frontier {
namespace {

WallTime At(int64_t millis) { return WallTime(std::chrono::milliseconds(millis)); }

HostState Full() {
  HostState state;
  state.name = "www.example.com";
  state.queues[0] = {{5, 3}, 9, 40};
  state.queues[7] = {{0, 0}, std::numeric_limits<uint32_t>::max(), std::numeric_limits<uint32_t>::max()};
  state.enqueued = std::numeric_limits<uint64_t>::max();
  state.wake = At(1'800'000'000'123);
  state.fetched = 1;
  state.failed = 2;
  state.refused = 3;
  state.bytes = uint64_t{1} << 40;
  state.next_fetch = At(1'800'000'000'456);
  state.failures = 4;
  state.given_up = true;
  state.last_error = "timed out";
  state.crawl_delay = std::chrono::milliseconds(1500);
  state.address = "2001:db8::1";
  state.address_until = At(-5);
  state.robots = {{"https://www.example.com", At(1)}, {"http://www.example.com:8080", At(2)}};
  state.extra = std::string("\0\xff", 2);
  return state;
}

TEST(HostStateTest, ComesBackWhole) {
  EXPECT_EQ(DecodeHostState(EncodeHostState(Full())), Full());
  EXPECT_EQ(DecodeHostState(EncodeHostState({})), HostState{});
}

TEST(HostStateTest, IsShortForACommonHost) {
  HostState state;
  state.name = "www.example.com";
  state.queues[3] = {{1000, 12}, 1010, 150};
  state.enqueued = 20000;
  state.wake = state.next_fetch = state.address_until = At(1'800'000'000'123);
  state.fetched = 15000;
  state.bytes = uint64_t{1} << 28;
  state.address = "192.0.2.1";
  state.robots = {{"https://www.example.com", At(1'800'000'000'123)}};
  EXPECT_LE(EncodeHostState(state).size(), 100u);
}

TEST(HostStateTest, KeepsTheOriginsThatExpireLast) {
  HostState state;
  for (int i = 0; i < 12; i++) state.robots.push_back({fmt::format("http://h:{}", i), At((i * 5) % 12)});
  state.extra = std::string(2 * kMaxExtraBytes, 'x');
  const auto back = DecodeHostState(EncodeHostState(state));
  ASSERT_TRUE(back.has_value());
  ASSERT_EQ(back->robots.size(), kMaxOrigins);
  for (const HostState::Robots& origin : back->robots) EXPECT_GE(origin.until, At(4));
  EXPECT_EQ(back->extra.size(), kMaxExtraBytes);
}

TEST(HostStateTest, RefusesWhatItDidNotWrite) {
  const std::string good = EncodeHostState(Full());
  for (size_t i = 0; i < good.size(); i++) {
    EXPECT_EQ(DecodeHostState(std::string_view(good).substr(0, i)), std::nullopt);
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      EXPECT_NE(DecodeHostState(bad), Full());
    }
  }
  EXPECT_EQ(DecodeHostState(good + "x"), std::nullopt);
}

}  // namespace
}  // namespace crivello::frontier
