// SPDX-License-Identifier: Apache-2.0
#include "index/segments/segment_sink.h"

#include <gtest/gtest.h>

#include "base/fault_file_system.h"
#include "base/test_support.h"

namespace crivello::index {
namespace {

constexpr FileKind kPartKind = {.name = "test-part", .version = 1};

TEST(SegmentSinkTest, WritesTheSamePartsToFilesAndToMemory) {
  TemporaryFolder folder;
  auto directory = DirectorySink::Open(folder / "deep/segment");
  ASSERT_TRUE(directory.ok()) << directory.status().ToString();
  MemorySink memory;
  for (SegmentSink* sink : {static_cast<SegmentSink*>(&*directory), static_cast<SegmentSink*>(&memory)}) {
    auto first = sink->Create("first", kPartKind);
    auto second = sink->Create("second", kPartKind);  // two parts at the same time
    ASSERT_TRUE(first.ok() && second.ok());
    ASSERT_TRUE((*first)->Append(AsBytes("one ")).ok());
    ASSERT_TRUE((*second)->Append(AsBytes("12345678")).ok());
    ASSERT_TRUE((*first)->Append(AsBytes("two three")).ok());
    ASSERT_TRUE((*first)->Finish().ok());
    ASSERT_TRUE((*second)->Finish().ok());
    ASSERT_TRUE(sink->Write("empty", kPartKind, {}).ok());
  }
  const SegmentParts parts = std::move(memory).Release();
  ASSERT_EQ(parts.size(), 3u);
  for (const auto& [name, bytes] : parts) {
    const auto file = FormatFile::Open(folder / "deep/segment/" + name, kPartKind);
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    EXPECT_EQ(AsText(file->payload()), AsText(bytes));
  }
  EXPECT_EQ(AsText(parts.at("first")), std::string("one two three\0\0\0", 16));
  EXPECT_EQ(AsText(parts.at("second")), "12345678");
}

TEST(SegmentSinkTest, RefusesAPartTwiceInMemory) {
  MemorySink memory;
  ASSERT_TRUE(memory.Write("values", kPartKind, {}).ok());
  EXPECT_EQ(memory.Write("values", kPartKind, {}).code(), StatusCode::kInvalidArgument);
}

TEST(SegmentSinkTest, HasNoPartThatWasNotFinished) {
  TemporaryFolder folder;
  for (uint64_t fail_at = 1;; fail_at++) {
    FaultFileSystem fs({.fail_at = fail_at});
    const std::string path = folder / std::to_string(fail_at);
    auto sink = DirectorySink::Open(path, fs);
    const Status status = sink.ok() ? sink->Write("part", kPartKind, AsBytes("12345678")) : sink.status();
    if (status.ok()) {
      ASSERT_TRUE(FormatFile::Open(path + "/part", kPartKind).ok());
      EXPECT_GT(fail_at, 5u);
      break;
    }
    // A rename may survive even if its folder was not synced.
    const auto file = FormatFile::Open(path + "/part", kPartKind);
    if (file.ok()) {
      EXPECT_EQ(AsText(file->payload()), "12345678");
    } else {
      EXPECT_EQ(file.status().code(), StatusCode::kNotFound);
    }
  }
}

}  // namespace
}  // namespace crivello::index
