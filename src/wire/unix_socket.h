// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/status.h"

namespace crivello::wire {

// Stream sockets at a path of the file system, of any length; the caller owns the descriptor.

// NotFound if no process listens there.
Result<int> ConnectUnixSocket(const std::string& path);
// Replaces a socket left by an earlier process.  Only the user of this process can access its file.
Result<int> ListenOnUnixSocket(const std::string& path);

}  // namespace crivello::wire
