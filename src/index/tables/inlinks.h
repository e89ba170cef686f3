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

// What links to a page say of it.
struct Inlinks {
  uint64_t pages = 0;                   // that link to it
  std::vector<std::string> texts = {};  // of these links, each text once for each host that says it
};

// Makes the Inlinks of one page after the other from links in any order.  The texts come in an order given by
// hashes of hosts, so that of many hosts none is preferred.  Memory: kMaxTexts texts.  One thread at a time.
class InlinksBuilder {
 public:
  // A page that all the world points to needs no more to be found by.
  static constexpr size_t kMaxTexts = 256;
  static constexpr size_t kMaxTextBytes = 256;

  // The text as far as it counts: at most kMaxTextBytes, in whole characters.
  static std::string_view Cut(std::string_view text);
  // The number by which the builder knows a host.
  static uint64_t HostNumber(std::string_view host);

  // A link that counts; `host` is the HostNumber() of its page, and is not looked at without a text.
  void Add(uint64_t host, std::string_view text);
  // The links that were added since the last call.
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
  std::set<std::pair<uint64_t, std::string>, Less> texts_;  // the least ones, by host and text
};

// The links to the rows of one tablet, as the index asks for them.  One thread at a time.
class AnchorSource {
 public:
  virtual ~AnchorSource() = default;
  // The inlinks of a row: of links that their pages vouch for (not nofollow), on pages that are searchable.
  // REQUIRES: keys increase from call to call.
  virtual Result<Inlinks> Of(std::string_view row_key) = 0;
};

// Whoever inverts the links of a collection.  The index declares it because a build needs it; `jobs`
// implements it.  One thread at a time.
class AnchorProvider {
 public:
  struct Options {
    uint64_t memory_bytes = uint64_t{64} << 20;
    std::stop_token stop = {};  // then Unavailable
  };
  virtual ~AnchorProvider() = default;
  // Reads the links of all rows, as they are at this call or later.
  virtual Status Gather(const Options& options, Progress& progress) = 0;
  // What Gather() found for the tablet of that place among those that are indexed; once for each.
  virtual Result<std::unique_ptr<AnchorSource>> Open(size_t tablet) = 0;
};

}  // namespace crivello::index
