// SPDX-License-Identifier: Apache-2.0
// The intersections of intersections.h on arrays with galloping search: random lists, whose documents
// interleave, and clustered ones, for which a short proof of the result exists.
#include <benchmark/benchmark.h>

#include "base/random.h"
#include "search/topk/intersections.h"

namespace crivello::search {
namespace {

class GallopingList {
 public:
  explicit GallopingList(const std::vector<index::DocId>& docs) : docs_(&docs) {}
  index::DocId doc() const { return at_ < docs_->size() ? (*docs_)[at_] : index::kEndDoc; }
  void Next() { at_++; }
  void SeekTo(index::DocId doc) {
    size_t step = 1;
    while (at_ + step < docs_->size() && (*docs_)[at_ + step] < doc) step *= 2;
    const auto begin = docs_->begin() + static_cast<ptrdiff_t>(std::min(at_ + step / 2, docs_->size()));
    const auto end = docs_->begin() + static_cast<ptrdiff_t>(std::min(at_ + step + 1, docs_->size()));
    if (this->doc() < doc) at_ = static_cast<size_t>(std::lower_bound(begin, end, doc) - docs_->begin());
  }

 private:
  const std::vector<index::DocId>* docs_;
  size_t at_ = 0;
};

// Lists of 1,000, 30,000 and 300,000 among a million documents; clustered ones have runs of 500 neighbours.
const std::vector<std::vector<index::DocId>>& BenchLists(bool clustered) {
  static const auto make = [](bool in_runs) {
    SeededRandom random(7);
    std::vector<std::vector<index::DocId>> lists;
    for (const uint64_t size : {uint64_t{1000}, uint64_t{30'000}, uint64_t{300'000}}) {
      std::vector<index::DocId> docs;
      while (docs.size() < size) {
        const auto start = static_cast<index::DocId>(random.Below(1'000'000));
        for (index::DocId i = 0; i < (in_runs ? 500u : 1u); i++) docs.push_back(start + i);
      }
      std::sort(docs.begin(), docs.end());
      docs.erase(std::unique(docs.begin(), docs.end()), docs.end());
      lists.push_back(std::move(docs));
    }
    return lists;
  };
  static const auto random_lists = make(false), clustered_lists = make(true);
  return clustered ? clustered_lists : random_lists;
}

template <typename Intersect>
void RunIntersections(benchmark::State& state, Intersect intersect) {
  const auto& docs = BenchLists(state.range(0) != 0);
  uint64_t found = 0;
  for (auto _ : state) {
    std::vector<GallopingList> lists;
    for (const auto& list : docs) lists.emplace_back(list);
    found = 0;
    intersect(std::span(lists), [&](index::DocId) { found++; });
    benchmark::DoNotOptimize(found);
  }
  state.counters["found"] = static_cast<double>(found);
}

void BM_IntersectByHeap(benchmark::State& state) {
  RunIntersections(state, [](auto lists, auto found) { IntersectByHeap(lists, found); });
}
void BM_IntersectByAlignment(benchmark::State& state) {
  RunIntersections(
      state, [](auto lists, auto found) { IntersectByAlignment(lists, AlignmentOrder::kFixed, found); });
}
void BM_IntersectAdaptively(benchmark::State& state) {
  RunIntersections(
      state, [](auto lists, auto found) { IntersectByAlignment(lists, AlignmentOrder::kAdaptive, found); });
}
void BM_IntersectByElimination(benchmark::State& state) {
  RunIntersections(state, [](auto lists, auto found) { IntersectByElimination(lists, found); });
}
BENCHMARK(BM_IntersectByHeap)->ArgName("clustered")->Arg(0)->Arg(1);
BENCHMARK(BM_IntersectByAlignment)->ArgName("clustered")->Arg(0)->Arg(1);
BENCHMARK(BM_IntersectAdaptively)->ArgName("clustered")->Arg(0)->Arg(1);
BENCHMARK(BM_IntersectByElimination)->ArgName("clustered")->Arg(0)->Arg(1);

}  // namespace
}  // namespace crivello::search
