// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/collection.h"
#include "policy/exclusions.h"

namespace crivello::care {

// What an exclusion is about, now.
struct ExclusionPreview {
  static constexpr size_t kMaxExamples = 20;
  uint64_t queued = 0;  // URLs that would be dropped
  uint64_t queued_hosts = 0;
  std::vector<std::string> queued_examples = {};
  uint64_t unsifted = 0;  // URLs, meant or not, that are in no queue yet: they are judged when they come
  uint64_t rows = 0;      // pages that were fetched, and stay
  std::vector<std::string> row_examples = {};
  std::vector<std::string> seeds = {};  // that would not be fetched again
};
// Reads the queues of all hosts, or of that one, and the keys of the rows that may be meant.  A crawl may go
// on meanwhile: then it is off by what that fetches.  (A row does not know its depth: to it, depth is 0.)
Result<ExclusionPreview> PreviewExclusion(collection::Collection& store,
                                          const std::vector<std::string>& seeds,
                                          const policy::Exclusion& exclusion);

}  // namespace crivello::care
