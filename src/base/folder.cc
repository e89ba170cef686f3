// SPDX-License-Identifier: Apache-2.0
#include "base/folder.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace crivello {

Status MakeFolders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  return error ? Status::FromErrno("create folder", path, error.value()) : Status::Ok();
}

Status RemoveFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  return error ? Status::FromErrno("remove", path, error.value()) : Status::Ok();
}

Result<std::vector<std::string>> ListFolder(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) return Status::FromErrno("list folder", folder, error.value());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace crivello
