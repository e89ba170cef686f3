// SPDX-License-Identifier: Apache-2.0
#include "base/file_format.h"

#include <gtest/gtest.h>

#include <string>

#include "base/image.h"
#include "base/test_support.h"

namespace crivello {
namespace {

constexpr FileKind kKind = {.name = "test", .version = 2};

std::string Written(const TemporaryFolder& folder, std::string_view payload, FileKind kind = kKind) {
  const std::string path = folder / "file";
  auto file = FormatFileWriter::Create(path, kind);
  EXPECT_TRUE(file.ok());
  EXPECT_TRUE(file->Append(AsBytes(payload)).ok());
  EXPECT_TRUE(file->Finish().ok());
  return path;
}

TEST(FormatFileTest, GivesBackItsPayload) {
  TemporaryFolder folder;
  const std::string path = Written(folder, "eight by");
  auto file = FormatFile::Open(path, kKind);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_EQ(AsText(file->payload()), "eight by");
  EXPECT_EQ(file->kind(), "test");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file->payload().data()) % 64, 0u);
}

TEST(FormatFileTest, PadsThePayloadToWords) {
  TemporaryFolder folder;
  auto file = FormatFile::Open(Written(folder, "abc"), kKind);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(AsText(file->payload()), std::string_view("abc\0\0\0\0\0", 8));
}

TEST(FormatFileTest, RefusesAnotherKindAndVersionsItDoesNotRead) {
  TemporaryFolder folder;
  const std::string path = Written(folder, "");
  EXPECT_EQ(FormatFile::Open(path, {.name = "other"}).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(FormatFile::Open(path, {.name = "test", .version = 1}).status().code(), StatusCode::kCorruption);
  EXPECT_TRUE(FormatFile::Open(path, {.name = "test", .version = 3}).ok());
  EXPECT_EQ(FormatFile::Open(path, {.name = "test", .version = 3, .least_version = 3}).status().ToString(),
            Status::Corruption(path + ": found 'test' version 2, but this program reads versions from 3 on; "
                                      "create the file again")
                .ToString());
  EXPECT_FALSE(FormatFile::Open(Written(folder, "", {.name = "test", .version = 0}), kKind).ok());
  EXPECT_EQ(FormatFile::Open(folder / "none", kKind).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(FormatFile::Open(folder.path(), kKind).status().code(), StatusCode::kIoError);
}

TEST(FormatFileTest, FindsEveryFlippedBitAndEveryCut) {
  TemporaryFolder folder;
  const std::string path = Written(folder, "sixteen bytes...");
  const std::string good = *ReadFile(path);
  for (size_t at = 0; at < good.size(); at++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      ASSERT_TRUE(WriteFileAtomically(path, AsBytes(bad)).ok());
      EXPECT_EQ(FormatFile::Open(path, kKind).status().code(), StatusCode::kCorruption) << at << ' ' << bit;
    }
    ASSERT_TRUE(WriteFileAtomically(path, AsBytes(good.substr(0, at))).ok());
    EXPECT_EQ(FormatFile::Open(path, kKind).status().code(), StatusCode::kCorruption) << at;
  }
}

TEST(ImageTest, ReadsBackWhatWasWrittenAndNoMore) {
  ImageWriter inner;
  inner.Word(7);
  ImageWriter image;
  image.Word(1);
  image.RawBytes(AsBytes("hello"));
  image.Nested(inner);
  ImageReader reader(image.bytes(), "thing");
  EXPECT_EQ(*reader.Word(), 1u);
  EXPECT_EQ(AsText(*reader.RawBytes(5)), "hello");
  EXPECT_EQ(reader.Finish().code(), StatusCode::kCorruption);
  auto nested = reader.Nested();
  ASSERT_TRUE(nested.ok());
  EXPECT_EQ(*ImageReader(*nested, "inner").Word(), 7u);
  EXPECT_TRUE(reader.Finish().ok());
  EXPECT_EQ(reader.Words(~uint64_t{0}).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(reader.RawBytes(~uint64_t{0}).status().code(), StatusCode::kCorruption);
  EXPECT_EQ(ImageReader(image.bytes().subspan(1), "thing").Word().status().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace crivello
