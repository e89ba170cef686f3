// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/hash.h"
#include "dedup/shingles/words.h"

namespace crivello::dedup {

// Equal for texts whose words are the same in their normal form and order: XXH3 of 128 bits of the words
// joined by spaces.  Zero for a text without words, which is a copy of nothing.
Signature128 TextDigest(const Words& words);

// What SampleDigest() looks at.
struct SampleOptions {
  size_t stretches = 8;
  size_t words = 8;  // in each stretch
};

// Equal for texts that agree in a few stretches of words at equal distances, the first and the last words
// among them, and in the number of words: much is missed, but a long text costs as little as a short one
// once its words are known.  Texts of stretches * words words and fewer are digested whole.
// REQUIRES: stretches > 1, words > 0.
Signature128 SampleDigest(const Words& words, SampleOptions options = {});

}  // namespace crivello::dedup
