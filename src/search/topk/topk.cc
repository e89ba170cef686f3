// SPDX-License-Identifier: Apache-2.0
#include "search/topk/topk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "search/query/count_documents.h"
#include "search/query/term_iterator.h"
#include "search/topk/topk_and.h"
#include "search/topk/topk_collector.h"
#include "search/topk/topk_max_score.h"
#include "search/topk/topk_wand.h"

namespace crivello::search {
namespace {

constexpr std::array<std::pair<Algorithm, std::string_view>, 6> kAlgorithmNames = {
    {{Algorithm::kAuto, "auto"},
     {Algorithm::kExhaustive, "exhaustive"},
     {Algorithm::kWindows, "windows"},
     {Algorithm::kMaxScore, "maxscore"},
     {Algorithm::kBlockMaxWand, "bmw"},
     {Algorithm::kBlockMaxAnd, "bmand"}}};

// The iterators as what they are, if all of them are lists of terms.
std::vector<TermIterator*> AsTerms(const DocIterators& parts) {
  std::vector<TermIterator*> terms;
  for (const auto& part : parts) {
    auto* term = dynamic_cast<TermIterator*>(part.get());
    if (term == nullptr) return {};
    terms.push_back(term);
  }
  return terms;
}

std::vector<DocIterator*> Pointers(const DocIterators& parts) {
  std::vector<DocIterator*> pointers;
  for (const auto& part : parts) pointers.push_back(part.get());
  return pointers;
}

uint64_t Cost(const DocIterators& parts) {
  uint64_t cost = 0;
  for (const auto& part : parts) cost += part->cost();
  return cost;
}

// Filters that let few documents through lead; others are looked at when a document is good enough.
bool FiltersLead(const SegmentQuery& query) {
  uint64_t least = ~uint64_t{0};
  for (const auto& filter : query.filters) least = std::min(least, filter->cost());
  return least < Cost(query.optional) / 4;
}

// As measured (bench/algorithms; docs/benchmarks.md, "Which way to search"): MaxScore by windows beats the
// others for OR over single lists at every number of words, and over fields no other is clearly better.
Algorithm Choose(const SegmentQuery& query, Algorithm wanted) {
  if (wanted == Algorithm::kExhaustive) return wanted;
  if (!query.required.empty()) return Algorithm::kBlockMaxAnd;
  if (query.optional.empty() || FiltersLead(query)) return Algorithm::kExhaustive;
  if (wanted != Algorithm::kAuto && wanted != Algorithm::kBlockMaxAnd) return wanted;
  return Algorithm::kMaxScore;
}

// ComesBefore() for algorithms, which can inline it.
constexpr auto kInOrder = [](const Hit& a, const Hit& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.segment != b.segment ? a.segment < b.segment : a.doc < b.doc;
};

}  // namespace

std::string_view AlgorithmName(Algorithm algorithm) {
  for (const auto& [value, name] : kAlgorithmNames) {
    if (value == algorithm) return name;
  }
  return "";
}

Result<Algorithm> FindAlgorithm(std::string_view name) {
  std::string names;
  for (const auto& [value, known] : kAlgorithmNames) {
    if (known == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  return Status::NotFound("unknown algorithm " + std::string(name) + "; choose one of " + names);
}

bool ComesBefore(const Hit& a, const Hit& b) { return kInOrder(a, b); }

void TopHits::Add(const Hit& hit) {
  const size_t size = heap_.size();
  if (size < k_) {
    heap_.push_back(hit);
    return std::push_heap(heap_.begin(), heap_.end(), kInOrder);
  }
  // In the place of the worst, and from there down past all that are worse than it: one walk, where popping
  // and pushing are two.
  size_t at = 0;
  for (size_t child = 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && kInOrder(heap_[child], heap_[child + 1])) child++;
    if (!kInOrder(hit, heap_[child])) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = hit;
}

std::vector<Hit> TopHits::Sorted() const {
  std::vector<Hit> hits = heap_;
  std::sort(hits.begin(), hits.end(), kInOrder);
  return hits;
}

std::unique_ptr<DocIterator> ToIterator(SegmentQuery query, DocId documents) {
  DocIterators all = std::move(query.filters);
  const bool optional_decides = query.required.empty() && !query.optional.empty();
  if (optional_decides) {
    if (query.optional.size() == 1) {
      all.push_back(std::move(query.optional[0]));
    } else {
      all.push_back(std::make_unique<Disjunction>(std::move(query.optional)));
    }
    query.optional.clear();
  }
  for (auto& part : query.required) all.push_back(std::move(part));
  if (all.empty()) all.push_back(std::make_unique<AllDocuments>(documents));
  std::unique_ptr<DocIterator> base;
  if (all.size() == 1) {
    base = std::move(all[0]);
  } else {
    base = std::make_unique<Conjunction>(std::move(all));
  }
  if (query.optional.empty() && query.excluded.empty()) return base;
  return std::make_unique<Adjusted>(std::move(base), std::move(query.optional), std::move(query.excluded));
}

Algorithm FindTop(SegmentQuery query, const SegmentSearch& search, Stopper& stopper, TopHits* hits) {
  // A word that must be there is one that may be, if there is no other.
  if (query.required.size() == 1 && query.optional.empty() && query.required[0]->scores_many()) {
    std::swap(query.required, query.optional);
  }
  const Algorithm algorithm = Choose(query, search.algorithm);
  if (algorithm == Algorithm::kExhaustive) {
    TopCollector collector(search, {}, {}, hits);
    const auto root = ToIterator(std::move(query), search.documents);
    ForEveryDocument(*root, search.algorithm != Algorithm::kExhaustive, stopper, collector);
    return algorithm;
  }
  const bool conjunctive = algorithm == Algorithm::kBlockMaxAnd;
  TopCollector collector(search, std::move(query.filters), std::move(query.excluded), hits);
  if (conjunctive) {
    std::vector<DocIterator*> optional = Pointers(query.optional);
    const std::vector<TermIterator*> terms = AsTerms(query.required);
    if (!terms.empty()) {
      BlockMaxAnd<TermIterator>(terms, optional).Run(stopper, collector);
    } else {
      BlockMaxAnd<DocIterator>(Pointers(query.required), optional).Run(stopper, collector);
    }
    return algorithm;
  }
  const std::vector<TermIterator*> terms = AsTerms(query.optional);
  const auto run = [&](const auto& units) {
    using Unit = std::remove_pointer_t<typename std::remove_cvref_t<decltype(units)>::value_type>;
    if (algorithm == Algorithm::kBlockMaxWand) {
      BlockMaxWand<Unit>(units).Run(stopper, collector);
    } else {
      MaxScore<Unit>(units, algorithm == Algorithm::kMaxScore).Run(search.documents, stopper, collector);
    }
  };
  if (!terms.empty()) {
    run(terms);
  } else {
    run(Pointers(query.optional));
  }
  return algorithm;
}

uint64_t CountDocuments(SegmentQuery query, const SegmentSearch& search, Stopper& stopper) {
  const bool only_lists = query.filters.empty() && query.excluded.empty();
  const std::vector<TermIterator*> required = AsTerms(query.required);
  if (only_lists && !required.empty()) return CountAnd(required, search, stopper);
  if (query.required.size() == 1) query.optional.clear();  // they do not decide
  const bool is_or = query.required.empty() != query.optional.empty();
  if (only_lists && is_or && query.required.size() <= 1) {
    return CountOr(Pointers(query.required.empty() ? query.optional : query.required), search, stopper);
  }
  uint64_t count = 0;
  const auto root = ToIterator(std::move(query), search.documents);
  for (uint32_t seen = 1; root->doc() < search.documents; root->Next(), seen++) {
    if (root->Matches() && !IsDeleted(search, root->doc())) count++;
    if (seen % 4096 == 0 && stopper.Stop()) break;
  }
  return count;
}

}  // namespace crivello::search
