// SPDX-License-Identifier: Apache-2.0
#include "dedup/exact/text_digest.h"

#include <string>

namespace crivello::dedup {

Signature128 TextDigest(const Words& words) {
  return words.empty() ? Signature128() : Hash128(words.joined());
}

Signature128 SampleDigest(const Words& words, SampleOptions options) {
  if (words.size() <= options.stretches * options.words) return TextDigest(words);
  std::string sample = std::to_string(words.size());
  const size_t last = words.size() - options.words;
  for (size_t i = 0; i < options.stretches; i++) {
    sample += '\n';
    sample += words.Gram(last * i / (options.stretches - 1), options.words);
  }
  return Hash128(sample);
}

}  // namespace crivello::dedup
