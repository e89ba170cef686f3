// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace crivello::lab {

// A worked example: its steps in text, and a picture for slides.  It is computed with the classes that
// the program itself uses; only the text is for people.  Deterministic: the same input gives the same
// bytes.
struct Demonstration {
  std::vector<std::string> steps;  // a few lines each, without a line break at the end
  std::string svg;                 // a complete picture, without scripts; scales to any size
};

// All inputs are small, so that pictures are readable; InvalidArgument says what is too large or wrong.

// Each number in unary, gamma, delta, Golomb with modulus 3 and nibble code, with how its word is made.
Result<Demonstration> ShowCodes(std::span<const uint64_t> numbers);

// A non-decreasing sequence, below an upper bound, in Elias-Fano coding; then a lookup and a successor query.
// universe = 0: the last number.
Result<Demonstration> ShowEliasFano(std::span<const uint64_t> numbers, uint64_t universe,
                                    uint64_t successor_of);

// URLs through Mercator's sieve with an array S of `capacity` signatures: each flush sorts S indirectly,
// drops duplicates, merges with Z and reads A once.
Result<Demonstration> ShowSieve(std::span<const std::string> urls, size_t capacity);

// Which of `agents` agents, A, B, ..., is responsible for each key under each assignment function, before and
// after one more joins.
Result<Demonstration> ShowAssignment(std::span<const std::string> keys, unsigned agents);

// The balls of a small graph by HyperBall, with 2^log_registers registers, compared with the exact ones.
using ArcList = std::vector<std::pair<uint32_t, uint32_t>>;
Result<Demonstration> ShowHyperBall(const ArcList& arcs, unsigned log_registers);

// The SimHashes of two texts, with `bits` bits, from the weights of their words; and their distance.
Result<Demonstration> ShowSimHash(std::string_view one, std::string_view other, unsigned bits);

// The document slope curve of a page, and the plateau that maximises the sum in the slides.
Result<Demonstration> ShowSlope(std::string_view html);

// Latent semantic indexing of some documents, whose words are parted by spaces: the matrix of terms and
// documents, its singular values, and the nearest matrix of a smaller rank (0: one less than it has columns).
Result<Demonstration> ShowLsi(std::span<const std::string> documents, size_t rank);

}  // namespace crivello::lab
