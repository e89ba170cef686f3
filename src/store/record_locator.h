// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace crivello::store {

// Where a record lies in the archive of a tablet.  Files have serial numbers, which are never used again, so
// a locator never comes to mean another record.  A length of 0: there is no record.
struct RecordLocator {
  uint32_t file = 0;
  uint64_t offset = 0;
  uint64_t length = 0;  // as stored

  friend bool operator==(const RecordLocator&, const RecordLocator&) = default;
};

}  // namespace crivello::store
