// SPDX-License-Identifier: Apache-2.0
// Documents, and the expected contents of an index of them, as a map of vectors.  Included by _test.cc files
// only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "index/build/segment_builder.h"
#include "index/segments/segment.h"
#include "text/terms/analyser.h"

namespace crivello::index {

// By field, term and document.
using PlainLists = std::map<std::string, std::map<DocId, std::vector<uint32_t>>>;
struct PlainField {
  bool keywords = false;
  std::vector<uint32_t> lengths;
  PlainLists lists;
};
using ListMap = std::map<std::string, PlainField>;

inline SegmentParts BuildParts(const std::vector<IndexDocument>& documents,
                               const SegmentBuilderOptions& options) {
  MemorySink sink;
  auto builder = SegmentBuilder::Create(options, sink);
  EXPECT_TRUE(builder.ok()) << builder.status().ToString();
  for (const IndexDocument& document : documents) EXPECT_TRUE((*builder)->Add(document).ok());
  const auto summary = (*builder)->Finish();
  EXPECT_TRUE(summary.ok()) << summary.status().ToString();
  return std::move(sink).Release();
}

inline std::shared_ptr<const Segment> Build(const std::vector<IndexDocument>& documents,
                                            const SegmentBuilderOptions& options) {
  auto segment = Segment::FromParts(BuildParts(documents, options));
  EXPECT_TRUE(segment.ok()) << segment.status().ToString();
  return *segment;
}

inline ListMap ListsOf(const std::vector<IndexDocument>& documents, std::string_view description) {
  ListMap map;
  auto analyser = std::move(text::Analyser::Create(description)).value();
  for (DocId doc = 0; doc < documents.size(); doc++) {
    for (const auto& [field, text] : documents[doc].texts) {
      PlainField& plain = map[field];
      plain.lengths.resize(documents.size());
      uint32_t& length = plain.lengths[doc];
      const uint32_t start = length == 0 ? 0 : description == "plain" ? length : length + 1;
      const uint32_t end =
          analyser.ForEachTerm(text, {start, documents[doc].language}, [&](const text::Term& term) {
            std::vector<uint32_t>& positions = plain.lists[std::string(term.text)][doc];
            if (positions.empty() || positions.back() != term.position) positions.push_back(term.position);
          });
      if (end > start) length = end;
    }
    for (const auto& [field, text] : documents[doc].keywords) {
      map[field].keywords = true;
      map[field].lists[text][doc] = {};
    }
  }
  return map;
}

inline void ExpectField(const FieldView* field, PostingContents contents, const PlainField& plain) {
  ASSERT_NE(field, nullptr);
  if (plain.keywords) contents = PostingContents::kDocuments;
  ASSERT_EQ(field->terms.size(), plain.lists.size());
  if (contents != PostingContents::kDocuments) {
    ASSERT_TRUE(std::ranges::equal(field->lists.lengths, plain.lengths));
  }
  for (const auto& [term, postings] : plain.lists) {
    const auto entry = field->terms.Find(term);
    ASSERT_TRUE(entry.has_value()) << term;
    auto cursor = *field->Open(*entry);
    ASSERT_EQ(cursor.frequency(), postings.size()) << term;
    for (const auto& [doc, positions] : postings) {
      ASSERT_EQ(cursor.doc(), doc) << term;
      if (contents != PostingContents::kDocuments) {
        ASSERT_EQ(cursor.count(), positions.size()) << term;
      }
      if (contents == PostingContents::kPositions) {
        ASSERT_TRUE(std::ranges::equal(cursor.positions(), positions)) << term;
      }
      cursor.Next();
    }
    ASSERT_EQ(cursor.doc(), kEndDoc);
    ASSERT_TRUE(cursor.ok());
  }
}

// Words of all frequencies: one in every document, words that occur once, long ones; documents without words,
// without a field, with a long field.
inline std::vector<IndexDocument> SomeIndexDocuments(Random& random, size_t count) {
  std::vector<IndexDocument> documents(count);
  for (size_t i = 0; i < count; i++) {
    IndexDocument& document = documents[i];
    document.url =
        "http://site" + std::to_string(random.Below(9)) + ".example/" + std::to_string(Mix64(i) % 1000);
    document.text = "text of " + document.url;
    document.numbers = {{"time", static_cast<int64_t>(1000 + i)}};
    document.labels = {{"site", "site" + std::to_string(random.Below(9))}};
    document.scores = {{"rank", static_cast<float>(random.Unit())}};
    document.keywords = {{"site", "s" + std::to_string(random.Below(9))}, {"site", "example"}};
    document.keywords.push_back({"links", document.url + std::string(random.Below(700), 'y')});
    if (random.Below(50) == 0) continue;
    std::string body = "every";
    const uint64_t words = random.Below(40) == 0 ? 3000 : random.Below(60);
    for (uint64_t w = 0; w < words; w++) body += " w" + std::to_string(random.Below(1 + random.Below(400)));
    body += " hapax" + std::to_string(i) + " " + std::string(1 + random.Below(300), 'x');
    document.texts.push_back({"body", std::move(body)});
    if (i > count / 2 || random.Below(3) == 0)
      document.texts.push_back({"title", "w1 title " + std::to_string(i)});
    if (i > count / 3) document.texts.push_back({"anchor", "late field"});
    if (i > count / 3) document.texts.push_back({"anchor", "again late"});
  }
  return documents;
}

}  // namespace crivello::index
