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

// What is served: the interfaces through which API, pages and dashboard see a collection.  All that is
// pointed to outlives whoever is given it.  What may be null is missing then, and its endpoints say so.
struct Sources {
  search::Searcher* searcher = nullptr;    // never null
  std::function<IndexStats()> index = {};  // never empty
  PageSource* pages = nullptr;
  CrawlControl* crawl = nullptr;  // null: this process does not crawl
  HostSource* hosts = nullptr;
  ShapeSource* shape = nullptr;
  ForgetControl* forget = nullptr;
  DocumentSink* sink = nullptr;
  // A ranking profile of the collection by its name; empty: there are none.
  std::function<Result<search::RankingOptions>(std::string_view name)> profiles = {};
  std::function<DiskStats()> disk = {};  // may be empty
  uint64_t memory_budget = 0;            // of the process, in bytes; 0: not known
};

}  // namespace crivello::serve
