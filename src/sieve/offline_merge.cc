// SPDX-License-Identifier: Apache-2.0
#include "sieve/offline_merge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "sieve/arrival_queue.h"
#include "sieve/key_block.h"
#include "sieve/merge_sorted.h"
#include "sieve/signature_order.h"
#include "sieve/z_stream.h"

namespace crivello::sieve {
namespace {

constexpr uint64_t kKeysBetweenChecks = 1 << 16;

Status CheckStop(const OfflineMerge& merge) {
  const bool stop = merge.stop != nullptr && merge.stop->load(std::memory_order_relaxed);
  return stop ? Status::Unavailable("the merge was cancelled") : Status::Ok();
}

// Passes the keys of A to `visit`, with their positions.
template <typename Visit>
Status ReadBatch(const OfflineMerge& merge, const Visit& visit) {
  uint64_t position = 0;
  for (const auto& path : merge.batch) {
    CRV_ASSIGN(LogReader log, LogReader::Open(path, kKeyLogKind));
    for (;;) {
      CRV_TRY(CheckStop(merge));
      CRV_ASSIGN(const auto block, log.Next());
      if (!block) break;
      KeyBlockReader keys(*block);
      while (keys.Next()) CRV_TRY(visit(position++, keys.key()));
      if (!keys.whole())
        return Status::Corruption(path + ": corrupt: found a record that is not a block of keys");
    }
  }
  if (position == merge.keys) return Status::Ok();
  return Status::Corruption(fmt::format("{}: corrupt: {} keys were offered, but {} are stored",
                                        merge.batch.front(), merge.keys, position));
}

// A' as a source for MergeSorted.
struct SortedBatch {
  FirstOfSignatureSorter& sorter;
  bool Next() { return sorter.Next(); }
  uint64_t signature() const { return sorter.record().major; }
  const Status& status() const { return sorter.status(); }
};

}  // namespace

Result<OfflineMergeResult> Run(const OfflineMerge& merge) {
  OfflineMergeResult result;
  std::vector<bool> discovered;
  {
    FirstOfSignatureSorter sorter({.folder = merge.folder,
                                   .memory_bytes = std::max(merge.memory_bytes, kMinSortMemoryBytes),
                                   .fs = merge.fs});
    CRV_TRY(ReadBatch(merge, [&](uint64_t position, const Key& key) {
      return sorter.Add({.major = key.signature, .minor = position});
    }));
    CRV_TRY(sorter.Sort());
    discovered.resize(merge.keys);

    SortedBatch batch{sorter};
    ZSource seen;
    if (!merge.seen.empty()) {
      CRV_ASSIGN(seen, ZSource::Open(merge.seen));
    }
    CRV_ASSIGN(ZSink new_seen, ZSink::Create(merge.new_seen, *merge.fs));
    const auto write = [&](uint64_t signature) -> Status {
      if (++result.known % kKeysBetweenChecks == 0) CRV_TRY(CheckStop(merge));
      return new_seen.Append(signature);
    };
    const auto discover = [&] {
      result.discovered++;
      discovered[sorter.record().minor] = true;
      return Status::Ok();
    };
    CRV_TRY(MergeSorted(seen, batch, write, discover));
    // An unfinished file never appears.
    if (result.discovered == 0) return result;
    CRV_TRY(new_seen.Finish());
  }
  CRV_ASSIGN(auto segment, QueueSegmentWriter::Create(merge.segment, result.discovered, *merge.fs));
  CRV_TRY(ReadBatch(merge, [&](uint64_t position, const Key& key) {
    return discovered[position] ? segment.Append(key.bytes) : Status::Ok();
  }));
  CRV_TRY(segment.Finish());
  return result;
}

}  // namespace crivello::sieve
