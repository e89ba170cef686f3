// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "cli/command.h"
#include "crawl/crawl_options.h"

namespace crivello::cli {

// Applies the tables [host."NAME"] to the options of a crawl (docs/configuration.md).  Reads password files.
// InvalidArgument names the place of an error.
Status AddHostSettings(const Session& session, crawl::CrawlOptions* options);

}  // namespace crivello::cli
