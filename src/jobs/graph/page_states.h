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

// What is at each URL of a collection, for a graph of pages, in the order of row keys.
//
// A row that answered 2xx is a page.  A row that answered 3xx leads to its location, and a page that names
// another URL as the canonical one leads there.  From a URL the walk takes at most kMaxHops steps:
//   - if it ends at a page that leads nowhere, that page is the target of the URL.  A page that has such a
//     target is canonicalised away;
//   - else (it comes to a row that failed, to a URL without a row, in a circle, or is longer) the
//     first page of the walk is the target, unless that one has a target of its own;
//   - else, if the walk ends at a URL without a row, that URL is the target.
// So a canonical URL counts only if it leads to a page.  The nodes are the pages that are not canonicalised
// away and, if they are wanted, the URLs without a row that something is known to lead to.
//
// Works by external sorts: memory does not depend on the number of rows.  One thread at a time.
class PageStates {
 public:
  static constexpr unsigned kMaxHops = 10;

  struct Options {
    uint64_t memory_bytes = uint64_t{64} << 20;  // for all sorts together
    std::string folder = {};                     // of scratch files
    bool frontier = false;                       // URLs without a row are nodes
    // Whether a row is never to be named; empty: none is.
    std::function<bool(std::string_view row_key)> excluded = {};
    std::stop_token stop = {};  // then it ends as Unavailable
    FileSystem* fs = &PosixFileSystem();
  };
  explicit PageStates(Options options);

  // First: the rows of all tablets.
  Status ReadRows(std::span<const LinkTablet> tablets, Progress& progress);
  // Then: a URL that a page links to, if options.frontier.
  Status AddLinked(std::string_view row_key);
  // Then: finds the targets.
  Status Resolve(Progress& progress);
  uint64_t rows() const { return rows_; }

  // After Resolve(), as often as wanted, one walk at a time.  The nodes in order: for (Start(); Next();)
  // node().
  Status StartNodes();
  bool NextNode();
  std::string_view node() const { return row_.key; }
  // Whether it is a page, and not a URL without a row.
  bool node_is_page() const { return row_.state == State::kPage; }

  // The URLs that lead elsewhere, in the order of their targets, which are nodes or URLs without a row.
  Status StartMoved();
  bool NextMoved();
  std::string_view moved_target() const;
  std::string_view moved_from() const;

  // Why a walk ended before its end, if it did.
  const Status& status() const { return status_; }

 private:
  enum class State : char { kPage = 'p', kRedirect = 'r', kFailed = 'f', kLinked = 'l' };
  struct Row {
    std::string key;
    State state = State::kFailed;
    std::string next;  // where it leads; empty: nowhere
  };
  // A walk that has come to `at`.
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
  ExternalSorter ends_;     // of walks, by where they began
  ExternalSorter targets_;  // of those that lead elsewhere, by target
  uint64_t rows_ = 0;
  Row row_;
  bool row_valid_ = false;
  bool end_valid_ = false;  // ends_ is on a record
  bool more_rows_ = false;  // row_sorter_ is on a record that was not used yet
  Status status_;
  std::string record_;  // scratch
};

}  // namespace crivello::jobs
