// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/folder.h"

namespace crivello {

Result<ScratchFolder> ScratchFolder::Create(const Options& options) {
  const char* const memory = "/dev/shm";
  std::error_code error;
  std::filesystem::path parent = options.folder;
  if (parent.empty()) {
    parent = options.in_memory && ::access(memory, W_OK) == 0 ? std::filesystem::path(memory)
                                                              : std::filesystem::temp_directory_path(error);
  }
  if (error) {
    return Status::IoError("cannot find a folder for temporary files: " + error.message() +
                           "; set TMPDIR to an existing folder");
  }
  std::string name = (parent / (options.prefix + "XXXXXX")).string();
  if (::mkdtemp(name.data()) == nullptr) return Status::FromErrno("create temporary folder", name, errno);
  return ScratchFolder(std::move(name));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) RemoveFolder(path_).IgnoreError();
}

}  // namespace crivello
