// SPDX-License-Identifier: Apache-2.0
#include "graph/distances/update_log.h"

#include <algorithm>
#include <cstring>

namespace crivello::graph {

Status UpdateLog::Add(Node node, std::span<const std::byte> value) {
  const size_t per_chunk = chunk_records();
  if (records_ == chunks_.size() * per_chunk) {
    const uint64_t chunk_bytes = per_chunk * record_bytes();
    if (!chunks_.empty() && (chunks_.size() + 1) * chunk_bytes > options_.memory_bytes) {
      CRV_TRY(Spill());
    } else {
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(chunk_bytes));
    }
  }
  std::byte* const at = chunks_[records_ / per_chunk].get() + records_ % per_chunk * record_bytes();
  std::memcpy(at, &node, sizeof node);
  std::memcpy(at + sizeof node, value.data(), value.size());
  records_++;
  return Status::Ok();
}

Status UpdateLog::Spill() {
  if (!file_) {
    CRV_ASSIGN(file_, ScratchFile::Create(options_.folder));
  }
  for (const auto& chunk : chunks_) {
    const Bytes bytes(chunk.get(), chunk_records() * record_bytes());
    CRV_TRY(file_->Append(bytes));
    spilled_bytes_ += bytes.size();
  }
  records_ = 0;
  return Status::Ok();
}

void UpdateLog::ReplayChunk(std::span<const std::byte> records,
                            const std::function<void(Node, std::span<const std::byte>)>& apply) const {
  for (size_t at = 0; at < records.size(); at += record_bytes()) {
    Node node = 0;
    std::memcpy(&node, records.data() + at, sizeof node);
    apply(node, records.subspan(at + sizeof node, options_.value_bytes));
  }
}

Status UpdateLog::Replay(const std::function<void(Node, std::span<const std::byte>)>& apply) {
  const size_t chunk_bytes = chunk_records() * record_bytes();
  if (file_) {
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(chunk_bytes);
    for (uint64_t at = 0; at < file_->size(); at += chunk_bytes) {
      CRV_ASSIGN(const size_t read, file_->input().Read(at, {buffer.get(), chunk_bytes}));
      if (read != chunk_bytes)
        return Status::IoError("a scratch file for counters is shorter than was written");
      ReplayChunk({buffer.get(), chunk_bytes}, apply);
    }
    file_.reset();
  }
  for (const auto& chunk : chunks_) {
    const size_t count = std::min<size_t>(records_, chunk_records());
    ReplayChunk({chunk.get(), count * record_bytes()}, apply);
    records_ -= count;
  }
  return Status::Ok();
}

}  // namespace crivello::graph
