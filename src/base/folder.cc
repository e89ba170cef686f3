// SPDX-License-Identifier: Apache-2.0
#include "base/folder.h"

#include <filesystem>
#include <system_error>

namespace crivello {

Status MakeFolders(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  return error ? Status::FromErrno("make folder", path, error.value()) : Status::Ok();
}

Status RemoveFolder(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  return error ? Status::FromErrno("remove", path, error.value()) : Status::Ok();
}

}  // namespace crivello
