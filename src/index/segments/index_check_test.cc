// SPDX-License-Identifier: Apache-2.0
#include "index/segments/index_check.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/test_support.h"
#include "index/build/index_writer_test_support.h"
#include "index/segments/segment_test_support.h"

namespace crivello::index {
namespace {

TEST(IndexCheckTest, FindsNothingWrongWithWhatWasWritten) {
  TemporaryFolder folder;
  EXPECT_EQ(CheckIndex(folder / "none").status().code(), StatusCode::kNotFound);
  IndexWriterOptions options;
  options.directory = folder / "index";
  options.settings = IndexSettings{.analyser = "plain"};
  options.policy.fan_in = 4;
  options.merge_in_background = false;
  auto writer = IndexWriter::Open(options);
  ASSERT_TRUE(writer.ok()) << writer.status().ToString();
  PlainWriter plain(false);
  for (uint64_t step = 1; step < 40; step++) {
    ASSERT_TRUE(DoStep(step, writer->get(), &plain).ok());
    ASSERT_TRUE((*writer)->Commit(step).ok());
    if (step % 13 == 0) {
      ASSERT_TRUE((*writer)->WaitForMerges().ok());
    }
  }
  const auto check = CheckIndex(folder / "index");
  ASSERT_TRUE(check.ok());
  EXPECT_EQ(check->problems, std::vector<std::string>());
  EXPECT_EQ(check->segments, (*writer)->snapshot()->segments().size());
  EXPECT_EQ(check->documents, (*writer)->snapshot()->documents());
  EXPECT_GT(check->postings, check->documents);

  const std::string path =
      SegmentPath(folder / "index", (*writer)->manifest().segments[0].id) + "/body.documents";
  std::string bytes = *ReadFile(path);
  bytes[70] = static_cast<char>(bytes[70] ^ 1);
  std::ofstream(path, std::ios::binary) << bytes;
  const auto damaged = CheckIndex(folder / "index");
  ASSERT_TRUE(damaged.ok());
  ASSERT_EQ(damaged->problems.size(), 1u);
  EXPECT_NE(damaged->problems[0].find(path), std::string::npos) << damaged->problems[0];
}

// Without checksums: by comparing the parts with each other.
TEST(IndexCheckTest, FindsMostFlippedBitsWithoutChecksums) {
  SeededRandom random(4);
  MemorySink sink;
  ASSERT_TRUE(WritePlainSegment(SomeDocuments(random, 30), sink).ok());
  const SegmentParts good = std::move(sink).Release();
  {
    IndexCheck check;
    CheckSegment(**Segment::FromParts(good), "good", &check);
    EXPECT_EQ(check.problems, std::vector<std::string>());
  }
  uint64_t flips = 0;
  uint64_t found = 0;
  for (const auto& [name, bytes] : good) {
    for (size_t at = 0; at < bytes.size(); at += 3) {
      SegmentParts bad = good;
      bad[name][at] ^= std::byte{static_cast<uint8_t>(1u << at % 8)};
      flips++;
      const auto segment = Segment::FromParts(std::move(bad));
      IndexCheck check;
      if (segment.ok()) CheckSegment(**segment, "bad", &check);
      found += !segment.ok() || !check.problems.empty() ? 1 : 0;
    }
  }
  EXPECT_GT(found * 10, flips * 6) << found << " of " << flips;
}

}  // namespace
}  // namespace crivello::index
