// SPDX-License-Identifier: Apache-2.0
#include "index/build/throttled_sink.h"

#include <gtest/gtest.h>

#include <chrono>

namespace crivello::index {
namespace {

using std::chrono::milliseconds;

TEST(ByteRateTest, LetsSoManyBytesThroughASecond) {
  ByteRate rate(1000);
  MonotonicTime now{milliseconds(50'000)};
  EXPECT_EQ(rate.Take(500, now), now);
  EXPECT_EQ(rate.Take(250, now), now + milliseconds(500));
  EXPECT_EQ(rate.Take(0, now), now + milliseconds(750));
  now += milliseconds(10'000);  // a pause earns no credit
  EXPECT_EQ(rate.Take(1000, now), now);
  EXPECT_EQ(rate.Take(1000, now), now + milliseconds(1000));
  ByteRate unlimited(0);
  EXPECT_EQ(unlimited.Take(1 << 30, now), now);
  EXPECT_EQ(unlimited.Take(1 << 30, now), now);
}

TEST(ThrottledSinkTest, PassesOnWhatItGetsUntilItIsStopped) {
  constexpr FileKind kKind = {.name = "test", .version = 1};
  MemorySink memory;
  std::stop_source stop;
  ThrottledSink sink(memory, 1'000'000'000, stop.get_token());
  ASSERT_TRUE(sink.Write("one", kKind, AsBytes("12345678")).ok());
  auto part = sink.Create("two", kKind);
  ASSERT_TRUE(part.ok());
  stop.request_stop();
  EXPECT_EQ((*part)->Append(AsBytes("x")).code(), StatusCode::kUnavailable);
  EXPECT_EQ((*part)->Finish().code(), StatusCode::kUnavailable);
  EXPECT_EQ(sink.Create("three", kKind).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(AsText(std::move(memory).Release().at("one")), "12345678");
}

}  // namespace
}  // namespace crivello::index
