// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello::cluster {

// Runs the operator's shell command with the name of an agent as $1, and waits for its end.  Unavailable if
// it fails: the tablets of that agent must not be taken.
Status RunFenceCommand(const std::string& command, const std::string& agent);

}  // namespace crivello::cluster
