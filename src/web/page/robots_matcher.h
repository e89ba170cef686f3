// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

// Finds, among many patterns of a robots.txt, the one that decides about a path: the longest that matches,
// and of equally long ones an Allow. "*" matches any bytes, "$" at the end of a pattern matches the end of
// the path. All patterns match from the start of the path.
//
// Patterns without an inner "*" are in one sorted array; a path narrows a range of it byte by byte, so that
// only patterns that share its start are examined. Of the other patterns, a path is compared only with those
// whose rarest three consecutive bytes it contains. Each is matched piece by piece, leftmost first, which is
// exact for this language and needs no backtracking. (Tested against the obvious matcher.)
//
// For n patterns, Find() takes O(|path| log n), plus a search for each candidate, linear in the path. Memory:
// the patterns and about 40 bytes for each. Immutable once built, thread-safe.
class RobotsMatcher {
 public:
  struct Rule {
    std::string pattern;
    bool allow = false;
    uint32_t tag = 0;  // for use by the caller
  };

  RobotsMatcher() = default;
  // Empty patterns match nothing.
  explicit RobotsMatcher(std::vector<Rule> rules);
  // Views into rules_ stay valid when the vector is moved, but not when it is copied.
  RobotsMatcher(RobotsMatcher&&) = default;
  RobotsMatcher& operator=(RobotsMatcher&&) = default;

  // The deciding rule, or null.
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
  std::vector<Wildcard> short_;      // patterns without three consecutive literal bytes, the best first
  std::vector<uint64_t> filter_;     // one bit for the hash of each trigram in wildcards_
};

}  // namespace crivello::web
