// SPDX-License-Identifier: Apache-2.0
//
// Search a Crivello collection from your own program.  This header is the whole interface, together with the
// errors of crivello/status.h.
//
//   crivello::Result<crivello::Collection> web = crivello::Collection::Open("collection");
//   if (!web.ok()) ...web.status().message()...
//   crivello::Result<crivello::Answer> answer = web->Search({.query = "sieve -site:example.org"});
#pragma once

#include <crivello/status.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace crivello {

struct Question {
  std::string query;        // as people type it (docs/query-language.md); any text is valid
  size_t count = 10;        // maximum number of results
  size_t offset = 0;        // number of results to skip
  unsigned timeout_ms = 0;  // time limit, after which the answer is partial; 0: no limit
};

// Bytes [begin, end) of a text that match words of the query.
struct Highlight {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct Found {
  std::string url;
  std::string title;    // UTF-8
  std::string snippet;  // UTF-8: the passages of the page that match the query
  std::vector<Highlight> title_highlights;
  std::vector<Highlight> snippet_highlights;
  double score = 0;
  std::string language;         // "en"; empty if not known
  int64_t fetched_seconds = 0;  // seconds since 1970; 0 if not known
};

struct Answer {
  std::vector<Found> results;  // best first
  uint64_t total = 0;          // number of matching pages
  bool total_is_exact = false;
  bool partial = false;      // the time limit was reached: there may be better results
  std::string did_you_mean;  // a query with other spelling that finds more; empty if there is none
};

// The index of a collection, as it was last committed by the process that crawls or indexes it.  Any number
// of programs can search it at the same time.  It can be moved but not copied.  All const methods are
// thread-safe; Refresh() and moves need exclusive access.  A search runs in the thread of its caller.
class Collection {
 public:
  // `folder` is what the command line takes as -C.  NotFound if it is not a collection or has no index.
  static Result<Collection> Open(const std::string& folder);
  Collection(Collection&&) noexcept;
  Collection& operator=(Collection&&) noexcept;
  ~Collection();

  // Returns Corruption if the index is damaged.
  Result<Answer> Search(const Question& question) const;
  // Pages similar to the page `url`.  NotFound if the index does not have that page.
  Result<Answer> Similar(std::string_view url, size_t count = 10) const;
  // Completes what was typed: up to `count` whole queries, best first.  The first call builds the suggestions
  // from the index, which can take seconds.
  Result<std::vector<std::string>> Suggest(std::string_view typed, size_t count = 10) const;

  // Opens what was committed since; returns whether there was something new.  Needs exclusive access.
  Result<bool> Refresh();
  uint64_t documents() const;  // number of searchable documents

 private:
  struct Parts;
  explicit Collection(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace crivello
