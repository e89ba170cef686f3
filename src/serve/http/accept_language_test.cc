// SPDX-License-Identifier: Apache-2.0
#include "serve/http/accept_language.h"

#include <gmock/gmock.h>

namespace crivello::serve {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AcceptLanguageTest, ReadsLanguagesByTheirQuality) {
  EXPECT_THAT(AcceptedLanguages("da, en-GB;q=0.8, en;q=0.7"), ElementsAre("da", "en-GB", "en"));
  EXPECT_THAT(AcceptedLanguages("en;q=0.1,it ; q=0.9"), ElementsAre("it", "en"));
  EXPECT_THAT(AcceptedLanguages("fr;q=0, *;q=0.5, de"), ElementsAre("de"));
}

TEST(AcceptLanguageTest, PassesOverWhatCannotBeRead) {
  EXPECT_THAT(AcceptedLanguages(""), IsEmpty());
  EXPECT_THAT(AcceptedLanguages(",,;q=,<b>,e,en;q=nan,en;q=x,es;q=7,it"), ElementsAre("it"));
  EXPECT_EQ(AcceptedLanguages(std::string(100'000, ',') + "it").size(), 0u);
}

}  // namespace
}  // namespace crivello::serve
