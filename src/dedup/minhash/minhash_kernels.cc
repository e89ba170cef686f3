// SPDX-License-Identifier: Apache-2.0
#include "dedup/minhash/minhash_kernels.h"

#include <algorithm>
#include <cstring>

#include "base/digest.h"
#include "dedup/minhash/minhash_constants.h"

namespace crivello::dedup {

void UpdateMinimaPlainly(std::span<const uint64_t> hashes, MinHashRows rows) {
  for (const uint64_t hash : hashes) {
    for (size_t i = 0; i < rows.count; i++) {
      rows.minima[i] = std::min(rows.minima[i], (hash * rows.a[i] + rows.b[i]) % kMinHashPrime);
    }
  }
}

void HashBySha1Plainly(std::span<const std::string_view> messages, uint64_t* hashes) {
  for (size_t i = 0; i < messages.size(); i++) {
    const Sha1 digest = Sha1Of(messages[i]);
    std::memcpy(&hashes[i], digest.data(), sizeof hashes[i]);
  }
}

}  // namespace crivello::dedup
