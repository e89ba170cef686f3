// SPDX-License-Identifier: Apache-2.0
#include "text/content/site_template.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "base/hash.h"
#include "base/record.h"

namespace crivello::text {
namespace {

constexpr uint64_t kTextSeed = 1;
constexpr uint64_t kPlaceSeed = 2;
constexpr uint64_t kSignatures = uint64_t{1} << 32;
constexpr size_t kMaxLanguageBytes = 15;
constexpr uint32_t kSettled = 2;
constexpr size_t kMaxCells = 8;
constexpr size_t kShortBytes = 40;
// Limits for titles among the links of a template.
constexpr size_t kMaxLines = 2;
constexpr size_t kMaxLineBytes = 200;

uint32_t TextSignature(std::string_view text) { return static_cast<uint32_t>(Hash64(text, kTextSeed)); }

// Links to the previous and next page have different titles on each page, but always the same place. So a
// block that is a link near an end of the page is also identified by its place.
constexpr size_t kEdge = 8;
bool IsEdgeLink(const Document& document, size_t i) {
  const Block& block = document.blocks[i];
  return (i < kEdge || i + kEdge >= document.blocks.size()) && block.linked * 10 >= block.text.size() * 9;
}
uint32_t PlaceSignature(const Block& block) {
  return static_cast<uint32_t>(
      Mix64(Hash64(block.path, kPlaceSeed) + block.depth * 8u + static_cast<uint64_t>(block.kind)));
}

// Calls `visit` for each cell of a row that has links: "Prev", "Up" and "Next" are on every page, but the
// titles between them are not.
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

// The distinct signatures of a page, sorted.
std::vector<uint32_t> SignaturesOf(const Document& document) {
  std::vector<uint32_t> signatures;
  const size_t blocks = document.blocks.size();
  signatures.reserve(std::min(blocks, SiteTemplate::kMaxBlocksOfPage) + 2 * kEdge);
  for (size_t i = 0; i < blocks; ++i) {
    if (i >= SiteTemplate::kMaxBlocksOfPage / 2 && i + SiteTemplate::kMaxBlocksOfPage / 2 < blocks) continue;
    const Block& block = document.blocks[i];
    signatures.push_back(TextSignature(block.text));
    if (IsEdgeLink(document, i)) signatures.push_back(PlaceSignature(block));
    ForEachCell(block, [&](std::string_view cell) { signatures.push_back(TextSignature(cell)); });
  }
  std::sort(signatures.begin(), signatures.end());
  signatures.erase(std::unique(signatures.begin(), signatures.end()), signatures.end());
  signatures.resize(std::min(signatures.size(), SiteTemplate::kMaxOfPage));
  return signatures;
}

}  // namespace

void SiteTemplate::Learn(const Document& document) {
  const std::vector<uint32_t> page = SignaturesOf(document);
  std::vector<uint32_t> first, older;  // only on this page; only on one earlier page
  std::vector<Counted> repeated;
  first.reserve(page.size());
  older.reserve(single_.size());
  auto counted = repeated_.begin();
  auto single = single_.begin();
  for (const uint32_t signature : page) {
    while (counted != repeated_.end() && counted->signature < signature) repeated.push_back(*counted++);
    while (single != single_.end() && *single < signature) older.push_back(*single++);
    if (counted != repeated_.end() && counted->signature == signature) {
      repeated.push_back({signature, counted++->count + 1});
    } else if (single != single_.end() && *single == signature) {
      repeated.push_back({signature, 2});
      ++single;
    } else {
      first.push_back(signature);
    }
  }
  repeated.insert(repeated.end(), counted, repeated_.end());
  older.insert(older.end(), single, single_.end());
  repeated_ = std::move(repeated);
  if (repeated_.size() > kMaxRepeated) Shrink();

  const size_t room = kMaxSingle - std::min(kMaxSingle, first.size());
  older.resize(std::min(older.size(), room));
  single_.clear();
  single_.reserve(first.size() + older.size());
  std::merge(first.begin(), first.end(), older.begin(), older.end(), std::back_inserter(single_));
  if (++pages_ >= kMaxPages) Halve();
}

// Subtracts so much from every counter that half of the room becomes free.
void SiteTemplate::Shrink() {
  std::vector<uint32_t> counts;
  counts.reserve(repeated_.size());
  for (const Counted& counted : repeated_) counts.push_back(counted.count);
  const auto middle = counts.begin() + kMaxRepeated / 2;
  std::nth_element(counts.begin(), middle, counts.end(), std::greater<>());
  const uint32_t taken = *middle;
  for (Counted& counted : repeated_) counted.count -= std::min(counted.count, taken);
  std::erase_if(repeated_, [](const Counted& counted) { return counted.count == 0; });
}

void SiteTemplate::Halve() {
  for (Counted& counted : repeated_) counted.count /= 2;
  std::erase_if(repeated_, [](const Counted& counted) { return counted.count == 0; });
  pages_ /= 2;
}

uint32_t SiteTemplate::CountOf(uint32_t signature) const {
  const auto found =
      std::lower_bound(repeated_.begin(), repeated_.end(), signature,
                       [](const Counted& counted, uint32_t wanted) { return counted.signature < wanted; });
  return found == repeated_.end() || found->signature != signature ? 0 : found->count;
}

void SiteTemplate::LearnLanguage(std::string_view code) {
  if (code.size() > kMaxLanguageBytes) return;
  in_language_ = code == language_ ? std::min(in_language_ + 1, kSettled) : 1;
  language_ = code;
}

std::optional<std::string_view> SiteTemplate::language() const {
  if (in_language_ < kSettled) return std::nullopt;
  return language_;
}

uint32_t SiteTemplate::Count(const Block& block) const { return CountOf(TextSignature(block.text)); }

bool SiteTemplate::Repeats(const Document& document, size_t i) const {
  const Block& block = document.blocks[i];
  const uint32_t often = std::max<uint32_t>(3, pages_ / 4);
  if (Count(block) >= often) return true;
  // A place says nothing about the words, so it must be on most pages.
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

// Signatures are written as differences: each is at least one above the last.
std::string SiteTemplate::Encode() const {
  RecordWriter record;
  record.Number(pages_);
  record.Number(in_language_);
  record.Text(language_);
  record.Number(single_.size());
  uint64_t least = 0;
  for (const uint32_t signature : single_) {
    record.Number(signature - least);
    least = uint64_t{signature} + 1;
  }
  record.Number(repeated_.size());
  least = 0;
  for (const Counted& counted : repeated_) {
    record.Number(counted.signature - least);
    record.Number(counted.count - 1);
    least = uint64_t{counted.signature} + 1;
  }
  return std::move(record).bytes();
}

Result<SiteTemplate> SiteTemplate::Decode(std::string_view bytes) {
  RecordReader record(bytes);
  SiteTemplate site;
  site.pages_ = static_cast<uint32_t>(record.NumberAtMost(kMaxPages - 1));
  site.in_language_ = static_cast<uint32_t>(record.NumberAtMost(kSettled));
  site.language_ = record.Raw(record.NumberAtMost(kMaxLanguageBytes));
  uint64_t least = 0;
  const auto signature = [&] {
    const uint64_t step = record.NumberAtMost(std::numeric_limits<uint32_t>::max());
    const uint64_t next = least + step;
    least = next + 1;
    return next;
  };
  site.single_.resize(record.NumberAtMost(std::min<uint64_t>(kMaxOfPage, record.left())));
  for (uint32_t& single : site.single_) single = static_cast<uint32_t>(signature());
  bool too_large = least > kSignatures;
  least = 0;
  site.repeated_.resize(record.NumberAtMost(std::min<uint64_t>(kMaxRepeated, record.left())));
  for (Counted& counted : site.repeated_) {
    counted.signature = static_cast<uint32_t>(signature());
    counted.count = static_cast<uint32_t>(record.NumberAtMost(kMaxPages - 1)) + 1;
  }
  too_large = too_large || least > kSignatures;
  if (too_large || !record.finished())
    return Status::Corruption("corrupt site template: wrong length or order");
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
  // The titles of the previous and next page change from page to page, but what surrounds them does
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
