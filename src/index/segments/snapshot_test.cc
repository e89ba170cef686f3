// SPDX-License-Identifier: Apache-2.0
#include "index/segments/snapshot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/test_support.h"
#include "index/segments/segment_test_support.h"

namespace crivello::index {
namespace {

Manifest SomeManifest() {
  Manifest manifest;
  manifest.generation = 7;
  manifest.settings = {
      .analyser = "plain", .contents = PostingContents::kCounts, .store_text = false, .versions = true};
  manifest.sequence = 1'000'000'000'000;
  manifest.next_segment = 13;
  manifest.segments = {{.id = 3, .documents = 100, .deleted = 5, .deletions = 7, .bytes = 1 << 20},
                       {.id = 12, .documents = 1, .bytes = 300}};
  return manifest;
}

TEST(ManifestTest, IsReadAsItWasWritten) {
  TemporaryFolder folder;
  EXPECT_EQ(Manifest::Read(folder.path()).status().code(), StatusCode::kNotFound);
  const Manifest manifest = SomeManifest();
  ASSERT_TRUE(manifest.Write(folder.path(), PosixFileSystem()).ok());
  const auto read = Manifest::Read(folder.path());
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(*read, manifest);
  EXPECT_EQ(SegmentPath("i", 3), "i/segments/00000003");
  EXPECT_EQ(DeletionsPath("i", manifest.segments[0]), "i/segments/00000003/deleted-7");
}

TEST(ManifestTest, IsRefusedWhenDamaged) {
  TemporaryFolder folder;
  ASSERT_TRUE(SomeManifest().Write(folder.path(), PosixFileSystem()).ok());
  const std::string good = *ReadFile(folder / "manifest");
  for (size_t at = 0; at < good.size(); at++) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    std::ofstream(folder / "manifest", std::ios::binary) << bad;
    ASSERT_EQ(Manifest::Read(folder.path()).status().code(), StatusCode::kCorruption) << at;
    std::ofstream(folder / "manifest", std::ios::binary) << good.substr(0, at);
    ASSERT_EQ(Manifest::Read(folder.path()).status().code(), StatusCode::kCorruption) << at;
  }
  Manifest manifest = SomeManifest();
  manifest.segments[1].id = 3;
  EXPECT_EQ(Manifest::Decode(manifest.Encode()).status().code(), StatusCode::kCorruption);
  manifest.segments[1].id = 13;
  EXPECT_EQ(Manifest::Decode(manifest.Encode()).status().code(), StatusCode::kCorruption);
}

SegmentView InMemory(const std::vector<PlainDocument>& documents) {
  MemorySink sink;
  EXPECT_TRUE(WritePlainSegment(documents, sink).ok());
  return {*Segment::FromParts(std::move(sink).Release()), nullptr};
}

TEST(SnapshotTest, HasTheSameStatisticsHoweverACollectionIsCut) {
  SeededRandom random(1);
  const std::vector<PlainDocument> documents = SomeDocuments(random, 400);
  const Snapshot whole({InMemory(documents)}, 1, "plain");
  std::vector<std::shared_ptr<const Snapshot>> tablets;
  for (size_t tablet = 0; tablet < 4; tablet++) {
    const auto begin = documents.begin() + std::ptrdiff_t(tablet) * 100;
    const std::vector<SegmentView> segments = {InMemory({begin, begin + 30}),
                                               InMemory({begin + 30, begin + 100})};
    tablets.push_back(std::make_shared<const Snapshot>(segments, 1, "plain"));
  }
  const auto joined = Snapshot::Join(tablets);
  ASSERT_TRUE(joined.ok());
  EXPECT_EQ((*joined)->segments().size(), 8u);
  EXPECT_EQ((*joined)->documents(), 400u);
  EXPECT_EQ((*joined)->fields(), whole.fields());
  EXPECT_GT(whole.field("body").tokens, 0u);
  EXPECT_EQ(whole.field("none"), FieldStatistics());
  tablets.push_back(std::make_shared<const Snapshot>(std::vector<SegmentView>(), 1, "words"));
  EXPECT_EQ(Snapshot::Join(tablets).status().code(), StatusCode::kInvalidArgument);
}

// An index of one segment, with a deletion and an end.
Manifest WriteIndex(const std::string& path) {
  SeededRandom random(2);
  auto sink = DirectorySink::Open(SegmentPath(path, 1));
  EXPECT_TRUE(sink.ok() && WritePlainSegment(SomeDocuments(random, 10), *sink).ok());
  Manifest manifest;
  manifest.generation = 2;
  manifest.settings.analyser = "plain";
  manifest.next_segment = 2;
  manifest.segments = {{.id = 1, .documents = 10, .deleted = 1, .deletions = 2}};
  LiveDocuments live(10);
  live.Delete(4);
  live.End(6, 500);
  EXPECT_TRUE(
      WriteImage(DeletionsPath(path, manifest.segments[0]), LiveDocuments::kFileKind, live.ToImage().bytes())
          .ok());
  EXPECT_TRUE(manifest.Write(path, PosixFileSystem()).ok());
  return manifest;
}

TEST(SnapshotTest, OpensWhatTheLastCommitLeft) {
  TemporaryFolder folder;
  EXPECT_EQ(Snapshot::Open(folder.path()).status().code(), StatusCode::kNotFound);
  WriteIndex(folder.path());
  const auto snapshot = Snapshot::Open(folder.path());
  ASSERT_TRUE(snapshot.ok()) << snapshot.status().ToString();
  EXPECT_EQ((*snapshot)->documents(), 10u);
  EXPECT_EQ((*snapshot)->live_documents(), 9u);
  EXPECT_EQ((*snapshot)->generation(), 2u);
  const SegmentView& view = (*snapshot)->segments()[0];
  for (DocId doc = 0; doc < 10; doc++) {
    EXPECT_EQ(view.IsLive(doc), doc != 4);
    EXPECT_EQ(view.IsCurrent(doc), doc != 4 && doc != 6);
    EXPECT_EQ(view.WasCurrent(doc, 499), doc != 4);
    EXPECT_EQ(view.WasCurrent(doc, 500), doc != 4 && doc != 6);
  }
}

TEST(SnapshotTest, RefusesAnIndexThatLacksOrMixesFiles) {
  TemporaryFolder folder;
  Manifest manifest = WriteIndex(folder.path());
  std::filesystem::rename(folder / "segments/00000001/deleted-2", folder / "elsewhere");
  EXPECT_EQ(Snapshot::Open(folder.path()).status().code(), StatusCode::kNotFound);
  std::filesystem::rename(folder / "elsewhere", folder / "segments/00000001/deleted-2");
  ASSERT_TRUE(Snapshot::Open(folder.path()).ok());
  manifest.segments[0].documents = 11;
  ASSERT_TRUE(manifest.Write(folder.path(), PosixFileSystem()).ok());
  EXPECT_EQ(Snapshot::Open(folder.path()).status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace crivello::index
