// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>
#include <vector>

#include "sieve/key_block.h"
#include "sieve/mercator_manifest.h"

// The small parsers for a Mercator sieve's folder: manifest, marks, and the blocks of its logs.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::sieve;
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const Bytes image = std::as_bytes(std::span(words));
  const auto manifest = MercatorManifest::FromImage(image);
  if (manifest.ok()) {
    const auto again = manifest->Encode();
    if (again.bytes().size() != image.size() ||
        std::memcmp(again.bytes().data(), image.data(), image.size()) != 0) {
      std::abort();
    }
    manifest->Describe();
  }
  const auto marks = MercatorMarks::FromImage(image);
  if (marks.ok()) {
    uint64_t ones = 0;
    for (uint64_t i = 0; i < marks->keys; i++) ones += marks->Get(i) ? 1 : 0;
    if (ones > marks->keys) std::abort();
  }
  const Bytes block = std::as_bytes(std::span(data, size));
  KeyBlockReader reader(block);
  std::vector<std::byte> again;
  while (reader.Next()) AppendKey(again, reader.key());
  // Lengths may be encoded longer than necessary, so the output is at most as long as the input.
  if (again.size() > block.size()) std::abort();
  return 0;
}
