// SPDX-License-Identifier: Apache-2.0
// Operations on whole segments: opening, reading texts, replacing pages, refreshing.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>

#include "base/random.h"
#include "base/test_support.h"
#include "index/build/index_writer.h"
#include "index/terms/term_test_support.h"

namespace crivello::index {
namespace {

constexpr uint64_t kDocuments = 50'000;

IndexDocument SomePage(Random& random, uint64_t number) {
  IndexDocument document;
  document.url = "http://site" + std::to_string(number % 100) + ".example/page/" + std::to_string(number);
  for (int i = 0; i < 60; i++) document.text += SomeWord(random) + " ";
  document.title = document.text.substr(0, 40);
  document.texts = {{"title", document.title}, {"body", document.text}};
  document.keywords = {{"site", "site" + std::to_string(number % 100)}};
  return document;
}

IndexWriterOptions Options(const std::string& directory) {
  IndexWriterOptions options;
  options.directory = directory;
  options.settings = IndexSettings{.analyser = "plain"};
  return options;
}

// An index of one segment.
struct Fixture {
  Fixture() {
    IndexWriterOptions options = Options(folder / "index");
    options.live = false;
    auto writer = IndexWriter::Open(options);
    SeededRandom random(1);
    for (uint64_t i = 0; i < kDocuments; i++) (*writer)->Add(SomePage(random, i)).IgnoreError();
    (*writer)->Commit(1).IgnoreError();
  }
  TemporaryFolder folder;
};
const Fixture& Shared() {
  static const Fixture fixture;
  return fixture;
}

void BM_Open(benchmark::State& state) {
  const std::string path = Shared().folder / "index";
  for (auto _ : state) {
    const auto snapshot = Snapshot::Open(path);
    state.counters["bytes"] = static_cast<double>((*snapshot)->segments()[0].segment->bytes());
  }
}
BENCHMARK(BM_Open)->Name("BM_Snapshot_Open")->Unit(benchmark::kMicrosecond);

void BM_Text(benchmark::State& state) {
  const auto snapshot = Snapshot::Open(Shared().folder / "index");
  const TextStore& texts = (*snapshot)->segments()[0].segment->texts();
  SeededRandom random(2);
  TextReader reader(texts);
  for (auto _ : state) {
    benchmark::DoNotOptimize(reader.Get(static_cast<DocId>(random.Below(kDocuments))).value().text.size());
  }
  for (const Field& field : texts.Describe()) {
    if (const auto* value = std::get_if<uint64_t>(&field.value))
      state.counters[field.name] = static_cast<double>(*value);
  }
}
BENCHMARK(BM_Text)->Name("BM_TextStore_Get")->Unit(benchmark::kMicrosecond);

void BM_Supersede(benchmark::State& state) {
  const auto snapshot = Snapshot::Open(Shared().folder / "index");
  std::vector<PageDeletion> deletions;
  for (int64_t i = 0; i < state.range(0); i++) deletions.push_back({UrlKey(std::to_string(i)), 0});
  const Supersession supersession(nullptr, deletions, {});
  for (auto _ : state) benchmark::DoNotOptimize(supersession.ApplyTo((*snapshot)->segments()[0]));
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kDocuments));
}
BENCHMARK(BM_Supersede)->Name("BM_Supersession_PerDocument")->Arg(10)->Arg(10'000);

// From adding a page to a snapshot that has it, and to the disk.
void BM_Refresh(benchmark::State& state) {
  TemporaryFolder folder;
  auto writer = IndexWriter::Open(Options(folder / "index"));
  SeededRandom random(3);
  uint64_t number = 0;
  for (auto _ : state) {
    for (int64_t i = 0; i < state.range(0); i++) (*writer)->Add(SomePage(random, number++)).IgnoreError();
    benchmark::DoNotOptimize((*writer)->Refresh());
    state.PauseTiming();
    (*writer)->Commit(number).IgnoreError();
    state.ResumeTiming();
  }
}
BENCHMARK(BM_Refresh)->Name("BM_IndexWriter_AddAndRefresh")->Arg(1)->Arg(1000)->Unit(benchmark::kMillisecond);

void BM_Commit(benchmark::State& state) {
  TemporaryFolder folder;
  auto writer = IndexWriter::Open(Options(folder / "index"));
  SeededRandom random(3);
  uint64_t number = 0;
  for (auto _ : state) {
    for (int64_t i = 0; i < state.range(0); i++) (*writer)->Add(SomePage(random, number++)).IgnoreError();
    benchmark::DoNotOptimize((*writer)->Commit(number));
  }
}
BENCHMARK(BM_Commit)->Name("BM_IndexWriter_AddAndCommit")->Arg(1)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace crivello::index
