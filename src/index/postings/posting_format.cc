// SPDX-License-Identifier: Apache-2.0
#include "index/postings/posting_format.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "index/postings/classic_format.h"

namespace crivello::index {
namespace {

constexpr std::string_view kClassicDelta = "classic-delta-";
constexpr uint32_t kUsualQuantum = 32;  // of the one that is listed

}  // namespace

std::vector<uint32_t> PostingFormat::Cut(std::span<const DocId> docs) const {
  std::vector<uint32_t> sizes((docs.size() - 1) / kBlockPostings + 1, kBlockPostings);
  sizes.back() = static_cast<uint32_t>((docs.size() - 1) % kBlockPostings) + 1;
  return sizes;
}

std::span<const PostingFormat* const> AllPostingFormats() {
  static const std::array<const PostingFormat*, 6> kFormats = {
      &PackedFormat(),        &QuasiSuccinctFormat(), &PartitionedFormat(),
      &InterpolativeFormat(), &ClassicFormat(),       &ClassicDeltaFormat(kUsualQuantum)};
  return kFormats;
}

Result<const PostingFormat*> FindPostingFormat(std::string_view name) {
  if (name.starts_with(kClassicDelta)) {
    const std::string_view digits = name.substr(kClassicDelta.size());
    uint32_t quantum = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), quantum);
    const bool good = error == std::errc() && end == digits.data() + digits.size() && digits.front() != '0';
    if (good && quantum <= kBlockPostings) return &ClassicDeltaFormat(quantum);
    return Status::NotFound("unknown posting format " + std::string(name) +
                            ": the quantum behind classic-delta- is a number from 1 to 128");
  }
  std::string names;
  for (const PostingFormat* format : AllPostingFormats()) {
    if (format->name() == name) return format;
    names += (names.empty() ? "" : ", ") + std::string(format->name());
  }
  return Status::NotFound("unknown posting format " + std::string(name) + "; choose one of " + names);
}

}  // namespace crivello::index
