// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "base/hash.h"
#include "golden.h"
#include "index/build/ciff.h"
#include "index/build/index_writer.h"
#include "index/ranks/rank_pages.h"
#include "index/segments/segment.h"

namespace crivello {
namespace {

using namespace index;  // NOLINT: this file is about that folder alone

// More than a block of 128 postings.
constexpr DocId kPages = 300;
constexpr DocId kDeleted = 40;

std::string PageUrl(DocId doc) { return "https://example.org/" + std::to_string(doc); }

Status WriteIndex(const std::string& path, std::string_view format, bool store_text) {
  IndexWriterOptions options;
  options.directory = path;
  options.settings =
      IndexSettings{.analyser = "plain", .format = std::string(format), .store_text = store_text};
  options.merge_in_background = false;
  {
    CRV_ASSIGN(const auto writer, IndexWriter::Open(options));
    for (DocId doc = 0; doc < kPages; doc++) {
      IndexDocument document;
      document.url = PageUrl(doc);
      document.id = "id " + std::to_string(doc);
      document.title = "Page " + std::to_string(doc);
      document.text = "the text of it";
      document.texts = {{"body", "every seventh" + std::to_string(doc % 7) + " every"}};
      document.keywords = {{"site", doc % 2 == 0 ? "even" : "odd"}};
      document.numbers = {{"from", 1'000'000 + static_cast<int64_t>(doc)}};
      document.labels = {{"language", doc % 3 == 0 ? "it" : "en"}};
      document.scores = {{"rank", static_cast<float>(doc % 4)}};
      CRV_TRY(writer->Add(std::move(document)));
    }
    CRV_TRY(writer->Commit(17));
    CRV_TRY(writer->Delete(PageUrl(kDeleted)));
    CRV_TRY(writer->Commit(18));
  }
  return PosixFileSystem().Remove(path + "/lock");
}

void CheckBody(const Segment& segment) {
  const FieldView* body = segment.field("body");
  ASSERT_NE(body, nullptr);
  ASSERT_EQ(body->terms.size(), 8u);  // "every" and seven others
  EXPECT_EQ(body->tokens, 3 * kPages);
  const auto every = body->terms.Find("every");
  ASSERT_TRUE(every.has_value());
  CRV_GOLDEN_ASSIGN(PostingCursor all, body->Open(*every));
  EXPECT_EQ(all.frequency(), kPages);
  EXPECT_EQ(all.occurrences(), 2 * kPages);
  for (DocId doc = 0; doc < kPages; doc++) {
    ASSERT_EQ(all.doc(), doc);
    const auto positions = all.positions();
    EXPECT_EQ(std::vector<uint32_t>(positions.begin(), positions.end()), (std::vector<uint32_t>{0, 2}));
    all.Next();
  }
  EXPECT_EQ(all.doc(), kEndDoc);
  EXPECT_TRUE(all.ok());
  const auto third = body->terms.Find("seventh3");
  ASSERT_TRUE(third.has_value());
  CRV_GOLDEN_ASSIGN(PostingCursor some, body->Open(*third));
  for (DocId doc = 3; doc < kPages; doc += 7) {
    ASSERT_EQ(some.doc(), doc);
    some.Next();
  }
  EXPECT_EQ(some.doc(), kEndDoc);
  EXPECT_TRUE(some.ok());
}

void CheckIndex(const std::string& path, std::string_view format, bool store_text) {
  CRV_GOLDEN_ASSIGN(const Manifest manifest, Manifest::Read(path));
  EXPECT_EQ(manifest.sequence, 18u);
  EXPECT_EQ(manifest.settings.analyser, "plain");
  EXPECT_EQ(manifest.settings.format, format);
  EXPECT_EQ(manifest.settings.contents, PostingContents::kPositions);
  CRV_GOLDEN_ASSIGN(const auto snapshot, Snapshot::Open(path, Verify::kPayload));
  ASSERT_EQ(snapshot->segments().size(), 1u);
  EXPECT_EQ(snapshot->live_documents(), kPages - 1);
  const SegmentView& view = snapshot->segments()[0];
  const Segment& segment = *view.segment;
  ASSERT_EQ(segment.documents(), kPages);
  EXPECT_EQ(segment.info().format, format);
  CheckBody(segment);

  const FieldView* site = segment.field("site");
  ASSERT_NE(site, nullptr);
  EXPECT_EQ(site->lists.contents, PostingContents::kDocuments);
  EXPECT_TRUE(site->terms.Find("odd").has_value());
  TextReader texts(segment.texts());
  for (DocId doc = 0; doc < kPages; doc++) {
    EXPECT_EQ(view.IsLive(doc), doc != kDeleted);
    EXPECT_EQ((*segment.values().numbers("from"))[doc], 1'000'000 + static_cast<int64_t>(doc));
    EXPECT_EQ((*segment.values().strings("language"))[doc], doc % 3 == 0 ? "it" : "en");
    EXPECT_EQ((*segment.values().scores("rank"))[doc], static_cast<float>(doc % 4));
    CRV_GOLDEN_ASSIGN(const StoredDocument stored, texts.Get(doc));
    EXPECT_EQ(stored.url, PageUrl(doc));
    EXPECT_EQ(stored.id, "id " + std::to_string(doc));
    EXPECT_EQ(stored.title, store_text ? "Page " + std::to_string(doc) : "");
    EXPECT_EQ(stored.text, store_text ? "the text of it" : "");
  }
}

// The manifest contains the size of the segment, including texts; it has version 1, without ranks.
Golden IndexGolden(const std::string& name, const std::string& format, bool store_text) {
  return {.name = name,
          .write = [=](const std::string& path) { return WriteIndex(path, format, store_text); },
          .check = [=](const std::string& path) { CheckIndex(path, format, store_text); },
          .varying = {"texts", "manifest"}};
}

// An index of version 2, with ranks of its pages.
constexpr uint64_t kRankDigest = 12345;

// Fewer than 256 distinct values; the last page has none.
float RankOf(DocId doc) { return static_cast<float>(1 + doc * 7 % 250) / 8; }

Status WriteRankedIndex(const std::string& path) {
  IndexWriterOptions options;
  options.directory = path;
  options.settings = IndexSettings{.analyser = "plain", .store_text = false};
  options.merge_in_background = false;
  std::vector<float> values;
  for (DocId doc = 0; doc + 1 < kPages; doc++) values.push_back(RankOf(doc));
  RankPagesBuilder pages(MakeRankScale("pagerank", kRankDigest, values));
  for (DocId doc = 0; doc + 1 < kPages; doc++) pages.Add(PageUrl(doc), RankOf(doc));
  {
    CRV_ASSIGN(const auto writer, IndexWriter::Open(options));
    for (DocId doc = 0; doc < kPages; doc++) CRV_TRY(writer->Add({.url = PageUrl(doc)}));
    CRV_TRY(writer->Commit(1));
    CRV_TRY(writer->ReplaceRanks({std::move(pages).Finish()}, {}));
  }
  return PosixFileSystem().Remove(path + "/lock");
}

void CheckRankedIndex(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const Manifest manifest, Manifest::Read(path));
  EXPECT_EQ(manifest.ranks, (std::vector<Manifest::Rank>{{"pagerank", 2, kRankDigest}}));
  CRV_GOLDEN_ASSIGN(const auto snapshot, Snapshot::Open(path, Verify::kPayload));
  ASSERT_EQ(snapshot->segments().size(), 1u);
  const RankColumn* column = snapshot->segments()[0].rank("pagerank");
  ASSERT_NE(column, nullptr);
  EXPECT_EQ(column->scale().pages, kPages - 1);
  EXPECT_EQ(column->scale().median, column->scale().pivot);
  ASSERT_EQ(column->documents(), kPages);
  for (DocId doc = 0; doc + 1 < kPages; doc++) ASSERT_EQ((*column)[doc], RankOf(doc));
  EXPECT_EQ((*column)[kPages - 1], column->scale().median);
  CRV_GOLDEN_ASSIGN(const auto pages,
                    RankPages::Open(RankPagesPath(path, manifest.ranks[0]), Verify::kPayload));
  EXPECT_EQ(pages->pages(), kPages - 1);
  EXPECT_TRUE(pages->Find(UrlKey(PageUrl(7))).has_value());
}

Status WriteCiff(const std::string& path) {
  const std::string index = path + ".index";
  CRV_TRY(WriteIndex(index, "packed", false));
  CRV_ASSIGN(const auto snapshot, Snapshot::Open(index));
  std::string bytes;
  CRV_TRY(ExportCiff(*snapshot, {.field = "body", .description = "golden"}, [&](Bytes part) {
            bytes.append(AsText(part));
            return Status::Ok();
          }).status());
  std::filesystem::remove_all(index);
  return WriteGoldenText(path, bytes);
}

void CheckCiff(const std::string& path) {
  const std::string bytes = GoldenText(path);
  MemorySink sink;
  CRV_GOLDEN_ASSIGN(const CiffSummary summary, ImportCiff(AsBytes(bytes), {.field = "body"}, sink));
  EXPECT_EQ(summary.documents, kPages - 1);  // without the deleted page
  EXPECT_EQ(summary.lists, 8u);
  EXPECT_EQ(summary.postings, 2 * (kPages - 1));
  EXPECT_EQ(summary.occurrences, 3 * (kPages - 1));
  CRV_GOLDEN_ASSIGN(const auto segment, Segment::FromParts(std::move(sink).Release()));
  TextReader texts(segment->texts());
  CRV_GOLDEN_ASSIGN(const StoredDocument last, texts.Get(kPages - 2));
  EXPECT_EQ(last.id, "id 299");
}

}  // namespace

std::vector<Golden> IndexGoldens() {
  std::vector<Golden> goldens = {{"ciff-v1.ciff", WriteCiff, CheckCiff},
                                 {.name = "index-v2-ranks",
                                  .write = WriteRankedIndex,
                                  .check = CheckRankedIndex,
                                  .varying = {"texts", "manifest"}}};
  for (const PostingFormat* format : AllPostingFormats()) {
    const std::string name(format->name());
    goldens.push_back(IndexGolden("index-v1-" + name, name, name == "packed"));
  }
  return goldens;
}

}  // namespace crivello
