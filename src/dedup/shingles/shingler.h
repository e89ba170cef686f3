// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "dedup/shingles/rabin.h"
#include "dedup/shingles/words.h"

namespace crivello::dedup {

// How a text is cut into shingles.
struct ShingleOptions {
  enum class Unit : uint8_t { kWords, kCharacters };
  Unit unit = Unit::kWords;  // in scripts without spaces, a character is a word
  size_t n = 5;              // units in a shingle, 1 to Shingler::kMostUnits
  bool overlapping = true;   // a shingle starts at each unit; false: each unit is in only one shingle
};

// A piece of Words::joined() and its fingerprint.
struct Shingle {
  uint64_t fingerprint = 0;
  size_t begin = 0;
  size_t end = 0;
};

// Cuts texts into shingles, n-grams of words or characters (Broder, Glassman, Manasse, Zweig: Syntactic
// clustering of the Web, 1997), each with its Rabin fingerprint. A unit's symbol is the fingerprint of its
// bytes, and a window rolls over the symbols, so a shingle costs the same for any n. A text with fewer than
// n units is one shingle; so are units left over at the end if shingles do not overlap. One thread at a
// time.
class Shingler {
 public:
  static constexpr size_t kMostUnits = 1000;

  // InvalidArgument unless n is within bounds.
  static Result<Shingler> Create(ShingleOptions options);

  // In text order; valid until the next call.
  std::span<const Shingle> Cut(const Words& words);
  const ShingleOptions& options() const { return options_; }

 private:
  explicit Shingler(ShingleOptions options) : options_(options), window_(options.n) {}
  void FindUnits(const Words& words);

  ShingleOptions options_;
  RabinWindow window_;
  std::vector<Shingle> units_;
  std::vector<Shingle> shingles_;
};

// The distinct fingerprints, sorted: the input for resemblance.
std::vector<uint64_t> FingerprintSet(std::span<const Shingle> shingles);

}  // namespace crivello::dedup
