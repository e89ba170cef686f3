// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk.  A new value needs a line here (the compiler asks for
// it); a line that is here never changes.
#include <gtest/gtest.h>

#include "index/postings/posting_format.h"

namespace crivello::index {
namespace {

int StoredPostingContents(PostingContents value) {
  switch (value) {
    case PostingContents::kDocuments:
      return 0;
    case PostingContents::kCounts:
      return 1;
    case PostingContents::kPositions:
      return 2;
  }
  return -1;
}

TEST(IndexStoredNumbersTest, PostingContentsKeepsItsNumbers) {
  for (int i = 0; i <= 2; i++) EXPECT_EQ(StoredPostingContents(static_cast<PostingContents>(i)), i);
}

}  // namespace
}  // namespace crivello::index
