// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "cli/command.h"

namespace crivello::cli {

// Gives the chosen command the options that stand in its table of the collection's crivello.toml, except
// those of the command line, which win.  InvalidArgument if the command has no such option or refuses the
// value. Nothing if there is no such file.
Status ApplyCollectionFile(CLI::App& app, const Session& session);

}  // namespace crivello::cli
