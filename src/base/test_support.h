// SPDX-License-Identifier: Apache-2.0
// What the tests of every module share; included by _test.cc, _bench.cc and _fuzz.cc files only.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace crivello {

// A folder of its own that goes away with the object; in memory where the system has such a place, since
// tests sync files by the thousand.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const std::filesystem::path shm = "/dev/shm";
    const bool in_memory = ::access(shm.c_str(), W_OK) == 0;
    std::string name =
        ((in_memory ? shm : std::filesystem::temp_directory_path()) / "crivello-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace crivello
