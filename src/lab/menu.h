// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/demonstration.h"

namespace crivello::lab {

// What the demonstrations take beside their input.
struct LabOptions {
  uint64_t universe = 0;   // of elias-fano; 0: the last number
  uint64_t successor = 9;  // of elias-fano
  size_t capacity = 4;     // of sieve
  unsigned log_registers = 8;
  unsigned bits = 16;   // of simhash
  unsigned agents = 4;  // of assignment
  size_t rank = 0;      // of lsi; 0: one less than there are documents
};

// A demonstration by its name: codes, elias-fano, sieve, assignment, hyperball, simhash, slope, lsi.  The
// input is words as a person types them; without any, an example of the notes.  NotFound if there is none of
// that name; InvalidArgument and Corruption say what is wrong with the input.
Result<Demonstration> ShowByName(std::string_view name, const LabOptions& options,
                                 std::span<const std::string> words);

// The words of a line; double quotes keep a text together.
std::vector<std::string> WordsOfLine(std::string_view line);

}  // namespace crivello::lab
