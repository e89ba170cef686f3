// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/file_system.h"

namespace crivello {

// Copies a file that nobody changes meanwhile, and syncs the copy.
Status CopyFile(const std::string& from, const std::string& to, FileSystem& fs = PosixFileSystem());
// Makes a hard link to a file that never changes, or copies it if the link is on another file system.
Status LinkOrCopy(const std::string& from, const std::string& to, FileSystem& fs = PosixFileSystem());

}  // namespace crivello
