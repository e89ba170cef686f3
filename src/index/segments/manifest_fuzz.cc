// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the manifest of an index, and as deletions: whatever was read is written back equal.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "index/segments/live_documents.h"
#include "index/segments/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using crivello::index::LiveDocuments;
  using crivello::index::Manifest;
  const auto manifest = Manifest::Decode(std::string_view(reinterpret_cast<const char*>(data), size));
  if (manifest.ok()) {
    if (!(*Manifest::Decode(manifest->Encode()) == *manifest) || manifest->Describe().empty()) std::abort();
  }
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const auto live = LiveDocuments::FromImage(std::as_bytes(std::span(words)));
  if (live.ok()) {
    if (live->ToImage().Release() != words) std::abort();
    for (crivello::index::DocId doc = 0; doc < live->documents(); doc++) {
      if (live->IsCurrent(doc) && (!live->IsLive(doc) || live->UntilOf(doc))) std::abort();
    }
  }
  return 0;
}
