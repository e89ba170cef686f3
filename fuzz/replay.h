// SPDX-License-Identifier: Apache-2.0
// The fuzzers of one module, for its replay program.  cmake/CrvModule.cmake generates the definition of
// Fuzzers(): a row for each x_fuzz.cc, whose LLVMFuzzerTestOneInput is compiled under a unique name.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace crivello {

struct Fuzzer {
  const char* name;  // x in x_fuzz.cc, and the name of its folder in fuzz/corpus
  int (*run)(const uint8_t* data, size_t size);
};

std::span<const Fuzzer> Fuzzers();

}  // namespace crivello
