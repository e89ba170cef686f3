// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/nearest_name.h"

#include <gtest/gtest.h>

namespace crivello::search {
namespace {

TEST(NearestTest, NamesWhatIsNearAndNothingElse) {
  EXPECT_EQ(DidYouMean("lisen", {"keys", "listen", "name"}), "; is it 'listen'?");
  EXPECT_EQ(DidYouMean("volume", {"keys", "listen", "name"}), "");
}

}  // namespace
}  // namespace crivello::search
