// SPDX-License-Identifier: Apache-2.0
#include "text/site_template.h"

#include <algorithm>
#include <functional>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "base/record.h"

namespace crivello::text {
namespace {

constexpr uint64_t kTextSeed = 1;
constexpr size_t kShortBytes = 40;
// Of titles among the links of a template.
constexpr size_t kMaxLines = 2;
constexpr size_t kMaxLineBytes = 200;

uint64_t TextSignature(const Block& block) { return Hash64(block.text, kTextSeed); }

}  // namespace

void SiteTemplate::Learn(const Document& document) {
  std::unordered_set<uint64_t> seen;
  const size_t blocks = document.blocks.size();
  for (size_t i = 0; i < blocks; ++i) {
    if (i >= kMaxBlocksOfPage / 2 && i + kMaxBlocksOfPage / 2 < blocks) continue;
    seen.insert(TextSignature(document.blocks[i]));
  }
  for (const uint64_t signature : seen) ++counts_[signature];
  ++pages_;
  if (counts_.size() > kMaxBlocks) Shrink();
  if (pages_ >= kMaxPages) {
    for (auto at = counts_.begin(); at != counts_.end();) {
      at->second /= 2;
      at = at->second == 0 ? counts_.erase(at) : std::next(at);
    }
    pages_ /= 2;
    missed_ /= 2;
  }
}

// Takes from every counter as much as leaves half of the room.
void SiteTemplate::Shrink() {
  std::vector<uint32_t> counts;
  counts.reserve(counts_.size());
  for (const auto& [signature, count] : counts_) counts.push_back(count);
  const auto middle = counts.begin() + kMaxBlocks / 2;
  std::nth_element(counts.begin(), middle, counts.end(), std::greater<>());
  const uint32_t taken = *middle;
  for (auto at = counts_.begin(); at != counts_.end();) {
    at->second -= std::min(at->second, taken);
    at = at->second == 0 ? counts_.erase(at) : std::next(at);
  }
  missed_ += taken;
}

uint32_t SiteTemplate::Count(const Block& block) const {
  const auto found = counts_.find(TextSignature(block));
  return found == counts_.end() ? 0 : found->second;
}

bool SiteTemplate::Repeats(const Block& block) const {
  return Count(block) >= std::max<uint32_t>(3, pages_ / 4);
}

std::string SiteTemplate::Encode() const {
  std::vector<std::pair<uint64_t, uint32_t>> counts(counts_.begin(), counts_.end());
  std::sort(counts.begin(), counts.end());
  RecordWriter record;
  record.Number(pages_);
  record.Number(missed_);
  record.Number(counts.size());
  for (const auto& [signature, count] : counts) {
    record.Word(signature);
    record.Number(count);
  }
  return std::move(record).bytes();
}

Result<SiteTemplate> SiteTemplate::Decode(std::string_view bytes) {
  RecordReader record(bytes);
  SiteTemplate site;
  site.pages_ = static_cast<uint32_t>(record.NumberAtMost(kMaxPages));
  site.missed_ = static_cast<uint32_t>(record.NumberAtMost(kMaxPages));
  const uint64_t size = record.NumberAtMost(kMaxBlocks);
  uint64_t last = 0;
  for (uint64_t i = 0; i < size && record.ok(); ++i) {
    const uint64_t signature = record.Word();
    const auto count = static_cast<uint32_t>(record.NumberAtMost(kMaxPages));
    if (count == 0 || (i > 0 && signature <= last))
      return Status::Corruption("site template: counts out of order");
    last = signature;
    site.counts_.emplace(signature, count);
  }
  if (!record.finished()) return Status::Corruption("site template: wrong length");
  return site;
}

std::vector<CutReason> FilterByTemplate(const Document& document, const SiteTemplate& site) {
  const size_t size = document.blocks.size();
  std::vector<CutReason> cut(size, CutReason::kNone);
  size_t own = 0;
  for (size_t i = 0; i < size; ++i) {
    if (document.blocks[i].cut == CutReason::kHidden) {
      cut[i] = CutReason::kHidden;
    } else if (site.Repeats(document.blocks[i])) {
      cut[i] = CutReason::kTemplate;
    } else {
      ++own;
    }
  }
  const auto repeats = [&](size_t i) { return cut[i] == CutReason::kTemplate; };
  for (size_t i = 0; i < size; ++i) {
    if (!repeats(i)) continue;
    const Block& block = document.blocks[i];
    const bool between =
        i > 0 && i + 1 < size && cut[i - 1] == CutReason::kNone && cut[i + 1] == CutReason::kNone;
    if (own == 0 || (between && block.linked == 0 && block.text.size() <= kShortBytes))
      cut[i] = CutReason::kNone;
  }
  // The titles of the page before and the page after change from page to page, but what is around them does
  // not.
  for (size_t i = 0; i < size; ++i) {
    if (cut[i] != CutReason::kNone) continue;
    size_t end = i;
    while (end < size && cut[end] == CutReason::kNone) ++end;
    bool lines = end - i <= kMaxLines && own > end - i;
    bool linked = false;
    for (size_t k = i; k < end; ++k) {
      lines = lines && document.blocks[k].text.size() <= kMaxLineBytes;
      linked = linked || document.blocks[k].linked > 0;
    }
    const bool before = i > 0 && repeats(i - 1);
    const bool after = end < size && repeats(end);
    linked =
        linked || (before && document.blocks[i - 1].linked > 0) || (after && document.blocks[end].linked > 0);
    if (lines && linked && (before || i == 0) && (after || end == size) && (before || after)) {
      for (size_t k = i; k < end; ++k) cut[k] = CutReason::kTemplate;
    }
    i = end;
  }
  return cut;
}

}  // namespace crivello::text
