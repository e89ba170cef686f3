// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello::wire {

// Stream sockets at a path of the file system, of any length; the descriptor is the caller's.

// NotFound if nobody listens there.
Result<int> ConnectUnixSocket(const std::string& path);
// Replaces a socket that a process left.  Its file is for the user of this process alone.
Result<int> ListenOnUnixSocket(const std::string& path);

}  // namespace crivello::wire
