// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/external_sorter.h"
#include "base/status.h"
#include "store/cells.h"

namespace crivello::index {

// What links to a page say of it.
struct Inlinks {
  uint64_t pages = 0;                   // that link to it
  std::vector<std::string> texts = {};  // of these links, each text once for each host that says it
};

// Turns the links of all pages around: added by source, they are read by target.  Links that their pages do
// not vouch for (nofollow) do not count.  In constant memory, by an external sort.  One thread at a time.
class InlinkSorter {
 public:
  // A page that all the world points to needs no more to be found by.
  static constexpr size_t kMaxTexts = 256;
  static constexpr size_t kMaxTextBytes = 256;

  explicit InlinkSorter(ExternalSortOptions options) : sorter_(std::move(options)) {}

  // The links of a page; `host` is its own.  Each URL is there once (crawl's pages are so).
  Status Add(std::string_view host, const std::vector<store::OutLink>& links);
  // Ends adding.
  Status Sort();
  // The inlinks of a row.  REQUIRES: keys increase from call to call.
  Result<Inlinks> Of(std::string_view row_key);

 private:
  ExternalSorter sorter_;
  bool more_ = false;   // sorter_ is on a record not yet used
  std::string record_;  // scratch
};

}  // namespace crivello::index
