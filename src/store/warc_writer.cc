// SPDX-License-Identifier: Apache-2.0
#include "store/warc_writer.h"

namespace crivello::store {

Result<WarcLocation> WarcWriter::Append(const WarcDraft& draft) {
  bytes_ = size_ == 0 ? encoder_.Prologue() : std::string();
  CRV_ASSIGN(WarcEncoded encoded, encoder_.Append(draft, &bytes_));
  CRV_TRY(file_.Append(AsBytes(bytes_)));
  const uint64_t start = size_;
  size_ += bytes_.size();
  return WarcLocation{.offset = start + encoded.offset,
                      .bytes = encoded.bytes,
                      .record_id = std::move(encoded.record_id),
                      .payload_digest = std::move(encoded.payload_digest)};
}

}  // namespace crivello::store
