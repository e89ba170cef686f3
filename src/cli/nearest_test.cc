// SPDX-License-Identifier: Apache-2.0
#include "cli/nearest.h"

#include <gtest/gtest.h>

namespace crivello {
namespace {

TEST(NearestTest, NamesWhatIsNearAndNothingElse) {
  EXPECT_EQ(DidYouMean("lisen", {"keys", "listen", "name"}), "; is it 'listen'?");
  EXPECT_EQ(DidYouMean("volume", {"keys", "listen", "name"}), "");
}

}  // namespace
}  // namespace crivello
