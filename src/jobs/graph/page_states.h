// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/external_sorter.h"
#include "base/progress.h"
#include "base/status.h"
#include "jobs/links/link_inverter.h"

namespace crivello::jobs {

// Determines the state of each URL of a collection, for a graph of pages, ordered by row key.
//
// A row with a 2xx response is a page.  A row with a 3xx response leads to its location, and a page that
// names another URL as canonical leads there.  The walk from a URL takes at most kMaxHops steps:
//   - if it ends at a page that leads nowhere, that page is the target of the URL.  A page that has such a
//     target is canonicalised away;
//   - otherwise (it reaches a failed row or a URL without a row, runs in a circle, or is too long), the
//     first page of the walk is the target, unless that page has a target of its own;
//   - otherwise, if the walk ends at a URL without a row, that URL is the target.
// So a canonical URL counts only if it leads to a page.  The nodes are the pages that are not canonicalised
// away and, if requested, the URLs without a row to which something leads.
//
// Uses external sorts: memory does not depend on the number of rows.  One thread at a time.
class PageStates {
 public:
  static constexpr unsigned kMaxHops = 10;

  struct Options {
    uint64_t memory_bytes = uint64_t{64} << 20;  // for all sorts together
    std::string folder = {};                     // of scratch files
    bool frontier = false;                       // URLs without a row are nodes
    // Whether a row must never be named; empty: no such rows.
    std::function<bool(std::string_view row_key)> excluded = {};
    std::stop_token stop = {};  // stops with Unavailable
    FileSystem* fs = &PosixFileSystem();
  };
  explicit PageStates(Options options);

  // Call first: reads the rows of all tablets.
  Status ReadRows(std::span<const LinkTablet> tablets, Progress& progress);
  // Then: adds a URL to which a page links, if options.frontier.
  Status AddLinked(std::string_view row_key);
  // Then: finds the targets.
  Status Resolve(Progress& progress);
  uint64_t rows() const { return rows_; }

  // After Resolve(), as often as needed, one iteration at a time.  The nodes in order: for (Start(); Next();)
  // node().
  Status StartNodes();
  bool NextNode();
  std::string_view node() const { return row_.key; }
  // Whether it is a page, and not a URL without a row.
  bool node_is_page() const { return row_.state == State::kPage; }

  // The URLs that lead elsewhere, ordered by their targets, which are nodes or URLs without a row.
  Status StartMoved();
  bool NextMoved();
  std::string_view moved_target() const;
  std::string_view moved_from() const;

  // Why an iteration ended early, if it did.
  const Status& status() const { return status_; }

 private:
  enum class State : char { kPage = 'p', kRedirect = 'r', kFailed = 'f', kLinked = 'l' };
  struct Row {
    std::string key;
    State state = State::kFailed;
    std::string next;  // where it leads; empty: nowhere
  };
  // A walk that has reached `at`.
  struct Walk {
    std::string_view at;
    std::string_view from;
    std::string_view first_page;  // empty: none yet
    unsigned hops = 0;
  };

  ExternalSorter NewSorter() const;
  Status ReadTablet(const store::Table& table, Progress& progress);
  Status StartRows();
  bool NextRow();
  Status StartWalks(ExternalSorter* walks);
  Status Step(ExternalSorter& walks, ExternalSorter* next);
  Status StepFrom(const Walk& walk, ExternalSorter* next);
  Status EndWalk(const Walk& walk, std::string_view end, bool is_page);
  Status JoinFirstPages();
  Status CheckStop() const;

  const Options options_;
  ExternalSorter row_sorter_;
  ExternalSorter ends_;     // of walks, by their start
  ExternalSorter targets_;  // of URLs that lead elsewhere, by target
  uint64_t rows_ = 0;
  Row row_;
  bool row_valid_ = false;
  bool end_valid_ = false;  // ends_ is on a record
  bool more_rows_ = false;  // row_sorter_ is on an unused record
  Status status_;
  std::string record_;  // scratch
};

}  // namespace crivello::jobs
