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
constexpr uint64_t kPlaceSeed = 2;
constexpr size_t kMaxCells = 8;
constexpr size_t kShortBytes = 40;
// Of titles among the links of a template.
constexpr size_t kMaxLines = 2;
constexpr size_t kMaxLineBytes = 200;

uint64_t TextSignature(std::string_view text) { return Hash64(text, kTextSeed); }

// The page before and the page after have other titles on each page, but stand in the same place: a block
// that is a link and near an end of the page goes by that, too.
constexpr size_t kEdge = 8;
bool IsEdgeLink(const Document& document, size_t i) {
  const Block& block = document.blocks[i];
  return (i < kEdge || i + kEdge >= document.blocks.size()) && block.linked * 10 >= block.text.size() * 9;
}
uint64_t PlaceSignature(const Block& block) {
  return Mix64(Hash64(block.path, kPlaceSeed) + block.depth * 8u + static_cast<uint64_t>(block.kind));
}

// Calls `visit` with each cell of a row that has links: "Prev", "Up" and "Next" are on every page, the titles
// between them are not.
template <typename Visit>
void ForEachCell(const Block& block, Visit visit) {
  if (block.kind != BlockKind::kTable || block.linked == 0) return;
  std::string_view rest = block.text;
  for (size_t cells = 0; cells < kMaxCells && !rest.empty(); ++cells) {
    const size_t end = std::min(rest.find('\t'), rest.size());
    if (end > 0) visit(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

void SiteTemplate::Learn(const Document& document) {
  std::unordered_set<uint64_t> seen;
  const size_t blocks = document.blocks.size();
  for (size_t i = 0; i < blocks; ++i) {
    if (i >= kMaxBlocksOfPage / 2 && i + kMaxBlocksOfPage / 2 < blocks) continue;
    const Block& block = document.blocks[i];
    seen.insert(TextSignature(block.text));
    if (IsEdgeLink(document, i)) seen.insert(PlaceSignature(block));
    ForEachCell(block, [&](std::string_view cell) { seen.insert(TextSignature(cell)); });
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

uint32_t SiteTemplate::CountOf(uint64_t signature) const {
  const auto found = counts_.find(signature);
  return found == counts_.end() ? 0 : found->second;
}

uint32_t SiteTemplate::Count(const Block& block) const { return CountOf(TextSignature(block.text)); }

bool SiteTemplate::Repeats(const Document& document, size_t i) const {
  const Block& block = document.blocks[i];
  const uint32_t often = std::max<uint32_t>(3, pages_ / 4);
  if (Count(block) >= often) return true;
  // A place has no words of its own: it must be on most pages.
  if (IsEdgeLink(document, i) &&
      CountOf(PlaceSignature(block)) >= std::max<uint32_t>(3, pages_ / 2 + pages_ / 4))
    return true;
  size_t cells = 0;
  size_t repeated = 0;
  ForEachCell(block, [&](std::string_view cell) {
    ++cells;
    repeated += CountOf(TextSignature(cell)) >= often ? 1 : 0;
  });
  return repeated > 0 && 2 * repeated >= cells;
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
    } else if (site.Repeats(document, i)) {
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
