// SPDX-License-Identifier: Apache-2.0
#include "sieve/z_stream.h"

namespace crivello::sieve {

Result<ZSource> ZSource::Open(const std::string& path) {
  CRV_ASSIGN(ZFile file, ZFile::Open(path));
  ZSource source;
  source.file_ = std::make_unique<const ZFile>(std::move(file));
  source.cursor_.emplace(*source.file_);
  return source;
}

bool ZSource::NextPage() {
  if (!cursor_ || !status_.ok()) return false;
  status_ = cursor_->Next();
  if (!status_.ok() || cursor_->page() == nullptr) return false;
  page_.resize(cursor_->page()->count());
  at_ = 0;
  status_ = cursor_->page()->Decode(page_).WithContext(file_->path());
  return status_.ok();
}

Result<ZSink> ZSink::Create(const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(ZWriter writer, ZWriter::Create(path, fs));
  return ZSink(std::move(writer));
}

Status ZSink::Flush() {
  CRV_TRY(writer_.Add(block_));
  block_.clear();
  return Status::Ok();
}

Status ZSink::Finish() {
  CRV_TRY(Flush());
  return writer_.Finish();
}

}  // namespace crivello::sieve
