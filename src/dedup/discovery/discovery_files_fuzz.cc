// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as the files of discovery: fingerprints, pairs, clusters. Each is rejected, or read without
// reading outside; the first byte selects the kind.

#include <cstdint>
#include <cstring>
#include <vector>

#include "dedup/discovery/duplicate_files.h"
#include "dedup/discovery/fingerprint_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::dedup;
  if (size == 0) return 0;
  std::vector<uint64_t> words((size - 1) / 8);
  if (!words.empty()) std::memcpy(words.data(), data + 1, words.size() * 8);
  const Bytes image = std::as_bytes(std::span(words));
  if (data[0] % 3 == 0) {
    const auto run = FingerprintRun::FromImage(image);
    if (!run.ok()) return 0;
    std::vector<PartKey> keys = {{0, 0}, {1, ~uint64_t{0}}};
    for (uint32_t part = 0; part < run->shape().parts && part < 4; part++) {
      if (run->PartSize(part) > 0) keys.push_back({part, run->KeyAt(part, run->PartSize(part) / 2)});
    }
    uint64_t comparisons = 0;
    FingerprintIndex({&*run}).Search(keys, &comparisons);
  } else if (data[0] % 3 == 1) {
    const auto pairs = DuplicatePairs::FromImage(image);
    for (size_t i = 0; pairs.ok() && i < pairs->pairs().size(); i++) (void)pairs->Similarity(i);
  } else {
    const auto clusters = DuplicateClusters::FromImage(image);
    if (clusters.ok()) clusters->Clusters();
  }
  return 0;
}
