// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/status.h"

namespace crivello::index {

// The links to a page: their number and texts.
struct Inlinks {
  uint64_t pages = 0;                   // pages that link to it
  std::vector<std::string> texts = {};  // of these links, each text once per host that uses it
};

// Collects the Inlinks of one page after the other, from links in any order.  The texts are ordered by hashes
// of hosts, so no host is preferred.  Memory: kMaxTexts texts.  One thread at a time.
class InlinksBuilder {
 public:
  // A very popular page needs no more texts to be found.
  static constexpr size_t kMaxTexts = 256;
  static constexpr size_t kMaxTextBytes = 256;

  // The part of a text that is used: at most kMaxTextBytes, in whole characters.
  static std::string_view Cut(std::string_view text);
  // The number that stands for a host in Add().
  static uint64_t HostNumber(std::string_view host);

  // Adds a link that counts; `host` is the HostNumber() of its page, and ignored if the text is empty.
  void Add(uint64_t host, std::string_view text);
  // Returns the links that were added since the last call.
  Inlinks Finish();

 private:
  struct Less {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      return a.first != b.first ? a.first < b.first : std::string_view(a.second) < std::string_view(b.second);
    }
  };
  uint64_t pages_ = 0;
  std::set<std::pair<uint64_t, std::string>, Less> texts_;  // the smallest ones, by host and text
};

// The links to the rows of one tablet, in the form that the index needs.  One thread at a time.
class AnchorSource {
 public:
  virtual ~AnchorSource() = default;
  // The inlinks of a row.  Counts links that their pages endorse (not nofollow), on searchable pages.
  // REQUIRES: keys increase from call to call.
  virtual Result<Inlinks> Of(std::string_view row_key) = 0;
};

// Inverts the links of a collection.  The index declares this interface because a build needs it; `jobs`
// implements it.  One thread at a time.
class AnchorProvider {
 public:
  struct Options {
    uint64_t memory_bytes = uint64_t{64} << 20;
    std::stop_token stop = {};  // stops Gather() with Unavailable
  };
  virtual ~AnchorProvider() = default;
  // Reads the links of all rows, in their current state or a later one.
  virtual Status Gather(const Options& options, Progress& progress) = 0;
  // What Gather() found for the tablet at this index among the indexed tablets; call once for each.
  virtual Result<std::unique_ptr<AnchorSource>> Open(size_t tablet) = 0;
};

}  // namespace crivello::index
