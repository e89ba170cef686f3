// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk.  A new value needs a line here (the compiler asks for
// it); a line that is here never changes.
#include <gtest/gtest.h>

#include "policy/filter.h"

namespace crivello::policy {
namespace {

int StoredFilterPoint(FilterPoint value) {
  switch (value) {
    case FilterPoint::kSchedule:
      return 0;
    case FilterPoint::kFetch:
      return 1;
    case FilterPoint::kParse:
      return 2;
    case FilterPoint::kFollow:
      return 3;
    case FilterPoint::kStore:
      return 4;
  }
  return -1;
}

TEST(PolicyStoredNumbersTest, FilterPointKeepsItsNumbers) {
  for (int i = 0; i <= 4; i++) EXPECT_EQ(StoredFilterPoint(static_cast<FilterPoint>(i)), i);
}

}  // namespace
}  // namespace crivello::policy
