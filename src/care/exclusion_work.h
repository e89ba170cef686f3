// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/collection.h"
#include "policy/exclusions.h"

namespace crivello::care {

// What an exclusion would affect at present.
struct ExclusionPreview {
  static constexpr size_t kMaxExamples = 20;
  uint64_t queued = 0;  // URLs that would be dropped
  uint64_t queued_hosts = 0;
  std::vector<std::string> queued_examples = {};
  uint64_t unsifted = 0;  // URLs, affected or not, that are in no queue yet: checked when they arrive
  uint64_t rows = 0;      // pages that were fetched already, and are kept
  std::vector<std::string> row_examples = {};
  std::vector<std::string> seeds = {};  // seeds that would not be fetched again
};
// Reads the queues of all hosts, or of the affected one, and the keys of the rows that may match.  If a crawl
// runs meanwhile, the numbers are off by what it fetches.  (A row does not store its depth; 0 is used.)
Result<ExclusionPreview> PreviewExclusion(collection::Collection& store,
                                          const std::vector<std::string>& seeds,
                                          const policy::Exclusion& exclusion);

}  // namespace crivello::care
