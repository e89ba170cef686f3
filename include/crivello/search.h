// SPDX-License-Identifier: Apache-2.0
//
// Searching a collection of Crivello from a program of one's own.  Start here; it is all there is, with the
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
  std::string query;        // as people type it (docs/query-language.md): never an error
  size_t count = 10;        // results
  size_t offset = 0;        // how many to leave out before them
  unsigned timeout_ms = 0;  // then the answer is partial; 0: none
};

// Bytes [begin, end) of a text that stand for words of the query.
struct Highlight {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct Found {
  std::string url;
  std::string title;    // UTF-8, as is the snippet
  std::string snippet;  // what of the page answers the query
  std::vector<Highlight> title_highlights;
  std::vector<Highlight> snippet_highlights;
  double score = 0;
  std::string language;         // "en"; empty if not known
  int64_t fetched_seconds = 0;  // since 1970; 0 if not known
};

struct Answer {
  std::vector<Found> results;  // the best first
  uint64_t total = 0;          // how many there are
  bool total_is_exact = false;
  bool partial = false;      // time was up: there may be better results
  std::string did_you_mean;  // a spelling that finds more; empty if none does
};

// The index of a collection, as some process committed it last: any number of programs may search what one of
// them crawls.  Moved, not copied.  All but Refresh() and moving is thread-safe; a search runs in its
// caller's thread.
class Collection {
 public:
  // `folder` is that of the program's -C.  NotFound if there is no collection, or no index in it.
  static Result<Collection> Open(const std::string& folder);
  Collection(Collection&&) noexcept;
  Collection& operator=(Collection&&) noexcept;
  ~Collection();

  // Corruption for a damaged index.
  Result<Answer> Search(const Question& question) const;
  // Pages that are like one of the index.  NotFound if it has no such page.
  Result<Answer> Similar(std::string_view url, size_t count = 10) const;
  // What whoever typed this much may want to ask: up to `count` whole queries, the best first.  The first
  // call takes as long as it takes to make them from the index.
  Result<std::vector<std::string>> Suggest(std::string_view typed, size_t count = 10) const;

  // Searches what was committed since; whether there was something.  Searches under way go on as they were.
  Result<bool> Refresh();
  uint64_t documents() const;  // that can be found

 private:
  struct Parts;
  explicit Collection(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace crivello
