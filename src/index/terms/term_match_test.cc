// SPDX-License-Identifier: Apache-2.0
#include "index/terms/term_match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "charset/utf8.h"
#include "index/terms/term_test_support.h"

namespace crivello::index {
namespace {

std::u32string CodePoints(std::string_view text) {
  std::u32string out;
  for (size_t at = 0; at < text.size();) out.push_back(charset::TakeCodePoint(text, &at));
  return out;
}

// Reference implementations, written in the simplest way.
bool Like(std::u32string_view text, std::u32string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (size_t skip = 0; skip <= text.size(); skip++) {
      if (Like(text.substr(skip), pattern.substr(1))) return true;
    }
    return false;
  }
  if (text.empty()) return false;
  if (pattern[0] == '?') return Like(text.substr(1), pattern.substr(1));
  if (pattern[0] == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
  return text[0] == pattern[0] && Like(text.substr(1), pattern.substr(1));
}

unsigned Distance(std::u32string_view a, std::u32string_view b) {
  std::vector<std::vector<unsigned>> table(a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (unsigned i = 0; i <= a.size(); i++) {
    for (unsigned j = 0; j <= b.size(); j++) {
      unsigned best = i == 0 ? j : j == 0 ? i : table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (i > 0) best = std::min(best, table[i - 1][j] + 1);
      if (j > 0) best = std::min(best, table[i][j - 1] + 1);
      table[i][j] = best;
    }
  }
  return table[a.size()][b.size()];
}

class TermMatchTest : public testing::Test {
 protected:
  TermMatchTest() {
    SeededRandom random(11);
    terms_ = SomeWords(random, 4000);
    for (const char* term :
         {"", "*", "?", "\\", "\xc3", "\xc3\xa8", "\xc3\xa8\xa8", "\xe0\x80", "\xff", "a*b", "zz"})
      terms_.push_back(term);
    std::sort(terms_.begin(), terms_.end());
    terms_.erase(std::unique(terms_.begin(), terms_.end()), terms_.end());
    image_ = DictionaryImage(terms_);
    dictionary_.emplace(*TermDictionary::FromImage(std::as_bytes(std::span(image_))));
  }
  template <typename Matches>
  std::vector<TermMatch> Judge(Matches matches) const {
    std::vector<TermMatch> out;
    for (uint64_t i = 0; i < terms_.size(); i++) {
      unsigned distance = 0;
      if (matches(terms_[i], &distance)) out.push_back({terms_[i], {i, 3 * i}, distance});
    }
    return out;
  }

  std::vector<std::string> terms_;
  std::vector<uint64_t> image_;
  std::optional<TermDictionary> dictionary_;
};

TEST_F(TermMatchTest, FindsPrefixes) {
  for (const std::string prefix : {"", "a", "con", "conma", "\xc3", "\xc3\xa8", "zz", "zzz", "\xff"}) {
    const TermMatches found = TermsWithPrefix(*dictionary_, prefix);
    EXPECT_EQ(found.terms, Judge([&](const std::string& term, unsigned*) {
                return term.compare(0, prefix.size(), prefix) == 0;
              }));
    EXPECT_TRUE(found.complete);
  }
}

TEST_F(TermMatchTest, FindsPatterns) {
  for (const std::string pattern :
       {"",          "*",          "?",     "??",     "con*",    "*ma",   "*con*",   "c?n*",  "?on*",
        "*a",        "**a**",      "a*b*",  "di?*ra", "\\*",     "\\?",   "\\",      "a\\*b", "\xc3\xa8*",
        "*\xc3\xa8", "?\xc3\xa8*", "*s?s*", "zz",     "nothing", "\xff*", "be*be*be"}) {
    SCOPED_TRACE(pattern);
    const auto found = TermsLike(*dictionary_, pattern);
    ASSERT_TRUE(found.ok());
    EXPECT_EQ(found->terms, Judge([&](const std::string& term, unsigned*) {
                return Like(CodePoints(term), CodePoints(pattern));
              }));
    EXPECT_TRUE(found->complete);
  }
}

TEST_F(TermMatchTest, FindsWordsAFewEditsAway) {
  SeededRandom random(12);
  std::vector<std::string> words = {"", "a", "conmara", "\xc3\xa8", "\xc3\xa8s", "s", "zz", "*"};
  for (int i = 0; i < 30; i++) words.push_back(SomeWord(random));
  for (const std::string& word : words) {
    for (unsigned distance = 0; distance <= 2; distance++) {
      SCOPED_TRACE(testing::Message() << word << " " << distance);
      const auto found = TermsNear(*dictionary_, word, distance);
      ASSERT_TRUE(found.ok());
      EXPECT_EQ(found->terms, Judge([&](const std::string& term, unsigned* edits) {
                  *edits = Distance(CodePoints(term), CodePoints(word));
                  return *edits <= distance;
                }));
    }
  }
}

TEST_F(TermMatchTest, VisitsFewTermsWhereItCan) {
  EXPECT_LT(TermsLike(*dictionary_, "conma*")->visited, 200u);
  EXPECT_LT(TermsNear(*dictionary_, "conmaradi", 1)->visited, terms_.size() / 4);
}

TEST_F(TermMatchTest, StopsAtItsLimits) {
  const auto few = TermsLike(*dictionary_, "*a*", {.found = 7});
  ASSERT_TRUE(few.ok());
  EXPECT_EQ(few->terms.size(), 7u);
  EXPECT_FALSE(few->complete);
  const auto brief = TermsLike(*dictionary_, "*nothing", {.visited = 100});
  ASSERT_TRUE(brief.ok());
  EXPECT_EQ(brief->visited, 100u);
  EXPECT_FALSE(brief->complete);
  EXPECT_EQ(TermsLike(*dictionary_, std::string(64, 'a')).status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(TermsLike(*dictionary_, std::string(63, 'a')).ok());
  EXPECT_TRUE(TermsLike(*dictionary_, std::string(100, '*')).ok());
  EXPECT_EQ(TermsNear(*dictionary_, std::string(64, 'a'), 1).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(TermsNear(*dictionary_, "a", 3).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::index
