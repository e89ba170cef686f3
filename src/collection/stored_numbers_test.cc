// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk.  A new value needs a line here (without it, the test does
// not compile); existing lines never change.
#include <gtest/gtest.h>

#include "collection/forgotten.h"

namespace crivello::collection {
namespace {

int StoredForgetKind(ForgetTarget::Kind value) {
  switch (value) {
    case ForgetTarget::Kind::kUrl:
      return 0;
    case ForgetTarget::Kind::kHost:
      return 1;
    case ForgetTarget::Kind::kDomain:
      return 2;
    case ForgetTarget::Kind::kPrefix:
      return 3;
  }
  return -1;
}

TEST(CollectionStoredNumbersTest, ForgetTargetKindKeepsItsNumbers) {
  for (int i = 0; i <= 3; i++) EXPECT_EQ(StoredForgetKind(static_cast<ForgetTarget::Kind>(i)), i);
}

}  // namespace
}  // namespace crivello::collection
