// SPDX-License-Identifier: Apache-2.0
#include "wire/codec.h"

#include <gtest/gtest.h>

#include "wire/replies.h"
#include "wire/wire_test_support.h"

namespace crivello::wire {
namespace {

template <typename T>
void ExpectRoundTrip(Random& random) {
  for (int i = 0; i < 50; ++i) {
    T value = {};
    RandomFiller filler(random);
    filler(value);
    const std::string bytes = Encode(value);
    const Result<T> read = Decode<T>(bytes);
    ASSERT_TRUE(read.ok()) << T::kName;
    EXPECT_EQ(*read, value) << T::kName;
    EXPECT_FALSE(Decode<T>(bytes + '\0').ok()) << T::kName << ": a byte too many";
    // Every prefix lacks something, and any byte may change: an error or another value, never a crash.
    for (size_t cut = 0; cut < bytes.size(); ++cut) {
      EXPECT_EQ(Decode<T>(bytes.substr(0, cut)).status().code(), StatusCode::kCorruption) << T::kName;
    }
    if (bytes.empty()) continue;
    std::string flipped = bytes;
    flipped[random.Below(bytes.size())] ^= static_cast<char>(1 << random.Below(8));
    const Result<T> other = Decode<T>(flipped);
    EXPECT_TRUE(!other.ok() || Encode(*other) == flipped) << T::kName;
  }
}

template <typename... Requests>
void ExpectRoundTrips(Random& random, RequestList<Requests...>) {
  (ExpectRoundTrip<Requests>(random), ...);
  (ExpectRoundTrip<typename Requests::Answer>(random), ...);
}

TEST(WireCodecTest, EveryMessageIsReadBackAsItWasWritten) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  ExpectRoundTrips(random, AllRequests());
  ExpectRoundTrip<ErrorReply>(random);
  ExpectRoundTrip<ProgressReply>(random);
  ExpectRoundTrip<WarningReply>(random);
}

TEST(WireCodecTest, ACountThatCannotBeTrueTakesNoMemory) {
  RecordWriter writer;
  writer.Number(uint64_t{1} << 60);
  const auto read = Decode<ArchivedRequest>(writer.bytes());
  EXPECT_EQ(read.status().code(), StatusCode::kCorruption);
}

TEST(WireCodecTest, AnErrorIsTheSameOnTheOtherSide) {
  for (const Status& status : {Status::InvalidArgument("a"), Status::NotFound("b"), Status::Corruption("c"),
                               Status::Unavailable("d"), Status::IoError("e")}) {
    EXPECT_EQ(ErrorReply::Of(status).ToStatus(), status);
  }
}

}  // namespace
}  // namespace crivello::wire
