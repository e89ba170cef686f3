// SPDX-License-Identifier: Apache-2.0
#include "index/build/ciff.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "index/build/protobuf_wire.h"
#include "index/build/segment_builder.h"
#include "index/segments/segment_test_support.h"

namespace crivello::index {
namespace {

SegmentView CiffInMemory(const std::vector<PlainDocument>& documents) {
  MemorySink sink;
  EXPECT_TRUE(WritePlainSegment(documents, sink).ok());
  return {*Segment::FromParts(std::move(sink).Release()), nullptr};
}

std::string Export(const std::vector<SegmentView>& segments, CiffSummary* summary = nullptr) {
  std::string file;
  const Snapshot snapshot(segments, 1, "plain");
  const auto exported = ExportCiff(snapshot, {.description = "test"}, [&](Bytes bytes) {
    file += AsText(bytes);
    return Status::Ok();
  });
  EXPECT_TRUE(exported.ok()) << exported.status().ToString();
  if (summary != nullptr) *summary = *exported;
  return file;
}

Result<std::shared_ptr<const Segment>> Import(const std::string& file) {
  MemorySink sink;
  const auto imported = ImportCiff(AsBytes(file), {}, sink);
  if (!imported.ok()) return imported.status();
  return Segment::FromParts(std::move(sink).Release());
}

using Lists = std::map<std::string, std::map<std::string, uint32_t>>;  // term, name of document, count

Lists ListsOf(const std::vector<PlainDocument>& documents) {
  Lists lists;
  for (const PlainDocument& document : documents) {
    const auto body = document.fields.find("body");
    if (body == document.fields.end()) continue;
    for (const std::string& term : body->second) lists[term][document.url]++;
  }
  return lists;
}

Lists ListsOf(const Segment& segment) {
  Lists lists;
  TextReader texts(segment.texts());
  const FieldView& body = *segment.field("body");
  for (TermCursor term = body.terms.Begin(); term.valid(); term.Next()) {
    auto list = body.Open(term.entry());
    EXPECT_TRUE(list.ok());
    for (; list->doc() != kEndDoc; list->Next())
      lists[std::string(term.term())][std::string(texts.Get(list->doc())->id)] = list->count();
  }
  return lists;
}

TEST(CiffTest, WritesTheBytesOfTheFormat) {
  // Two documents: "b a b" and "b".
  const std::string file =
      Export({CiffInMemory({{"x", {{"body", {"b", "a", "b"}}}}, {"y", {{"body", {"b"}}}}})});
  const std::string expected =
      std::string("\x1b\x08\x01\x10\x02\x18\x02\x20\x02\x28\x02\x30\x04\x39\0\0\0\0\0\0\0\x40\x42\x04test",
                  28) +
      std::string(
          "\x0b\x0a\x01"
          "a\x10\x01\x18\x01\x22\x02\x10\x01",
          12) +
      std::string(
          "\x11\x0a\x01"
          "b\x10\x02\x18\x03\x22\x02\x10\x02\x22\x04\x08\x01\x10\x01",
          18) +
      std::string("\x05\x12\x01x\x18\x03", 6) + std::string("\x07\x08\x01\x12\x01y\x18\x01", 8);
  EXPECT_EQ(file, expected);
}

TEST(CiffTest, BringsBackWhatItWrote) {
  for (const size_t count : {0u, 1u, 300u}) {
    SCOPED_TRACE(count);
    SeededRandom random(count + 3);
    const std::vector<PlainDocument> documents = SomeDocuments(random, count);
    CiffSummary summary;
    const std::string file = Export({CiffInMemory(documents)}, &summary);
    const auto segment = Import(file);
    ASSERT_TRUE(segment.ok()) << segment.status().ToString();
    EXPECT_EQ(ListsOf(**segment), ListsOf(documents));
    EXPECT_EQ(summary.documents, count);
    EXPECT_EQ((*segment)->documents(), count);
    const FieldInfo& field = *(*segment)->info().field("body");
    EXPECT_EQ(field.postings, summary.postings);
    EXPECT_EQ(field.occurrences, summary.occurrences);
    EXPECT_EQ(field.tokens, summary.occurrences);
    EXPECT_EQ(field.contents, PostingContents::kCounts);
    // Again, from the imported segment.
    EXPECT_EQ(Export({{*segment, nullptr}}), file);
  }
}

TEST(CiffTest, JoinsSegmentsAndLeavesOutWhatIsNotCurrent) {
  SeededRandom random(5);
  const std::vector<PlainDocument> documents = SomeDocuments(random, 200);
  std::vector<PlainDocument> kept;
  std::vector<SegmentView> segments;
  for (size_t first = 0; first < 200; first += 50) {
    const auto begin = documents.begin() + std::ptrdiff_t(first);
    segments.push_back(CiffInMemory({begin, begin + 50}));
    LiveDocuments live(50);
    for (DocId doc = 0; doc < 50; doc++) {
      const uint64_t fate = first == 0 ? 2 : random.Below(8);
      if (fate == 0) live.Delete(doc);
      if (fate == 1) live.End(doc, 9);
      if (fate > 1) kept.push_back(documents[first + doc]);
    }
    if (!live.untouched()) segments.back().live = std::make_shared<const LiveDocuments>(live);
  }
  EXPECT_EQ(Export(segments), Export({CiffInMemory(kept)}));
}

TEST(CiffTest, SortsListsThatAreNot) {
  const auto message = [](const std::string& body) {
    std::string out;
    ProtobufWriter(&out).Varint(body.size());
    return out + body;
  };
  const auto list = [&](const std::string& term) {
    std::string body;
    ProtobufWriter writer(&body);
    writer.Text(4, std::string("\x10\x02", 2));  // fields in a different order than ours
    writer.Number(3, 2);
    writer.Number(2, 1);
    writer.Text(1, term);
    writer.Text(99, "unknown");
    return message(body);
  };
  std::string header;
  ProtobufWriter writer(&header);
  writer.Number(1, 1);
  writer.Number(2, 3);
  writer.Number(3, 1);
  const std::string documents = message(std::string("\x12\x01x\x18\x06", 5));
  const auto segment = Import(message(header) + list("c") + list("a") + list("b") + documents);
  ASSERT_TRUE(segment.ok()) << segment.status().ToString();
  EXPECT_EQ(ListsOf(**segment), (Lists{{"a", {{"x", 2}}}, {"b", {{"x", 2}}}, {"c", {{"x", 2}}}}));
  const auto twice = Import(message(header) + list("c") + list("a") + list("c") + documents);
  EXPECT_EQ(twice.status().code(), StatusCode::kCorruption);
}

TEST(CiffTest, RefusesADamagedFileOrReadsAnother) {
  SeededRandom random(8);
  const std::string good = Export({CiffInMemory(SomeDocuments(random, 12))});
  for (size_t at = 0; at < good.size(); at++) {
    EXPECT_EQ(Import(good.substr(0, at)).status().code(), StatusCode::kCorruption) << at;
    for (unsigned bit = 0; bit < 8; bit++) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      const auto segment = Import(bad);
      if (!segment.ok()) {
        EXPECT_EQ(segment.status().code(), StatusCode::kCorruption) << at;
      } else {
        EXPECT_EQ((*segment)->documents(), 12u);
      }
    }
  }
  EXPECT_EQ(Import(good + "x").status().code(), StatusCode::kCorruption);
}

TEST(CiffTest, RefusesFieldsWithoutCountsAndNamesThatAreNone) {
  MemorySink sink;
  auto builder = SegmentBuilder::Create({.analyser = "plain"}, sink);
  ASSERT_TRUE(builder.ok());
  IndexDocument document;
  document.url = "http://a/";
  document.keywords = {{"site", "a"}};
  ASSERT_TRUE((*builder)->Add(document).ok() && (*builder)->Finish().ok());
  const auto segment = Segment::FromParts(std::move(sink).Release());
  ASSERT_TRUE(segment.ok()) << segment.status().ToString();
  const auto exported = ExportCiff(Snapshot({{*segment, nullptr}}, 1, "plain"), {.field = "site"},
                                   [](Bytes) { return Status::Ok(); });
  EXPECT_EQ(exported.status().code(), StatusCode::kInvalidArgument);
  MemorySink other;
  EXPECT_EQ(ImportCiff({}, {.field = "../x"}, other).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::index
