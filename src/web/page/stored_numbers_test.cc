// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk. A new value needs a line here (the compiler insists); an
// existing line never changes.
#include <gtest/gtest.h>

#include "web/page/links.h"
#include "web/page/robots.h"

namespace crivello::web {
namespace {

int StoredLinkKind(LinkKind value) {
  switch (value) {
    case LinkKind::kAnchor:
      return 0;
    case LinkKind::kArea:
      return 1;
    case LinkKind::kLink:
      return 2;
    case LinkKind::kIframe:
      return 3;
    case LinkKind::kFrame:
      return 4;
    case LinkKind::kImage:
      return 5;
    case LinkKind::kImageSource:
      return 6;
    case LinkKind::kForm:
      return 7;
    case LinkKind::kRefresh:
      return 8;
  }
  return -1;
}

int StoredRobotsAccess(RobotsAccess value) {
  switch (value) {
    case RobotsAccess::kParse:
      return 0;
    case RobotsAccess::kFollowRedirect:
      return 1;
    case RobotsAccess::kAllowAll:
      return 2;
    case RobotsAccess::kDisallowAll:
      return 3;
  }
  return -1;
}

TEST(WebStoredNumbersTest, LinkKindKeepsItsNumbers) {
  for (int i = 0; i <= 8; i++) EXPECT_EQ(StoredLinkKind(static_cast<LinkKind>(i)), i);
}

TEST(WebStoredNumbersTest, RobotsAccessKeepsItsNumbers) {
  for (int i = 0; i <= 3; i++) EXPECT_EQ(StoredRobotsAccess(static_cast<RobotsAccess>(i)), i);
}

}  // namespace
}  // namespace crivello::web
