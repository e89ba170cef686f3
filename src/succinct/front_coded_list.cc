// SPDX-License-Identifier: Apache-2.0
#include "succinct/front_coded_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <optional>
#include <utility>

namespace crivello::succinct {
namespace {

// The two lengths of an entry share a byte. A length that exceeds its half is this; the rest follows.
constexpr uint64_t kLong = 15;

size_t SharedPrefix(std::string_view a, std::string_view b) {
  const size_t size = std::min(a.size(), b.size());
  return static_cast<size_t>(std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(size), b.begin()).first -
                             a.begin());
}

void PutNumber(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

bool TakeNumber(std::string_view* rest, uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; shift < 35 && !rest->empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(rest->front());
    rest->remove_prefix(1);
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool TakeText(uint64_t size, std::string_view* rest, std::string_view* text) {
  if (size > rest->size()) return false;
  *text = rest->substr(0, size);
  rest->remove_prefix(size);
  return true;
}

// Whether a block, up to the end of the list, has `text` after `skipped` strings. Writes each string over
// the previous one, without unpredictable branches. nullopt if a string is too long for that, or the end is
// near.
std::optional<bool> IsInBlock(std::string_view block, uint64_t skipped, std::string_view text) {
  // How many bytes to copy, of the first string and of the others, whether or not they belong to it.
  constexpr size_t kFirst = 32;
  constexpr size_t kCopy = 16;
  std::array<char, kFirst> buffer = {};
  uint64_t size;
  if (!TakeNumber(&block, &size) || size > kFirst || block.size() < kFirst) return std::nullopt;
  std::memcpy(buffer.data(), block.data(), kFirst);
  block.remove_prefix(size);
  for (; skipped > 0; skipped--) {
    if (block.size() <= kCopy) return std::nullopt;
    const auto lengths = static_cast<uint8_t>(block.front());
    const uint64_t shared = lengths & 15;
    const uint64_t more = lengths >> 4;
    if (shared == kLong || more == kLong) return std::nullopt;
    std::memcpy(buffer.data() + shared, block.data() + 1, kCopy);
    size = shared + more + 1;
    block.remove_prefix(more + 2);
  }
  return std::string_view(buffer.data(), size) == text;
}

}  // namespace

void FrontCodedListBuilder::Add(std::string_view text) {
  assert(size_ == 0 || last_ < text);
  if (size_++ % FrontCodedList::kBlock == 0) {
    starts_.push_back(taken_bytes_ + bytes_.size());
    PutNumber(text.size(), &bytes_);
    bytes_.append(text);
  } else {
    const uint64_t shared = SharedPrefix(last_, text);
    const uint64_t more = text.size() - shared - 1;  // it adds at least one byte
    bytes_.push_back(static_cast<char>(std::min(shared, kLong) | std::min(more, kLong) << 4));
    if (shared >= kLong) PutNumber(shared - kLong, &bytes_);
    if (more >= kLong) PutNumber(more - kLong, &bytes_);
    bytes_.append(text.substr(shared));
  }
  last_.assign(text);
}

void FrontCodedListBuilder::AppendTo(ImageWriter& image) const {
  assert(taken_bytes_ == 0);
  AppendFrontTo(image);
  image.RawBytes(AsBytes(bytes_));
}

std::string FrontCodedListBuilder::TakeBytes() {
  taken_bytes_ += bytes_.size();
  return std::exchange(bytes_, {});
}

void FrontCodedListBuilder::AppendFrontTo(ImageWriter& image) const {
  const uint64_t bytes = taken_bytes_ + bytes_.size();
  image.Word(size_);
  image.Word(bytes);
  EliasFanoBuilder starts(starts_.size(), bytes);
  for (const uint64_t start : starts_) starts.Add(start);
  starts.AppendTo(image).IgnoreError();  // they increase, and have the promised count
}

Result<FrontCodedList> FrontCodedList::ReadFrom(ImageReader& reader) {
  FrontCodedList list;
  CRV_ASSIGN(list.size_, reader.WordAtMost(uint64_t{1} << 56, "strings"));
  CRV_ASSIGN(const uint64_t size_bytes, reader.Word());
  CRV_ASSIGN(list.starts_, EliasFano::ReadFrom(reader));
  CRV_ASSIGN(const Bytes bytes, reader.RawBytes(size_bytes));
  list.bytes_ = AsText(bytes);
  const uint64_t blocks = (list.size_ + kBlock - 1) / kBlock;
  if (list.starts_.size() != blocks) {
    return reader.Damaged(
        fmt::format("found {} blocks of {} strings, expected {}", list.starts_.size(), list.size_, blocks));
  }
  return list;
}

bool FrontCodedList::TakeFirst(std::string_view* rest, Entry* entry) {
  entry->shared = 0;
  uint64_t size;
  return TakeNumber(rest, &size) && TakeText(size, rest, &entry->suffix);
}

bool FrontCodedList::TakeNext(std::string_view* rest, Entry* entry) {
  if (rest->empty()) return false;
  const auto lengths = static_cast<uint8_t>(rest->front());
  rest->remove_prefix(1);
  uint64_t shared = lengths & 15;
  uint64_t more = lengths >> 4;
  uint64_t beyond;
  if (shared == kLong) [[unlikely]] {
    if (!TakeNumber(rest, &beyond)) return false;
    shared += beyond;
  }
  if (more == kLong) [[unlikely]] {
    if (!TakeNumber(rest, &beyond)) return false;
    more += beyond;
  }
  entry->shared = shared;
  return TakeText(more + 1, rest, &entry->suffix);
}

std::string_view FrontCodedList::From(uint64_t block) const {
  return bytes_.substr(std::min(starts_.Access(block), uint64_t{bytes_.size()}));
}

std::string_view FrontCodedList::FirstOf(uint64_t block) const {
  std::string_view rest = From(block);
  Entry entry;
  return TakeFirst(&rest, &entry) ? entry.suffix : std::string_view();
}

bool FrontCodedList::IsAt(uint64_t rank, std::string_view text) const {
  std::string_view rest = From(rank / kBlock);
  if (const auto known = IsInBlock(rest, rank % kBlock, text)) return *known;
  Entry entry;
  if (!TakeFirst(&rest, &entry)) return false;
  // The length of the current string's common prefix with `text`. An entry that shares more with the previous
  // string keeps it. One that shares less differs from the previous string, and so from `text`, at its start;
  // in a damaged list it may not, and is then taken for a different string.
  size_t common = SharedPrefix(entry.suffix, text);
  for (uint64_t left = rank % kBlock; left > 0; left--) {
    if (!TakeNext(&rest, &entry)) return false;
    if (entry.shared > common) continue;
    common = entry.shared < common ? entry.shared : common + SharedPrefix(entry.suffix, text.substr(common));
  }
  return common == text.size() && entry.shared + entry.suffix.size() == text.size();
}

FrontCodedList::Cursor FrontCodedList::At(uint64_t rank) const {
  Cursor cursor(*this);
  if (rank >= size_) return cursor;
  cursor.rank_ = rank - rank % kBlock;
  cursor.Read();
  while (cursor.rank_ < rank) cursor.Next();
  return cursor;
}

FrontCodedList::Cursor FrontCodedList::Seek(std::string_view text) const {
  // It is in the last block whose first string is not greater, or it starts the next block.
  uint64_t low = 0;
  uint64_t high = starts_.size();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (FirstOf(middle) <= text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  Cursor cursor = At(low == 0 ? 0 : (low - 1) * kBlock);
  while (cursor.valid() && cursor.text() < text) cursor.Next();
  return cursor;
}

void FrontCodedList::Cursor::Next() {
  rank_++;
  if (!valid()) return End();
  Read();
}

void FrontCodedList::Cursor::Read() {
  Entry entry;
  const bool first = rank_ % kBlock == 0;
  if (first) rest_ = list_.From(rank_ / kBlock);
  if (!(first ? TakeFirst(&rest_, &entry) : TakeNext(&rest_, &entry))) return End();
  text_.resize(std::min<uint64_t>(entry.shared, text_.size()));
  text_.append(entry.suffix);
}

void FrontCodedList::Cursor::End() {
  rank_ = list_.size_;
  text_.clear();
}

void FrontCodedList::Cursor::SkipPrefix(size_t bytes) {
  assert(valid() && bytes <= text_.size());
  std::string prefix = text_.substr(0, bytes);
  // Most prefixes have few strings, so checking the next ones is cheaper than a search.
  for (uint64_t i = 0; i < kBlock; i++) {
    Next();
    if (!valid() || text_.compare(0, bytes, prefix) != 0) return;
  }
  // The least string that is greater than all strings with the prefix.
  while (!prefix.empty() && static_cast<uint8_t>(prefix.back()) == 0xff) prefix.pop_back();
  if (prefix.empty()) return End();
  prefix.back() = static_cast<char>(prefix.back() + 1);
  Cursor found = list_.Seek(prefix);
  // It comes later, unless the list is damaged.
  if (found.rank() <= rank_) return End();
  *this = std::move(found);
}

}  // namespace crivello::succinct
