// SPDX-License-Identifier: Apache-2.0
#include "web/page/robots_matcher.h"

#include <string.h>  // memmem: linear, unlike string_view::find

#include <algorithm>
#include <unordered_map>

namespace crivello::web {
namespace {

constexpr uint32_t kFilterBits = 1 << 14;

uint32_t TrigramAt(std::string_view text, size_t at) {
  return static_cast<uint32_t>(static_cast<uint8_t>(text[at])) << 16 |
         static_cast<uint32_t>(static_cast<uint8_t>(text[at + 1])) << 8 |
         static_cast<uint32_t>(static_cast<uint8_t>(text[at + 2]));
}

uint32_t FilterBit(uint32_t trigram) { return (trigram * 0x9e3779b1u) >> 18; }
static_assert(kFilterBits == uint32_t{1} << (32 - 18));

size_t FindPiece(std::string_view text, std::string_view piece, size_t from) {
  if (text.size() - from < piece.size()) return text.npos;
  const void* found = ::memmem(text.data() + from, text.size() - from, piece.data(), piece.size());
  return found == nullptr ? text.npos : static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

// REQUIRES: the pattern contains a "*".
bool MatchesWildcard(std::string_view pattern, std::string_view path) {
  const bool anchored = pattern.ends_with('$');
  if (anchored) pattern.remove_suffix(1);
  size_t star = pattern.find('*');
  if (!path.starts_with(pattern.substr(0, star))) return false;
  size_t at = star;
  for (;;) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    if (star == pattern.npos && anchored) return path.size() - at >= piece.size() && path.ends_with(piece);
    const size_t found = FindPiece(path, piece, at);
    if (found == path.npos) return false;
    if (star == pattern.npos) return true;
    at = found + piece.size();
  }
}

// Calls `visit` for each trigram between the wildcards of a pattern.
template <typename Visit>
void ForEachTrigram(std::string_view pattern, Visit visit) {
  if (pattern.ends_with('$')) pattern.remove_suffix(1);
  for (size_t i = 0; i + 3 <= pattern.size(); i++) {
    if (pattern.substr(i, 3).find('*') == pattern.npos) visit(TrigramAt(pattern, i));
  }
}

}  // namespace

// The order of RFC 9309 §2.2.2; of equal rules, the first wins.
bool RobotsMatcher::Better(uint32_t rule, uint32_t than) const {
  if (than == kNone) return true;
  const Rule &a = rules_[rule], &b = rules_[than];
  if (a.pattern.size() != b.pattern.size()) return a.pattern.size() > b.pattern.size();
  if (a.allow != b.allow) return a.allow;
  return rule < than;
}

RobotsMatcher::RobotsMatcher(std::vector<Rule> rules) : rules_(std::move(rules)) {
  std::vector<uint32_t> wildcards;
  for (uint32_t i = 0; i < rules_.size(); i++) {
    std::string_view text = rules_[i].pattern;
    if (text.empty()) continue;
    const bool dollar = text.ends_with('$');
    if (dollar) text.remove_suffix(1);
    const bool open_end = text.ends_with('*');  // and then "$" has no effect
    while (text.ends_with('*')) text.remove_suffix(1);
    if (text.find('*') != text.npos) {
      wildcards.push_back(i);
    } else {
      literals_.push_back({.text = text, .rule = i, .anchored = dollar && !open_end});
    }
  }
  std::sort(literals_.begin(), literals_.end(), [this](const Literal& a, const Literal& b) {
    if (a.text != b.text) return a.text < b.text;
    return a.anchored != b.anchored ? b.anchored : Better(a.rule, b.rule);
  });
  // Of the rules that match the same paths, only the best can decide, so at most two per text remain.
  literals_.erase(std::unique(literals_.begin(), literals_.end(),
                              [](const Literal& a, const Literal& b) {
                                return a.text == b.text && a.anchored == b.anchored;
                              }),
                  literals_.end());
  AddWildcards(wildcards);
}

void RobotsMatcher::AddWildcards(const std::vector<uint32_t>& rules) {
  if (rules.empty()) return;
  std::unordered_map<uint32_t, uint32_t> frequency;
  for (const uint32_t rule : rules) {
    ForEachTrigram(rules_[rule].pattern, [&](uint32_t trigram) { frequency[trigram]++; });
  }
  filter_.assign(kFilterBits / 64, 0);
  for (const uint32_t rule : rules) {
    uint32_t rarest = 0, least = kNone;
    ForEachTrigram(rules_[rule].pattern, [&](uint32_t trigram) {
      const uint32_t count = frequency[trigram];
      if (count < least) {
        least = count;
        rarest = trigram;
      }
    });
    if (least == kNone) {
      short_.push_back({.trigram = 0, .rule = rule});
      continue;
    }
    wildcards_.push_back({.trigram = rarest, .rule = rule});
    filter_[FilterBit(rarest) / 64] |= uint64_t{1} << FilterBit(rarest) % 64;
  }
  const auto order = [this](const Wildcard& a, const Wildcard& b) {
    return a.trigram != b.trigram ? a.trigram < b.trigram : Better(a.rule, b.rule);
  };
  std::sort(wildcards_.begin(), wildcards_.end(), order);
  std::sort(short_.begin(), short_.end(), order);
}

uint32_t RobotsMatcher::FindLiteral(std::string_view path) const {
  uint32_t best = kNone;
  // Invariant: [low, high) are the literals that start with path[0, depth).
  auto low = literals_.begin(), high = literals_.end();
  for (size_t depth = 0; low < high; depth++) {
    for (; low < high && low->text.size() == depth; ++low) {
      if ((!low->anchored || depth == path.size()) && Better(low->rule, best)) best = low->rule;
    }
    if (depth == path.size()) break;
    const auto byte_at = [depth](const Literal& literal) {
      return static_cast<uint8_t>(literal.text[depth]);
    };
    const auto byte = static_cast<uint8_t>(path[depth]);
    low = std::partition_point(low, high, [&](const Literal& l) { return byte_at(l) < byte; });
    high = std::partition_point(low, high, [&](const Literal& l) { return byte_at(l) == byte; });
  }
  return best;
}

// The best among `best` and the matching wildcards of one trigram, which start at `from`.
uint32_t RobotsMatcher::FindAmong(const std::vector<Wildcard>& wildcards, size_t from, std::string_view path,
                                  uint32_t best) const {
  for (size_t i = from; i < wildcards.size() && wildcards[i].trigram == wildcards[from].trigram; i++) {
    if (!Better(wildcards[i].rule, best)) break;
    if (MatchesWildcard(rules_[wildcards[i].rule].pattern, path)) return wildcards[i].rule;
  }
  return best;
}

const RobotsMatcher::Rule* RobotsMatcher::Find(std::string_view path) const {
  uint32_t best = FindAmong(short_, 0, path, FindLiteral(path));
  if (!wildcards_.empty()) {
    std::vector<size_t> starts;  // where the path's trigrams start in wildcards_
    for (size_t i = 0; i + 3 <= path.size(); i++) {
      const uint32_t trigram = TrigramAt(path, i);
      if ((filter_[FilterBit(trigram) / 64] >> FilterBit(trigram) % 64 & 1) == 0) continue;
      const auto start = std::partition_point(wildcards_.begin(), wildcards_.end(),
                                              [trigram](const Wildcard& w) { return w.trigram < trigram; });
      if (start == wildcards_.end() || start->trigram != trigram) continue;
      starts.push_back(static_cast<size_t>(start - wildcards_.begin()));
    }
    // A path may repeat a trigram; each is examined only once, or the time would not be linear.
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    for (const size_t start : starts) best = FindAmong(wildcards_, start, path, best);
  }
  return best == kNone ? nullptr : &rules_[best];
}

}  // namespace crivello::web
