// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk.  A new value needs a line here (the compiler asks for
// it); a line that is here never changes.
#include <gtest/gtest.h>

#include "jobs/links/link_record.h"
#include "web/page/links.h"

namespace crivello::jobs {
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
    case LinkKind::kRedirect:
      return 64;
  }
  return -1;
}

// The stored kind for a link of a page.
LinkKind KindOfCell(web::LinkKind value) {
  switch (value) {
    case web::LinkKind::kAnchor:
      return LinkKind::kAnchor;
    case web::LinkKind::kArea:
      return LinkKind::kArea;
    case web::LinkKind::kLink:
      return LinkKind::kLink;
    case web::LinkKind::kIframe:
      return LinkKind::kIframe;
    case web::LinkKind::kFrame:
      return LinkKind::kFrame;
    case web::LinkKind::kImage:
      return LinkKind::kImage;
    case web::LinkKind::kImageSource:
      return LinkKind::kImageSource;
    case web::LinkKind::kForm:
      return LinkKind::kForm;
    case web::LinkKind::kRefresh:
      return LinkKind::kRefresh;
  }
  return LinkKind::kRedirect;
}

TEST(JobsStoredNumbersTest, LinkKindKeepsItsNumbers) {
  for (int i = 0; i <= 8; i++) {
    EXPECT_EQ(StoredLinkKind(static_cast<LinkKind>(i)), i);
    EXPECT_EQ(static_cast<int>(KindOfCell(static_cast<web::LinkKind>(i))), i);
  }
  EXPECT_EQ(StoredLinkKind(LinkKind::kRedirect), 64);
}

TEST(JobsStoredNumbersTest, FlagsKeepTheirBits) {
  EXPECT_EQ(link_flag::kNofollow, 1);
  EXPECT_EQ(link_flag::kSourceNofollow, 2);
  EXPECT_EQ(link_flag::kSourceNoindex, 4);
  EXPECT_EQ(link_flag::kSourceFailed, 8);
  EXPECT_EQ(link_flag::kAll, 15);
}

}  // namespace
}  // namespace crivello::jobs
