// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace crivello {

// Creates a folder and its missing parents.
Status MakeFolders(const std::string& path);
// Removes a file, or a folder with its contents. Ok if there is none.
Status RemoveFolder(const std::string& path);
// The names of all entries of a folder, sorted.
Result<std::vector<std::string>> ListFolder(const std::string& folder);

}  // namespace crivello
