// SPDX-License-Identifier: Apache-2.0
#include "sieve/mercator_emitter.h"

#include <fmt/format.h>

#include <bit>

#include "base/file_format.h"

namespace crivello::sieve {

void MercatorEmitter::StartAt(const MercatorManifest::Batch& batch, uint64_t emitted) {
  Close();
  batch_ = batch;
  emitted_ = emitted;
  next_id_ = batch.id + 1;
}

void MercatorEmitter::Close() {
  log_.reset();
  block_.reset();
  marks_ = MercatorMarks();
}

Status MercatorEmitter::Open() {
  const std::string marks_path = files_.Marks(batch_.id);
  CRV_ASSIGN(const FormatFile file, FormatFile::Open(marks_path, MercatorMarks::kFileKind));
  auto marks = MercatorMarks::FromImage(file.payload());
  if (!marks.ok()) return marks.status().WithContext(marks_path);
  uint64_t ones = 0;
  for (const uint64_t word : marks->bits) ones += static_cast<uint64_t>(std::popcount(word));
  if (marks->keys != batch_.keys || ones != batch_.passed) {
    return Status::Corruption(fmt::format("{}: corrupt: found {} of {} keys, but the manifest says {} of {}",
                                          marks_path, ones, marks->keys, batch_.passed, batch_.keys));
  }
  CRV_ASSIGN(auto log, LogReader::Open(files_.Keys(batch_.id), kKeyLogKind));
  log_.emplace(std::move(log));
  marks_ = std::move(marks).value();
  position_ = 0;
  for (uint64_t skipped = 0; skipped < emitted_; skipped++) CRV_TRY(Advance());
  return Status::Ok();
}

Status MercatorEmitter::Advance() {
  for (;;) {
    while (block_ && block_->Next()) {
      const uint64_t at = position_++;
      if (at < marks_.keys && marks_.Get(at)) return Status::Ok();
    }
    if (block_ && !block_->whole()) {
      return Status::Corruption(
          fmt::format("{}: corrupt: a block ends inside key {}", files_.Keys(batch_.id), position_));
    }
    CRV_ASSIGN(const auto record, log_->Next());
    if (!record) {
      return Status::Corruption(fmt::format("{}: truncated: it ends after {} of {} keys",
                                            files_.Keys(batch_.id), position_, batch_.keys));
    }
    block_.emplace(*record);
  }
}

Status MercatorEmitter::Emit(uint64_t limit, const std::function<void(std::string_view)>& visit,
                             uint64_t* taken) {
  Status status = log_ ? Status::Ok() : Open();
  for (; status.ok() && limit > 0 && has_batch(); limit--) {
    status = Advance();
    if (!status.ok()) break;
    visit(block_->key().bytes);
    emitted_++;
    ++*taken;
  }
  if (!status.ok() || !has_batch()) Close();
  return status;
}

}  // namespace crivello::sieve
