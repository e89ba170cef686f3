// SPDX-License-Identifier: Apache-2.0
// Small segments built in a simple way, from a map of lists.  Included by _test.cc, _bench.cc and _fuzz.cc
// files only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "index/postings/posting_writer.h"
#include "index/segments/document_values_builder.h"
#include "index/segments/segment.h"
#include "index/terms/term_dictionary.h"

namespace crivello::index {

struct PlainDocument {
  std::string url;
  std::map<std::string, std::vector<std::string>> fields;  // the term at each position
};

inline Status WritePlainField(const std::string& name, const std::vector<PlainDocument>& documents,
                              SegmentInfo* info, SegmentSink& sink) {
  FieldInfo field;
  field.name = name;
  std::map<std::string, std::map<DocId, std::vector<uint32_t>>> lists;
  std::vector<uint32_t> lengths;
  for (DocId doc = 0; doc < documents.size(); doc++) {
    const auto found = documents[doc].fields.find(name);
    const std::vector<std::string> terms =
        found == documents[doc].fields.end() ? std::vector<std::string>() : found->second;
    for (uint32_t at = 0; at < terms.size(); at++) lists[terms[at]][doc].push_back(at);
    lengths.push_back(static_cast<uint32_t>(terms.size()));
    field.tokens += terms.size();
    field.documents += !terms.empty();
    field.max_length = std::max(field.max_length, lengths.back());
  }
  CRV_ASSIGN(const PostingFormat* format, FindPostingFormat(info->format));
  PostingListWriter writer({.format = format, .lengths = lengths});
  TermDictionaryBuilder terms;
  for (const auto& [term, postings] : lists) {
    for (const auto& [doc, positions] : postings) {
      writer.Add(doc, static_cast<uint32_t>(positions.size()), positions);
      field.occurrences += positions.size();
    }
    field.postings += postings.size();
    CRV_ASSIGN(const uint64_t start, writer.FinishList());
    CRV_TRY(terms.Add(term, start));
  }
  writer.Finish();
  field.terms = terms.size();
  CRV_ASSIGN(const ImageWriter image, terms.Build());
  CRV_TRY(sink.Write(part::Of(name, part::kTerms), TermDictionary::kFileKind, image.bytes()));
  CRV_TRY(sink.Write(part::Of(name, part::kDocuments), part::kDocumentsKind, writer.documents().bytes()));
  CRV_TRY(sink.Write(part::Of(name, part::kCounts), part::kCountsKind, writer.counts().bytes()));
  CRV_TRY(sink.Write(part::Of(name, part::kPositions), part::kPositionsKind, writer.positions().bytes()));
  CRV_TRY(sink.Write(part::Of(name, part::kLengths), part::kLengthsKind, std::as_bytes(std::span(lengths))));
  info->fields.push_back(std::move(field));
  return Status::Ok();
}

inline Status WritePlainSegment(const std::vector<PlainDocument>& documents, SegmentSink& sink,
                                const std::string& format = "packed") {
  SegmentInfo info;
  info.documents = static_cast<DocId>(documents.size());
  info.analyser = "plain";
  info.format = format;
  info.order = "arrival";
  for (const char* field : {"body", "title"}) CRV_TRY(WritePlainField(field, documents, &info, sink));
  DocumentValuesBuilder values;
  CRV_ASSIGN(TextStoreWriter texts, TextStoreWriter::Create(sink));
  for (const PlainDocument& document : documents) {
    values.SetNumber(column::kKey, UrlKey(document.url));
    values.SetNumber(column::kPublished, 1'700'000'000);
    values.SetString(column::kSite, document.url.substr(0, 3));
    values.EndDocument();
    CRV_TRY(texts.Add({.url = document.url}));
  }
  CRV_TRY(values.WriteTo(sink));
  CRV_TRY(texts.Finish());
  return WriteSegmentInfo(info, sink);
}

// Documents of words; the first words are frequent.
inline std::vector<PlainDocument> SomeDocuments(Random& random, size_t count) {
  std::vector<PlainDocument> documents(count);
  for (size_t i = 0; i < count; i++) {
    documents[i].url = "http://" + std::to_string(random.Below(20)) + ".example/" + std::to_string(i);
    for (const char* field : {"body", "title"}) {
      for (uint64_t left = random.Below(12); left > 0; left--)
        documents[i].fields[field].push_back("w" + std::to_string(random.Below(1 + random.Below(50))));
    }
  }
  return documents;
}

}  // namespace crivello::index
