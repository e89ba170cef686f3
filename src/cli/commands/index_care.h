// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/command.h"

namespace crivello::cli {

// The subcommands of `index`: merge, delete.
void AddIndexCare(CLI::App& index, Session& session);

}  // namespace crivello::cli
