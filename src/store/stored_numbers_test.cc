// SPDX-License-Identifier: Apache-2.0
// The numbers of the enums that are stored on disk. A new value needs a line here (the compiler insists); an
// existing line never changes.
#include <gtest/gtest.h>

#include "store/ledger.h"

namespace crivello::store {
namespace {

int StoredEventKind(EventKind value) {
  switch (value) {
    case EventKind::kSeed:
      return 1;
    case EventKind::kFound:
      return 2;
    case EventKind::kInSitemap:
      return 3;
    case EventKind::kRedirectedHere:
      return 4;
    case EventKind::kFetched:
      return 5;
    case EventKind::kNotModified:
      return 6;
    case EventKind::kRedirected:
      return 7;
    case EventKind::kFailed:
      return 8;
    case EventKind::kGivenUp:
      return 9;
    case EventKind::kRefusedByRobots:
      return 10;
    case EventKind::kTrap:
      return 11;
    case EventKind::kFiltered:
      return 12;
    case EventKind::kDuplicateOf:
      return 13;
    case EventKind::kNearCopyOf:
      return 14;
    case EventKind::kAlreadyFetched:
      return 15;
    case EventKind::kBudget:
      return 16;
    case EventKind::kHostGivenUp:
      return 17;
    case EventKind::kLinksNotFollowed:
      return 18;
    case EventKind::kBadCertificate:
      return 19;
    case EventKind::kNotConverted:
      return 20;
  }
  return -1;
}

TEST(StoreStoredNumbersTest, EventKindKeepsItsNumbers) {
  for (int i = 1; i <= 20; i++) EXPECT_EQ(StoredEventKind(static_cast<EventKind>(i)), i);
}

}  // namespace
}  // namespace crivello::store
