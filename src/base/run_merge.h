// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sort_run.h"

namespace crivello {

// Merges the records of several sorted runs, for BasicExternalSorter. Equal records are returned in the order
// in which their runs were added. One thread at a time; the files must outlive the merge.
//
// A loser tree: losers_[0] is the run with the least head, and each inner node holds the loser of the match
// between the winners of its two subtrees. So after the winner has advanced, only the matches on its path to
// the root are replayed.
template <typename Order>
class RunMerge {
 public:
  using Key = typename Order::Key;

  // The buffers of the `runs` runs share `memory_bytes`.
  RunMerge(size_t runs, uint64_t memory_bytes)
      : buffer_bytes_(
            static_cast<size_t>(std::clamp<uint64_t>(memory_bytes / runs, kMinReadBytes, kMaxReadBytes))) {
    heads_.reserve(runs);
  }

  void AddRun(const InputFile& file, SortRun run) { heads_.emplace_back(file, run, buffer_bytes_); }
  // REQUIRES: there is at least one run.
  Status Start() {
    for (Head& head : heads_) CRV_TRY(head.Advance());
    losers_.assign(heads_.size(), kUnplayed);
    for (uint32_t i = 0; i < heads_.size(); i++) Play(i);
    return Status::Ok();
  }

  bool done() const { return heads_[losers_[0]].done; }
  const Key& key() const { return heads_[losers_[0]].key; }
  std::string_view bytes() const { return heads_[losers_[0]].bytes; }
  Status Advance() {
    CRV_TRY(heads_[losers_[0]].Advance());
    Play(losers_[0]);
    return Status::Ok();
  }

 private:
  static constexpr uint32_t kUnplayed = ~uint32_t{0};
  static constexpr uint64_t kMinReadBytes = 1 << 12;
  static constexpr uint64_t kMaxReadBytes = 1 << 20;

  // The next record of a run.
  struct Head {
    Head(const InputFile& file, SortRun run, size_t buffer_bytes) : reader(file, run, buffer_bytes) {}

    Status Advance() {
      if (reader.at_end()) {
        done = true;
        return Status::Ok();
      }
      constexpr size_t kKeyBytes = Order::kByBytes ? 0 : sizeof(Key);
      constexpr size_t kFrontBytes = kKeyBytes + sizeof(uint32_t);
      if (!reader.Has(kFrontBytes)) CRV_TRY(reader.Fill(kFrontBytes));
      uint32_t length;
      std::memcpy(&length, reader.data() + kKeyBytes, sizeof length);
      if (!reader.Has(kFrontBytes + length)) CRV_TRY(reader.Fill(kFrontBytes + length));
      bytes = {reader.data() + kFrontBytes, length};
      if constexpr (Order::kByBytes) {
        key = Order::KeyOf(bytes);
      } else {
        std::memcpy(&key, reader.data(), sizeof key);
      }
      reader.Skip(kFrontBytes + length);
      return Status::Ok();
    }

    SortRunReader reader;
    Key key = {};
    std::string_view bytes;
    bool done = false;
  };

  // Whether the head of run a precedes that of run b. An unplayed node wins every match, so the run stays in
  // that node and waits for its opponent.
  bool Wins(uint32_t a, uint32_t b) const {
    if (a == kUnplayed || b == kUnplayed) return a == kUnplayed;
    const Head& x = heads_[a];
    const Head& y = heads_[b];
    if (x.done || y.done) return !x.done;
    if (x.key != y.key) return x.key < y.key;
    if constexpr (Order::kByBytes) {
      if (const int order = x.bytes.compare(y.bytes); order != 0) return order < 0;
    }
    return a < b;
  }

  void Play(uint32_t winner) {
    for (size_t node = (winner + heads_.size()) / 2; node > 0; node /= 2) {
      if (Wins(losers_[node], winner)) std::swap(losers_[node], winner);
      if (winner == kUnplayed) return;
    }
    losers_[0] = winner;
  }

  size_t buffer_bytes_;
  std::vector<Head> heads_;
  std::vector<uint32_t> losers_;
};

}  // namespace crivello
