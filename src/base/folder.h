// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace crivello {

// Makes a folder and those above it, where they are missing.
Status MakeFolders(const std::string& path);
// Removes a file, or a folder and all that is in it; nothing if there is none.
Status RemoveFolder(const std::string& path);
// The names of all that is in a folder, sorted.
Result<std::vector<std::string>> ListFolder(const std::string& folder);

}  // namespace crivello
