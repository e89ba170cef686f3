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
  crawl::CrawlOptions crawl;  // its memory budget is that of the whole process
  ServeFlags serve;
  // End when everything is crawled and indexed, instead of continuing to serve.
  bool once = false;
  std::string push_listen = {};                             // empty: no listener for submissions from sites
  bool ranks = true;                                        // keep graphs and ranks up to date
  std::function<void(const std::string& url)> opened = {};  // called when the server is ready
};

// Crawls into the collection of the session, indexes new pages and serves them, in this process, until the
// user stops it (Ctrl-C: cleanly; twice: immediately). REQUIRES: `signals` was created before any other
// thread.
Result<int> RunUp(const Session& session, UpOptions options, Signals& signals);

}  // namespace crivello::cli
