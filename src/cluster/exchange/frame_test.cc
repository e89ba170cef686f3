// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/frame.h"

#include <gtest/gtest.h>

namespace crivello::cluster {
namespace {

const ExchangeMessage kBatch = UrlBatch{.stream = {.from = "t-0", .to = "t-1", .incarnation = 1},
                                        .sequence = 1,
                                        .oldest_kept = 1,
                                        .urls = "\x01u"};
const ExchangeMessage kConfirmation =
    Confirmation{.stream = {.from = "t-1", .to = "t-0", .incarnation = 1}, .through = 7};

TEST(FrameTest, JoinsMessages) {
  FrameWriter out("red");
  EXPECT_EQ(out.bytes(), "\x01\x03red");  // the version and the name
  out.Add(kBatch);
  out.Add(kConfirmation);
  const std::string first = EncodeMessage(kBatch), second = EncodeMessage(kConfirmation);
  EXPECT_EQ(out.bytes(), "\x01\x03red" + std::string(1, static_cast<char>(first.size())) + first +
                             std::string(1, static_cast<char>(second.size())) + second);
  const auto frame = DecodeFrame(out.bytes());
  ASSERT_TRUE(frame.ok());
  EXPECT_EQ(frame->agent, "red");
  EXPECT_EQ(frame->messages, (std::vector<ExchangeMessage>{kBatch, kConfirmation}));
}

TEST(FrameTest, LeavesOutWhatIsDamagedAndRefusesWhatIsNotAFrame) {
  FrameWriter out("red");
  out.Add(kBatch);
  out.Add(kConfirmation);
  for (size_t i = 5; i < out.size(); i++) {
    std::string damaged = out.bytes();
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    const auto frame = DecodeFrame(damaged);
    if (!frame.ok()) continue;
    EXPECT_LT(frame->messages.size(), 2u) << i;
    for (const ExchangeMessage& message : frame->messages) {
      EXPECT_TRUE(message == kBatch || message == kConfirmation) << i;
    }
  }
  EXPECT_FALSE(DecodeFrame("").ok());
  EXPECT_FALSE(DecodeFrame("\x02\x03red").ok());
  EXPECT_FALSE(DecodeFrame(out.bytes().substr(0, out.size() - 1)).ok());
}

}  // namespace
}  // namespace crivello::cluster
