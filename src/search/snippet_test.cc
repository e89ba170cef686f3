// SPDX-License-Identifier: Apache-2.0
#include "search/snippet.h"

#include <gmock/gmock.h>

#include <set>

#include "base/random.h"

namespace crivello::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SnippetTest : public testing::Test {
 protected:
  // Of words that the text has, and are their own stems.
  HighlightedText Snippet(const std::string& text, const std::vector<std::string>& terms) {
    std::vector<std::span<const std::string>> words;
    for (const std::string& term : terms) {
      if (text.find(term) != std::string::npos) words.emplace_back(&term, 1);
    }
    return MakeSnippet(text, terms, {.bytes = 160, .language = "en", .words = &words}, analyser_);
  }
  static std::vector<std::string> Marked(const HighlightedText& snippet) {
    std::vector<std::string> marked;
    for (const auto& [begin, end] : snippet.highlights) {
      marked.push_back(snippet.text.substr(begin, end - begin));
    }
    return marked;
  }
  static std::string Filler(size_t words) {
    std::string text;
    for (size_t i = 0; i < words; i++) text += "some other thing ";
    return text;
  }

  text::Analyser analyser_ = text::Analyser::Create(text::kStandardAnalyser).value();
};

TEST_F(SnippetTest, FindsAWordHoweverFarItIs) {
  for (const int before : {0, 10, 100, 1000, 5000}) {
    const auto snippet = Snippet(Filler(static_cast<size_t>(before)) + "a lighthouse. " + Filler(2000),
                                 {"lighthous", "lighthouse"});
    EXPECT_THAT(Marked(snippet), ElementsAre("lighthouse")) << before;
  }
}

TEST_F(SnippetTest, PrefersWordsThatStandTogether) {
  const std::string text =
      "One storm. " + Filler(50) + "A harbour. " + Filler(20) + "The storm in the harbour. ";
  EXPECT_THAT(Snippet(text + Filler(5000), {"harbour", "storm"}).text,
              HasSubstr("The storm in the harbour."));
}

TEST_F(SnippetTest, IsTheBeginningOfATextWithoutTheWords) {
  const auto snippet = Snippet(Filler(3000), {"harbour"});
  EXPECT_EQ(snippet.text.rfind("some other thing", 0), 0u);
  EXPECT_TRUE(snippet.highlights.empty());
}

// Two passages have room for two words, wherever they are.
TEST_F(SnippetTest, ShowsBothWordsThatThereAre) {
  SeededRandom random(3);
  const std::vector<std::string> terms = {"copper", "velvet"};
  for (int round = 0; round < 300; round++) {
    std::string text = Filler(random.Below(200));
    std::set<std::string> present;
    for (uint64_t n = random.Below(6); n-- > 0;) {
      present.insert(terms[random.Below(2)]);
      text += *std::next(present.begin(), static_cast<ptrdiff_t>(random.Below(present.size()))) + " ";
      text += Filler(random.Below(400));
    }
    std::erase_if(present, [&](const std::string& word) { return text.find(word) == std::string::npos; });
    const auto marked = Marked(Snippet(text, terms));
    EXPECT_EQ(std::set<std::string>(marked.begin(), marked.end()), present) << round;
  }
}

TEST_F(SnippetTest, ShowsWholeSentences) {
  const std::string text =
      "Boats are old. The harbour of Genoa was built in stone, e.g. by monks. Then came the railway.";
  EXPECT_EQ(Snippet(Filler(40) + "\n\n" + text + "\n\n" + Filler(40), {"harbour"}).text,
            "The harbour of Genoa was built in stone, e.g. by monks. Then came the railway.");
  EXPECT_EQ(Snippet("灯台は古い。港は石で作られた。", {"no"}).text, "灯台は古い。港は石で作られた。");
}

TEST_F(SnippetTest, PrefersSentencesToLists) {
  const std::string list = "harbour [-a] [-b]\n\nharbour -v\n\nharbour --help\n\n";
  const std::string sentence = "A harbour is where ships are safe from storms at all times of the year.";
  EXPECT_EQ(Snippet(list + Filler(30) + "\n\n" + sentence, {"harbour"}).text, sentence);
}

TEST_F(SnippetTest, PassesOverNoticesOfRights) {
  const std::string notice =
      "Copyright 2020 The Harbour Authority. Permission is granted to copy this harbour. All rights "
      "reserved.";
  const std::string sentence = "The harbour opens at dawn and closes at dusk.";
  EXPECT_EQ(Snippet(notice + "\n\n" + Filler(30) + "\n\n" + sentence, {"harbour"}).text, sentence);
  // If there is nothing else it has to do.
  EXPECT_EQ(Marked(Snippet(notice, {"harbour"})).size(), 2u);
}

TEST_F(SnippetTest, TakesThePlaceWhereTheWordsAreNearest) {
  const std::string text = "The harbour was dug out before there was any storm at all here.\n\n" +
                           Filler(20) + "\n\nA harbour storm breaks ships and all that is near them.\n\n" +
                           Filler(20);
  EXPECT_THAT(Snippet(text, {"harbour", "storm"}).text,
              HasSubstr("A harbour storm breaks ships and all that is near them."));
}

}  // namespace
}  // namespace crivello::search
