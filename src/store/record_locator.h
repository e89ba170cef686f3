// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crivello::store {

// The position of a record in the archive of a tablet. Files have serial numbers that are never reused, so a
// locator never comes to mean another record. Length 0 means that there is no record.
struct RecordLocator {
  uint32_t file = 0;
  uint64_t offset = 0;
  uint64_t length = 0;  // as stored

  friend bool operator==(const RecordLocator&, const RecordLocator&) = default;
};

}  // namespace crivello::store
