// SPDX-License-Identifier: Apache-2.0
// What the tests of every module share; included by _test.cc, _bench.cc and _fuzz.cc files only.
#pragma once

#include <string>

#include "base/scratch_folder.h"

namespace crivello {

// A folder of its own that goes away with the object; in memory where the system has such a place, since
// tests sync files by the thousand.  Without one the test ends.
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
