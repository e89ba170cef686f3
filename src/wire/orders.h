// SPDX-License-Identifier: Apache-2.0
// Messages that control a crawl while it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/message.h"

namespace crivello::wire {

// Limits of a crawl; missing ones do not change, and 0 means no limit.
struct OrderedLimits {
  std::optional<uint64_t> pages = {};
  std::optional<uint64_t> bytes = {};
  std::optional<uint64_t> seconds = {};
  std::optional<uint64_t> per_host = {};
  std::optional<uint64_t> per_directory = {};
  std::optional<uint64_t> depth = {};

  static void Fields(auto& visit, auto& self) {
    visit(self.pages, self.bytes, self.seconds, self.per_host, self.per_directory, self.depth);
  }
  friend bool operator==(const OrderedLimits&, const OrderedLimits&) = default;
};

struct Obeyed {
  static constexpr const char* kName = "obeyed";
  std::string state = {};  // of the crawl: "running", "paused", "finished"
  uint64_t queued = 0;
  uint64_t scheduled = 0;                  // to be fetched at a later time
  std::optional<uint64_t> dropped = {};    // URLs, by an exclusion; nullopt while that is in progress
  std::vector<std::string> excluded = {};  // all exclusions, as "host a.example"
  OrderedLimits limits = {};               // all of them

  static void Fields(auto& visit, auto& self) {
    visit(self.state, self.queued, self.scheduled, self.dropped, self.excluded, self.limits);
  }
  friend bool operator==(const Obeyed&, const Obeyed&) = default;
};

// A command to the crawl in the process that has the collection open.  Nothing is restarted, and visits that
// are in progress or scheduled continue.  InvalidArgument if no crawl runs there.
struct OrderRequest {
  static constexpr const char* kName = "order";
  static constexpr MessageType kType = MessageType::kOrder;
  static constexpr bool kRepeatable = false;
  using Answer = Obeyed;

  enum class What : uint8_t {
    kNothing,
    kPause,
    kResume,
    kSeeds,
    kFetch,
    kLimits,
    kExclude,
    kInclude,
    kLast = kInclude
  };
  What what = What::kNothing;          // kNothing only queries the state
  std::vector<std::string> urls = {};  // kSeeds, kFetch
  uint8_t priority = 0;                // kFetch: 0 is served first, 7 last
  int64_t not_before = 0;              // kFetch: seconds since 1970
  OrderedLimits limits = {};           // kLimits
  std::string kind = {};               // kExclude, kInclude: "host", "prefix", "filter",
  std::string value = {};              // and its value

  static void Fields(auto& visit, auto& self) {
    visit(self.what, self.urls, self.priority, self.not_before, self.limits, self.kind, self.value);
  }
  friend bool operator==(const OrderRequest&, const OrderRequest&) = default;
};

}  // namespace crivello::wire
