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

// A worked example: what happens step by step, and a picture of it for slides.  Each is computed with the
// classes that the program itself uses; only the text is for people.  Deterministic: the same input gives the
// same bytes.
struct Demonstration {
  std::vector<std::string> steps;  // each a few lines, without a line break at the end
  std::string svg;                 // a whole picture, without script; scales to any size
};

// All inputs are small, so that a picture can be read; InvalidArgument says what is too large or wrong.

// Each number in unary, gamma, delta, Golomb's code of modulus 3 and the nibble code: how its word is made.
Result<Demonstration> ShowCodes(std::span<const uint64_t> numbers);

// A sequence that does not decrease, below an upper bound, as Elias-Fano writes it; then a look-up and a
// successor. universe = 0: the last number.
Result<Demonstration> ShowEliasFano(std::span<const uint64_t> numbers, uint64_t universe,
                                    uint64_t successor_of);

// URLs through Mercator's sieve with an array S of so many signatures: each flush sorts S indirectly, drops
// duplicates, merges with Z and reads A once.
Result<Demonstration> ShowSieve(std::span<const std::string> urls, size_t capacity);

// Which of so many agents, A, B, ..., is responsible for each key by each assignment function, before and
// after one more joins.
Result<Demonstration> ShowAssignment(std::span<const std::string> keys, unsigned agents);

// The balls of a small graph by HyperBall, with 2^log_registers registers, beside the exact ones.
using ArcList = std::vector<std::pair<uint32_t, uint32_t>>;
Result<Demonstration> ShowHyperBall(const ArcList& arcs, unsigned log_registers);

// The SimHashes of two texts, of so many bits, from the weights of their words; and their distance.
Result<Demonstration> ShowSimHash(std::string_view one, std::string_view other, unsigned bits);

// The document slope curve of a page, and the plateau that maximises the slides' sum.
Result<Demonstration> ShowSlope(std::string_view html);

// Latent semantic indexing of some documents, whose words are parted by spaces: the matrix of terms and
// documents, its singular values, and the nearest matrix of a smaller rank (0: one less than it has columns).
Result<Demonstration> ShowLsi(std::span<const std::string> documents, size_t rank);

}  // namespace crivello::lab
