// SPDX-License-Identifier: Apache-2.0
#include "search/beginnings.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "base/random.h"
#include "text/terms/analyser.h"

namespace crivello::search {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Stretches(std::string_view text, const std::vector<std::string>& terms,
                                   bool keeps = true) {
  std::vector<std::string> found;
  Beginnings(terms, keeps).ForEachStretch(text, [&](size_t begin, size_t end) {
    found.emplace_back(text.substr(begin, end - begin));
  });
  return found;
}

TEST(BeginningsTest, FindsWordsAndTheirParts) {
  EXPECT_THAT(Stretches("a wide, Wide world", {"wid"}), ElementsAre("wide, Wide "));
  EXPECT_THAT(Stretches("my pre-war house", {"war"}), ElementsAre("pre-war "));
  EXPECT_THAT(Stretches("see myWords or x86way", {"w"}), ElementsAre("myWords ", "x86way"));
  EXPECT_THAT(Stretches("she is dying today", {"die"}), ElementsAre("dying "));
  EXPECT_THAT(Stretches("an e-mail to elsewhere", {"email"}), ElementsAre("e-mail "));
  EXPECT_THAT(Stretches("in 42 or 1742 years", {"4"}), ElementsAre("42 "));
  EXPECT_THAT(Stretches("no word", {"z"}), IsEmpty());
  EXPECT_THAT(Stretches("caf\u00e9 au lait", {"z"}), ElementsAre("caf\u00e9 "));
  EXPECT_THAT(Stretches("one two", {"z"}, false), ElementsAre("one two"));
  EXPECT_THAT(Stretches("", {"z"}), IsEmpty());
}

// Whatever the analyser finds of a letter it finds in the stretches of that letter, at the same places.
TEST(BeginningsTest, LosesNothing) {
  auto analyser = text::Analyser::Create(text::kStandardAnalyser).value();
  SeededRandom random(7);
  const std::vector<std::string> pieces = {
      "walk",         "Walking",     "dying", "e-mail", "C++",     "node.js", "WiFi",   "HTMLparser", "don't",
      "3.14",         "1,000",       "42nd",  "x86_64", "foo_bar", "@you",    "#tag",   "\u00c9cole", "l'eau",
      "U.S.A.",       "www.a-b.org", " ",     " ",      " ",       "\n",      ", ",     ". ",         "-",
      "\u4e2d\u6587", "\u0301",      "(",     ")",      "ABCdef",  "y",       "running"};
  for (int round = 0; round < 3000; round++) {
    std::string text;
    for (uint64_t n = random.Below(30); n-- > 0;) text += pieces[random.Below(pieces.size())];
    const std::string_view language = std::array{"en", "de", "fr", "nl", "ar", ""}[random.Below(6)];
    const char letter = "abcdefghijklmnopqrstuvwxyz0123456789@#."[random.Below(39)];
    std::vector<std::pair<std::string, uint32_t>> all;
    std::vector<std::pair<std::string, uint32_t>> found;
    const auto into = [letter](auto* out, size_t offset) {
      return [letter, out, offset](const text::Term& term) {
        if (term.text.front() == letter) out->emplace_back(term.text, term.begin + offset);
      };
    };
    analyser.ForEachTerm(text, {.language = language}, into(&all, 0));
    const std::vector<std::string> terms = {std::string(1, letter)};
    Beginnings(terms, analyser.KeepsBeginnings(language)).ForEachStretch(text, [&](size_t begin, size_t end) {
      analyser.ForEachTerm(std::string_view(text).substr(begin, end - begin), {.language = language},
                           into(&found, begin));
    });
    ASSERT_EQ(found, all) << text << " " << letter << " " << language;
  }
}

}  // namespace
}  // namespace crivello::search
