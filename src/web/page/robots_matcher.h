// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

// Finds, among many patterns of a robots.txt, the one that decides on a path: the longest that matches, and
// of equally long ones an Allow.  "*" stands for any bytes, "$" at the end of a pattern for the end of the
// path; all patterns match from the start of the path.
//
// Patterns without an inner "*" lie in one sorted array; a path narrows a range of it byte by byte, so that
// only what shares its start is looked at.  Of the others, a path meets only those whose rarest three bytes
// in a row it holds; each of them is matched piece by piece, leftmost first, which is exact for this language
// and needs no backtracking.  (Tested against the obvious matcher.)
//
// For n patterns, Find() takes O(|path| log n) and a search for each candidate, linear in the path.  Memory
// is that of the patterns and some 40 bytes for each.  Immutable once built, thread-safe.
class RobotsMatcher {
 public:
  struct Rule {
    std::string pattern;
    bool allow = false;
    uint32_t tag = 0;  // the caller's
  };

  RobotsMatcher() = default;
  // Empty patterns match nothing.
  explicit RobotsMatcher(std::vector<Rule> rules);
  // Views into rules_ outlive a move of the vector, but not a copy.
  RobotsMatcher(RobotsMatcher&&) = default;
  RobotsMatcher& operator=(RobotsMatcher&&) = default;

  // The rule that decides, or null.
  const Rule* Find(std::string_view path) const;

 private:
  // A pattern without its final "$" or "*"s; views into rules_.
  struct Literal {
    std::string_view text;
    uint32_t rule;
    bool anchored;
  };
  struct Wildcard {
    uint32_t trigram;
    uint32_t rule;
  };

  bool Better(uint32_t rule, uint32_t than) const;
  void AddWildcards(const std::vector<uint32_t>& rules);
  uint32_t FindLiteral(std::string_view path) const;
  uint32_t FindAmong(const std::vector<Wildcard>& wildcards, size_t from, std::string_view path,
                     uint32_t best) const;

  static constexpr uint32_t kNone = 0xffffffff;

  std::vector<Rule> rules_;
  std::vector<Literal> literals_;    // by text
  std::vector<Wildcard> wildcards_;  // by trigram, the best first
  std::vector<Wildcard> short_;      // patterns with no three bytes in a row, the best first
  std::vector<uint64_t> filter_;     // a bit for the hash of each trigram in wildcards_
};

}  // namespace crivello::web
