// SPDX-License-Identifier: Apache-2.0
// Golden files: one of every format version that this program has ever written (tests/golden/README.md).
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello {

struct Golden {
  // Its name below tests/golden: a file, or a folder of files that belong together.
  std::string name;
  // Writes it to `path`.  Empty once the program writes only newer versions.
  std::function<Status(const std::string& path)> write;
  // Reads a copy of it with the program's own reader and checks the values that were written.
  std::function<void(const std::string& path)> check;
  // Names of files in it whose bytes depend on the version of a compression library, so that writing the same
  // contents again may give other bytes; if a golden is a file, its own name.
  std::vector<std::string> varying = {};

  friend std::ostream& operator<<(std::ostream& out, const Golden& golden) { return out << golden.name; }
};

std::vector<Golden> SuccinctGoldens();
std::vector<Golden> SieveGoldens();
std::vector<Golden> IndexGoldens();
std::vector<Golden> JobsGoldens();
std::vector<Golden> DedupGoldens();
std::vector<Golden> GraphNamesGoldens();
std::vector<Golden> ArchiveGoldens();
std::vector<Golden> RecordGoldens();
std::vector<Golden> CollectionGoldens();

// The file's bytes; an expectation fails if it cannot be read.
std::string GoldenText(const std::string& path);
Status WriteGoldenText(const std::string& path, std::string_view text);

// For Result<T>: the value; otherwise a failed expectation, and the test ends.
#define CRV_GOLDEN_ASSIGN(declaration, expression)               \
  auto CRV_GOLDEN_NAME(golden_, __LINE__) = (expression);        \
  ASSERT_TRUE(CRV_GOLDEN_NAME(golden_, __LINE__).ok())           \
      << CRV_GOLDEN_NAME(golden_, __LINE__).status().ToString(); \
  declaration = std::move(CRV_GOLDEN_NAME(golden_, __LINE__)).value()
#define CRV_GOLDEN_NAME(a, b) CRV_GOLDEN_JOIN(a, b)
#define CRV_GOLDEN_JOIN(a, b) a##b

}  // namespace crivello
