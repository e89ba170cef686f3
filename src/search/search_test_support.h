// SPDX-License-Identifier: Apache-2.0
// Queries on lists that tests make up: as iterators, and by the obvious way, which judges them.  Included by
// _test.cc and _bench.cc files only.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "index/postings/posting_test_support.h"
#include "search/query/boolean_iterators.h"
#include "search/query/group_iterator.h"
#include "search/query/term_iterator.h"
#include "search/topk/topk.h"

namespace crivello::search {

// A segment of one field: lists in a format, and as they are.
class TestLists {
 public:
  TestLists(const index::PostingFormat& format, std::vector<uint32_t> lengths,
            std::vector<index::PlainList> lists)
      : lengths_(std::move(lengths)),
        lists_(std::move(lists)),
        index_(format, index::PostingContents::kPositions, lengths_) {
    for (const index::PlainList& list : lists_) starts_.push_back(index_.Add(list));
    view_ = index_.Finish();
  }
  index::PostingCursor Open(size_t list) const { return *view_.Open(starts_[list]); }
  const index::PlainPosting* Find(size_t list, DocId doc) const {
    const auto at = std::lower_bound(lists_[list].begin(), lists_[list].end(), doc,
                                     [](const index::PlainPosting& p, DocId d) { return p.doc < d; });
    return at != lists_[list].end() && at->doc == doc ? &*at : nullptr;
  }
  DocId documents() const { return static_cast<DocId>(lengths_.size()); }
  const std::vector<uint32_t>& lengths() const { return lengths_; }
  size_t size() const { return lists_.size(); }

 private:
  std::vector<uint32_t> lengths_;
  std::vector<index::PlainList> lists_;
  index::PlainIndex index_;
  std::vector<uint64_t> starts_;
  index::PostingLists view_;
};

// Lists of all densities, positions included; some documents are much longer than others.
inline TestLists RandomLists(const index::PostingFormat& format, DocId documents, size_t count,
                             Random& random) {
  std::vector<uint32_t> lengths(documents);
  for (uint32_t& length : lengths)
    length = 5 + static_cast<uint32_t>(random.Below(random.Below(8) == 0 ? 400 : 40));
  std::vector<index::PlainList> lists(count);
  for (index::PlainList& list : lists) {
    const uint64_t every = 1 + random.Below(random.Below(3) == 0 ? 3 : 200);
    const uint64_t most = 1 + random.Below(5);
    for (DocId doc = 0; doc < documents; doc++) {
      if (random.Below(every) != 0) continue;
      const auto count_here = static_cast<uint32_t>(1 + random.Below(random.Below(most) + 1));
      list.push_back({doc, index::SomePositions(random, std::min(count_here, lengths[doc]), lengths[doc])});
    }
  }
  return {format, std::move(lengths), std::move(lists)};
}

// A query on such lists.
struct TestQuery {
  enum class Kind : uint8_t { kTerm, kForms, kPhrase, kFilter, kBoolean };
  Kind kind = Kind::kTerm;
  std::vector<size_t> lists;
  PhraseOccurrences::Options window;
  Formula formula;
  std::vector<TestQuery> required;
  std::vector<TestQuery> filters;
  std::vector<TestQuery> optional;
  std::vector<TestQuery> excluded;
};

inline Formula TestFormula(Random& random) {
  switch (random.Below(4)) {
    case 0:
      return {.weight = 1 << 10, .saturation = 0, .base = 1, .slope = 0};
    case 1:
      return {.weight = static_cast<float>(random.Below(1 << 20)), .saturation = 0, .base = 0, .slope = 1};
    default:
      return {.weight = static_cast<float>(random.Below(10 << 20)),
              .saturation = 1,
              .base = 0.3f,
              .slope = 0.03f};
  }
}

inline TestQuery RandomLeaf(size_t lists, Random& random) {
  TestQuery leaf;
  leaf.formula = TestFormula(random);
  const uint64_t dice = random.Below(10);
  leaf.kind = dice < 6   ? TestQuery::Kind::kTerm
              : dice < 8 ? TestQuery::Kind::kForms
                         : TestQuery::Kind::kPhrase;
  const size_t count = leaf.kind == TestQuery::Kind::kTerm ? 1 : 2 + random.Below(2);
  for (size_t i = 0; i < count; i++) leaf.lists.push_back(random.Below(lists));
  if (leaf.kind == TestQuery::Kind::kPhrase) {
    leaf.window = {.ordered = random.Below(2) == 0,
                   .slop = static_cast<uint32_t>(random.Below(3) * random.Below(9))};
  }
  return leaf;
}

// `only_terms` and one kind of clause is what the fast ways are for.
inline TestQuery RandomQuery(size_t lists, int depth, Random& random) {
  TestQuery query;
  query.kind = TestQuery::Kind::kBoolean;
  const auto part = [&]() -> TestQuery {
    if (depth > 0 && random.Below(6) == 0) return RandomQuery(lists, depth - 1, random);
    return RandomLeaf(lists, random);
  };
  const uint64_t shape = random.Below(4);
  for (uint64_t i = random.Below(4); i-- > 0 && shape != 0;) query.required.push_back(part());
  for (uint64_t i = 1 + random.Below(4); i-- > 0 && shape != 1;) query.optional.push_back(part());
  if (shape < 3) return query;
  for (uint64_t i = random.Below(3); i-- > 0;) query.excluded.push_back(part());
  for (uint64_t i = random.Below(2); i-- > 0;) {
    TestQuery filter;
    filter.kind = TestQuery::Kind::kFilter;
    filter.lists = {random.Below(lists)};
    query.filters.push_back(filter);
  }
  return query;
}

inline SegmentQuery MakeSegmentQuery(const TestLists& lists, const TestQuery& query);

inline std::unique_ptr<DocIterator> MakeIterator(const TestLists& lists, const TestQuery& query) {
  using Kind = TestQuery::Kind;
  const auto group = [&](std::unique_ptr<Occurrences> occurrences) {
    std::vector<GroupIterator::Field> fields;
    Formula count = query.formula;
    count.weight = 1;
    fields.push_back({std::move(occurrences), count, lists.lengths().data()});
    return std::make_unique<GroupIterator>(std::move(fields), Formula{.weight = query.formula.weight});
  };
  switch (query.kind) {
    case Kind::kTerm:
      return std::make_unique<TermIterator>(lists.Open(query.lists[0]), query.formula,
                                            lists.lengths().data());
    case Kind::kFilter:
      return std::make_unique<FilterIterator>(lists.Open(query.lists[0]));
    case Kind::kForms: {
      std::vector<index::PostingCursor> cursors;
      for (const size_t list : query.lists) cursors.push_back(lists.Open(list));
      return group(std::make_unique<FormOccurrences>(std::move(cursors)));
    }
    case Kind::kPhrase: {
      std::vector<PhraseOccurrences::Word> words;
      for (const size_t list : query.lists) {
        words.push_back(
            {std::make_unique<TermOccurrences>(lists.Open(list)), static_cast<uint32_t>(words.size())});
      }
      return group(std::make_unique<PhraseOccurrences>(std::move(words), query.window));
    }
    case Kind::kBoolean:
      return ToIterator(MakeSegmentQuery(lists, query), lists.documents());
  }
  return nullptr;
}

inline SegmentQuery MakeSegmentQuery(const TestLists& lists, const TestQuery& query) {
  SegmentQuery out;
  for (const TestQuery& part : query.required) out.required.push_back(MakeIterator(lists, part));
  for (const TestQuery& part : query.filters) out.filters.push_back(MakeIterator(lists, part));
  for (const TestQuery& part : query.optional) out.optional.push_back(MakeIterator(lists, part));
  for (const TestQuery& part : query.excluded) out.excluded.push_back(MakeIterator(lists, part));
  return out;
}

// Every interval of positions, and whether the words fit into it.
inline uint32_t ObviousWindows(const std::vector<std::vector<uint32_t>>& words,
                               const PhraseOccurrences::Options& options) {
  const auto width = static_cast<uint32_t>(words.size()) + options.slop;
  std::set<std::pair<uint32_t, uint32_t>> intervals;
  std::vector<uint32_t> chosen;
  const auto choose = [&](auto&& self, size_t word) -> void {
    if (word == words.size()) {
      const auto [low, high] = std::minmax_element(chosen.begin(), chosen.end());
      intervals.insert({*low, *high});
      return;
    }
    for (const uint32_t position : words[word]) {
      if (options.ordered && !chosen.empty() && position <= chosen.back()) continue;
      if (options.ordered && options.slop == 0 && !chosen.empty() && position != chosen.back() + 1) continue;
      chosen.push_back(position);
      self(self, word + 1);
      chosen.pop_back();
    }
  };
  choose(choose, 0);
  uint32_t count = 0;
  for (const auto& a : intervals) {
    bool minimal = a.second - a.first < width;
    for (const auto& b : intervals) {
      if (minimal && a != b && b.first >= a.first && b.second <= a.second) minimal = false;
    }
    count += minimal ? 1 : 0;
  }
  return count;
}

// The score of a document, or nothing if it is not found.
inline std::optional<Quanta> ObviousScore(const TestLists& lists, const TestQuery& query, DocId doc) {
  using Kind = TestQuery::Kind;
  const auto length = static_cast<float>(lists.lengths()[doc]);
  const auto grouped = [&](uint32_t count) {
    Formula one = query.formula;
    one.weight = 1;
    return Formula{.weight = query.formula.weight}.Score(one(static_cast<float>(count), length), 0);
  };
  switch (query.kind) {
    case Kind::kTerm:
    case Kind::kFilter: {
      const index::PlainPosting* posting = lists.Find(query.lists[0], doc);
      if (posting == nullptr) return std::nullopt;
      return query.kind == Kind::kFilter ? 0
                                         : query.formula.Score(static_cast<float>(posting->count()), length);
    }
    case Kind::kForms: {
      uint32_t count = 0;
      for (const size_t list : query.lists) {
        const index::PlainPosting* posting = lists.Find(list, doc);
        if (posting != nullptr) count = std::max(count, posting->count());
      }
      if (count == 0) return std::nullopt;
      return grouped(count);
    }
    case Kind::kPhrase: {
      std::vector<std::vector<uint32_t>> words;
      for (const size_t list : query.lists) {
        const index::PlainPosting* posting = lists.Find(list, doc);
        if (posting == nullptr) return std::nullopt;
        words.push_back(posting->positions);
      }
      const uint32_t count = ObviousWindows(words, query.window);
      if (count == 0) return std::nullopt;
      return grouped(count);
    }
    case Kind::kBoolean:
      break;
  }
  Quanta score = 0;
  bool any_optional = false;
  for (const TestQuery& part : query.required) {
    const auto more = ObviousScore(lists, part, doc);
    if (!more) return std::nullopt;
    score += *more;
  }
  for (const TestQuery& part : query.filters) {
    if (!ObviousScore(lists, part, doc)) return std::nullopt;
  }
  for (const TestQuery& part : query.excluded) {
    if (ObviousScore(lists, part, doc)) return std::nullopt;
  }
  for (const TestQuery& part : query.optional) {
    const auto more = ObviousScore(lists, part, doc);
    any_optional |= more.has_value();
    score += more.value_or(0);
  }
  if (query.required.empty() && !query.optional.empty() && !any_optional) return std::nullopt;
  return score;
}

}  // namespace crivello::search
