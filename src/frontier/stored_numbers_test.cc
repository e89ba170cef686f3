// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk.  A new value needs a line here (the compiler asks for
// it); a line that is here never changes.
#include <gtest/gtest.h>

#include "frontier/url_record.h"

namespace crivello::frontier {
namespace {

int StoredUrlKind(UrlKind value) {
  switch (value) {
    case UrlKind::kPage:
      return 0;
    case UrlKind::kRobots:
      return 1;
    case UrlKind::kSitemap:
      return 2;
  }
  return -1;
}

TEST(FrontierStoredNumbersTest, UrlKindKeepsItsNumbers) {
  for (int i = 0; i <= 2; i++) EXPECT_EQ(StoredUrlKind(static_cast<UrlKind>(i)), i);
}

}  // namespace
}  // namespace crivello::frontier
