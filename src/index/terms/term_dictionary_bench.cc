// SPDX-License-Identifier: Apache-2.0
// A dictionary of 500,000 terms, compared with a hash table of strings and a search in a sorted vector.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/terms/term_match.h"
#include "index/terms/term_test_support.h"

namespace crivello::index {
namespace {

constexpr size_t kTerms = 500'000;

struct Fixture {
  Fixture() {
    SeededRandom random(1);
    terms = SomeWords(random, kTerms);
    image = DictionaryImage(terms);
    for (size_t i = 0; i < 65536; i++) {
      queries.push_back(terms[random.Below(kTerms)]);
      strangers.push_back(queries.back() + "x");
    }
  }
  std::vector<std::string> terms;
  std::vector<uint64_t> image;
  std::vector<std::string> queries;
  std::vector<std::string> strangers;
  TermDictionary dictionary() const { return *TermDictionary::FromImage(std::as_bytes(std::span(image))); }
};
const Fixture& Shared() {
  static const Fixture fixture;
  return fixture;
}

template <typename Find>
void RunFind(benchmark::State& state, const std::vector<std::string>& queries, Find find) {
  size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(find(queries[at]));
    at = (at + 1) % queries.size();
  }
  state.SetItemsProcessed(state.iterations());
}

void BM_FindOurs(benchmark::State& state) {
  const TermDictionary dictionary = Shared().dictionary();
  RunFind(state, Shared().queries, [&](const std::string& term) { return dictionary.Find(term); });
  for (const Field& field : dictionary.Describe()) {
    if (const auto* value = std::get_if<double>(&field.value)) state.counters[field.name] = *value;
  }
}
BENCHMARK(BM_FindOurs)->Name("BM_TermDictionary_Find/ours");

void BM_FindAbsent(benchmark::State& state) {
  const TermDictionary dictionary = Shared().dictionary();
  RunFind(state, Shared().strangers, [&](const std::string& term) { return dictionary.Find(term); });
}
BENCHMARK(BM_FindAbsent)->Name("BM_TermDictionary_Find/ours_absent");

void BM_FindHash(benchmark::State& state) {
  std::unordered_map<std::string, uint64_t> map;
  for (size_t i = 0; i < kTerms; i++) map[Shared().terms[i]] = 3 * i;
  RunFind(state, Shared().queries, [&](const std::string& term) { return map.find(term)->second; });
}
BENCHMARK(BM_FindHash)->Name("BM_TermDictionary_Find/unordered_map");

void BM_FindSorted(benchmark::State& state) {
  const std::vector<std::string>& terms = Shared().terms;
  RunFind(state, Shared().queries,
          [&](const std::string& term) { return std::lower_bound(terms.begin(), terms.end(), term); });
}
BENCHMARK(BM_FindSorted)->Name("BM_TermDictionary_Find/lower_bound");

void BM_Seek(benchmark::State& state) {
  const TermDictionary dictionary = Shared().dictionary();
  RunFind(state, Shared().queries, [&](const std::string& term) { return dictionary.Seek(term).rank(); });
}
BENCHMARK(BM_Seek)->Name("BM_TermDictionary_Seek");

void BM_Walk(benchmark::State& state) {
  const TermDictionary dictionary = Shared().dictionary();
  for (auto _ : state) {
    uint64_t bytes = 0;
    for (TermCursor cursor = dictionary.Begin(); cursor.valid(); cursor.Next()) bytes += cursor.term().size();
    benchmark::DoNotOptimize(bytes);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kTerms));
}
BENCHMARK(BM_Walk)->Name("BM_TermDictionary_Walk");

void BM_Like(benchmark::State& state, const char* pattern) {
  const TermDictionary dictionary = Shared().dictionary();
  for (auto _ : state) {
    const auto found = TermsLike(dictionary, pattern);
    state.counters["visited"] = static_cast<double>(found->visited);
    state.counters["found"] = static_cast<double>(found->terms.size());
  }
}
BENCHMARK_CAPTURE(BM_Like, suffix, "*conmara")->Name("BM_TermDictionary_Like/suffix");
BENCHMARK_CAPTURE(BM_Like, prefix, "conmas*")->Name("BM_TermDictionary_Like/prefix");

void BM_Near(benchmark::State& state) {
  const TermDictionary dictionary = Shared().dictionary();
  for (auto _ : state) {
    const auto found = TermsNear(dictionary, "conmaradis", static_cast<unsigned>(state.range(0)));
    state.counters["visited"] = static_cast<double>(found->visited);
    state.counters["found"] = static_cast<double>(found->terms.size());
  }
}
BENCHMARK(BM_Near)->Name("BM_TermDictionary_Near")->Arg(1)->Arg(2)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace crivello::index
