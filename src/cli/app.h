// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "base/clock.h"
#include "base/status.h"
#include "cli/command.h"

namespace crivello::cli {

// Unavailable if the time is before 1970: RocksDB ends the process by an assertion then.
Status CheckClock(WallTime now);

// Lets only decimal digits pass: CLI11 itself takes -1 for 2^64-1 where an unsigned number is asked for.
CLI::Validator Natural();
// The same without 0.
CLI::Validator Positive();

// All declarations of the program's command line.  Included only where CLI11 is needed: its header is large.
std::unique_ptr<CLI::App> MakeApp(Session& session);

}  // namespace crivello::cli
