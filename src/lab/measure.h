// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "lab/integers.h"

namespace crivello::lab {

// The results of a code or codec for some integers.
struct Measurement {
  std::string code;
  double bits_per_integer = 0;
  std::optional<double> ns_per_integer = {};  // CPU time to decode; nullopt if it was not decoded
  std::string note = {};                      // why not, or which parameter was chosen
};

// Measures every code of the program, every block codec and, for lists, the structures for increasing lists.
// Each is encoded, decoded, compared with the input, and timed (the best of several runs, CPU time of this
// thread).  REQUIRES: integers.values is not empty.
Result<std::vector<Measurement>> MeasureCodes(const Integers& integers, Progress& progress);

// The lower bound on bits per integer for any code of single integers: their empirical entropy.
double EntropyOf(const std::vector<uint64_t>& values);

}  // namespace crivello::lab
