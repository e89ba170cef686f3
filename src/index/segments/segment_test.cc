// SPDX-License-Identifier: Apache-2.0
#include "index/segments/segment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/test_support.h"
#include "index/segments/segment_test_support.h"

namespace crivello::index {
namespace {

// Every list of a segment, as lines.
std::vector<std::string> Everything(const Segment& segment) {
  std::vector<std::string> lines;
  for (const FieldView& field : segment.fields()) {
    for (TermCursor term = field.terms.Begin(); term.valid(); term.Next()) {
      auto cursor = field.Open(term.entry());
      if (!cursor.ok()) {
        lines.push_back(cursor.status().ToString());
        continue;
      }
      for (; cursor->doc() != kEndDoc; cursor->Next()) {
        std::string line = field.name + " " + std::string(term.term()) + " " + std::to_string(cursor->doc());
        for (const uint32_t position : cursor->positions()) line += " " + std::to_string(position);
        lines.push_back(std::move(line));
      }
    }
  }
  TextReader texts(segment.texts());
  for (DocId doc = 0; doc < segment.documents(); doc++) {
    const auto stored = texts.Get(doc);
    lines.push_back(stored.ok() ? std::string(stored->url) : stored.status().ToString());
    for (const auto& [name, column] : segment.values().all_strings()) lines.push_back(column[doc]);
  }
  return lines;
}

std::vector<std::string> Everything(const std::vector<PlainDocument>& documents) {
  std::vector<std::string> lines;
  for (const char* field : {"body", "title"}) {
    std::map<std::string, std::map<DocId, std::string>> lists;
    for (DocId doc = 0; doc < documents.size(); doc++) {
      const auto found = documents[doc].fields.find(field);
      if (found == documents[doc].fields.end()) continue;
      for (size_t at = 0; at < found->second.size(); at++)
        lists[found->second[at]][doc] += " " + std::to_string(at);
    }
    for (const auto& [term, list] : lists) {
      for (const auto& [doc, positions] : list)
        lines.push_back(std::string(field) + " " + term + " " + std::to_string(doc) + positions);
    }
  }
  for (const PlainDocument& document : documents) {
    lines.push_back(document.url);
    lines.push_back(document.url.substr(0, 3));
  }
  return lines;
}

TEST(SegmentTest, IsTheSameInFilesAndInMemory) {
  for (const size_t count : {0u, 1u, 500u}) {
    for (const PostingFormat* format : AllPostingFormats()) {
      SCOPED_TRACE(testing::Message() << count << " documents, " << format->name());
      SeededRandom random(count);
      const std::vector<PlainDocument> documents = SomeDocuments(random, count);
      TemporaryFolder folder;
      auto files = DirectorySink::Open(folder / "s");
      ASSERT_TRUE(files.ok());
      MemorySink memory;
      for (SegmentSink* sink : {static_cast<SegmentSink*>(&*files), static_cast<SegmentSink*>(&memory)})
        ASSERT_TRUE(WritePlainSegment(documents, *sink, std::string(format->name())).ok());
      const auto on_disk = Segment::Open(folder / "s");
      ASSERT_TRUE(on_disk.ok()) << on_disk.status().ToString();
      const auto in_memory = Segment::FromParts(std::move(memory).Release());
      ASSERT_TRUE(in_memory.ok()) << in_memory.status().ToString();
      EXPECT_EQ(Everything(**on_disk), Everything(documents));
      EXPECT_EQ(Everything(**in_memory), Everything(documents));
      EXPECT_EQ((*on_disk)->info(), (*in_memory)->info());
      EXPECT_EQ((*on_disk)->bytes(), (*in_memory)->bytes());
      EXPECT_NE((*on_disk)->field("body"), nullptr);
      EXPECT_EQ((*on_disk)->field("url"), nullptr);
    }
  }
}

TEST(SegmentTest, LivesOnWhenItsFilesAreRemoved) {
  SeededRandom random(2);
  const std::vector<PlainDocument> documents = SomeDocuments(random, 100);
  TemporaryFolder folder;
  auto files = DirectorySink::Open(folder / "s");
  ASSERT_TRUE(WritePlainSegment(documents, *files).ok());
  const auto segment = Segment::Open(folder / "s");
  ASSERT_TRUE(segment.ok());
  std::filesystem::remove_all(folder / "s");
  EXPECT_EQ(Everything(**segment), Everything(documents));
}

TEST(SegmentTest, RefusesPartsThatAreMissingOrOfAnother) {
  SeededRandom random(2);
  MemorySink one, other;
  ASSERT_TRUE(WritePlainSegment(SomeDocuments(random, 30), one).ok());
  ASSERT_TRUE(WritePlainSegment(SomeDocuments(random, 60), other).ok());
  const SegmentParts parts = std::move(one).Release();
  const SegmentParts others = std::move(other).Release();
  for (const auto& [name, bytes] : parts) {
    SegmentParts missing = parts;
    missing.erase(name);
    EXPECT_EQ(Segment::FromParts(std::move(missing)).status().code(), StatusCode::kNotFound) << name;
  }
  for (const char* name : {"segment", "values", "texts"}) {
    SegmentParts mixed = parts;
    mixed[name] = others.at(name);
    EXPECT_EQ(Segment::FromParts(std::move(mixed)).status().code(), StatusCode::kCorruption) << name;
  }
}

// Flips each byte and cuts each length of each file.  With full verification it is refused by name; with only
// envelopes verified, it is read within bounds.
TEST(SegmentTest, RefusesEveryDamagedFileByName) {
  SeededRandom random(6);
  TemporaryFolder folder;
  auto files = DirectorySink::Open(folder / "s");
  ASSERT_TRUE(WritePlainSegment(SomeDocuments(random, 12), *files).ok());
  uint64_t read = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder / "s")) {
    const std::string path = file.path().string();
    const std::string good = *ReadFile(path);
    const auto try_with = [&](const std::string& bytes) {
      std::ofstream(path, std::ios::binary) << bytes;
      const auto verified = Segment::Open(folder / "s", Verify::kPayload);
      ASSERT_EQ(verified.status().code(), StatusCode::kCorruption);
      ASSERT_NE(verified.status().message().find(folder / "s"), std::string::npos);
      const auto opened = Segment::Open(folder / "s");
      if (opened.ok()) read += Everything(**opened).size();
    };
    for (size_t at = 0; at < good.size(); at++) {
      SCOPED_TRACE(testing::Message() << path << " at " << at);
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << at % 8));
      ASSERT_NO_FATAL_FAILURE(try_with(bad));
      if (at % 7 == 0) {
        ASSERT_NO_FATAL_FAILURE(try_with(good.substr(0, at)));
      }
    }
    std::ofstream(path, std::ios::binary) << good;
  }
  EXPECT_GT(read, 0u);
}

TEST(SegmentTest, ReadsItsDescription) {
  SegmentInfo info;
  info.documents = 12;
  info.analyser = "plain";
  info.format = "packed";
  info.order = "url";
  info.fields.push_back({"body", PostingContents::kCounts, 1, 2, 3, 4, 5, 6});
  MemorySink sink;
  ASSERT_TRUE(WriteSegmentInfo(info, sink).ok());
  const SegmentParts parts = std::move(sink).Release();
  const std::vector<std::byte>& payload = parts.at("segment");
  const auto got = SegmentInfo::FromImage(payload);
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  EXPECT_EQ(*got, info);
  for (size_t size = 0; size < payload.size() - 8; size++)
    EXPECT_FALSE(SegmentInfo::FromImage(Bytes(payload).first(size)).ok()) << size;
  for (const char* name : {"", "Body", "a.b", "../x"}) {
    info.fields[0].name = name;
    MemorySink refused;
    EXPECT_EQ(WriteSegmentInfo(info, refused).code(), StatusCode::kInvalidArgument) << name;
  }
}

}  // namespace
}  // namespace crivello::index
