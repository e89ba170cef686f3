// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a column of a rank, and as its pages: whatever opens can be read.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "index/ranks/rank_column.h"
#include "index/ranks/rank_pages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using crivello::index::RankColumn;
  using crivello::index::RankPages;
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const crivello::Bytes image = std::as_bytes(std::span(words));
  if (const auto column = RankColumn::FromImage(image); column.ok()) {
    for (crivello::index::DocId doc = 0; doc < column->documents(); doc++) {
      if (!(std::isfinite((*column)[doc]) && (*column)[doc] >= 0)) std::abort();
    }
    column->Check().IgnoreError();
    if (column->Describe().empty()) std::abort();
  }
  if (const auto pages = RankPages::FromImage(image); pages.ok()) {
    const bool sorted = pages->Check().ok();
    for (const uint64_t key : words) {
      if (pages->Find(static_cast<int64_t>(key)) && !sorted && pages->pages() == 0) std::abort();
    }
    if (pages->Describe().empty()) std::abort();
  }
  return 0;
}
