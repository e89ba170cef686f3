// SPDX-License-Identifier: Apache-2.0
#include "cluster/membership/cluster_records.h"

#include <gtest/gtest.h>

namespace crivello::cluster {
namespace {

TEST(ClusterRecordsTest, ReadsWhatItWrites) {
  const MemberRecord member = {.name = "red-1",
                               .process = 0xfedcba9876543210,
                               .beat = 17,
                               .leaving = true,
                               .version = "0.1.0",
                               .memory_bytes = 1 << 20,
                               .tablets = 3};
  EXPECT_EQ(DecodeMember(EncodeMember(member)).value(), member);
  for (const LeaseState state :
       {LeaseState::kOpening, LeaseState::kOpen, LeaseState::kReleased, LeaseState::kRefused}) {
    const LeaseRecord lease = {.owner = "blue",
                               .process = 5,
                               .attempt = 9,
                               .epoch = 12,
                               .state = state,
                               .sequence = 991,
                               .lag_urls = 20};
    EXPECT_EQ(DecodeLease(EncodeLease(lease)).value(), lease);
  }
  EXPECT_EQ(DecodeIncarnation(EncodeIncarnation(77)).value(), 77u);
}

TEST(ClusterRecordsTest, RefusesEverythingElse) {
  const std::string lease = EncodeLease({.owner = "blue", .process = 5, .epoch = 12});
  for (size_t i = 0; i < lease.size(); i++) {
    EXPECT_EQ(DecodeLease(lease.substr(0, i)).status().code(), StatusCode::kCorruption) << i;
  }
  for (const std::string_view bytes :
       {"", "lease", "lease 2 blue 0000000000000005 0 12 open 0 0", "lease 1 blue 5 0 12 open 0 0",
        "lease 1 blue 0000000000000005 0 012 open 0 0", "lease 1 blue 0000000000000005 0 12 shut 0 0",
        "lease 1 bl/ue 0000000000000005 0 12 open 0 0", "lease 1 blue 0000000000000005 0 12 open 0 0 ",
        "lease 1 blue 0000000000000005 0 99999999999999999999 open 0 0"}) {
    EXPECT_FALSE(DecodeLease(bytes).ok()) << bytes;
    EXPECT_FALSE(DecodeMember(bytes).ok()) << bytes;
    EXPECT_FALSE(DecodeIncarnation(bytes).ok()) << bytes;
  }
}

}  // namespace
}  // namespace crivello::cluster
