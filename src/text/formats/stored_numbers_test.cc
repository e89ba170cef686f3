// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk. A new value needs a line here (the compiler insists); an
// existing line never changes.
#include <gtest/gtest.h>

#include "text/formats/document.h"

namespace crivello::text {
namespace {

int StoredBlockKind(BlockKind value) {
  switch (value) {
    case BlockKind::kParagraph:
      return 0;
    case BlockKind::kHeading:
      return 1;
    case BlockKind::kListItem:
      return 2;
    case BlockKind::kQuote:
      return 3;
    case BlockKind::kCode:
      return 4;
    case BlockKind::kTable:
      return 5;
    case BlockKind::kCaption:
      return 6;
  }
  return -1;
}

TEST(TextStoredNumbersTest, BlockKindKeepsItsNumbers) {
  for (int i = 0; i <= 6; i++) EXPECT_EQ(StoredBlockKind(static_cast<BlockKind>(i)), i);
}

}  // namespace
}  // namespace crivello::text
