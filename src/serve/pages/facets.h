// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "search/searcher.h"

namespace crivello::serve {

// A value that a filter can have, and how many documents have it.
struct Facet {
  std::string value;
  uint64_t documents = 0;
};

// The languages and types of the documents, to choose from.  Found by one query for each possible value,
// about a millisecond in all, and cached for some seconds.  Thread-safe.
class Facets {
 public:
  static constexpr Duration kKept = std::chrono::seconds(10);

  Facets(search::Searcher& searcher, const Clock& clock) : searcher_(searcher), clock_(clock) {}

  struct Values {
    uint64_t documents = 0;
    std::vector<Facet> languages;  // the most frequent first
    std::vector<Facet> types;
  };
  // Empty if the index cannot be queried.
  Values Get() CRV_EXCLUDES(mutex_);

 private:
  uint64_t Count(const std::string& query);
  std::vector<Facet> Count(std::string_view field, const std::vector<std::string_view>& values);

  search::Searcher& searcher_;
  const Clock& clock_;
  Mutex mutex_;
  std::optional<Values> values_ CRV_GUARDED_BY(mutex_);
  MonotonicTime made_ CRV_GUARDED_BY(mutex_);
};

}  // namespace crivello::serve
