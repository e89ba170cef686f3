// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/demonstration.h"

namespace crivello::lab {

// The options of the demonstrations, besides their input.
struct LabOptions {
  uint64_t universe = 0;   // for elias-fano; 0: the last number
  uint64_t successor = 9;  // for elias-fano
  size_t capacity = 4;     // for sieve
  unsigned log_registers = 8;
  unsigned bits = 16;   // for simhash
  unsigned agents = 4;  // for assignment
  size_t rank = 0;      // for lsi; 0: one less than the number of documents
};

// A demonstration by name: codes, elias-fano, sieve, assignment, hyperball, simhash, slope, lsi.
// The input is words as typed by a user; without any, an example from the lecture notes.  NotFound if
// there is no demonstration of that name; InvalidArgument and Corruption say what is wrong with the
// input.
Result<Demonstration> ShowByName(std::string_view name, const LabOptions& options,
                                 std::span<const std::string> words);

// Splits a line into words; double quotes keep a text together.
std::vector<std::string> WordsOfLine(std::string_view line);

}  // namespace crivello::lab
