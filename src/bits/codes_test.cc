// SPDX-License-Identifier: Apache-2.0
#include "bits/codes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "base/random.h"
#include "bits/kraft.h"
#include "bits/reference_codes.h"

namespace crivello::bits {
namespace {

using reference::Packed;
using reference::Unpacked;

constexpr uint64_t kLargest = ~uint64_t{0};
using CodeJudge = std::function<std::string(uint64_t)>;

// Calls visit(name, code, judge, max) for every code; max is the largest number whose word has at most a few
// thousand bits.
template <typename Visit>
void ForEachCode(const Visit& visit) {
  visit("unary", UnaryCode(), CodeJudge(reference::Unary), uint64_t{3000});
  visit("gamma", GammaCode(), CodeJudge(reference::Gamma), kLargest);
  visit("delta", DeltaCode(), CodeJudge(reference::Delta), kLargest);
  for (unsigned k : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 13u, 16u, 31u, 32u, 33u, 63u, 64u}) {
    visit("zeta" + std::to_string(k), ZetaCode(k),
          CodeJudge([k](uint64_t x) { return reference::Zeta(k, x); }), kLargest);
  }
  for (uint64_t b : {uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{4}, uint64_t{5}, uint64_t{7},
                     uint64_t{64}, uint64_t{1000}, uint64_t{1} << 40, (uint64_t{1} << 57) + 1,
                     uint64_t{1} << 63, (uint64_t{1} << 63) + 1, kLargest}) {
    visit("golomb" + std::to_string(b), GolombCode(b),
          CodeJudge([b](uint64_t x) { return reference::Golomb(b, x); }),
          b > kLargest / 3000 ? kLargest : 3000 * b);
  }
  for (uint64_t max : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{4}, uint64_t{6},
                       uint64_t{255}, uint64_t{256}, uint64_t{1} << 55, uint64_t{1} << 62,
                       (uint64_t{1} << 63) - 1, uint64_t{1} << 63, kLargest - 1, kLargest}) {
    visit("minimal-binary to " + std::to_string(max), MinimalBinaryCode(max),
          CodeJudge([max](uint64_t x) { return reference::MinimalBinary(x, static_cast<Uint128>(max) + 1); }),
          max);
  }
  visit("nibble", NibbleCode(), CodeJudge([](uint64_t x) { return reference::Block(4, x); }), kLargest);
  visit("vbyte", ByteCode(), CodeJudge([](uint64_t x) { return reference::Block(8, x); }), kLargest);
  visit("vbyte-prefix", PrefixByteCode(), CodeJudge(reference::PrefixByte), kLargest);
}

// 0, the largest number, powers of two and their neighbours, and numbers of all lengths, none above max.
std::vector<uint64_t> Numbers(uint64_t max, uint64_t seed) {
  std::vector<uint64_t> numbers = {0, 1, kLargest, kLargest - 1, max, max == 0 ? 0 : max - 1};
  SeededRandom random(seed);
  for (unsigned i = 1; i < 64; i++) {
    const uint64_t power = uint64_t{1} << i;
    numbers.insert(numbers.end(), {power - 1, power, power + 1, random.Next() >> i});
  }
  for (uint64_t x = 0; x < 130; x++) numbers.push_back(x);
  for (int i = 0; i < 100; i++) numbers.push_back(max == kLargest ? random.Next() : random.Below(max + 1));
  std::erase_if(numbers, [max](uint64_t x) { return x > max; });
  return numbers;
}

template <typename Code>
std::string WordOf(const Code& code, uint64_t x) {
  BitWriter writer;
  code.Write(writer, x);
  const size_t bits = writer.position();
  return Unpacked(writer.Finish(), bits);
}

template <typename Code>
void ExpectWords(const Code& code, const std::vector<std::string>& words) {
  for (size_t x = 0; x < words.size(); x++) {
    EXPECT_EQ(WordOf(code, x), words[x]) << x;
    const std::vector<std::byte> bytes = Packed(words[x]);
    BitReader reader(bytes, words[x].size());
    EXPECT_EQ(code.Read(reader), x);
    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(reader.position(), words[x].size());
  }
}

TEST(CodesTest, HasTheMinimalBinaryWordsOfTable1) {
  ExpectWords(MinimalBinaryCode(0), {""});
  ExpectWords(MinimalBinaryCode(1), {"0", "1"});
  ExpectWords(MinimalBinaryCode(2), {"0", "10", "11"});
  ExpectWords(MinimalBinaryCode(3), {"00", "01", "10", "11"});
  ExpectWords(MinimalBinaryCode(4), {"00", "01", "10", "110", "111"});
  ExpectWords(MinimalBinaryCode(5), {"00", "01", "100", "101", "110", "111"});
  ExpectWords(MinimalBinaryCode(6), {"00", "010", "011", "100", "101", "110", "111"});
}

TEST(CodesTest, HasTheGammaWordsOfTable2) {
  ExpectWords(GammaCode(), {"1", "010", "011", "00100", "00101", "00110", "00111", "0001000", "0001001",
                            "0001010", "0001011", "0001100", "0001101", "0001110", "0001111", "000010000"});
}

// The table has 001011001 for 15; by the definition that is the word of 24. See docs/errata.md.
TEST(CodesTest, HasTheDeltaWordsOfTable2) {
  ExpectWords(DeltaCode(),
              {"1", "0100", "0101", "01100", "01101", "01110", "01111", "00100000", "00100001", "00100010",
               "00100011", "00100100", "00100101", "00100110", "00100111", "001010000"});
  EXPECT_EQ(WordOf(DeltaCode(), 24), "001011001");
}

TEST(CodesTest, HasTheGolombWordsOfTable2) {
  ExpectWords(GolombCode(3), {"10", "110", "111", "010", "0110", "0111", "0010", "00110", "00111", "00010",
                              "000110", "000111", "000010", "0000110", "0000111", "0000010"});
}

// The continuation bits in the table are the opposite of those in the text; ours follow the text.
TEST(CodesTest, HasTheNibbleWordsOfTable2WithTheContinuationBitsOfTheText) {
  const std::vector<std::string> printed = {
      "1000",     "1001",     "1010",     "1011",     "1100",     "1101",     "1110",     "1111",
      "00011000", "00011001", "00011010", "00011011", "00011100", "00011101", "00011110", "00011111"};
  std::vector<std::string> words = printed;
  for (std::string& word : words) {
    for (size_t i = 0; i < word.size(); i += 4) word[i] = word[i] == '1' ? '0' : '1';
  }
  EXPECT_EQ(words[8], "10010000");
  ExpectWords(NibbleCode(), words);
}

TEST(CodesTest, HasTheFirstWordsOfTheText) {
  ExpectWords(UnaryCode(), {"1", "01", "001", "0001"});
  ExpectWords(GammaCode(), {"1", "010", "011", "00100", "00101", "00110", "00111", "0001000"});
  ExpectWords(DeltaCode(), {"1", "0100", "0101", "01100", "01101", "01110", "01111", "00100000", "00100001"});
  ExpectWords(GolombCode(3), {"10", "110", "111", "010", "0110", "0111"});
}

// Boldi and Vigna, Codes for the World Wide Web, table 1.
TEST(CodesTest, HasTheFirstZetaWords) {
  ExpectWords(ZetaCode(2), {"10", "110", "111", "01000", "01001", "01010", "01011", "011000"});
  ExpectWords(ZetaCode(3), {"100", "1010", "1011", "1100", "1101", "1110", "1111", "0100000"});
  ExpectWords(ZetaCode(4), {"1000", "10010", "10011", "10100", "10101", "10110", "10111", "11000"});
}

TEST(CodesTest, WritesBytesWithTheLengthInTheFirst) {
  EXPECT_EQ(WordOf(PrefixByteCode(), 127), "01111111");
  EXPECT_EQ(WordOf(PrefixByteCode(), 128), "1000000010000000");
  EXPECT_EQ(WordOf(PrefixByteCode(), 16383), "1011111111111111");
  EXPECT_EQ(WordOf(PrefixByteCode(), 16384), "110000000100000000000000");
  EXPECT_EQ(WordOf(PrefixByteCode(), (uint64_t{1} << 56) - 1), "11111110" + std::string(56, '1'));
  EXPECT_EQ(WordOf(PrefixByteCode(), uint64_t{1} << 56), "1111111100000001" + std::string(56, '0'));
  EXPECT_EQ(WordOf(PrefixByteCode(), kLargest), std::string(72, '1'));
}

TEST(CodesTest, WritesTheLargestNumber) {
  EXPECT_EQ(WordOf(GammaCode(), kLargest), std::string(64, '0') + "1" + std::string(64, '0'));
  EXPECT_EQ(WordOf(DeltaCode(), kLargest), "0000001000001" + std::string(64, '0'));
  EXPECT_EQ(WordOf(ZetaCode(3), kLargest), std::string(21, '0') + "1" + "01" + std::string(64, '0'));
}

TEST(CodesTest, GammaIsZetaOfOne) {
  for (uint64_t x : Numbers(kLargest, 4)) ASSERT_EQ(WordOf(GammaCode(), x), WordOf(ZetaCode(1), x)) << x;
}

TEST(CodesTest, EveryWordIsThatOfTheDefinition) {
  ForEachCode([](const std::string& name, const auto& code, const CodeJudge& judge, uint64_t max) {
    SCOPED_TRACE(name);
    for (uint64_t x : Numbers(max, 5)) {
      ASSERT_EQ(WordOf(code, x), judge(x)) << x;
      ASSERT_EQ(code.Length(x), judge(x).size()) << x;
    }
  });
}

// Word by word, by skipping and in bulk, at all positions of the window, checking intermediate positions.
TEST(CodesTest, ReadsBackWhatWasWritten) {
  ForEachCode([](const std::string& name, const auto& code, const CodeJudge&, uint64_t max) {
    SCOPED_TRACE(name);
    for (unsigned offset = 0; offset < 20; offset++) {
      const std::vector<uint64_t> numbers = Numbers(max, offset);
      BitWriter writer;
      writer.WriteBits(0, offset);
      for (uint64_t x : numbers) code.Write(writer, x);
      const uint64_t size = writer.position();
      const Bytes bytes = writer.Finish();
      BitReader reader(bytes, size);
      BitReader skipper(bytes, size);
      BitReader bulk(bytes, size);
      reader.SkipBits(offset);
      skipper.SkipBits(offset);
      bulk.SkipBits(offset);
      uint64_t position = offset;
      for (uint64_t x : numbers) {
        ASSERT_EQ(code.Read(reader), x);
        code.Skip(skipper);
        position += code.Length(x);
        ASSERT_EQ(reader.position(), position);
        ASSERT_EQ(skipper.position(), position);
      }
      ASSERT_TRUE(reader.ok());
      ASSERT_TRUE(skipper.ok());
      std::vector<uint64_t> decoded(numbers.size());
      ASSERT_TRUE(Decode(code, bulk, decoded).ok());
      ASSERT_EQ(decoded, numbers);
      ASSERT_EQ(bulk.position(), size);
    }
  });
}

TEST(CodesTest, ReadsNothingOfNothing) {
  ForEachCode([](const std::string& name, const auto& code, const CodeJudge& judge, uint64_t) {
    SCOPED_TRACE(name);
    BitReader reader;
    EXPECT_TRUE(Decode(code, reader, {}).ok());
    EXPECT_EQ(code.Read(reader), 0u);
    EXPECT_EQ(reader.ok(), judge(0).empty());
  });
}

TEST(CodesTest, FailsAtEveryCutOfAWord) {
  ForEachCode([](const std::string& name, const auto& code, const CodeJudge& judge, uint64_t max) {
    SCOPED_TRACE(name);
    for (uint64_t x : Numbers(max, 6)) {
      const std::string word = judge(x);
      if (word.size() > 200) continue;
      for (size_t cut = 0; cut < word.size(); cut++) {
        const std::vector<std::byte> bytes = Packed(word.substr(0, cut));
        BitReader reader(bytes, cut);
        ASSERT_EQ(code.Read(reader), 0u) << x << " cut at " << cut;
        ASSERT_FALSE(reader.ok()) << x << " cut at " << cut;
        ASSERT_EQ(code.Read(reader), 0u);
      }
    }
  });
}

TEST(CodesTest, FailsAtEveryCutOfAStream) {
  ForEachCode([](const std::string& name, const auto& code, const CodeJudge& judge, uint64_t max) {
    SCOPED_TRACE(name);
    std::vector<uint64_t> numbers = {0, 1, 5, 2, 0, 700, 3, 1, 0, 0, 9, 1, 2, 40, 6, 1, 0, 90, 0, 0};
    std::erase_if(numbers, [max](uint64_t x) { return x > max; });
    std::string stream;
    for (uint64_t x : numbers) stream += judge(x);
    for (size_t cut = 0; cut < stream.size(); cut += 1 + cut / 200) {
      const std::vector<std::byte> bytes = Packed(stream.substr(0, cut));
      BitReader reader(bytes, cut);
      std::vector<uint64_t> decoded(numbers.size());
      ASSERT_FALSE(Decode(code, reader, decoded).ok()) << cut;
      size_t whole = 0;
      for (size_t bits = judge(numbers[0]).size(); bits <= cut; bits += judge(numbers[whole]).size()) {
        ASSERT_EQ(decoded[whole], numbers[whole]);
        whole++;
      }
      for (; whole < decoded.size(); whole++) ASSERT_EQ(decoded[whole], 0u);
    }
  });
}

// On random bits: the word of each number read equals the bits that it was read from.
TEST(CodesTest, ReadsOnlyWordsThatAreThere) {
  SeededRandom random(7);
  for (int round = 0; round < 40; round++) {
    std::vector<std::byte> bytes(200);
    for (std::byte& byte : bytes) {
      // Half of the rounds have mostly zeros, for long words.
      byte = static_cast<std::byte>(random.Next() & random.Next() & (round % 2 == 0 ? 0xff : random.Next()));
    }
    const std::string bits = Unpacked(bytes, 8 * bytes.size());
    ForEachCode([&](const std::string& name, const auto& code, const CodeJudge& judge, uint64_t) {
      SCOPED_TRACE(name);
      BitReader reader(bytes);
      for (size_t at = 0; at < bits.size();) {
        const uint64_t x = code.Read(reader);
        if (!reader.ok()) break;
        const std::string word = judge(x);
        if (word.empty()) break;
        ASSERT_EQ(bits.substr(at, word.size()), word) << x;
        at += word.size();
        ASSERT_EQ(reader.position(), at);
      }
    });
  }
}

template <typename Code>
BitReader::Error ErrorOf(const Code& code, const std::string& bits) {
  const std::vector<std::byte> bytes = Packed(bits + std::string(100, '0'));
  BitReader reader(bytes);
  EXPECT_EQ(code.Read(reader), 0u);
  EXPECT_EQ(reader.position(), reader.size());
  return reader.error();
}

TEST(CodesTest, RefusesNumbersOfMoreThan64Bits) {
  using Error = BitReader::Error;
  const std::string zeros(63, '0');
  EXPECT_EQ(ErrorOf(GammaCode(), std::string(64, '0') + "1" + zeros + "1"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(GammaCode(), std::string(65, '0') + "1"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(DeltaCode(), "0000001000001" + zeros + "1"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(DeltaCode(), "0000001000010"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(ZetaCode(3), std::string(21, '0') + "1" + "01" + zeros + "1"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(ZetaCode(3), std::string(22, '0') + "1"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(ZetaCode(64), "01" + std::string(126, '0') + "1"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(GolombCode(uint64_t{1} << 63), "001"), Error::kTooLarge);
  EXPECT_EQ(ErrorOf(GolombCode(kLargest), "01" + std::string(62, '0') + "10"), Error::kTooLarge);
  std::string nibbles = "1010";  // 2 * 8^21 = 2^64
  for (int i = 0; i < 20; i++) nibbles += "1000";
  EXPECT_EQ(ErrorOf(NibbleCode(), nibbles + "0000"), Error::kTooLarge);
}

TEST(CodesTest, RefusesBlocksThatCarryNothing) {
  using Error = BitReader::Error;
  EXPECT_EQ(ErrorOf(NibbleCode(), "10000001"), Error::kNotACodeword);
  EXPECT_EQ(ErrorOf(ByteCode(), "1000000000000001"), Error::kNotACodeword);
  EXPECT_EQ(ErrorOf(PrefixByteCode(), "1000000001111111"), Error::kNotACodeword);
  EXPECT_EQ(ErrorOf(PrefixByteCode(), "1111111100000000" + std::string(56, '1')), Error::kNotACodeword);
}

TEST(CodesTest, LengthsSaturate) {
  EXPECT_EQ(UnaryCode::Length(kLargest), kLargest);
  EXPECT_EQ(UnaryCode::Length(kLargest - 1), kLargest);
  EXPECT_EQ(GolombCode(1).Length(kLargest), kLargest);
  EXPECT_EQ(GolombCode(2).Length(kLargest), (uint64_t{1} << 63) + 1);
}

// ---- Kraft sums, exactly ----

// 1 - 2^-n
KraftSum OneLess(unsigned n) {
  KraftSum sum;
  for (unsigned i = 1; i <= n; i++) sum.Add(i);
  return sum;
}

template <typename Code>
KraftSum SumBelow(const Code& code, uint64_t end) {
  KraftSum sum;
  for (uint64_t x = 0; x < end; x++) sum.Add(static_cast<unsigned>(code.Length(x)));
  return sum;
}

TEST(KraftSumsOfCodesTest, UnaryHasOneLessTwoToMinusN) {
  for (unsigned n = 0; n < 64; n++) EXPECT_EQ(SumBelow(UnaryCode(), n), OneLess(n));
}

TEST(KraftSumsOfCodesTest, GammaMissesTwoToMinusLForNumbersOfLBits) {
  for (unsigned l = 0; l <= 16; l++) EXPECT_EQ(SumBelow(GammaCode(), (uint64_t{1} << l) - 1), OneLess(l));
}

// The words of all x with λ(x+1) = l sum to 2^-|γ(l)|, so the sum is γ's sum over l.
TEST(KraftSumsOfCodesTest, DeltaMissesTwoToMinusMWhereGammaOfTheLengthDoes) {
  for (unsigned m = 0; m <= 4; m++) {
    const uint64_t lengths = (uint64_t{1} << m) - 1;
    EXPECT_EQ(SumBelow(DeltaCode(), (uint64_t{1} << lengths) - 1), OneLess(m));
  }
}

TEST(KraftSumsOfCodesTest, ZetaMissesTwoToMinusHForHShells) {
  for (unsigned k = 1; k <= 8; k++) {
    for (unsigned h = 0; h * k <= 16; h++) {
      EXPECT_EQ(SumBelow(ZetaCode(k), (uint64_t{1} << (h * k)) - 1), OneLess(h));
    }
  }
}

TEST(KraftSumsOfCodesTest, GolombMissesTwoToMinusQForQQuotients) {
  for (uint64_t b = 1; b <= 40; b++) {
    for (unsigned q = 0; q <= 40; q++) EXPECT_EQ(SumBelow(GolombCode(b), q * b), OneLess(q));
  }
}

TEST(KraftSumsOfCodesTest, MinimalBinaryHasExactlyOne) {
  for (uint64_t n = 1; n <= 1000; n++) EXPECT_TRUE(SumBelow(MinimalBinaryCode(n - 1), n).IsOne()) << n;
}

// With d data bits per block, the words of n blocks sum to 2^-n (1 - 2^-d), except 1/2 for n = 1: in total 1
// - 2^-(d+1). The missing interval is that of words starting with an empty group.
template <typename Code>
void ExpectBlockSums(const Code& code, unsigned data_bits, unsigned max_blocks) {
  KraftSum expected;
  expected.Add(1);
  for (unsigned blocks = 1; blocks <= max_blocks; blocks++) {
    if (blocks > 1) {
      for (unsigned i = 1; i <= data_bits; i++) expected.Add(blocks + i);
    }
    EXPECT_EQ(SumBelow(code, uint64_t{1} << (blocks * data_bits)), expected);
    EXPECT_LT(expected.value(), 1 - std::ldexp(1.0, -static_cast<int>(data_bits) - 1));
  }
}

TEST(KraftSumsOfCodesTest, BlockCodesStayBelowOne) {
  ExpectBlockSums(NibbleCode(), 3, 6);
  ExpectBlockSums(ByteCode(), 7, 2);
  ExpectBlockSums(PrefixByteCode(), 7, 2);
}

// ---- lengths by the formulas of the notes, as corrected in docs/errata.md ----

TEST(CodeLengthsTest, FollowTheFormulas) {
  const auto log = [](uint64_t x) { return static_cast<uint64_t>(std::bit_width(x)) - 1; };
  for (uint64_t x : Numbers(kLargest - 1, 8)) {
    EXPECT_EQ(GammaCode::Length(x), 2 * log(x + 1) + 1);
    EXPECT_EQ(DeltaCode::Length(x), 2 * log(log(x + 1) + 1) + 1 + log(x + 1));
    for (uint64_t b = 1; b < 50; b++) {
      const uint64_t ceiling = b == 1 ? 0 : log(b - 1) + 1;
      const uint64_t is_long = x % b >= (uint64_t{1} << ceiling) - b ? 1 : 0;
      if (x / b < kLargest / 2) {
        EXPECT_EQ(GolombCode(b).Length(x), 1 + x / b + ceiling - 1 + is_long);
      }
    }
    const uint64_t digits = x == 0 ? 1 : log(x) + 1;
    EXPECT_EQ(NibbleCode::Length(x), 4 * ((digits + 2) / 3));
    EXPECT_EQ(ByteCode::Length(x), 8 * ((digits + 6) / 7));
  }
}

// "At about 30 gamma becomes longer": the first number with a shorter δ word is 31.
TEST(CodeLengthsTest, DeltaBeatsGammaFrom31) {
  for (uint64_t x = 0; x < 31; x++) EXPECT_GE(DeltaCode::Length(x), GammaCode::Length(x));
  for (uint64_t x : Numbers(kLargest, 9)) {
    if (x >= 31) {
      EXPECT_LT(DeltaCode::Length(x), GammaCode::Length(x)) << x;
    }
  }
}

TEST(GolombCodeTest, TheOptimalModulusIsTheLeastThatSpendsNoMoreThanOneBit) {
  for (uint64_t n : {uint64_t{1}, uint64_t{2}, uint64_t{10}, uint64_t{1000}, uint64_t{1000003}}) {
    for (uint64_t f = 1; f <= n; f += 1 + f / 3) {
      const double q = 1 - static_cast<double>(f) / static_cast<double>(n);
      const auto mass = [q](uint64_t b) {
        return std::pow(q, static_cast<double>(b)) + std::pow(q, static_cast<double>(b + 1));
      };
      const uint64_t b = GolombCode::OptimalModulus(f, n);
      EXPECT_LE(mass(b), 1 + 1e-9) << f << " of " << n;
      if (b > 1) {
        EXPECT_GT(mass(b - 1), 1 - 1e-9) << f << " of " << n;
      }
    }
  }
  EXPECT_EQ(GolombCode::OptimalModulus(1, 2), 1u);
  EXPECT_EQ(GolombCode::OptimalModulus(7, 7), 1u);
  EXPECT_EQ(GolombCode::OptimalModulus(1, 10), 7u);
  EXPECT_GT(GolombCode::OptimalModulus(1, kLargest), uint64_t{1} << 63);
}

// No modulus is better on the distribution itself.
TEST(GolombCodeTest, TheOptimalModulusGivesTheShortestMeanLength) {
  for (const auto& [f, n] : {std::pair{1u, 3u}, {1u, 10u}, {3u, 100u}, {2u, 1000u}}) {
    const double p = static_cast<double>(f) / n;
    const auto mean = [p](uint64_t b) {
      double sum = 0;
      double probability = p;
      for (uint64_t x = 0; static_cast<double>(x) < 40 / p; x++, probability *= 1 - p) {
        sum += probability * static_cast<double>(GolombCode(b).Length(x));
      }
      return sum;
    };
    const uint64_t best = GolombCode::OptimalModulus(f, n);
    for (uint64_t b = 1; b < 2 * best + 3; b++) EXPECT_LE(mean(best), mean(b) + 1e-9) << b << " of " << best;
  }
}

}  // namespace
}  // namespace crivello::bits
