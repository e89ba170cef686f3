// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/mutex.h"
#include "index/segments/field.h"

namespace crivello::search {

// How often the most frequent term of each document occurs in it, in a field: what TF/IDF can divide counts
// by.  Indexes do not keep it; it is gathered from all lists of the field when it is first asked for, some
// 2 ns a posting, and kept.  Thread-safe.
class MaximumCounts {
 public:
  // At least 1 each, as many as there are lengths.  Good as long as this object; the field outlives it.
  const uint32_t* Of(const index::FieldView& field) CRV_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<const index::FieldView*, std::unique_ptr<const std::vector<uint32_t>>> maxima_
      CRV_GUARDED_BY(mutex_);
};

}  // namespace crivello::search
