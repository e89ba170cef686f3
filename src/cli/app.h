// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "base/clock.h"
#include "base/status.h"
#include "cli/command.h"

namespace crivello::cli {

// Unavailable if the time is before 1970, because RocksDB then ends the process by an assertion.
Status CheckClock(WallTime now);

// Accepts only decimal digits: for an unsigned number, CLI11 itself reads -1 as 2^64-1.
CLI::Validator Natural();
// The same without 0.
CLI::Validator Positive();

// All declarations of the command line.  Included only where CLI11 is needed, because its header is large.
std::unique_ptr<CLI::App> MakeApp(Session& session);

}  // namespace crivello::cli
