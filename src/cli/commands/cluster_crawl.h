// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace crivello::cli {

// `cluster crawl`.
void AddClusterCrawl(CLI::App& app, Session& session);

}  // namespace crivello::cli
