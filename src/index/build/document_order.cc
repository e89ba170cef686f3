// SPDX-License-Identifier: Apache-2.0
#include "index/build/document_order.h"

#include <algorithm>
#include <string>
#include <utility>

#include "index/build/graph_bisection.h"
#include "store/surt.h"

namespace crivello::index {
namespace {

DocId CountOf(std::span<const MergeSource> sources) {
  DocId documents = 0;
  for (const MergeSource& source : sources) {
    for (const DocId doc : source.map) documents += doc != kEndDoc ? 1 : 0;
  }
  return documents;
}

// order[i] is the document that gets number i.
void Renumber(std::span<const DocId> order, std::span<MergeSource> sources) {
  std::vector<DocId> numbers(order.size());
  for (DocId i = 0; i < order.size(); i++) numbers[order[i]] = i;
  for (MergeSource& source : sources) {
    for (DocId& doc : source.map) {
      if (doc != kEndDoc) doc = numbers[doc];
    }
  }
}

// Sorts by a key of each document; ties keep their order.
template <typename Key>
void SortBy(const std::vector<Key>& keys, std::span<MergeSource> sources) {
  std::vector<DocId> order(keys.size());
  for (DocId i = 0; i < order.size(); i++) order[i] = i;
  std::ranges::stable_sort(order, {}, [&keys](DocId doc) -> const Key& { return keys[doc]; });
  Renumber(order, sources);
}

}  // namespace

Status OrderByUrl(std::span<MergeSource> sources) {
  std::vector<std::string> keys(CountOf(sources));
  for (const MergeSource& source : sources) {
    TextReader reader(source.segment->texts());
    for (DocId doc = 0; doc < source.map.size(); doc++) {
      if (source.map[doc] == kEndDoc) continue;
      CRV_ASSIGN(const StoredDocument document, reader.Get(doc));
      keys[source.map[doc]] = store::SurtKey(document.url);
    }
  }
  SortBy(keys, sources);
  return Status::Ok();
}

Status OrderByScore(std::string_view score, std::span<MergeSource> sources) {
  std::vector<float> keys(CountOf(sources));
  bool found = false;
  for (const MergeSource& source : sources) {
    const ScoreColumn* column = source.segment->values().scores(score);
    if (column == nullptr) continue;
    found = true;
    for (DocId doc = 0; doc < source.map.size(); doc++) {
      if (source.map[doc] != kEndDoc) keys[source.map[doc]] = -(*column)[doc];
    }
  }
  if (!found) return Status::NotFound("order: unknown static score " + std::string(score));
  SortBy(keys, sources);
  return Status::Ok();
}

void OrderByRank(const RankPages& rank, std::span<MergeSource> sources) {
  std::vector<int> keys(CountOf(sources));
  for (const MergeSource& source : sources) {
    const auto column = rank.ColumnOf(*source.segment);
    for (DocId doc = 0; doc < source.map.size(); doc++) {
      if (source.map[doc] != kEndDoc) keys[source.map[doc]] = -int{column->CodeOf(doc)};
    }
  }
  SortBy(keys, sources);
}

Status OrderByBisection(const BisectionOptions& options, std::span<MergeSource> sources) {
  DocumentGraph graph(CountOf(sources));
  // A term has one number in all segments: its index in the merged order of the terms that count.
  struct Walk {
    const MergeSource* source;
    const FieldView* field;
    TermCursor terms;
  };
  std::vector<Walk> walks;
  for (const MergeSource& source : sources) {
    const FieldView* field = source.segment->field(options.field);
    if (field != nullptr) walks.push_back({&source, field, field->terms.Begin()});
  }
  std::string term;
  std::vector<DocId> docs;
  while (true) {
    const Walk* least = nullptr;
    for (const Walk& walk : walks) {
      if (walk.terms.valid() && (least == nullptr || walk.terms.term() < least->terms.term())) least = &walk;
    }
    if (least == nullptr) break;
    term.assign(least->terms.term());
    docs.clear();
    for (Walk& walk : walks) {
      if (!walk.terms.valid() || walk.terms.term() != term) continue;
      CRV_ASSIGN(PostingCursor cursor, walk.field->Open(walk.terms.entry()));
      for (; cursor.doc() != kEndDoc; cursor.Next()) {
        if (cursor.doc() >= walk.source->map.size()) return Status::Corruption("order: corrupt posting list");
        const DocId doc = walk.source->map[cursor.doc()];
        if (doc != kEndDoc) docs.push_back(doc);
      }
      walk.terms.Next();
    }
    if (docs.size() >= options.min_frequency) graph.AddTerm(docs);
  }
  Renumber(std::move(graph).Bisect(options.threads), sources);
  return Status::Ok();
}

}  // namespace crivello::index
