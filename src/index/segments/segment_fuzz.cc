// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a part of a segment other than posting lists: its description, values or texts.  Reading
// stays within them and ends.  The first byte chooses the part.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "index/segments/document_values.h"
#include "index/segments/segment_info.h"
#include "index/segments/text_store.h"

namespace crivello::index {
namespace {

constexpr DocId kSome = 200;

void ReadInfo(Bytes bytes) {
  const auto info = SegmentInfo::FromImage(bytes);
  if (!info.ok()) return;
  MemorySink sink;
  if (!WriteSegmentInfo(*info, sink).ok()) std::abort();
  const SegmentParts parts = std::move(sink).Release();
  if (*SegmentInfo::FromImage(parts.at("segment")) != *info) std::abort();
}

void ReadValues(Bytes bytes) {
  const auto values = DocumentValues::FromImage(bytes);
  if (!values.ok()) return;
  for (DocId doc = 0; doc < std::min(values->documents(), kSome); doc++) {
    for (const auto& [name, column] : values->all_strings()) {
      if (column[doc].size() > bytes.size()) std::abort();
    }
    for (const auto& [name, column] : values->all_scores()) {
      if (!(column[doc] <= column.table()[255])) std::abort();
    }
    for (const auto& [name, column] : values->all_numbers()) {
      if (column.is_constant() && column[doc] != column[0]) std::abort();
    }
  }
}

void ReadTexts(Bytes bytes) {
  const auto store = TextStore::FromImage(bytes);
  if (!store.ok()) return;
  TextReader reader(*store);
  for (DocId doc = 0; doc < std::min(store->documents(), kSome); doc++) {
    const auto got = reader.Get(doc);
    if (!got.ok() && got.status().code() != StatusCode::kCorruption) std::abort();
  }
}

}  // namespace
}  // namespace crivello::index

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  std::vector<uint64_t> words((size - 1) / 8);
  if (!words.empty()) std::memcpy(words.data(), data + 1, words.size() * 8);
  const auto bytes = std::as_bytes(std::span(words));
  switch (data[0] % 3) {
    case 0:
      crivello::index::ReadInfo(bytes);
      break;
    case 1:
      crivello::index::ReadValues(bytes);
      break;
    default:
      crivello::index::ReadTexts(bytes);
  }
  return 0;
}
