// SPDX-License-Identifier: Apache-2.0
// The lists of a real collection in every format: bits per posting and per position, time to write and to
// read.  $CRIVELLO_PAGES is a folder that contains HTML files at any depth.  A page is split into documents
// at its headings, and the words are its text without tags: [a-z0-9]+ in lower case.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/file_system.h"
#include "index/postings/posting_test_support.h"

namespace crivello::index {
namespace {

struct Collection {
  std::vector<uint32_t> lengths;
  std::vector<PlainList> lists;  // by term, in the order of first occurrence
  uint64_t postings = 0;
  uint64_t occurrences = 0;
};

class CollectionReader {
 public:
  void AddPage(const std::string& page) {
    std::string word;
    bool tag = false;
    for (size_t i = 0; i < page.size(); i++) {
      const auto c = static_cast<unsigned char>(page[i]);
      if (c == '<') {
        EndWord(&word);
        tag = true;
        const std::string_view name = std::string_view(page).substr(i + 1, 2);
        if (name == "h1" || name == "h2") EndDocument();
      } else if (c == '>') {
        tag = false;
      } else if (tag) {
        continue;
      } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
        word += static_cast<char>(c);
      } else if (c >= 'A' && c <= 'Z') {
        word += static_cast<char>(c - 'A' + 'a');
      } else {
        EndWord(&word);
      }
    }
    EndWord(&word);
    EndDocument();
  }
  Collection Finish() { return std::move(collection_); }

 private:
  void EndWord(std::string* word) {
    if (word->empty()) return;
    const auto term = terms_.try_emplace(*word, terms_.size()).first->second;
    if (term == collection_.lists.size()) collection_.lists.emplace_back();
    PlainList& list = collection_.lists[term];
    const auto doc = static_cast<DocId>(collection_.lengths.size());
    if (list.empty() || list.back().doc != doc) {
      list.push_back({doc, {}});
      collection_.postings++;
    }
    list.back().positions.push_back(length_++);
    collection_.occurrences++;
    word->clear();
  }
  void EndDocument() {
    if (length_ == 0) return;
    collection_.lengths.push_back(length_);
    length_ = 0;
  }

  Collection collection_;
  std::unordered_map<std::string, size_t> terms_;
  uint32_t length_ = 0;
};

const Collection& RealCollection() {
  static const Collection collection = [] {
    CollectionReader reader;
    const char* folder = std::getenv("CRIVELLO_PAGES");
    if (folder == nullptr) return reader.Finish();
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string ending = entry.path().extension().string();
      if (entry.is_regular_file() && (ending == ".html" || ending == ".htm")) {
        paths.push_back(entry.path().string());
      }
    }
    std::ranges::sort(paths);
    for (const std::string& path : paths) {
      const auto page = ReadFile(path);
      if (page.ok()) reader.AddPage(*page);
    }
    return reader.Finish();
  }();
  return collection;
}

struct WrittenCollection {
  std::unique_ptr<PlainIndex> index;
  std::vector<uint64_t> starts;
  const PostingLists* lists = nullptr;
  double bits = 0;
};

WrittenCollection WriteAll(const PostingFormat& format, PostingContents contents) {
  const Collection& collection = RealCollection();
  WrittenCollection written;
  written.index = std::make_unique<PlainIndex>(format, contents, collection.lengths);
  for (const PlainList& list : collection.lists) written.starts.push_back(written.index->Add(list));
  written.lists = &written.index->Finish();
  written.bits = 8.0 * static_cast<double>(written.lists->documents.size() + written.lists->counts.size() +
                                           written.lists->positions.size());
  return written;
}

void Write(benchmark::State& state, const PostingFormat* format) {
  const Collection& collection = RealCollection();
  if (collection.lists.empty()) {
    state.SkipWithError("no pages: set CRIVELLO_PAGES to a folder of .html files");
    return;
  }
  const auto postings = static_cast<double>(collection.postings);
  const double documents = WriteAll(*format, PostingContents::kDocuments).bits;
  const double counts = WriteAll(*format, PostingContents::kCounts).bits;
  double positions = 0;
  for (auto _ : state) positions = WriteAll(*format, PostingContents::kPositions).bits;
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(collection.postings));
  state.counters["documents"] = static_cast<double>(collection.lengths.size());
  state.counters["terms"] = static_cast<double>(collection.lists.size());
  state.counters["postings"] = postings;
  state.counters["occurrences"] = static_cast<double>(collection.occurrences);
  state.counters["document_bits"] = documents / postings;
  state.counters["count_bits"] = (counts - documents) / postings;
  state.counters["position_bits"] = (positions - counts) / static_cast<double>(collection.occurrences);
  double blocks = 0;
  for (const PlainList& list : collection.lists) {
    if (list.size() > kBlockPostings) blocks += static_cast<double>(list.size() / kBlockPostings + 2);
  }
  state.counters["maxima_bits"] = 8 * kImpactBytes * blocks / postings;
}

void Read(benchmark::State& state, const PostingFormat* format) {
  const Collection& collection = RealCollection();
  if (collection.lists.empty()) {
    state.SkipWithError("no pages: set CRIVELLO_PAGES to a folder of .html files");
    return;
  }
  const WrittenCollection written = WriteAll(*format, PostingContents::kPositions);
  for (auto _ : state) {
    uint64_t sum = 0;
    for (const uint64_t start : written.starts) {
      auto cursor = *written.lists->Open(start);
      for (; cursor.doc() != kEndDoc; cursor.Next()) {
        if (state.range(0) > 0) sum += cursor.count();
        if (state.range(0) > 1) sum += cursor.positions().back();
      }
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(collection.postings));
}

int RegisterAll() {
  for (const PostingFormat* format : AllPostingFormats()) {
    const std::string name(format->name());
    benchmark::RegisterBenchmark(("BM_Collection_Write/" + name).c_str(), &Write, format)->Iterations(1);
    benchmark::RegisterBenchmark(("BM_Collection_Read/" + name).c_str(), &Read, format)->DenseRange(0, 2);
  }
  return 0;
}
[[maybe_unused]] const int kRegistered = RegisterAll();

}  // namespace
}  // namespace crivello::index
