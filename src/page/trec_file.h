// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::page {

// A file of a TREC collection, decompressed: most are gzip or compress (.Z) files of a few megabytes.
class TrecFile {
 public:
  // `bytes` must outlive it if they are not compressed. Corruption if they are damaged, or larger than 2 GiB
  // when decompressed.
  static Result<TrecFile> Read(std::string_view bytes);
  std::string_view text() const { return compressed_ ? std::string_view(owned_) : view_; }

 private:
  std::string_view view_;
  std::string owned_;
  bool compressed_ = false;
};

// Whether the bytes, which may be compressed, start with a TREC document.
bool LooksLikeTrec(std::string_view bytes);

}  // namespace crivello::page
