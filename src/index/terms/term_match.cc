// SPDX-License-Identifier: Apache-2.0
#include "index/terms/term_match.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "charset/utf8.h"

namespace crivello::index {
namespace {

bool IsContinuation(char c) { return (static_cast<uint8_t>(c) & 0xC0) == 0x80; }

// The states of an automaton along the characters of a term.
template <typename Automaton>
class MatchWalk {
 public:
  explicit MatchWalk(const Automaton& automaton) : automaton_(automaton), states_{automaton.Start()} {}

  // Moves to a term; reads only what differs from the previous one.  False if no term that begins with its
  // first dead_bytes() bytes can match.
  bool To(std::string_view term) {
    const size_t size = std::min(term_.size(), term.size());
    const auto common = static_cast<size_t>(
        std::mismatch(term.begin(), term.begin() + std::ptrdiff_t(size), term_.begin()).first - term.begin());
    // A character that was incomplete in the previous term may be continued in this one.
    while (!ends_.empty() &&
           (ends_.back() > common || (ends_.back() < term.size() && IsContinuation(term[ends_.back()])))) {
      ends_.pop_back();
      states_.pop_back();
    }
    term_.resize(common);
    term_.append(term.substr(common));
    size_t at = ends_.empty() ? 0 : ends_.back();
    while (at < term.size()) {
      const char32_t c = charset::TakeCodePoint(term, &at);
      states_.push_back(automaton_.Step(states_.back(), c));
      ends_.push_back(at);
      if (automaton_.IsDead(states_.back())) {
        // What follows an incomplete character determines how it is read.
        dead_bytes_ = c != charset::kReplacementCodePoint ? at : at + 1;
        return false;
      }
    }
    return true;
  }
  // Longer than the term if the mismatch says nothing about other terms.
  size_t dead_bytes() const { return dead_bytes_; }
  const typename Automaton::State& state() const { return states_.back(); }

 private:
  const Automaton& automaton_;
  std::string term_;
  size_t dead_bytes_ = 0;
  std::vector<size_t> ends_;                       // the byte offsets where characters end
  std::vector<typename Automaton::State> states_;  // before the first one, and after each
};

template <typename Automaton>
TermMatches Run(const TermDictionary& terms, const Automaton& automaton, const TermLimits& limits) {
  TermMatches matches;
  MatchWalk<Automaton> walk(automaton);
  TermCursor cursor = terms.Seek(automaton.prefix());
  while (cursor.valid() && cursor.term().substr(0, automaton.prefix().size()) == automaton.prefix()) {
    if (matches.visited == limits.visited) {
      matches.complete = false;
      break;
    }
    matches.visited++;
    const bool alive = walk.To(cursor.term());
    if (!alive && walk.dead_bytes() <= cursor.term().size()) {
      cursor.SkipPrefix(walk.dead_bytes());
      continue;
    }
    unsigned distance = 0;
    if (alive && automaton.Accepts(walk.state(), &distance)) {
      if (matches.terms.size() == limits.found) {
        matches.complete = false;
        break;
      }
      matches.terms.push_back({std::string(cursor.term()), cursor.entry(), distance});
    }
    cursor.Next();
  }
  return matches;
}

class AnyTerm {
 public:
  struct State {};
  explicit AnyTerm(std::string_view prefix) : prefix_(prefix) {}
  const std::string& prefix() const { return prefix_; }
  State Start() const { return {}; }
  State Step(State state, char32_t) const { return state; }
  bool IsDead(State) const { return false; }
  bool Accepts(State, unsigned*) const { return true; }

 private:
  std::string prefix_;
};

// Bit i of a state: the first i items of the pattern match the characters so far.
class WildcardAutomaton {
 public:
  using State = uint64_t;

  static Result<WildcardAutomaton> Parse(std::string_view pattern) {
    WildcardAutomaton automaton;
    bool literal = true;  // so far
    for (size_t at = 0; at < pattern.size();) {
      char32_t c = charset::TakeCodePoint(pattern, &at);
      const bool any = c == '*' || c == '?';
      if (c == '*' && !automaton.items_.empty() && automaton.is_star(automaton.items_.size() - 1)) continue;
      if (automaton.items_.size() == kMaxPattern)
        return Status::InvalidArgument(
            fmt::format("pattern too long: the limit is {} characters", kMaxPattern));
      const uint64_t bit = uint64_t{1} << automaton.items_.size();
      if (c == '*') automaton.stars_ |= bit;
      if (c == '?') automaton.one_ |= bit;
      if (c == '\\' && at < pattern.size()) c = charset::TakeCodePoint(pattern, &at);
      literal = literal && !any && c != charset::kReplacementCodePoint;
      if (literal) charset::AppendUtf8(c, &automaton.prefix_);
      automaton.items_.push_back(any ? kAny : c);
      if (!any && c < 128) automaton.ascii_[c] |= bit;
    }
    return automaton;
  }

  const std::string& prefix() const { return prefix_; }
  State Start() const { return Closed(1); }
  State Step(State state, char32_t c) const {
    return Closed((state & (MatchedBy(c) | one_)) << 1 | (state & stars_));
  }
  bool IsDead(State state) const { return state == 0; }
  bool Accepts(State state, unsigned*) const { return state >> items_.size() & 1; }

 private:
  static constexpr char32_t kAny = 0x110000;

  bool is_star(size_t i) const { return stars_ >> i & 1; }
  // A star may match nothing; the pattern has no two adjacent stars.
  State Closed(State state) const { return state | (state & stars_) << 1; }
  uint64_t MatchedBy(char32_t c) const {
    if (c < 128) return ascii_[c];
    uint64_t matched = 0;
    for (size_t i = 0; i < items_.size(); i++) matched |= uint64_t{items_[i] == c} << i;
    return matched;
  }

  std::string prefix_;  // literal characters
  std::vector<char32_t> items_;
  uint64_t stars_ = 0;
  uint64_t one_ = 0;
  std::array<uint64_t, 128> ascii_ = {};
};

// The state is a row of the edit-distance table: from the characters so far to each prefix of the word.
class EditAutomaton {
 public:
  using State = std::array<uint8_t, kMaxPattern + 1>;

  EditAutomaton(std::vector<char32_t> word, unsigned distance)
      : word_(std::move(word)), distance_(static_cast<uint8_t>(distance)) {}

  const std::string& prefix() const { return prefix_; }
  State Start() const {
    State row = {};
    for (size_t i = 0; i <= word_.size(); i++) row[i] = Capped(i);
    return row;
  }
  State Step(const State& row, char32_t c) const {
    State next;  // only the part for the word is used
    next[0] = Capped(row[0] + 1u);
    for (size_t i = 1; i <= word_.size(); i++) {
      const unsigned replaced = row[i - 1] + (word_[i - 1] != c ? 1u : 0u);
      next[i] = Capped(std::min({replaced, row[i] + 1u, next[i - 1] + 1u}));
    }
    return next;
  }
  bool IsDead(const State& row) const {
    return *std::min_element(row.begin(), row.begin() + std::ptrdiff_t(word_.size()) + 1) > distance_;
  }
  bool Accepts(const State& row, unsigned* distance) const {
    *distance = row[word_.size()];
    return *distance <= distance_;
  }

 private:
  // All distances beyond the limit are equivalent.
  uint8_t Capped(size_t distance) const {
    return static_cast<uint8_t>(std::min<size_t>(distance, distance_ + 1u));
  }

  std::string prefix_;
  std::vector<char32_t> word_;
  uint8_t distance_;
};

}  // namespace

TermMatches TermsWithPrefix(const TermDictionary& terms, std::string_view prefix, const TermLimits& limits) {
  return Run(terms, AnyTerm(prefix), limits);
}

Result<TermMatches> TermsLike(const TermDictionary& terms, std::string_view pattern,
                              const TermLimits& limits) {
  CRV_ASSIGN(const WildcardAutomaton automaton, WildcardAutomaton::Parse(pattern));
  return Run(terms, automaton, limits);
}

Result<TermMatches> TermsNear(const TermDictionary& terms, std::string_view word, unsigned distance,
                              const TermLimits& limits) {
  std::vector<char32_t> characters;
  for (size_t at = 0; at < word.size();) characters.push_back(charset::TakeCodePoint(word, &at));
  if (distance > 2 || characters.size() > kMaxPattern) {
    return Status::InvalidArgument(fmt::format(
        "{} edits of a word of {} characters are too many: the limits are 2 edits and {} characters",
        distance, characters.size(), kMaxPattern));
  }
  return Run(terms, EditAutomaton(std::move(characters), distance), limits);
}

}  // namespace crivello::index
