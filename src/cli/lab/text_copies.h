// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/command.h"

namespace crivello::cli {

// The part of `crivello text` that shows step by step how duplicates are found, as in lecture notes.
struct CopiesOptions {
  bool checksums = false;
  bool shingles = false;
  bool simhash = false;
  bool words = false;
  size_t size = 0;  // of a shingle or feature; 0: 5 words for shingles, 1 for SimHash
  std::string unit = "words";
  bool apart = false;  // shingles do not overlap
  std::string select = "min:32";
  unsigned bits = 64;

  bool any() const { return checksums || shingles || simhash || words; }
};

// Prints what the options request.  REQUIRES: options.any().
Result<int> PrintCopies(const Session& session, std::string_view text, const CopiesOptions& options);

}  // namespace crivello::cli
