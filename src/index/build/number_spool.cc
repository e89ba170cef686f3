// SPDX-License-Identifier: Apache-2.0
#include "index/build/number_spool.h"

namespace crivello::index {

void NumberSpool::Keep(int64_t number) {
  const auto add = [this](int64_t one) {
    buffer_.push_back(one);
    if (buffer_.size() < kBuffered || scratch_.empty() || !status_.ok()) return;
    status_ = Spill();
  };
  // Until now all numbers were equal and not stored; store them now.
  while (spilled_ + buffer_.size() < size_ && status_.ok()) add(first_);
  add(number);
}

Status NumberSpool::Spill() {
  if (!file_) {
    CRV_ASSIGN(file_, ScratchFile::Create(scratch_));
  }
  CRV_TRY(file_->Append(std::as_bytes(std::span(buffer_))));
  spilled_ += buffer_.size();
  buffer_.clear();
  return Status::Ok();
}

Status NumberSpool::Read(uint64_t at, std::vector<int64_t>* out) {
  CRV_TRY(status_);
  if (at >= spilled_) {
    const auto from = buffer_.begin() + static_cast<int64_t>(at - spilled_);
    out->assign(from, from + static_cast<int64_t>(std::min<uint64_t>(kBuffered, size_ - at)));
    return Status::Ok();
  }
  out->resize(std::min<uint64_t>(kBuffered, spilled_ - at));
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(*out));
  CRV_ASSIGN(const size_t read, file_->input().Read(at * sizeof(int64_t), bytes));
  if (read != bytes.size())
    return Status::IoError("temporary file of values: shorter than what was written to it");
  return Status::Ok();
}

}  // namespace crivello::index
