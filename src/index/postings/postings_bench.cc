// SPDX-License-Identifier: Apache-2.0
// Every format on the same lists: decoding and jumping.  Arguments are the mean gap between documents and,
// for jumps, how many postings a jump skips on average.
#include <benchmark/benchmark.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "index/postings/classic_format.h"
#include "index/postings/posting_test_support.h"
#include "succinct/elias_fano.h"

namespace crivello::index {
namespace {

constexpr size_t kPostings = 1 << 17;

// The same list for all formats, built once.
struct BenchList {
  PlainList postings;
  std::vector<uint32_t> lengths;
};

// Geometric gaps; counts 1 for two postings in three; documents of 64 to 1087 words.
const BenchList& ListOf(uint64_t mean_gap) {
  static std::map<uint64_t, BenchList> made;
  const auto [at, is_new] = made.try_emplace(mean_gap);
  BenchList& list = at->second;
  if (!is_new) return list;
  SeededRandom random(mean_gap);
  list.postings.resize(kPostings);
  DocId doc = 0;
  for (PlainPosting& posting : list.postings) {
    doc += mean_gap == 1 ? 0
                         : static_cast<DocId>(std::log(1 - random.Unit()) /
                                              std::log1p(-1 / static_cast<double>(mean_gap)));
    posting.doc = doc++;
  }
  list.lengths.resize(doc);
  for (uint32_t& length : list.lengths)
    length = (64u << random.Below(5)) + static_cast<uint32_t>(random.Below(64));
  for (PlainPosting& posting : list.postings) {
    uint32_t count = 1;
    while (count < 60 && random.Below(3) == 0) count++;
    posting.positions = SomePositions(random, count, list.lengths[posting.doc]);
  }
  return list;
}

const PostingLists& IndexOf(const PostingFormat& format, uint64_t mean_gap, PostingContents contents) {
  struct Made {
    std::unique_ptr<PlainIndex> index;
    const PostingLists* lists;
  };
  static std::map<std::tuple<const PostingFormat*, uint64_t, PostingContents>, Made> made;
  const auto [at, is_new] = made.try_emplace({&format, mean_gap, contents});
  if (is_new) {
    const BenchList& list = ListOf(mean_gap);
    at->second.index = std::make_unique<PlainIndex>(format, contents, list.lengths);
    at->second.index->Add(list.postings);
    at->second.lists = &at->second.index->Finish();
  }
  return *at->second.lists;
}

double Bits(const PostingLists& lists) {
  return 8.0 * static_cast<double>(lists.documents.size() + lists.counts.size() + lists.positions.size());
}

void Documents(benchmark::State& state, const PostingFormat* format) {
  const PostingLists& lists =
      IndexOf(*format, static_cast<uint64_t>(state.range(0)), PostingContents::kDocuments);
  for (auto _ : state) {
    auto cursor = *lists.Open(0);
    uint64_t sum = 0;
    for (; cursor.doc() != kEndDoc; cursor.Next()) sum += cursor.doc();
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kPostings));
  state.counters["bits_per_item"] = Bits(lists) / kPostings;
}

void Blocks(benchmark::State& state, const PostingFormat* format) {
  const PostingLists& lists =
      IndexOf(*format, static_cast<uint64_t>(state.range(0)), PostingContents::kDocuments);
  for (auto _ : state) {
    auto cursor = *lists.Open(0);
    for (; cursor.doc() != kEndDoc; cursor.NextBlock()) benchmark::DoNotOptimize(cursor.block_rest().back());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kPostings));
}

void Counts(benchmark::State& state, const PostingFormat* format) {
  const PostingLists& lists =
      IndexOf(*format, static_cast<uint64_t>(state.range(0)), PostingContents::kCounts);
  for (auto _ : state) {
    auto cursor = *lists.Open(0);
    uint64_t sum = 0;
    for (; cursor.doc() != kEndDoc; cursor.Next()) sum += cursor.doc() ^ cursor.count();
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kPostings));
  state.counters["bits_per_item"] = Bits(lists) / kPostings;
}

void Positions(benchmark::State& state, const PostingFormat* format) {
  const PostingLists& lists =
      IndexOf(*format, static_cast<uint64_t>(state.range(0)), PostingContents::kPositions);
  int64_t occurrences = 0;
  for (auto _ : state) {
    auto cursor = *lists.Open(0);
    uint64_t sum = 0;
    for (; cursor.doc() != kEndDoc; cursor.Next()) {
      for (const uint32_t position : cursor.positions()) sum += position;
    }
    benchmark::DoNotOptimize(sum);
    occurrences += static_cast<int64_t>(cursor.occurrences());
  }
  state.SetItemsProcessed(occurrences);
}

// Jumps with distances uniform up to twice the mean.
std::vector<DocId> Targets(uint64_t mean_gap, uint64_t passed) {
  SeededRandom random(9);
  std::vector<DocId> targets;
  for (uint64_t d = 0; d < ListOf(mean_gap).lengths.size(); d += 1 + random.Below(2 * mean_gap * passed)) {
    targets.push_back(static_cast<DocId>(d));
  }
  return targets;
}

template <bool kCounts, bool kPositions>
void Seek(benchmark::State& state, const PostingFormat* format) {
  const auto mean_gap = static_cast<uint64_t>(state.range(0));
  const PostingLists& lists = IndexOf(*format, mean_gap, PostingContents::kPositions);
  const std::vector<DocId> targets = Targets(mean_gap, static_cast<uint64_t>(state.range(1)));
  for (auto _ : state) {
    auto cursor = *lists.Open(0);
    uint64_t sum = 0;
    for (const DocId target : targets) {
      cursor.SeekTo(target);
      if (cursor.doc() == kEndDoc) break;
      sum += cursor.doc();
      if (kCounts) sum += cursor.count();
      if (kPositions) sum += cursor.positions().front();
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(targets.size()));
}

// The baseline for jumps: a sequence searched in place, without decoding (succinct/elias_fano.h).
void SeekInPlace(benchmark::State& state) {
  const auto mean_gap = static_cast<uint64_t>(state.range(0));
  const PlainList& list = ListOf(mean_gap).postings;
  succinct::EliasFanoBuilder builder(list.size(), list.back().doc);
  for (const PlainPosting& posting : list) builder.Add(posting.doc);
  ImageWriter image;
  if (!builder.AppendTo(image).ok()) return state.SkipWithError("cannot build");
  const auto sequence = succinct::EliasFano::FromImage(image.bytes());
  const std::vector<DocId> targets = Targets(mean_gap, static_cast<uint64_t>(state.range(1)));
  for (auto _ : state) {
    auto cursor = sequence->Begin();
    uint64_t sum = 0;
    for (const DocId target : targets) {
      cursor.SeekTo(target);
      if (cursor.AtEnd()) break;
      sum += cursor.value();
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(targets.size()));
}
BENCHMARK(SeekInPlace)->Name("BM_Postings_SeekTo/in-place")->ArgsProduct({{2, 16, 256}, {2, 16, 128, 1024}});

int RegisterAll() {
  std::vector<const PostingFormat*> formats(AllPostingFormats().begin(), AllPostingFormats().end());
  for (const uint32_t quantum : {8u, 128u}) formats.push_back(&ClassicDeltaFormat(quantum));
  for (const PostingFormat* format : formats) {
    const std::string name(format->name());
    const auto add = [&](const std::string& what, auto run) {
      return benchmark::RegisterBenchmark(("BM_Postings_" + what + "/" + name).c_str(), run, format);
    };
    add("Documents", &Documents)->Arg(1)->Arg(2)->Arg(8)->Arg(64)->Arg(1000);
    add("Blocks", &Blocks)->Arg(1)->Arg(2)->Arg(8)->Arg(64)->Arg(1000);
    add("Counts", &Counts)->Arg(2)->Arg(8)->Arg(64)->Arg(1000);
    add("Positions", &Positions)->Arg(8)->Arg(64);
    add("SeekTo", &Seek<false, false>)->ArgsProduct({{2, 16, 256}, {2, 16, 128, 1024}});
    add("SeekToCount", &Seek<true, false>)->ArgsProduct({{16}, {16, 128, 1024}});
    add("SeekToPositions", &Seek<true, true>)->ArgsProduct({{16}, {16, 128, 1024}});
  }
  return 0;
}
[[maybe_unused]] const int kRegistered = RegisterAll();

}  // namespace
}  // namespace crivello::index
