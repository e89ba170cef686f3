// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of every module; included only by _test.cc, _bench.cc and _fuzz.cc files.
#pragma once

#include <string>

#include "base/scratch_folder.h"

namespace crivello {

// A fresh folder that the destructor removes; in memory if the system supports it, because tests sync
// thousands of files. Aborts the test if it cannot be created.
class TemporaryFolder {
 public:
  TemporaryFolder() : folder_(ScratchFolder::Create({.in_memory = true}).value()) {}
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return folder_ / name; }
  const std::string& path() const { return folder_.path(); }

 private:
  ScratchFolder folder_;
};

}  // namespace crivello
