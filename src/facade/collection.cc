// SPDX-License-Identifier: Apache-2.0
#include <crivello/search.h>

#include <chrono>
#include <utility>

#include "index/tables/collection_index.h"
#include "search/index_searcher.h"

namespace crivello {
namespace {

std::vector<Highlight> Copy(const std::vector<search::Highlight>& highlights) {
  std::vector<Highlight> copies;
  for (const search::Highlight& one : highlights) copies.push_back({one.begin, one.end});
  return copies;
}

Answer Convert(search::SearchAnswer from) {
  Answer answer;
  for (search::SearchResult& result : from.results) {
    Found found;
    found.url = std::move(result.url);
    found.title_highlights = Copy(result.title.highlights);
    found.title = std::move(result.title.text);
    found.snippet_highlights = Copy(result.snippet.highlights);
    found.snippet = std::move(result.snippet.text);
    found.score = result.score;
    found.language = std::move(result.language);
    found.fetched_seconds = result.time_seconds;
    answer.results.push_back(std::move(found));
  }
  answer.total = from.total;
  answer.total_is_exact = from.total_kind == search::TotalKind::kExact;
  answer.partial = from.partial;
  answer.did_you_mean = std::move(from.did_you_mean);
  return answer;
}

}  // namespace

struct Collection::Parts {
  std::string folder;
  std::unique_ptr<search::IndexSearcher> searcher;
};

Collection::Collection(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Collection::Collection(Collection&&) noexcept = default;
Collection& Collection::operator=(Collection&&) noexcept = default;
Collection::~Collection() = default;

Result<Collection> Collection::Open(const std::string& folder) {
  auto parts = std::make_unique<Parts>();
  parts->folder = folder;
  CRV_ASSIGN(auto snapshot, index::OpenCollectionIndex(folder));
  CRV_ASSIGN(parts->searcher, search::IndexSearcher::Create(std::move(snapshot)));
  return Collection(std::move(parts));
}

Result<Answer> Collection::Search(const Question& question) const {
  search::SearchRequest request;
  request.query = question.query;
  request.count = question.count;
  request.offset = question.offset;
  if (question.timeout_ms > 0) request.timeout = std::chrono::milliseconds(question.timeout_ms);
  CRV_ASSIGN(search::SearchAnswer answer, parts_->searcher->Search(request));
  return Convert(std::move(answer));
}

Result<Answer> Collection::Similar(std::string_view url, size_t count) const {
  search::SimilarRequest request;
  request.url = url;
  request.count = count;
  CRV_ASSIGN(search::SearchAnswer answer, parts_->searcher->Similar(request));
  return Convert(std::move(answer));
}

Result<std::vector<std::string>> Collection::Suggest(std::string_view typed, size_t count) const {
  return parts_->searcher->Suggest(typed, count);
}

Result<bool> Collection::Refresh() {
  CRV_ASSIGN(const uint64_t generation, index::CollectionGeneration(parts_->folder));
  if (generation == parts_->searcher->snapshot()->generation()) return false;
  CRV_ASSIGN(auto snapshot, index::OpenCollectionIndex(parts_->folder));
  parts_->searcher->Use(std::move(snapshot));
  return true;
}

uint64_t Collection::documents() const { return parts_->searcher->snapshot()->live_documents(); }

}  // namespace crivello
