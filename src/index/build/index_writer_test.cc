// SPDX-License-Identifier: Apache-2.0
#include "index/build/index_writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/test_support.h"
#include "index/build/ciff.h"
#include "index/build/index_writer_test_support.h"

namespace crivello::index {
namespace {

IndexWriterOptions WriterOptions(const std::string& directory, bool versions = false) {
  IndexWriterOptions options;
  options.directory = directory;
  options.settings = IndexSettings{.analyser = "plain", .versions = versions};
  options.policy = {.fan_in = 3, .floor_bytes = 3000};
  options.merge_in_background = false;
  return options;
}

std::unique_ptr<IndexWriter> OpenWriter(const IndexWriterOptions& options) {
  auto writer = IndexWriter::Open(options);
  EXPECT_TRUE(writer.ok()) << writer.status().ToString();
  return std::move(writer).value();
}

std::set<std::string> FoldersOf(const std::string& index) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(SegmentsPath(index)))
    names.insert(entry.path().filename().string());
  return names;
}

TEST(IndexWriterTest, HasWhatAMapOfPagesHas) {
  for (const bool versions : {false, true}) {
    for (const bool live : {false, true}) {
      SCOPED_TRACE(testing::Message() << "versions " << versions << ", live " << live);
      TemporaryFolder folder;
      IndexWriterOptions options = WriterOptions(folder / "index", versions);
      options.live = live;
      auto writer = OpenWriter(options);
      PlainWriter plain(versions);
      SeededRandom random(3);
      for (uint64_t step = 1; step < 90; step++) {
        ASSERT_TRUE(DoStep(step, writer.get(), &plain).ok());
        const uint64_t what = random.Below(10);
        if (live && what < 5) {
          const auto snapshot = writer->Refresh();
          ASSERT_TRUE(snapshot.ok()) << snapshot.status().ToString();
          ASSERT_EQ(StateOf(**snapshot), plain.state()) << step;
        } else if (what < 9) {
          ASSERT_TRUE(writer->Commit(step).ok());
          ASSERT_EQ(StateOf(*writer->snapshot()), plain.state()) << step;
          const auto committed = Snapshot::Open(options.directory);
          ASSERT_TRUE(committed.ok()) << committed.status().ToString();
          ASSERT_EQ(StateOf(**committed), plain.state()) << step;
          ASSERT_EQ((*committed)->live_documents(), plain.state().size());
        }
        if (what == 6) {
          ASSERT_TRUE(writer->WaitForMerges().ok());
          ASSERT_TRUE(writer->WaitForMerges().ok());  // finds nothing to do
          ASSERT_EQ(StateOf(*writer->snapshot()), plain.state()) << step;
        }
        if (what == 8) {
          writer = nullptr;
          writer = OpenWriter(options);
          ASSERT_EQ(writer->sequence(), step);
          ASSERT_EQ(StateOf(*writer->snapshot()), plain.state()) << step;
        }
      }
      ASSERT_TRUE(writer->Commit(1000).ok());
      ASSERT_TRUE(writer->MergeAll().ok());
      EXPECT_EQ(writer->snapshot()->segments().size(), 1u);
      EXPECT_EQ(writer->snapshot()->documents(), plain.state().size());
      EXPECT_EQ(StateOf(*writer->snapshot()), plain.state());
      EXPECT_EQ(FoldersOf(options.directory).size(), 1u);
    }
  }
}

TEST(IndexWriterTest, MergesInTheBackgroundWhileDocumentsComeAndGo) {
  TemporaryFolder folder;
  IndexWriterOptions options = WriterOptions(folder / "index");
  options.merge_in_background = true;
  options.merge_bytes_per_second = 3'000'000;
  auto writer = OpenWriter(options);
  PlainWriter plain(false);
  for (uint64_t step = 1; step < 200; step++) {
    ASSERT_TRUE(DoStep(step, writer.get(), &plain).ok());
    ASSERT_TRUE(writer->Commit(step).ok());
    ASSERT_EQ(StateOf(*writer->snapshot()), plain.state()) << step;
    if (step % 3 != 0) continue;
    // Not committed, so no merge may commit it.
    PlainWriter ahead = plain;
    ASSERT_TRUE(DoStep(1000 + step, writer.get(), &ahead).ok());
    ASSERT_TRUE(writer->Refresh().ok());
    ASSERT_EQ(StateOf(*writer->snapshot()), ahead.state()) << step;
    const auto committed = Snapshot::Open(options.directory);
    ASSERT_TRUE(committed.ok()) << committed.status().ToString();
    ASSERT_EQ(StateOf(**committed), plain.state()) << step;
    plain = ahead;
  }
  ASSERT_TRUE(writer->Commit(200).ok());
  ASSERT_TRUE(writer->WaitForMerges().ok());
  EXPECT_EQ(StateOf(*writer->snapshot()), plain.state());
  EXPECT_LT(writer->snapshot()->segments().size(), 10u);
}

TEST(IndexWriterTest, StopsAMergeThatWouldTakeLong) {
  TemporaryFolder folder;
  IndexWriterOptions options = WriterOptions(folder / "index");
  PlainWriter plain(false);
  {
    auto writer = OpenWriter(options);
    for (uint64_t step = 1; step < 10; step++) {
      ASSERT_TRUE(DoStep(step, writer.get(), &plain).ok());
      ASSERT_TRUE(writer->Commit(step).ok());
    }
  }
  options.merge_in_background = true;
  options.merge_bytes_per_second = 1;  // hours
  OpenWriter(options) = nullptr;
  EXPECT_EQ(StateOf(*OpenWriter(WriterOptions(folder / "index"))->snapshot()), plain.state());
}

TEST(IndexWriterTest, LeavesSnapshotsAsTheyAre) {
  TemporaryFolder folder;
  auto writer = OpenWriter(WriterOptions(folder / "index"));
  PlainWriter plain(false);
  std::vector<std::pair<std::shared_ptr<const Snapshot>, PlainIndexState>> held;
  for (uint64_t step = 1; step < 30; step++) {
    ASSERT_TRUE(DoStep(step, writer.get(), &plain).ok());
    ASSERT_TRUE((step % 2 == 0 ? writer->Commit(step) : writer->Refresh().status()).ok());
    held.emplace_back(writer->snapshot(), plain.state());
    if (step % 5 == 0) {
      ASSERT_TRUE(writer->WaitForMerges().ok());
    }
  }
  ASSERT_TRUE(writer->MergeAll().ok());
  writer = nullptr;
  std::filesystem::remove_all(folder / "index");
  for (const auto& [snapshot, state] : held) EXPECT_EQ(StateOf(*snapshot), state);
}

TEST(IndexWriterTest, TellsWhichVersionWasCurrentWhen) {
  TemporaryFolder folder;
  auto writer = OpenWriter(WriterOptions(folder / "index", true));
  for (const int64_t from : {100, 200, 300}) {
    ASSERT_TRUE(writer->Add(PageDocument("a/1", from, "w" + std::to_string(from))).ok());
    if (from == 200) {
      ASSERT_TRUE(writer->Commit(1).ok());
    }
  }
  ASSERT_TRUE(writer->Commit(2).ok());
  ASSERT_TRUE(writer->MergeAll().ok());
  const auto snapshot = writer->snapshot();
  ASSERT_EQ(snapshot->documents(), 3u);
  const SegmentView& view = snapshot->segments()[0];
  const auto at = [&](int64_t time) {
    std::vector<DocId> current;
    for (DocId doc = 0; doc < 3; doc++) {
      if (view.WasCurrent(doc, time)) current.push_back(doc);
    }
    return current;
  };
  EXPECT_EQ(at(99), std::vector<DocId>());
  EXPECT_EQ(at(100), std::vector<DocId>{0});
  EXPECT_EQ(at(199), std::vector<DocId>{0});
  EXPECT_EQ(at(200), std::vector<DocId>{1});
  EXPECT_EQ(at(1'000'000), std::vector<DocId>{2});
  ASSERT_TRUE(writer->Delete("a/1").ok());
  ASSERT_TRUE(writer->Commit(3).ok());
  EXPECT_EQ(writer->snapshot()->live_documents(), 0u);
  ASSERT_TRUE(writer->WaitForMerges().ok());
  EXPECT_TRUE(writer->snapshot()->segments().empty());
}

TEST(IndexWriterTest, CommitsNothingWhereNothingChanged) {
  TemporaryFolder folder;
  auto writer = OpenWriter(WriterOptions(folder / "index"));
  ASSERT_TRUE(writer->Commit(0).ok());  // an empty index is valid
  ASSERT_TRUE(writer->Commit(0).ok());
  EXPECT_EQ(writer->manifest().generation, 1u);
  ASSERT_TRUE(writer->Delete("nothing").ok());
  ASSERT_TRUE(writer->Commit(0).ok());
  EXPECT_EQ(writer->manifest().generation, 1u);
  ASSERT_TRUE(writer->Commit(5).ok());
  EXPECT_EQ(writer->manifest().generation, 2u);
  EXPECT_EQ(Snapshot::Open(folder / "index").value()->documents(), 0u);
}

TEST(IndexWriterTest, IsOneAtATimeAndOfOneKind) {
  TemporaryFolder folder;
  const IndexWriterOptions options = WriterOptions(folder / "index");
  auto writer = OpenWriter(options);
  EXPECT_EQ(IndexWriter::Open(options).status().code(), StatusCode::kUnavailable);
  ASSERT_TRUE(writer->Commit(1).ok());
  writer = nullptr;
  IndexWriterOptions other = options;
  other.settings->analyser = "words";
  EXPECT_EQ(IndexWriter::Open(other).status().code(), StatusCode::kInvalidArgument);
  other.settings.reset();
  EXPECT_EQ(OpenWriter(other)->settings().analyser, "plain");
  other.directory = folder / "none";
  EXPECT_EQ(IndexWriter::Open(other).status().code(), StatusCode::kNotFound);
}

TEST(IndexWriterTest, TakesSegmentsFromElsewhere) {
  TemporaryFolder folder;
  auto writer = OpenWriter(WriterOptions(folder / "index"));
  ASSERT_TRUE(writer->Add(PageDocument("a/1", 1, "w1 w2")).ok());
  ASSERT_TRUE(writer->Add(PageDocument("a/2", 1, "w2")).ok());
  ASSERT_TRUE(writer->Commit(1).ok());
  std::string file;
  ASSERT_TRUE(ExportCiff(*writer->snapshot(), {}, [&](Bytes bytes) {
                file += AsText(bytes);
                return Status::Ok();
              }).ok());
  auto other = OpenWriter(WriterOptions(folder / "other"));
  ASSERT_TRUE(other->Add(PageDocument("a/2", 1, "old")).ok());
  ASSERT_TRUE(
      other->AddSegment([&](SegmentSink& sink) { return ImportCiff(AsBytes(file), {}, sink).status(); })
          .ok());
  ASSERT_TRUE(other->Commit(1).ok());
  const auto snapshot = Snapshot::Open(folder / "other");
  ASSERT_TRUE(snapshot.ok()) << snapshot.status().ToString();
  EXPECT_EQ((*snapshot)->live_documents(), 2u);
}

TEST(IndexWriterTest, ArrangesDocumentsInAnotherOrder) {
  TemporaryFolder folder;
  auto writer = OpenWriter(WriterOptions(folder / "index"));
  for (int i = 0; i < 5; i++)
    ASSERT_TRUE(writer->Add(PageDocument("a/" + std::to_string(i), 1, "w" + std::to_string(i))).ok());
  ASSERT_TRUE(writer->Delete("a/2").ok());
  ASSERT_TRUE(writer->Commit(1).ok());
  const PlainIndexState before = StateOf(*writer->snapshot());
  const auto reverse = [](std::vector<MergeSource>* sources) {
    for (MergeSource& source : *sources) {
      for (DocId& doc : source.map) doc = doc == kEndDoc ? kEndDoc : 3 - doc;
    }
    return Status::Ok();
  };
  ASSERT_TRUE(writer->MergeAll({.arrange = reverse, .order = "reverse"}).ok());
  EXPECT_EQ(StateOf(*writer->snapshot()), before);
  const Segment& segment = *writer->snapshot()->segments()[0].segment;
  EXPECT_EQ(segment.info().order, "reverse");
  EXPECT_EQ(TextReader(segment.texts()).Get(0)->url, "a/4");
}

}  // namespace
}  // namespace crivello::index
