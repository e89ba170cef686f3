// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/hash.h"
#include "dedup/shingles/words.h"

namespace crivello::dedup {

// Equal for texts with the same normalised words in the same order: 128-bit XXH3 of the words joined by
// spaces. Zero for a text without words, which is not a copy of anything.
Signature128 TextDigest(const Words& words);

// The size of the sample of SampleDigest().
struct SampleOptions {
  size_t stretches = 8;
  size_t words = 8;  // in each stretch
};

// Equal for texts that agree in a few stretches of words at equal distances, including the first and last
// words, and in the number of words. It misses many differences, but a long text costs as little as a short
// one once its words are known. Texts of up to stretches * words words are digested completely. REQUIRES:
// stretches > 1, words > 0.
Signature128 SampleDigest(const Words& words, SampleOptions options = {});

}  // namespace crivello::dedup
