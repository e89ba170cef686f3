// SPDX-License-Identifier: Apache-2.0
// Builds a segment from the collection of the peers ($PEERS_DATA/corpus.jsonl, a JSON object with id, title
// and text in each line), as one field, with the plain analyser and no texts kept, like the peers do, and
// from a million and more short synthetic documents.  All in a folder of $TMPDIR.
#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/large_blocks.h"
#include "base/process_usage.h"
#include "base/random.h"
#include "base/scratch_folder.h"
#include "index/build/document_order.h"
#include "index/build/segment_builder.h"
#include "index/segments/segment.h"

namespace crivello::index {
namespace {

// On disk, where an index would be.
ScratchFolder BenchFolder() { return ScratchFolder::Create({.prefix = "crivello-build-"}).value(); }

void Report(benchmark::State& state, const SegmentSummary& summary, const std::string& folder, double cpu) {
  const auto segment = Segment::Open(folder);
  if (!segment.ok()) return state.SkipWithError(segment.status().ToString().c_str());
  const FieldView& body = *(*segment)->field("body");
  const double megabytes = static_cast<double>(summary.text_bytes) / 1e6;
  const auto postings = static_cast<double>(summary.postings);
  const auto size = [&folder](const char* part) {
    return static_cast<double>(std::filesystem::file_size(folder + "/body." + part));
  };
  double index = 0;
  for (const char* part : {"terms", "documents", "counts", "positions", "lengths"}) {
    if (std::filesystem::exists(folder + "/body." + part)) index += size(part);
  }
  state.counters["text_MB"] = megabytes;
  state.counters["MB_per_cpu_s"] = megabytes / cpu;
  state.counters["terms"] = static_cast<double>(body.terms.size());
  state.counters["postings"] = postings;
  state.counters["index_MB"] = index / 1e6;
  state.counters["terms_MB"] = size("terms") / 1e6;
  if (body.lists.contents == PostingContents::kCounts) {
    state.counters["bits_per_posting"] = 8 * (size("documents") + size("counts")) / postings;
  }
  state.counters["peak_MB"] = static_cast<double>(PeakBytes()) / (1 << 20);
}

Status AddCorpus(SegmentBuilder& builder) {
  const char* data = std::getenv("PEERS_DATA");
  if (data == nullptr) return Status::NotFound("set PEERS_DATA to the folder of corpus.jsonl");
  std::ifstream file(std::string(data) + "/corpus.jsonl");
  if (!file) return Status::NotFound(std::string(data) + "/corpus.jsonl");
  simdjson::ondemand::parser parser;
  std::string line;
  while (std::getline(file, line)) {
    line.reserve(line.size() + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::document json;
    if (parser.iterate(line, line.capacity()).get(json) != simdjson::SUCCESS)
      return Status::Corruption("corpus: no JSON");
    IndexDocument document;
    std::string_view id, title, text;
    if (json["id"].get(id) != simdjson::SUCCESS || json["title"].get(title) != simdjson::SUCCESS ||
        json["text"].get(text) != simdjson::SUCCESS)
      return Status::Corruption("corpus: no id, title or text");
    document.id = id;
    document.url = id;
    std::string body;
    body.reserve(title.size() + 1 + text.size());
    body.append(title).append("\n").append(text);
    document.texts.push_back({"body", std::move(body)});
    CRV_TRY(builder.Add(std::move(document)));
  }
  return Status::Ok();
}

// About ten words, the first of the vocabulary frequent, and a unique one in every eighth document.
Status AddMadeUp(SegmentBuilder& builder, uint64_t documents) {
  SeededRandom random(1);
  for (uint64_t i = 0; i < documents; i++) {
    IndexDocument document;
    document.url = "http://made.example/" + std::to_string(i);
    std::string body;
    for (uint64_t words = 4 + random.Below(13); words > 0; words--) {
      const double u = random.Unit();
      body += "w" + std::to_string(static_cast<uint64_t>(u * u * u * u * 1e6)) + " ";
    }
    if (i % 8 == 0) body += "id" + std::to_string(i);
    document.texts.push_back({"body", std::move(body)});
    CRV_TRY(builder.Add(std::move(document)));
  }
  return Status::Ok();
}

template <typename Feed>
void Build(benchmark::State& state, const SegmentBuilderOptions& options, Feed feed) {
  for (auto _ : state) {
    const ScratchFolder folder = BenchFolder();
    auto sink = DirectorySink::Open(folder.path() + "/segment");
    SegmentBuilderOptions with_scratch = options;
    with_scratch.scratch = folder.path() + "/scratch";
    const double before = CpuSeconds();
    auto builder = SegmentBuilder::Create(with_scratch, *sink);
    const Status status = feed(**builder);
    if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
    const auto summary = (*builder)->Finish();
    const double cpu = CpuSeconds() - before;
    if (!summary.ok()) return state.SkipWithError(summary.status().ToString().c_str());
    state.PauseTiming();
    Report(state, *summary, folder.path() + "/segment", cpu);
    state.ResumeTiming();
  }
}

// Reorders a segment of the corpus and changes its format: measures ordering and merging.
void Reorder(benchmark::State& state, const std::string& order, const PostingFormat* format,
             PostingContents contents) {
  const ScratchFolder folder = BenchFolder();
  auto sink = DirectorySink::Open(folder.path() + "/segment");
  auto builder = SegmentBuilder::Create(
      {.analyser = "plain", .contents = contents, .store_text = false, .threads = 2}, *sink);
  const Status status = AddCorpus(**builder);
  if (!status.ok()) return state.SkipWithError(status.ToString().c_str());
  const auto summary = (*builder)->Finish();
  const auto segment = Segment::Open(folder.path() + "/segment");
  const Segment* pointer = segment->get();
  for (auto _ : state) {
    const double before = CpuSeconds();
    auto sources = ConcatenateSegments({&pointer, 1});
    const auto start = std::chrono::steady_clock::now();
    if (order == "url" && !OrderByUrl(sources).ok()) return state.SkipWithError("no order");
    if (order == "bisection" && !OrderByBisection({.threads = 2}, sources).ok())
      return state.SkipWithError("no order");
    state.counters["order_s"] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    auto merged = DirectorySink::Open(folder.path() + "/merged");
    const auto info = MergeSegments({.format = format, .order = order, .threads = 2}, sources, *merged);
    if (!info.ok()) return state.SkipWithError(info.status().ToString().c_str());
    const double cpu = CpuSeconds() - before;
    state.PauseTiming();
    Report(state, *summary, folder.path() + "/merged", cpu);
    state.ResumeTiming();
  }
}

int RegisterAll() {
  ReturnLargeBlocks();  // as the program does
  for (const PostingFormat* format : AllPostingFormats()) {
    for (const auto contents : {PostingContents::kCounts, PostingContents::kPositions}) {
      const std::string name = "BM_Build_Corpus/" + std::string(format->name()) +
                               (contents == PostingContents::kCounts ? "/counts" : "/positions");
      benchmark::RegisterBenchmark(name.c_str(),
                                   [format, contents](benchmark::State& state) {
                                     Build(state,
                                           {.analyser = "plain",
                                            .format = format,
                                            .contents = contents,
                                            .store_text = false,
                                            .threads = static_cast<unsigned>(state.range(0))},
                                           &AddCorpus);
                                   })
          ->Arg(1)
          ->Arg(2)
          ->Iterations(1)
          ->UseRealTime()
          ->Unit(benchmark::kSecond);
    }
  }
  for (const char* order : {"arrival", "url", "bisection"}) {
    for (const PostingFormat* format : AllPostingFormats()) {
      for (const auto contents : {PostingContents::kCounts, PostingContents::kPositions}) {
        const std::string name = std::string("BM_Reorder/") + order + "/" + std::string(format->name()) +
                                 (contents == PostingContents::kCounts ? "/counts" : "/positions");
        benchmark::RegisterBenchmark(name.c_str(), &Reorder, order, format, contents)
            ->Iterations(1)
            ->UseRealTime()
            ->Unit(benchmark::kSecond);
      }
    }
  }
  benchmark::RegisterBenchmark(
      "BM_Build_MadeUp",
      [](benchmark::State& state) {
        const auto documents = static_cast<uint64_t>(state.range(0)) * 1'000'000;
        Build(state,
              {.analyser = "plain", .store_text = false, .memory_bytes = uint64_t{256} << 20, .threads = 2},
              [documents](SegmentBuilder& builder) { return AddMadeUp(builder, documents); });
      })
      ->Arg(1)
      ->Arg(3)
      ->Arg(10)
      ->Iterations(1)
      ->UseRealTime()
      ->Unit(benchmark::kSecond);
  return 0;
}
[[maybe_unused]] const int kRegistered = RegisterAll();

}  // namespace
}  // namespace crivello::index
