// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/shingler.h"

#include <fmt/format.h>

#include <algorithm>

namespace crivello::dedup {

Result<Shingler> Shingler::Create(ShingleOptions options) {
  if (options.n == 0 || options.n > kMostUnits) {
    return Status::InvalidArgument(
        fmt::format("a shingle cannot have {} words; expected 1 to {}", options.n, kMostUnits));
  }
  return Shingler(options);
}

void Shingler::FindUnits(const Words& words) {
  units_.clear();
  const std::string_view text = words.joined();
  const auto add = [&](size_t begin, size_t end) {
    units_.push_back({RabinFingerprint(text.substr(begin, end - begin)), begin, end});
  };
  if (options_.unit == ShingleOptions::Unit::kWords) {
    for (size_t i = 0; i < words.size(); i++) add(words.start(i), words.start(i) + words[i].size());
    return;
  }
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin + 1;
    while (end < text.size() && (static_cast<uint8_t>(text[end]) & 0xc0) == 0x80) end++;
    add(begin, end);
    begin = end;
  }
}

std::span<const Shingle> Shingler::Cut(const Words& words) {
  FindUnits(words);
  shingles_.clear();
  window_.Clear();
  size_t held = 0;  // units in the window
  size_t begin = 0;
  uint64_t fingerprint = 0;
  const auto emit = [&](size_t last) {
    shingles_.push_back({fingerprint, units_[begin].begin, units_[last].end});
  };
  for (size_t i = 0; i < units_.size(); i++) {
    fingerprint = window_.Push(units_[i].fingerprint);
    if (++held < options_.n) continue;
    emit(i);
    if (options_.overlapping) {
      held--;
      begin++;
    } else {
      held = 0;
      begin = i + 1;
      window_.Clear();
    }
  }
  const bool rest = options_.overlapping ? shingles_.empty() && held > 0 : held > 0;
  if (rest) emit(units_.size() - 1);
  return shingles_;
}

std::vector<uint64_t> FingerprintSet(std::span<const Shingle> shingles) {
  std::vector<uint64_t> set;
  set.reserve(shingles.size());
  for (const Shingle& shingle : shingles) set.push_back(shingle.fingerprint);
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

}  // namespace crivello::dedup
