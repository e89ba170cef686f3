// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "lab/integers.h"

namespace crivello::lab {

// What a code or codec makes of some integers.
struct Measurement {
  std::string code;
  double bits_per_integer = 0;
  std::optional<double> ns_per_integer = {};  // CPU time to decode; none where it was not decoded
  std::string note = {};                      // why not, or what was chosen
};

// Every code of the program, every block codec and, for lists, what is made for increasing lists, each
// encoded, decoded, compared with what went in, and timed (the best of several runs, CPU time of this
// thread). REQUIRES: integers.values is not empty.
Result<std::vector<Measurement>> MeasureCodes(const Integers& integers, Progress& progress);

// Bits per integer that no code of single integers can go below on these: their empirical entropy.
double EntropyOf(const std::vector<uint64_t>& values);

}  // namespace crivello::lab
