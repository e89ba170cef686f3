// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "index/postings/impact.h"

namespace crivello::search {

// Scores are whole numbers of quanta: so a sum has one value whatever the order in which lists are met, and
// every way to find the best documents finds the same ones, in the same order.  A quantum is 2^-20 of a score
// unless scores of a query can be so large that it must be more (ScoreScale).
using Quanta = int32_t;

// What a posting brings to a score: weight · count / (saturation · count + base + slope · length).
// All rankings that the lecture notes have are of this shape; it grows with the count and falls with the
// length, in floating point as well, since each operation rounds monotonically: so the value of an impact
// bounds the values of all postings that it dominates, to the last bit.
struct Formula {
  float weight = 0;
  float saturation = 0;
  float base = 1;
  float slope = 0;
  float limit = 1e9f;

  float operator()(float count, float length) const {
    return std::min(weight * count / (saturation * count + base + slope * length), limit);
  }
  // At least one: a document that contains the word always scores higher than one that does not.
  static Quanta Rounded(float value) { return std::max(static_cast<Quanta>(value + 0.5f), Quanta{1}); }
  Quanta Score(float count, float length) const { return Rounded((*this)(count, length)); }

  float Bound(const index::ImpactBlock& impacts) const {
    float bound = 0;
    for (const index::Impact& impact : impacts) {
      bound = std::max(bound, (*this)(static_cast<float>(impact.count), static_cast<float>(impact.length)));
    }
    return bound;
  }
};

enum class Ranking : uint8_t {
  kBm25,          // all fields count alike
  kBm25f,         // each field by its weight
  kTfIdf,         // count / length · ln(N / f)
  kTfIdfMaximum,  // count / largest count in the document · ln(N / f)
  kCount,         // how often the words occur
};
std::string_view RankingName(Ranking ranking);
// NotFound lists those that are.
Result<Ranking> FindRanking(std::string_view name);

struct Bm25Parameters {
  float k1 = 1.2f;
  float b = 0.75f;
};

// ln((N - f + 1/2) / (f + 1/2)), as in the notes; at least kIdfFloor, which it falls below (and below zero)
// for words that half of the documents have: these still tell two documents apart, and never speak against
// one.
constexpr float kIdfFloor = 0.01f;
float Bm25Idf(uint64_t documents, uint64_t frequency);
// ln(N / f), at least kIdfFloor.
float TfIdf(uint64_t documents, uint64_t frequency);

// The number of quanta in 1, a power of two, given the largest score that a document can have: all of them
// stay below 2^30.
float ScoreScale(double largest);

}  // namespace crivello::search
