// SPDX-License-Identifier: Apache-2.0
#include "wire/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::wire {
namespace {

using testing::HasSubstr;

constexpr size_t kLimit = 1 << 20;

std::string Framed(std::string_view payload, MessageType type = MessageType::kGet) {
  std::string bytes;
  AppendFrames(type, payload, &bytes);
  return bytes;
}

TEST(MessageReaderTest, PutsMessagesTogetherWhateverThePiecesInWhichTheyCome) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  std::vector<std::string> payloads = {"", "a", std::string(kMaxPayloadBytes, 'b'),
                                       std::string(kMaxPayloadBytes + 1, 'c'), std::string(300'000, 'd')};
  std::string stream;
  for (const std::string& payload : payloads) stream += Framed(payload);
  MessageReader reader(kLimit);
  std::vector<std::string> read;
  for (size_t at = 0; at < stream.size();) {
    const size_t size = std::min<size_t>(1 + random.Below(20'000), stream.size() - at);
    reader.Feed(std::string_view(stream).substr(at, size));
    at += size;
    while (true) {
      auto message = reader.Next();
      ASSERT_TRUE(message.ok()) << message.status().ToString();
      if (!*message) break;
      EXPECT_EQ((*message)->type, static_cast<uint16_t>(MessageType::kGet));
      read.push_back((*message)->payload);
    }
  }
  EXPECT_EQ(read, payloads);
  EXPECT_TRUE(reader.empty());
}

TEST(MessageReaderTest, AFrameHasTheBytesOfTheFormatPage) {
  const std::string header("CRVW\x04\x00\x10\x00\x00\x00\x00\x00\x03\x00\x00\x00", kHeaderBytes);
  EXPECT_EQ(Framed("abc"), header + "abc");
}

TEST(MessageReaderTest, NoFrameIsLongerThan64KiB) {
  const std::string bytes = Framed(std::string(200'000, 'x'));
  size_t frames = 0;
  for (size_t at = 0; (at = bytes.find("CRVW", at)) != std::string::npos; ++at) ++frames;
  EXPECT_EQ(frames, 4u);
  EXPECT_EQ(bytes.size(), 200'000 + 4 * kHeaderBytes);
}

TEST(MessageReaderTest, RefusesBytesThatAreNotFrames) {
  const auto refusal = [](std::string_view bytes) {
    MessageReader reader(kLimit);
    reader.Feed(bytes);
    return reader.Next().status();
  };
  EXPECT_EQ(refusal("G").code(), StatusCode::kCorruption) << "with its first byte";
  EXPECT_EQ(refusal("GET / HTTP/1.1\r\n\r\n").code(), StatusCode::kCorruption);
  std::string flags = Framed("x");
  flags[8] = 2;
  EXPECT_EQ(refusal(flags).code(), StatusCode::kCorruption);
  std::string long_frame = Framed("x");
  long_frame[14] = 1;  // 65,536 more than allowed
  EXPECT_EQ(refusal(long_frame).code(), StatusCode::kCorruption);
  std::string mixed = Framed(std::string(kMaxPayloadBytes + 1, 'x')).substr(0, kMaxFrameBytes);
  mixed += Framed("y", MessageType::kScan);
  EXPECT_EQ(refusal(mixed).code(), StatusCode::kCorruption) << "a frame of another message in between";
}

TEST(MessageReaderTest, RefusesAMessageThatIsLongerThanItMayBe) {
  MessageReader reader(100'000);
  reader.Feed(Framed(std::string(100'001, 'x')));
  const Status status = reader.Next().status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("100000 bytes"));
}

TEST(MessageReaderTest, GivesTheVersionOfAMessageItCannotRead) {
  std::string bytes = Framed("x");
  bytes[4] = 7;
  MessageReader reader(kLimit);
  reader.Feed(bytes);
  const auto message = reader.Next();
  ASSERT_TRUE(message.ok());
  ASSERT_TRUE(*message);
  EXPECT_EQ((*message)->version, 7);
  EXPECT_EQ((*message)->type, static_cast<uint16_t>(MessageType::kGet));
}

}  // namespace
}  // namespace crivello::wire
