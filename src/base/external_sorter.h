// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/run_merge.h"
#include "base/scratch_file.h"
#include "base/sort_run.h"
#include "base/sort_slots.h"
#include "base/status.h"

namespace crivello {

struct ExternalSortOptions {
  std::string folder = {};  // for the scratch files; created when the first run is written
  uint64_t memory_bytes = uint64_t{64} << 20;
  FileSystem* fs = &PosixFileSystem();
};

// Sorts any number of records in bounded memory. Add() them, call Sort(), then Next() until it returns false.
// Records that compare equal are returned in the order in which they were added.
//
// Records fill a buffer. A full buffer is sorted and appended to a scratch file as a run. Whenever a level
// has kFanIn runs, they are merged into one run of the next level and their file is dropped. So a record is
// written log(n / memory) / log(kFanIn) times, rounded up. All reads and writes are sequential, and the disk
// holds each record once, or twice during a merge. Data that fits in memory never touches the disk. A loser
// tree merges with log2(runs) comparisons per record (Knuth, TAOCP 3, §5.4.1).
//
// Memory while adding: memory_bytes, or the largest record if that is larger. While reading: the same amount
// divided among the runs, but at least 4 KiB and at most 1 MiB per run. The scratch files have no name, so
// they disappear with the sorter or the process.
//
// `Order` defines what a record is and how records compare:
//   Record                   what Add() takes and record() returns: some numbers and one string of bytes
//   Key                      trivially copyable, with == and <; kept beside each record in memory
//   KeyOf, BytesOf, Join     split a Record into two parts, and put it together again
//   kByBytes                 true: records are sorted by their bytes, and the key is PrefixAt(bytes).  False:
//                            they are sorted by their keys alone, which runs hold too.
//   Repeats(last, next)      whether to drop a record that follows one with the key `last`
// ByteOrder below is the usual one. One thread at a time.
template <typename Order>
class BasicExternalSorter {
 public:
  using Record = typename Order::Record;
  using Key = typename Order::Key;
  static constexpr size_t kFanIn = 64;

  explicit BasicExternalSorter(ExternalSortOptions options) : options_(std::move(options)) {}
  BasicExternalSorter(BasicExternalSorter&&) noexcept = default;
  BasicExternalSorter& operator=(BasicExternalSorter&&) noexcept = default;

  // InvalidArgument for a record of 4 GiB or more. IoError if the disk fails; then the sorter is unusable.
  // REQUIRES: Sort() was not called.
  Status Add(const Record& record);
  // Ends adding, and puts Next() before the first record. Can be called again to read from the start.
  Status Sort();

  // Advances to the next record in order; false at the end, or on an error that status() then returns.
  bool Next();
  // REQUIRES: Next() returned true. The bytes are valid until the next call.
  Record record() const { return Order::Join(key_, bytes_); }
  const Status& status() const { return status_; }

  uint64_t runs() const;                                     // how many Next() merges
  uint64_t spilled_bytes() const { return spilled_bytes_; }  // written to runs, including those of merges

 private:
  using Slot = SortSlot<Key>;  // offsets grow with each record
  struct Level {
    std::optional<ScratchFile> file = {};
    std::vector<SortRun> runs = {};  // oldest first
  };
  static constexpr uint64_t kLengthBytes = sizeof(uint32_t);

  std::span<Slot> slots();
  void SortSlots();
  Status MakeRoom(uint64_t needed);
  Status Spill();
  // Writes the records that Next() returns to a run of the level.
  Status WriteRun(size_t level);
  Status MergeLevel(size_t level);
  Status StartMerge(size_t first_level, size_t last_level);

  ExternalSortOptions options_;
  // Records grow from the front, slots that point to them from the back; a spill happens before they meet.
  std::unique_ptr<std::byte[]> memory_;
  uint64_t capacity_ = 0;
  uint64_t record_end_ = 0;
  uint64_t slot_count_ = 0;
  uint64_t next_slot_ = 0;
  std::vector<Level> levels_;  // a level's runs are older than those of the level below
  std::optional<RunMerge<Order>> merge_;
  bool sorted_ = false;  // Sort() has been called
  bool any_ = false;     // key_ and bytes_ are the current record
  Key key_ = {};
  std::string_view bytes_;
  Status status_;
  uint64_t spilled_bytes_ = 0;
};

// Byte strings, compared by memcmp, then by length.
struct ByteOrder {
  using Record = std::string_view;
  using Key = uint64_t;
  static constexpr bool kByBytes = true;
  static Key KeyOf(std::string_view record) { return PrefixAt(record); }
  static std::string_view BytesOf(std::string_view record) { return record; }
  static std::string_view Join(Key, std::string_view bytes) { return bytes; }
  static bool Repeats(Key, Key) { return false; }
};

using ExternalSorter = BasicExternalSorter<ByteOrder>;

template <typename Order>
std::span<typename BasicExternalSorter<Order>::Slot> BasicExternalSorter<Order>::slots() {
  if (slot_count_ == 0) return {};
  return {reinterpret_cast<Slot*>(memory_.get() + capacity_) - slot_count_, slot_count_};
}

template <typename Order>
Status BasicExternalSorter<Order>::Add(const Record& record) {
  const std::string_view bytes = Order::BytesOf(record);
  if (bytes.size() > UINT32_MAX) return Status::InvalidArgument("cannot sort a record of 4 GiB or more");
  const uint64_t needed = kLengthBytes + bytes.size() + sizeof(Slot);
  if (record_end_ + slot_count_ * sizeof(Slot) + needed > capacity_) CRV_TRY(MakeRoom(needed));
  char* const at = reinterpret_cast<char*>(memory_.get()) + record_end_;
  const auto length = static_cast<uint32_t>(bytes.size());
  std::memcpy(at, &length, sizeof length);
  if (length > 0) std::memcpy(at + kLengthBytes, bytes.data(), length);
  slot_count_++;
  slots().front() = {Order::KeyOf(record), record_end_};
  record_end_ += kLengthBytes + length;
  return Status::Ok();
}

template <typename Order>
Status BasicExternalSorter<Order>::MakeRoom(uint64_t needed) {
  CRV_TRY(status_);
  if (slot_count_ > 0) CRV_TRY(status_ = Spill());
  const uint64_t wanted = std::max(options_.memory_bytes, needed);
  if (memory_ != nullptr && capacity_ >= wanted) return Status::Ok();
  // Slots are at the end and need the alignment of words.
  capacity_ = (wanted + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
  memory_.reset();
  memory_ = std::make_unique_for_overwrite<std::byte[]>(capacity_);
  return Status::Ok();
}

template <typename Order>
void BasicExternalSorter<Order>::SortSlots() {
  if constexpr (Order::kByBytes) {
    SortSlotsByBytes(slots(), memory_.get());
  } else {
    std::sort(slots().begin(), slots().end(), [](const Slot& a, const Slot& b) {
      return a.key != b.key ? a.key < b.key : a.offset < b.offset;
    });
  }
  next_slot_ = 0;
}

template <typename Order>
Status BasicExternalSorter<Order>::Spill() {
  SortSlots();
  CRV_TRY(WriteRun(0));
  record_end_ = slot_count_ = next_slot_ = 0;
  for (size_t level = 0; level < levels_.size() && levels_[level].runs.size() == kFanIn; level++) {
    CRV_TRY(MergeLevel(level));
  }
  return Status::Ok();
}

template <typename Order>
Status BasicExternalSorter<Order>::WriteRun(size_t level) {
  if (levels_.size() == level) levels_.emplace_back();
  Level& to = levels_[level];
  if (!to.file) {
    CRV_ASSIGN(to.file, CreateSortFile(options_.folder, *options_.fs));
  }
  SortRunWriter writer(*to.file);
  while (Next()) {
    const auto length = static_cast<uint32_t>(bytes_.size());
    if constexpr (!Order::kByBytes) writer.Append(&key_, sizeof key_);
    writer.Append(&length, sizeof length);
    writer.Append(bytes_.data(), bytes_.size());
    CRV_TRY(writer.EndRecord());
  }
  CRV_TRY(status_);
  any_ = false;
  CRV_ASSIGN(const SortRun run, writer.Finish());
  spilled_bytes_ += run.end - run.begin;
  to.runs.push_back(run);
  return Status::Ok();
}

template <typename Order>
Status BasicExternalSorter<Order>::MergeLevel(size_t level) {
  // The buffer is empty; its memory is used by the readers, and allocated again for the next record.
  memory_.reset();
  capacity_ = 0;
  CRV_TRY(StartMerge(level, level));
  CRV_TRY(WriteRun(level + 1));
  merge_.reset();
  levels_[level] = {};
  return Status::Ok();
}

template <typename Order>
Status BasicExternalSorter<Order>::StartMerge(size_t first_level, size_t last_level) {
  size_t runs = 0;
  for (size_t level = first_level; level <= last_level; level++) runs += levels_[level].runs.size();
  merge_.emplace(runs, options_.memory_bytes);
  for (size_t level = last_level + 1; level-- > first_level;) {
    for (const SortRun run : levels_[level].runs) merge_->AddRun(levels_[level].file->input(), run);
  }
  return merge_->Start();
}

template <typename Order>
Status BasicExternalSorter<Order>::Sort() {
  CRV_TRY(status_);
  any_ = false;
  if (levels_.empty()) {
    if (!sorted_) SortSlots();
    next_slot_ = 0;
  } else {
    if (slot_count_ > 0) CRV_TRY(status_ = Spill());
    memory_.reset();
    capacity_ = 0;
    CRV_TRY(status_ = StartMerge(0, levels_.size() - 1));
  }
  sorted_ = true;
  return Status::Ok();
}

template <typename Order>
bool BasicExternalSorter<Order>::Next() {
  while (status_.ok()) {
    const bool had = std::exchange(any_, false);
    const Key last = key_;
    if (merge_) {
      // The winner still holds the record returned last.
      if (had) status_ = merge_->Advance();
      if (!status_.ok() || merge_->done()) return false;
      key_ = merge_->key();
      bytes_ = merge_->bytes();
    } else {
      if (next_slot_ == slot_count_) return false;
      const Slot& slot = slots()[next_slot_++];
      key_ = slot.key;
      bytes_ = SortedBytes(memory_.get(), slot.offset);
    }
    any_ = true;
    if (!had || !Order::Repeats(last, key_)) return true;
  }
  return false;
}

template <typename Order>
uint64_t BasicExternalSorter<Order>::runs() const {
  uint64_t runs = 0;
  for (const Level& level : levels_) runs += level.runs.size();
  return runs;
}

extern template class BasicExternalSorter<ByteOrder>;

}  // namespace crivello
