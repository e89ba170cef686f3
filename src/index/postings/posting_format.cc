// SPDX-License-Identifier: Apache-2.0
#include "index/postings/posting_format.h"

#include <algorithm>
#include <string>

namespace crivello::index {

std::vector<uint32_t> PostingFormat::Cut(std::span<const DocId> docs) const {
  std::vector<uint32_t> sizes((docs.size() - 1) / kBlockPostings + 1, kBlockPostings);
  sizes.back() = static_cast<uint32_t>((docs.size() - 1) % kBlockPostings) + 1;
  return sizes;
}

std::span<const PostingFormat* const> AllPostingFormats() {
  static const std::array<const PostingFormat*, 5> kFormats = {&PackedFormat(), &QuasiSuccinctFormat(),
                                                               &PartitionedFormat(), &InterpolativeFormat(),
                                                               &ClassicFormat()};
  return kFormats;
}

Result<const PostingFormat*> FindPostingFormat(std::string_view name) {
  std::string names;
  for (const PostingFormat* format : AllPostingFormats()) {
    if (format->name() == name) return format;
    names += (names.empty() ? "" : ", ") + std::string(format->name());
  }
  return Status::NotFound("unknown posting format " + std::string(name) + "; choose one of " + names);
}

}  // namespace crivello::index
