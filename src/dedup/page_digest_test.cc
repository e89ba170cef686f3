// SPDX-License-Identifier: Apache-2.0
#include "dedup/page_digest.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/hash.h"
#include "base/random.h"

namespace crivello::dedup {
namespace {

std::string RandomText(SeededRandom* random, int words) {
  std::string text;
  for (int i = 0; i < words; i++) {
    if (i > 0) text += ' ';
    for (uint64_t letters = 2 + random->Below(7); letters > 0; letters--) {
      text += static_cast<char>('a' + random->Below(26));
    }
  }
  return text;
}

uint64_t SimHashOf(const std::string& text) { return PageDigester().Digest(text).simhash; }
uint64_t TextOf(std::string_view text) { return PageDigester().Digest(text).text; }

// The definition in the lecture notes, taken literally.
uint64_t ObviousSimHash(const std::set<uint64_t>& signals) {
  uint64_t value = 0;
  for (int i = 0; i < 64; i++) {
    size_t ones = 0, zeros = 0;
    for (const uint64_t hash : signals) (hash >> i & 1) != 0 ? ones++ : zeros++;
    if (ones > zeros) value |= uint64_t{1} << i;
  }
  return value;
}

TEST(SimHashTest, IsTheMajorityOfTheBitsOfItsSignals) {
  SeededRandom random(1);
  for (int count : {1, 2, 3, 4, 63, 64, 65, 1000, 4096}) {
    std::set<uint64_t> signals;
    while (signals.size() < static_cast<size_t>(count)) signals.insert(random.Next());
    SimHash simhash;
    for (const uint64_t hash : signals) simhash.Add(hash);
    EXPECT_EQ(simhash.Value(), ObviousSimHash(signals));
  }
  SimHash simhash;
  EXPECT_EQ(simhash.Value(), 0u);
  // Equally many ones and zeros are not a majority.
  simhash.Add(0x5);
  simhash.Add(0x3);
  EXPECT_EQ(simhash.Value(), 0x1u);
  // A signal of weight three outvotes two.
  simhash.Clear();
  for (int i = 0; i < 3; i++) simhash.Add(0xff00);
  simhash.Add(0x00ff);
  simhash.Add(0x00ff);
  EXPECT_EQ(simhash.Value(), 0xff00u);
}

TEST(PageDigestTest, TakesTheSetOfSequencesOfThreeWordsForSignals) {
  // Repeating a stretch of a text leaves the set unchanged, except at the seams.
  PageDigester digester;
  const std::string cycle = "one two three one two three one two three";
  EXPECT_EQ(digester.Digest(cycle).simhash, digester.Digest(cycle + " one two three one two").simhash);
  EXPECT_NE(digester.Digest(cycle).text, digester.Digest(cycle + " one two three one two").text);
  EXPECT_NE(digester.Digest(cycle).simhash, digester.Digest("three two one three two one").simhash);
  EXPECT_EQ(digester.Digest(cycle).words, 9u);

  // The signals of a text of n + 2 words are those of its n windows: tested with texts of one signal each.
  SeededRandom random(2);
  std::vector<std::string> words;
  for (int i = 0; i < 12; i++) words.push_back(RandomText(&random, 1));
  std::set<uint64_t> signals;
  std::string text;
  for (size_t i = 0; i < words.size(); i++) {
    text += words[i] + " ";
    // The SimHash of one signal is its hash.
    if (i >= 2) signals.insert(digester.Digest(words[i - 2] + " " + words[i - 1] + " " + words[i]).simhash);
  }
  EXPECT_EQ(digester.Digest(text).simhash, ObviousSimHash(signals));
}

TEST(PageDigestTest, FoldsCaseSpacePunctuationAndDigits) {
  const std::string_view same[] = {
      "Page of the day: 15 November 2026, seen 1234 times",
      "page   of\nthe\tday 1 november 9 seen 7 times",
      "PAGE, of the day (November): seen -- times!",
      "page\u00a0of the \u201cday\u201d 15. November\u3000seen times",
  };
  for (const std::string_view text : same) EXPECT_EQ(TextOf(text), TextOf(same[0])) << text;
  EXPECT_EQ(TextOf("version1.2"), TextOf("version99.3"));
  EXPECT_NE(TextOf("version1"), TextOf("version"));
  EXPECT_NE(TextOf("page of the day"), TextOf("day of the page"));
  EXPECT_NE(TextOf("ab c"), TextOf("a bc"));
  EXPECT_EQ(TextOf("\u00c8 PERCH\u00c9 \u0416\u0417 \u03a9\u03a3"),
            TextOf("\u00e8 perch\u00e9 \u0436\u0437 \u03c9\u03c3"));
  EXPECT_NE(TextOf("perche"), TextOf("perch\u00e9"));
  EXPECT_EQ(PageDigester().Digest("\u65e5\u672c\u8a9e\u306e\u6587").words, 5u) << "no spaces there";
  EXPECT_EQ(PageDigester().Digest("\ud55c\uad6d\uc5b4 \ubb38\uc7a5").words, 2u) << "but here";
  EXPECT_EQ(TextOf("\u0661\u0662 ciao"), TextOf("ciao")) << "digits of other scripts";
}

TEST(PageDigestTest, ReadsEightLettersAtATimeAsOneByOne) {
  // The last eight bytes of a text are read one by one, the earlier ones together.
  SeededRandom random(5);
  for (int i = 0; i < 2000; i++) {
    std::string text;
    for (uint64_t n = 1 + random.Below(8); n > 0; n--) {
      constexpr std::string_view kBytes = "azAZmQ09 .@[`{\x7f\xc3\xa9";
      text += kBytes[random.Below(random.Below(4) == 0 ? kBytes.size() : 6)];
    }
    EXPECT_EQ(TextOf(text), TextOf(text + "        ")) << text;
    EXPECT_EQ(TextOf(text + text + text), TextOf(text + text + text + "        ")) << text;
  }
}

TEST(PageDigestTest, HasNothingToSayOfATextWithoutWords) {
  for (const std::string_view text : {"", " ", "123 456", "... !!"}) {
    EXPECT_EQ(PageDigester().Digest(text), PageDigest()) << text;
  }
  const PageDigest one = PageDigester().Digest("word");
  EXPECT_EQ(one.words, 1u);
  EXPECT_NE(one.text, 0u);
  EXPECT_NE(PageDigester().Digest("one two").simhash, PageDigester().Digest("two one").simhash);
}

TEST(PageDigestTest, IsTheSameWhateverTheDigesterDidBefore) {
  SeededRandom random(3);
  PageDigester used;
  for (int i = 0; i < 200; i++) {
    const std::string text = RandomText(&random, static_cast<int>(random.Below(300)));
    EXPECT_EQ(used.Digest(text), PageDigester().Digest(text));
  }
}

TEST(PageDigestTest, TellsTheMainPartsFromTheWhole) {
  using Part = PageDigester::Part;
  PageDigester digester;
  digester.Add("Home news", Part::kAround);
  digester.Add("it was a dark", Part::kMain);
  digester.Add("and stormy night", Part::kMain);
  digester.Add("all rights reserved", Part::kAround);
  const PageDigester::Digests digests = digester.Finish();
  EXPECT_EQ(digests.main, PageDigester().Digest("it was a dark and stormy night"));
  PageDigest whole = PageDigester().Digest("home news it was a dark and stormy night all rights reserved");
  whole.simhash = 0;
  EXPECT_EQ(digests.whole, whole);
  EXPECT_EQ(digester.Finish().whole, PageDigest());
}

TEST(PageDigestTest, NeverChanges) {
  const PageDigest digest =
      PageDigester().Digest("Nel mezzo del cammin di nostra vita mi ritrovai per una selva oscura");
  EXPECT_EQ(digest.words, 13u);
  EXPECT_EQ(digest.text, 14898836747982510251u);
  EXPECT_EQ(digest.simhash, 8240879746825110099u);
}

TEST(PageDigestTest, PutsLikeTextsNearAndOthersFar) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  int near = 0, far = 0;
  for (int i = 0; i < 100; i++) {
    const std::string text = RandomText(&random, 400);
    // A different banner and footer, like a mirror's copy of a page.
    const std::string copy = RandomText(&random, 4) + " " + text + " " + RandomText(&random, 4);
    near += HammingDistance(SimHashOf(text), SimHashOf(copy)) <= 10 ? 1 : 0;
    far += HammingDistance(SimHashOf(text), SimHashOf(RandomText(&random, 400))) >= 16 ? 1 : 0;
    EXPECT_NE(TextOf(text), TextOf(copy));
  }
  EXPECT_GE(near, 97);
  EXPECT_GE(far, 97);
}

TEST(PageDigestTest, TakesBytesThatAreNoText) {
  SeededRandom random(4);
  PageDigester digester;
  for (int i = 0; i < 300; i++) {
    std::string bytes(random.Below(200), '\0');
    for (char& c : bytes) c = static_cast<char>(random.Next());
    const PageDigest digest = digester.Digest(bytes);
    EXPECT_EQ(digest, PageDigester().Digest(bytes));
    EXPECT_EQ(digest.text == 0, digest.words == 0);
  }
}

TEST(PageDigesterTest, CountsDistinctSignals) {
  PageDigester digester;
  digester.Digest("a b c d a b c");  // the signals: abc bcd cda dab abc
  EXPECT_EQ(digester.signals(), 4u);
  digester.Digest("two words");
  EXPECT_EQ(digester.signals(), 1u);
  digester.Digest("...");
  EXPECT_EQ(digester.signals(), 0u);
}

}  // namespace
}  // namespace crivello::dedup
