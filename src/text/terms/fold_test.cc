// SPDX-License-Identifier: Apache-2.0
#include "text/terms/fold.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "charset/utf8.h"

namespace crivello::text {
namespace {

std::vector<AnalyserDescription> Combinations() {
  std::vector<AnalyserDescription> all;
  for (const char* text : {"words", "words fold", "words fold accents", "words compat fold accents",
                           "words fold:tr accents", "words compat fold", "words accents"}) {
    all.push_back(AnalyserDescription::Parse(text).value());
  }
  return all;
}

// Compares the table, character by character, with ICU on the whole word.
TEST(FoldTest, TablesAgreeWithIcuOnRandomWords) {
  const uint64_t seed = 20261116;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (const AnalyserDescription& description : Combinations()) {
    SCOPED_TRACE(description.ToString());
    Folder folder(description);
    for (int round = 0; round < 3000; ++round) {
      std::string word;
      for (uint64_t n = 1 + random.Below(8); n-- > 0;) {
        char32_t c;
        do {
          const uint64_t kind = random.Below(10);
          c = static_cast<char32_t>(kind < 3   ? 0x21 + random.Below(0x5E)
                                    : kind < 7 ? 0x80 + random.Below(0x780)
                                    : kind < 9 ? 0x80 + random.Below(0xFF80)
                                               : 0x10000 + random.Below(0x100000));
        } while (c >= 0xD800 && c < 0xE000);
        charset::AppendUtf8(c, &word);
      }
      const Folder::Forms fast = folder.Fold(word);
      const std::string folded(fast.folded);
      const std::string bare(fast.bare);
      const Folder::Forms slow = folder.FoldByIcu(word);
      ASSERT_EQ(folded, slow.folded) << testing::PrintToString(word);
      ASSERT_EQ(bare, slow.bare) << testing::PrintToString(word);
    }
  }
}

TEST(FoldTest, FoldingTwiceChangesNothing) {
  Folder folder(AnalyserDescription::Parse("words compat fold accents").value());
  for (char32_t c = 0x20; c < 0x20000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    std::string word;
    charset::AppendUtf8(c, &word);
    const std::string once(folder.Fold(word).bare);
    const std::string twice(folder.Fold(once).bare);
    ASSERT_EQ(once, twice) << std::hex << static_cast<uint32_t>(c);
  }
}

TEST(FoldTest, AnyBytesAreTaken) {
  Folder folder(AnalyserDescription::Parse("words compat fold accents").value());
  EXPECT_EQ(folder
                .Fold("a\xFF"
                      "b")
                .bare,
            "a\uFFFDb");
  const std::string long_word(5000, 'X');
  EXPECT_EQ(folder.Fold(long_word).bare, std::string(Folder::kMaxInputBytes, 'x'));
  std::string expanding;
  while (expanding.size() < Folder::kMaxInputBytes) expanding += "\uFDFA";
  EXPECT_FALSE(folder.Fold(expanding).bare.empty());
}

}  // namespace
}  // namespace crivello::text
