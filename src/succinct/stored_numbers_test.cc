// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk. A new value needs a line here (the compiler insists); an
// existing line never changes.
#include <gtest/gtest.h>

#include "succinct/peeling.h"

namespace crivello::succinct {
namespace {

int StoredGraphKind(GraphKind value) {
  switch (value) {
    case GraphKind::kGraph2:
      return 2;
    case GraphKind::kHypergraph3:
      return 3;
    case GraphKind::kFuse4:
      return 4;
  }
  return -1;
}

TEST(SuccinctStoredNumbersTest, GraphKindKeepsItsNumbers) {
  for (int i = 2; i <= 4; i++) EXPECT_EQ(StoredGraphKind(static_cast<GraphKind>(i)), i);
}

}  // namespace
}  // namespace crivello::succinct
