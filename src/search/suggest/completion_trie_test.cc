// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/completion_trie.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "base/random.h"

namespace crivello::search {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Texts(const CompletionTrie& trie, std::string_view prefix, size_t count) {
  std::vector<std::string> texts;
  for (const auto& completion : trie.Find(prefix, count)) texts.emplace_back(completion.text);
  return texts;
}

TEST(CompletionTrieTest, FindsTheWeightiestTextsOnce) {
  const auto trie = CompletionTrie::Build({"Oak", "Oak tree", "Ash tree"}, {{"oak", 0, 5},
                                                                            {"oak tree", 1, 7},
                                                                            {"tree", 1, 2},
                                                                            {"ash tree", 2, 3},
                                                                            {"tree", 2, 3},
                                                                            {"tree", 2, 1}});
  ASSERT_TRUE(trie.ok());
  EXPECT_THAT(Texts(*trie, "oa", 9), ElementsAre("Oak tree", "Oak"));
  EXPECT_THAT(Texts(*trie, "tree", 9), ElementsAre("Ash tree", "Oak tree"));
  EXPECT_THAT(Texts(*trie, "", 9), ElementsAre("Oak tree", "Oak", "Ash tree"));
  EXPECT_THAT(Texts(*trie, "oak", 1), ElementsAre("Oak tree"));
  EXPECT_THAT(Texts(*trie, "elm", 9), IsEmpty());
  const auto none = CompletionTrie::Build({}, {});
  ASSERT_TRUE(none.ok());
  EXPECT_THAT(Texts(*none, "", 9), IsEmpty());
}

TEST(CompletionTrieTest, FindsWhatTheObviousWayFinds) {
  SeededRandom random(3);
  std::vector<std::string> texts;
  std::vector<CompletionTrie::Key> keys;
  // Many keys below few prefixes, so that some answers are kept.
  for (uint32_t i = 0; i < 20'000; i++) {
    std::string key;
    for (uint64_t n = 1 + random.Below(6); n-- > 0;)
      key += static_cast<char>('a' + random.Below(1 + random.Below(4)));
    keys.push_back({key, i, static_cast<uint32_t>(random.Below(1000))});
    texts.push_back(std::to_string(i));
  }
  const auto trie = CompletionTrie::Build(texts, keys);
  ASSERT_TRUE(trie.ok());
  for (const std::string prefix : {"", "a", "aa", "ab", "b", "ba", "aaaa", "d", "dc", "abcd", "x"}) {
    SCOPED_TRACE(prefix);
    std::vector<CompletionTrie::Key> expected;
    for (const auto& key : keys) {
      if (key.key.starts_with(prefix)) expected.push_back(key);
    }
    std::stable_sort(expected.begin(), expected.end(),
                     [](const auto& a, const auto& b) { return a.weight > b.weight; });
    expected.resize(std::min(expected.size(), CompletionTrie::kMaxCount));
    std::vector<std::string> numbers;
    for (const auto& key : expected) numbers.push_back(texts[key.text]);
    EXPECT_EQ(Texts(*trie, prefix, CompletionTrie::kMaxCount), numbers);
  }
}

}  // namespace
}  // namespace crivello::search
