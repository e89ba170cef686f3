// SPDX-License-Identifier: Apache-2.0
// The best ten documents of OR, AND and phrases, and counts, by every algorithm: on the collection and
// queries of the peers ($PEERS_DATA/corpus.jsonl and queries.txt, as one field, with the plain analyser), or
// on words made up by Zipf's law.  A segment of the former is kept in $CRIVELLO_SEGMENT, and made if it is
// not there. Times are those of whole searches: parsing, analysis and the look-up of terms are part of them.
#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/mapped_file.h"
#include "base/random.h"
#include "index/build/segment_builder.h"
#include "search/index_searcher.h"

namespace crivello::search {
namespace {

struct Bench {
  std::unique_ptr<IndexSearcher> searcher;
  std::vector<std::string> queries;
};

index::IndexDocument Document(std::string url, std::string body) {
  index::IndexDocument document;
  document.url = std::move(url);
  document.texts.push_back({"body", std::move(body)});
  return document;
}

Status AddCorpus(const std::string& path, index::SegmentBuilder& builder) {
  CRV_ASSIGN(const MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  simdjson::ondemand::parser parser;
  std::string_view rest = AsText(file.bytes());
  std::string line;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    line.assign(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    line.reserve(line.size() + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::document json;
    std::string_view id, title, text;
    if (parser.iterate(line, line.capacity()).get(json) != simdjson::SUCCESS ||
        json["id"].get(id) != simdjson::SUCCESS || json["title"].get(title) != simdjson::SUCCESS ||
        json["text"].get(text) != simdjson::SUCCESS) {
      return Status::Corruption(path + ": no JSON of id, title and text");
    }
    CRV_TRY(builder.Add(Document(std::string(id), std::string(title) + "\n" + std::string(text))));
  }
  return Status::Ok();
}

Result<std::shared_ptr<const index::Segment>> PeersSegment(const std::string& data) {
  const char* kept = std::getenv("CRIVELLO_SEGMENT");
  const std::string folder = kept != nullptr ? kept : data + "/segment";
  if (!std::filesystem::exists(folder + "/segment")) {
    CRV_ASSIGN(index::DirectorySink sink, index::DirectorySink::Open(folder));
    CRV_ASSIGN(auto builder,
               index::SegmentBuilder::Create({.analyser = "plain", .store_text = false, .threads = 2}, sink));
    CRV_TRY(AddCorpus(data + "/corpus.jsonl", *builder));
    CRV_TRY(builder->Finish());
  }
  return index::Segment::Open(folder);
}

// A word's rank r by a probability of about 1 / r.
std::string ZipfWord(Random& random, double words) {
  return "w" + std::to_string(static_cast<uint64_t>(std::pow(words, random.Unit())));
}

Result<std::shared_ptr<const index::Segment>> ZipfSegment(std::vector<std::string>* queries) {
  SeededRandom random(1);
  index::MemorySink sink;
  CRV_ASSIGN(auto builder, index::SegmentBuilder::Create({.analyser = "plain", .store_text = false}, sink));
  for (int i = 0; i < 100000; i++) {
    std::string body;
    for (uint64_t n = 20 + random.Below(random.Below(10) == 0 ? 600 : 100); n-- > 0;) {
      body += ZipfWord(random, 200000) + " ";
    }
    CRV_TRY(builder->Add(Document(std::to_string(i), std::move(body))));
  }
  CRV_TRY(builder->Finish());
  for (int i = 0; i < 200; i++) {
    std::string query;
    for (uint64_t n = 2 + random.Below(3); n-- > 0;) query += ZipfWord(random, 20000) + (n > 0 ? " " : "");
    queries->push_back(query);
  }
  return index::Segment::FromParts(std::move(sink).Release());
}

Result<Bench> MakeBench() {
  Bench bench;
  std::shared_ptr<const index::Segment> segment;
  if (const char* data = std::getenv("PEERS_DATA")) {
    CRV_ASSIGN(segment, PeersSegment(data));
    std::ifstream file(std::string(data) + "/queries.txt");
    for (std::string line; std::getline(file, line);) bench.queries.push_back(line);
  } else {
    CRV_ASSIGN(segment, ZipfSegment(&bench.queries));
  }
  std::vector<index::SegmentView> views = {{segment, nullptr}};
  CRV_ASSIGN(bench.searcher,
             IndexSearcher::Create(std::make_shared<index::Snapshot>(std::move(views), 1, "plain")));
  return bench;
}

const Result<Bench>& TheBench() {
  static const Result<Bench> bench = MakeBench();
  return bench;
}

enum class Form : uint8_t { kOr, kAnd, kPhrase };

std::string Formed(const std::string& words, Form form) {
  if (form == Form::kPhrase) return '"' + words + '"';
  if (form == Form::kOr) return words;
  std::string out;
  for (size_t at = 0; at < words.size();) {
    const size_t end = std::min(words.find(' ', at), words.size());
    if (end > at) out += "+" + words.substr(at, end - at) + " ";
    at = end + 1;
  }
  return out;
}

void Run(benchmark::State& state, Form form, bool count, Algorithm algorithm) {
  if (!TheBench().ok()) return state.SkipWithError(TheBench().status().ToString().c_str());
  const Bench& bench = *TheBench();
  std::vector<SearchRequest> requests;
  for (const std::string& words : bench.queries) {
    SearchRequest request{.query = Formed(words, form)};
    request.ranking.ranking = Ranking::kBm25;
    request.algorithm = algorithm;
    requests.push_back(request);
  }
  // Of each query the best of all rounds: what others do on the machine meanwhile is left out.
  std::vector<double> times(requests.size(), 1e9);
  uint64_t results = 0;
  for (auto _ : state) {
    results = 0;
    for (size_t i = 0; i < requests.size(); i++) {
      const auto start = std::chrono::steady_clock::now();
      results += count ? *bench.searcher->Count(requests[i]) : bench.searcher->Top(requests[i])->size();
      const auto time = std::chrono::steady_clock::now() - start;
      times[i] = std::min(times[i], std::chrono::duration<double, std::micro>(time).count());
    }
  }
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (const double time : times) sum += time;
  state.counters["best_mean_us"] = sum / static_cast<double>(times.size());
  state.counters["best_p50_us"] = times[times.size() / 2];
  state.counters["best_p99_us"] = times[times.size() * 99 / 100];
  state.counters["results"] = static_cast<double>(results);
}

int RegisterAll() {
  const auto add = [](const std::string& name, Form form, bool count, Algorithm algorithm) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
      Run(state, form, count, algorithm);
    })->Unit(benchmark::kMillisecond);
  };
  for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kWindows, Algorithm::kMaxScore,
                                    Algorithm::kBlockMaxWand, Algorithm::kExhaustive}) {
    add("BM_Or/" + std::string(AlgorithmName(algorithm)), Form::kOr, false, algorithm);
  }
  for (const Algorithm algorithm : {Algorithm::kAuto, Algorithm::kExhaustive}) {
    add("BM_And/" + std::string(AlgorithmName(algorithm)), Form::kAnd, false, algorithm);
    add("BM_Phrase/" + std::string(AlgorithmName(algorithm)), Form::kPhrase, false, algorithm);
  }
  add("BM_CountOr", Form::kOr, true, Algorithm::kAuto);
  add("BM_CountAnd", Form::kAnd, true, Algorithm::kAuto);
  add("BM_CountPhrase", Form::kPhrase, true, Algorithm::kAuto);
  return 0;
}
[[maybe_unused]] const int kRegistered = RegisterAll();

}  // namespace
}  // namespace crivello::search
