// SPDX-License-Identifier: Apache-2.0
// Merges runs of arbitrary bytes, alone and with themselves: the result is lists or an error, and nothing
// outside the bytes is read.  The first byte chooses the contents; the checksum is corrected.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "base/hash.h"
#include "index/build/run_merger.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::index;
  if (size == 0) return 0;
  const auto contents = static_cast<PostingContents>(data[0] % 3);
  std::vector<uint8_t> bytes(data + 1, data + size);
  const uint64_t hash = Hash64(std::as_bytes(std::span(bytes)));
  for (unsigned i = 0; i < 8; i++) bytes.push_back(static_cast<uint8_t>(hash >> 8 * i));
  const std::vector<RunPlace> runs(2, RunPlace{.memory = std::as_bytes(std::span(bytes))});
  for (const size_t many : {size_t{1}, size_t{2}}) {
    auto merger = RunMerger::Open({.contents = contents}, std::span(runs).first(many));
    if (!merger.ok()) continue;
    uint64_t lists = 0;
    const Status status = merger->Merge([&lists](const MergedLists& merged) {
      if (merged.term_bytes.size() != merged.lists.lists.size()) std::abort();
      lists += merged.lists.lists.size();
      return Status::Ok();
    });
    if (status.ok() && lists > size) std::abort();
  }
  return 0;
}
