// SPDX-License-Identifier: Apache-2.0
// For tests that score the program on public test suites, which are beside the project in $CRIVELLO_SHARED
// (../shared) and may be absent. Included only by _test.cc and _bench.cc files.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/test_paths.h"

namespace crivello {

// A path in the shared folder, or "" if it does not exist; the test then does
//   if (path.empty()) GTEST_SKIP() << "skipped: no ../shared";
inline std::string SharedPath(const std::string& name) {
  const char* given = std::getenv("CRIVELLO_SHARED");
  const std::string folder = given != nullptr ? given : std::string(SourceDirectory()) + "/../shared";
  const std::string path = folder + "/" + name;
  return std::filesystem::exists(path) ? path : "";
}

// Counts the passed cases of a suite; the destructor prints the score: "conformance NAME 889/891 99.78%".
// With $CRIVELLO_CONFORMANCE_FAILURES set, also prints each failure.
class Score {
 public:
  explicit Score(std::string name) : name_(std::move(name)) {}
  ~Score() { std::printf("conformance %s %d/%d %.2f%%\n", name_.c_str(), passed_, cases_, percent()); }
  Score(const Score&) = delete;
  Score& operator=(const Score&) = delete;

  void Case(bool passed, const std::string& what) {
    cases_++;
    passed_ += passed ? 1 : 0;
    if (!passed && std::getenv("CRIVELLO_CONFORMANCE_FAILURES") != nullptr) {
      std::printf("  failed %s: %s\n", name_.c_str(), what.c_str());
    }
  }
  double percent() const { return cases_ == 0 ? 0 : 100.0 * passed_ / cases_; }
  int cases() const { return cases_; }

 private:
  std::string name_;
  int cases_ = 0;
  int passed_ = 0;
};

}  // namespace crivello
