// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/links_file.h"

#include <fmt/format.h>

#include <optional>

#include "base/hash.h"

namespace crivello::jobs {
namespace {

constexpr size_t kWordBytes = sizeof(uint64_t);

uint64_t PaddedToWord(uint64_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes * kWordBytes; }

Status DamagedTail(std::string_view why) { return Status::Corruption(fmt::format("links: {}", why)); }

// Replaces the string by the next one; returns how the next compares with it, or nullopt if the bytes are
// damaged.
std::optional<int> TakeFrontCoded(RecordReader& record, std::string* text) {
  const uint64_t shared = record.NumberAtMost(text->size());
  const std::string_view rest = record.Text();
  if (!record.ok()) return std::nullopt;
  const int order = rest.compare(std::string_view(*text).substr(shared));
  text->resize(shared);
  text->append(rest);
  return order;
}

}  // namespace

Result<LinksFile> LinksFile::FromImage(Bytes image) {
  if (image.size() < kLinksTotalsBytes + kWordBytes) return DamagedTail("too short");
  const Bytes totals = image.last(kLinksTotalsBytes);
  LinksFile file;
  file.links_ = LoadField<uint64_t>(totals, 0);
  file.targets_ = LoadField<uint64_t>(totals, 8);
  const auto blocks = LoadField<uint64_t>(totals, 16);
  const auto at = LoadField<uint64_t>(totals, 24);
  if (at > image.size() - kLinksTotalsBytes - kWordBytes) return DamagedTail("damaged totals");
  const Bytes checked = image.subspan(at).first(image.size() - at - kWordBytes);
  if (Hash64(checked) != LoadField<uint64_t>(totals, 32)) return DamagedTail("damaged totals");
  // The origin and the table of blocks are between the blocks and the totals.
  Bytes middle = image.subspan(at, image.size() - at - kLinksTotalsBytes);
  const auto origin_bytes = LoadField<uint64_t>(middle, 0);
  middle = middle.subspan(kWordBytes);
  if (origin_bytes > middle.size() || PaddedToWord(origin_bytes) > middle.size()) {
    return DamagedTail("the list of tablets is damaged");
  }
  CRV_ASSIGN(file.origin_, LinksOrigin::Decode(AsText(middle.first(origin_bytes))));
  file.offsets_ = middle.subspan(PaddedToWord(origin_bytes));
  if (file.offsets_.size() % kWordBytes != 0 || file.blocks() != blocks) {
    return DamagedTail("the table of blocks is damaged");
  }
  file.blocks_ = image.first(at);
  return file;
}

Result<LinksFile::Block> LinksFile::ReadBlock(uint64_t number) const {
  const auto offset = [this](uint64_t block) {
    return block == blocks() ? blocks_.size() : LoadField<uint64_t>(offsets_, block * kWordBytes);
  };
  const uint64_t begin = offset(number);
  const uint64_t end = offset(number + 1);
  if (begin <= end && end <= blocks_.size() && end - begin >= kLinksBlockHeadBytes) {
    const Bytes block = blocks_.subspan(begin, end - begin);
    const auto records = LoadField<uint32_t>(block, 8);
    const auto count = LoadField<uint32_t>(block, 12);
    const Bytes bytes = block.subspan(kLinksBlockHeadBytes);
    if (PaddedToWord(records) == bytes.size() && count > 0 &&
        Hash64(block.subspan(kWordBytes), LinksBlockSeed(number)) == LoadField<uint64_t>(block, 0)) {
      return Block{AsText(bytes.first(records)), count};
    }
  }
  return Status::Corruption(fmt::format("links: block {} of {} is damaged", number, blocks()));
}

Result<std::string_view> LinksFile::FirstTarget(uint64_t number) const {
  CRV_ASSIGN(const Block block, ReadBlock(number));
  RecordReader record(block.records);
  record.Number();
  record.NumberAtMost(0);
  const std::string_view target = record.Text();
  if (record.ok()) return target;
  return Status::Corruption(fmt::format("links: block {} of {} is damaged", number, blocks()));
}

Status LinksFile::Check() const {
  uint64_t links = 0, targets = 0;
  std::string last;
  LinksCursor cursor(*this);
  for (; cursor.Next(); links++) {
    const std::string_view target = cursor.link().target;
    if (links > 0 && target == last) continue;
    targets++;
    last = target;
  }
  CRV_TRY(cursor.status());
  if (links == links_ && targets == targets_) return Status::Ok();
  return Status::Corruption(fmt::format("links: {} links to {} targets, but the totals say {} to {}", links,
                                        targets, links_, targets_));
}

Description LinksFile::Describe() const {
  Description all = {{"tablet", origin_.tablet.Name()},
                     {"links", links_},
                     {"targets", targets_},
                     {"blocks", blocks()},
                     {"bytes-per-link",
                      links_ == 0 ? 0.0 : static_cast<double>(blocks_.size()) / static_cast<double>(links_)}};
  for (const LinksOrigin::Source& source : origin_.sources) {
    all.push_back({fmt::format("changes-of-{}", source.tablet.Name()), source.sequence});
  }
  return all;
}

bool LinksCursor::Damaged() {
  left_ = 0;
  status_ =
      Status::Corruption(fmt::format("links: block {} of {} is damaged", next_block_ - 1, file_->blocks()));
  return false;
}

bool LinksCursor::StartBlock() {
  if (next_block_ == file_->blocks()) return false;
  const Result<LinksFile::Block> block = file_->ReadBlock(next_block_);
  if (!block.ok()) {
    status_ = block.status();
    return false;
  }
  next_block_++;
  records_ = RecordReader(block->records);
  left_ = block->count;
  block_begins_ = true;
  last_target_.swap(target_);
  last_source_.swap(source_);
  target_.clear();
  source_.clear();
  text_ = {};
  return true;
}

bool LinksCursor::Next() {
  if (!status_.ok() || (left_ == 0 && !StartBlock())) return false;
  const uint64_t lead =
      records_.NumberAtMost(3u | uint64_t{link_flag::kAll} << 2 | uint64_t{kMaxLinkKind} << 6);
  const bool same_target = (lead & 1) != 0;
  const bool same_text = (lead & 2) != 0;
  flags_ = static_cast<uint8_t>(lead >> 2 & link_flag::kAll);
  kind_ = static_cast<LinkKind>(lead >> 6);
  std::optional<int> target_order = 0;
  if (!same_target) target_order = TakeFrontCoded(records_, &target_);
  std::optional<int> source_order = TakeFrontCoded(records_, &source_);
  if (!same_text) text_ = records_.Text();
  if (!records_.ok() || !target_order || !source_order) return Damaged();
  if (block_begins_) {
    // Compares with the previous block, if that was read.
    if (same_target) return Damaged();
    target_order = any_ ? target_.compare(last_target_) : 1;
    source_order = source_.compare(last_source_);
  } else if (!same_target && *target_order == 0) {
    return Damaged();
  }
  if (*target_order < 0 || (*target_order == 0 && *source_order < 0)) return Damaged();
  block_begins_ = false;
  any_ = true;
  if (--left_ == 0 && !records_.finished()) return Damaged();
  return true;
}

bool LinksCursor::SeekTo(std::string_view target) {
  if (!status_.ok()) return false;
  // Links to the target may begin in the last block whose first target is less.
  uint64_t low = 0, high = file_->blocks();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    const Result<std::string_view> first = file_->FirstTarget(middle);
    if (!first.ok()) {
      status_ = first.status();
      return false;
    }
    if (*first < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  next_block_ = low == 0 ? 0 : low - 1;
  left_ = 0;
  any_ = false;
  while (Next()) {
    if (target_ >= target) return true;
  }
  return false;
}

}  // namespace crivello::jobs
