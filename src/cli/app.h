// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"

namespace crivello::cli {

// All declarations of the program's command line.  Included only where CLI11 is needed: its header is large.
std::unique_ptr<CLI::App> MakeApp(Session& session);

}  // namespace crivello::cli
