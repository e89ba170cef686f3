// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "search/searcher.h"
#include "serve/api/disk_stats.h"
#include "serve/api/document_sink.h"
#include "serve/api/index_stats.h"
#include "serve/api/page_source.h"
#include "serve/dashboard/crawl_control.h"
#include "serve/dashboard/forget_control.h"
#include "serve/dashboard/host_source.h"
#include "serve/dashboard/shape_source.h"

namespace crivello::serve {

// The interfaces through which the API, the pages and the dashboard see a collection.  Everything pointed to
// must outlive its users.  If a part that may be null is missing, its endpoints say so.
struct Sources {
  search::Searcher* searcher = nullptr;    // never null
  std::function<IndexStats()> index = {};  // never empty
  PageSource* pages = nullptr;
  CrawlControl* crawl = nullptr;  // null: this process does not crawl
  HostSource* hosts = nullptr;
  ShapeSource* shape = nullptr;
  ForgetControl* forget = nullptr;
  DocumentSink* sink = nullptr;
  // Returns the ranking profile of this name; empty: there are no profiles.
  std::function<Result<search::RankingOptions>(std::string_view name)> profiles = {};
  std::function<DiskStats()> disk = {};  // may be empty
  uint64_t memory_budget = 0;            // of the process, in bytes; 0: unknown
};

}  // namespace crivello::serve
