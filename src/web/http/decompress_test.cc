// SPDX-License-Identifier: Apache-2.0
#include "web/http/decompress.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <map>

#include "base/random.h"
#include "web/http/lzw.h"

namespace crivello::web {
namespace {

constexpr int kRaw = -15, kZlib = 15, kGzip = 31;

std::string Deflate(std::string_view text, int envelope) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, envelope, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

// compress(1), implemented from its description: a table of strings; groups of eight codes padded when the
// width grows.
std::string Lzw(std::string_view text, int max_bits, bool clear_when_full) {
  std::string out = {'\x1f', '\x9d', static_cast<char>(0x80 | max_bits)};
  std::vector<bool> bits;
  int width = 9, group = 0;
  const auto pad = [&] {
    for (int n = (8 - group % 8) % 8 * width; n > 0; n--) bits.push_back(false);
    group = 0;
  };
  const auto put = [&](uint32_t code) {
    for (int i = 0; i < width; i++) bits.push_back((code >> i & 1) != 0);
    group++;
  };
  std::map<std::string, uint32_t> table;
  const auto reset = [&] {
    table.clear();
    for (int c = 0; c < 256; c++) table[std::string(1, static_cast<char>(c))] = static_cast<uint32_t>(c);
  };
  reset();
  uint32_t free = 257;
  uint32_t decoder_free = 257;  // the decoder's table is one entry behind, and determines the width
  bool first = true;
  std::string current;
  const auto emit = [&](uint32_t code) {
    put(code);
    if (!first && decoder_free < 1u << max_bits) decoder_free++;
    first = false;
    if (decoder_free >= 1u << width && width < max_bits) {
      pad();
      width++;
    }
  };
  for (const char c : text) {
    std::string longer = current + c;
    if (table.count(longer) != 0) {
      current = std::move(longer);
      continue;
    }
    emit(table[current]);
    if (free < 1u << max_bits) {
      table[longer] = free++;
    } else if (clear_when_full) {
      put(256);
      pad();
      width = 9;
      reset();
      free = decoder_free = 257;
      first = true;
    }
    current.assign(1, c);
  }
  if (!current.empty()) emit(table[current]);
  for (size_t i = 0; i < bits.size(); i += 8) {
    int byte = 0;
    for (size_t k = 0; k < 8 && i + k < bits.size(); k++) byte |= bits[i + k] ? 1 << k : 0;
    out.push_back(static_cast<char>(byte));
  }
  return out;
}

std::string Text(size_t words, uint64_t seed) {
  SeededRandom random(seed);
  std::string text;
  for (size_t i = 0; i < words; i++) text += "word" + std::to_string(random.Below(1 + i / 3)) + " ";
  return text;
}

struct Coded {
  ContentCoding coding;
  std::string bytes;
};
std::vector<Coded> AllCodings(const std::string& text) {
  return {{ContentCoding::kGzip, Deflate(text, kGzip)},     {ContentCoding::kDeflate, Deflate(text, kZlib)},
          {ContentCoding::kDeflate, Deflate(text, kRaw)},   {ContentCoding::kZstd, Zstd(text)},
          {ContentCoding::kCompress, Lzw(text, 16, false)}, {ContentCoding::kCompress, Lzw(text, 10, true)}};
}

TEST(DecompressTest, KnowsTheNames) {
  EXPECT_EQ(ContentCodingForName(" X-GZip "), ContentCoding::kGzip);
  EXPECT_EQ(ContentCodingForName("br"), ContentCoding::kBrotli);
  EXPECT_EQ(ContentCodingForName("utf-8"), std::nullopt);
}

TEST(DecompressTest, UndoesEveryCoding) {
  const std::string text = Text(30000, 1);
  for (const Coded& coded : AllCodings(text)) {
    const Decompressed result = Decompress(coded.bytes, coded.coding);
    EXPECT_EQ(DecompressStatusName(result.status), "complete") << static_cast<int>(coded.coding);
    EXPECT_EQ(result.body, text);
    EXPECT_EQ(result.trailing_bytes, 0u);
  }
}

TEST(DecompressTest, UndoesBrotli) {
  EXPECT_EQ(Decompress("\x06", ContentCoding::kBrotli).status, DecompressStatus::kComplete);
  // Made by hand (RFC 7932, section 9.2): a window of 16 bits, an uncompressed meta-block of 5 bytes, an
  // empty last one.
  const std::string stored = std::string("\x40\x00\x10", 3) + "hello" + "\x03";
  const Decompressed result = Decompress(stored, ContentCoding::kBrotli);
  EXPECT_EQ(result.body, "hello");
  EXPECT_EQ(result.status, DecompressStatus::kComplete);
  EXPECT_EQ(Decompress(stored.substr(0, 6), ContentCoding::kBrotli).status, DecompressStatus::kTruncated);
}

TEST(DecompressTest, ReadsWhatCompressWrote) {
  // Output of ncompress 5.0 for: abababababababababababab hello hello hello
  const std::string bytes(
      "\x1f\x9d\x90\x61\xc4\x04\x1c\x28\xb0\x20\xc1\x83\x05\x41\xa0\x29\xc3\x86\xcd\x1b\x85\x0c\x1d\x42\x6c"
      "\xf8\x46\x01",
      28);
  EXPECT_EQ(Decompress(bytes, ContentCoding::kCompress).body, "abababababababababababab hello hello hello\n");
}

TEST(DecompressTest, GivesTheSameInPiecesOfAnySize) {
  constexpr uint64_t kSeed = 3;
  SCOPED_TRACE(kSeed);
  SeededRandom random(kSeed);
  const std::string text = Text(5000, 2);
  for (const Coded& coded : AllCodings(text)) {
    for (int round = 0; round < 10; round++) {
      Decompressor decompressor(coded.coding);
      std::string out;
      for (std::string_view rest = coded.bytes; !rest.empty();) {
        const std::string_view piece = rest.substr(0, round == 0 ? 1 : 1 + random.Below(500));
        decompressor.Feed(piece, [&](std::string_view bytes) { out += bytes; });
        rest.remove_prefix(piece.size());
      }
      EXPECT_EQ(decompressor.Finish(), DecompressStatus::kComplete);
      EXPECT_EQ(out, text);
    }
  }
}

TEST(DecompressTest, JoinsMembersAndFramesAndLeavesGarbage) {
  const std::string a = Text(1000, 4), b = Text(2000, 5);
  const Decompressed gzip =
      Decompress(Deflate(a, kGzip) + Deflate(b, kGzip) + "garbage", ContentCoding::kGzip);
  EXPECT_EQ(gzip.body, a + b);
  EXPECT_EQ(gzip.status, DecompressStatus::kComplete);
  EXPECT_EQ(gzip.trailing_bytes, 7u);
  const Decompressed zstd = Decompress(Zstd(a) + Zstd(b) + "garbage", ContentCoding::kZstd);
  EXPECT_EQ(zstd.body, a + b);
  EXPECT_EQ(zstd.status, DecompressStatus::kComplete);
  EXPECT_EQ(zstd.trailing_bytes, 7u);
}

TEST(DecompressTest, GivesWhatThereIsOfATruncatedBody) {
  const std::string text = Text(30000, 6);
  for (const Coded& coded : AllCodings(text)) {
    if (coded.coding == ContentCoding::kCompress) continue;  // has no end marker
    for (const size_t cut : {coded.bytes.size() - 1, coded.bytes.size() / 2, size_t{5}, size_t{0}}) {
      const Decompressed result = Decompress(coded.bytes.substr(0, cut), coded.coding);
      EXPECT_EQ(DecompressStatusName(result.status), "truncated")
          << static_cast<int>(coded.coding) << " " << cut;
      EXPECT_EQ(result.body, text.substr(0, result.body.size()));
      if (cut > coded.bytes.size() / 3 && coded.coding != ContentCoding::kZstd) {
        EXPECT_GT(result.body.size(), text.size() / 4);
      }
    }
  }
}

TEST(DecompressTest, CutsABombAtTheLimit) {
  const std::string zeros(32 << 20, '\0');
  const std::string gzip = Deflate(zeros, kGzip);
  ASSERT_LT(gzip.size(), 40000u);
  const Decompressed dense = Decompress(gzip, ContentCoding::kGzip);
  EXPECT_EQ(dense.status, DecompressStatus::kTooDense);
  EXPECT_LE(dense.body.size(), std::max<size_t>(gzip.size() * 500, 4 << 20));
  const Decompressed large =
      Decompress(gzip, ContentCoding::kGzip, {.max_bytes = 1000000, .max_ratio = 5000});
  EXPECT_EQ(large.status, DecompressStatus::kTooLarge);
  EXPECT_EQ(large.body.size(), 1000000u);
  const Decompressed allowed = Decompress(gzip, ContentCoding::kGzip, {.max_ratio = 5000});
  EXPECT_EQ(allowed.status, DecompressStatus::kComplete);
  EXPECT_EQ(allowed.body.size(), zeros.size());
  const Decompressed exact = Decompress(Zstd("12345"), ContentCoding::kZstd, {.max_bytes = 5});
  EXPECT_EQ(exact.status, DecompressStatus::kComplete);
  EXPECT_EQ(Decompress(Zstd("12345"), ContentCoding::kZstd, {.max_bytes = 4}).body, "1234");
}

TEST(DecompressTest, IsNotFooledByAGzipThatLiesAboutItsSize) {
  std::string gzip = Deflate(Text(1000, 7), kGzip);
  gzip.replace(gzip.size() - 4, 4, "\xff\xff\xff\x7f", 4);
  EXPECT_EQ(Decompress(gzip, ContentCoding::kGzip).status, DecompressStatus::kCorrupt);
  EXPECT_EQ(Decompress(gzip, ContentCoding::kGzip).body, Text(1000, 7));
}

TEST(DecompressTest, SaysThatOtherBytesAreNotThisCoding) {
  for (const ContentCoding coding : {ContentCoding::kGzip, ContentCoding::kZstd, ContentCoding::kCompress}) {
    const Decompressed result = Decompress("<html><p>not compressed at all</p></html>", coding);
    EXPECT_EQ(result.status, DecompressStatus::kCorrupt) << static_cast<int>(coding);
    EXPECT_EQ(result.body, "");
  }
}

TEST(DecompressTest, RefusesZstdOfBeforeItsFormatWasFixed) {
  for (const char first : {'\x22', '\x25', '\x27'}) {
    std::string old = Zstd("text");
    old[0] = first;
    EXPECT_EQ(Decompress(old, ContentCoding::kZstd).status, DecompressStatus::kCorrupt);
    EXPECT_EQ(Decompress(old, ContentCoding::kZstd).body, "");
  }
}

TEST(DecompressTest, UndoesChainsFromTheLast) {
  const std::string text = Text(100, 8);
  const std::string bytes = Deflate(Zstd(text), kGzip);
  EXPECT_EQ(DecodeContent(bytes, "zstd, gzip").body(), text);
  EXPECT_EQ(DecodeContent(bytes, "ZSTD,identity,,x-gzip").status(), DecompressStatus::kComplete);
  EXPECT_EQ(DecodeContent(bytes, "gzip, zstd").status(), DecompressStatus::kCorrupt);
  EXPECT_EQ(DecodeContent(bytes, "gzip, gzip, gzip, gzip").status(), DecompressStatus::kUnsupported);
  EXPECT_EQ(DecodeContent(bytes, "rot13").status(), DecompressStatus::kUnsupported);
  const DecodedContent plain = DecodeContent(bytes, "");
  EXPECT_TRUE(plain.borrowed());
  EXPECT_EQ(plain.body().data(), bytes.data());
}

TEST(LzwTest, DecodesAllWidthsWithAndWithoutClearing) {
  const std::string text = Text(20000, 9);
  for (int bits = 10; bits <= 16; bits++) {
    for (const bool clear : {false, true}) {
      const Decompressed result = Decompress(Lzw(text, bits, clear), ContentCoding::kCompress);
      EXPECT_EQ(result.status, DecompressStatus::kComplete);
      EXPECT_TRUE(result.body == text) << bits << " " << clear;
    }
  }
}

TEST(LzwTest, DecodesAStringThatRefersToItself) {
  const std::string text(100000, 'a');
  EXPECT_TRUE(Decompress(Lzw(text, 16, false), ContentCoding::kCompress).body == text);
}

TEST(LzwTest, RefusesWhatNoCompressorWrites) {
  EXPECT_EQ(Decompress(std::string("\x1f\x9d\x88", 3), ContentCoding::kCompress).status,
            DecompressStatus::kCorrupt);
  EXPECT_EQ(Decompress("\x1f\x9d\x90\xff\xff", ContentCoding::kCompress).status, DecompressStatus::kCorrupt);
  EXPECT_EQ(Decompress("\x1f\x9d\x91\x61", ContentCoding::kCompress).status, DecompressStatus::kCorrupt);
}

}  // namespace
}  // namespace crivello::web
