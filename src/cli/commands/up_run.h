// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/status.h"
#include "cli/command.h"
#include "cli/config/serve_flags.h"
#include "cli/signals.h"
#include "crawl/crawl_options.h"

namespace crivello::cli {

struct UpOptions {
  crawl::CrawlOptions crawl;  // its memory budget is that of all together
  ServeFlags serve;
  // End when all is crawled and indexed, instead of serving on.
  bool once = false;
  std::string push_listen = {};                             // empty: no listener for what sites submit
  bool ranks = true;                                        // keep graphs and ranks up to the rows
  std::function<void(const std::string& url)> opened = {};  // called when the server answers
};

// Crawls into the collection of the session, indexes what comes and serves it, in this process, until someone
// stops it (Ctrl-C: in order; twice: at once).
// The signals were made before there were threads.
Result<int> RunUp(const Session& session, UpOptions options, Signals& signals);

}  // namespace crivello::cli
