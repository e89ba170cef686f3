// SPDX-License-Identifier: Apache-2.0
#include "base/record.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "base/random.h"

namespace crivello {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

std::string Sample() {
  RecordWriter writer;
  for (uint64_t n : {uint64_t{0}, uint64_t{127}, uint64_t{128}, kMax - 1, kMax}) writer.Number(n);
  for (int64_t n : {int64_t{0}, int64_t{-1}, int64_t{1}, kLeast}) writer.Signed(n);
  writer.Text("text");
  writer.Text("");
  writer.Word(0x0123456789abcdef);
  writer.Raw("rest");
  return std::move(writer).bytes();
}

void ReadSample(RecordReader& reader) {
  for (uint64_t n : {uint64_t{0}, uint64_t{127}, uint64_t{128}, kMax - 1, kMax})
    EXPECT_EQ(reader.Number(), n);
  for (int64_t n : {int64_t{0}, int64_t{-1}, int64_t{1}, kLeast}) EXPECT_EQ(reader.Signed(), n);
  EXPECT_EQ(reader.Text(), "text");
  EXPECT_EQ(reader.Text(), "");
  EXPECT_EQ(reader.Word(), 0x0123456789abcdefu);
}

TEST(RecordTest, WhatWasWrittenIsRead) {
  const std::string bytes = Sample();
  RecordReader reader(bytes);
  ReadSample(reader);
  EXPECT_TRUE(reader.ok());
  EXPECT_FALSE(reader.finished());
  EXPECT_EQ(reader.Rest(), "rest");
  EXPECT_TRUE(reader.finished());
}

TEST(RecordTest, ACutRecordFailsAndReadsAsNothing) {
  const std::string bytes = Sample();
  const size_t fields = bytes.size() - 4;
  for (size_t cut = 0; cut < fields; ++cut) {
    RecordReader reader(std::string_view(bytes).substr(0, cut));
    for (int i = 0; i < 5; ++i) reader.Number();
    for (int i = 0; i < 4; ++i) reader.Signed();
    reader.Text();
    reader.Text();
    EXPECT_EQ(reader.Word(), 0u) << cut;
    EXPECT_FALSE(reader.ok()) << cut;
    EXPECT_FALSE(reader.finished()) << cut;
  }
}

TEST(RecordTest, RefusesATextThatIsCutByLittle) {
  RecordWriter writer;
  writer.Text("abc");
  RecordReader reader(std::string_view(writer.bytes()).substr(0, 3));
  EXPECT_EQ(reader.Text(), "");
  EXPECT_FALSE(reader.ok());
}

TEST(RecordTest, RefusesNumbersThatAreTooLongOrTooLarge) {
  EXPECT_EQ(RecordReader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").Number(), kMax);
  for (const char* bytes :
       {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"}) {
    RecordReader reader(bytes);
    EXPECT_EQ(reader.Number(), 0u);
    EXPECT_FALSE(reader.ok());
  }
  RecordReader reader("\x05");
  EXPECT_EQ(reader.NumberAtMost(4), 0u);
  EXPECT_FALSE(reader.ok());
}

TEST(RecordTest, HaveOneWayToWriteANumber) {
  SeededRandom random(3);
  for (int i = 0; i < 2000; i++) {
    const uint64_t value = random.Next() >> random.Below(64);
    std::string bytes;
    RecordWriter(&bytes).Number(value);
    RecordReader reader(bytes);
    EXPECT_EQ(reader.Number(), value);
    EXPECT_TRUE(reader.finished());
    std::string negative;
    RecordWriter(&negative).Signed(static_cast<int64_t>(value));
    EXPECT_EQ(RecordReader(negative).Signed(), static_cast<int64_t>(value));
  }
  for (const std::string_view bad : {std::string_view("\x80\x00", 2), std::string_view("\x80", 1),
                                     std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10),
                                     std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11)}) {
    RecordReader reader(bad);
    EXPECT_EQ(reader.Number(), 0u);
    EXPECT_FALSE(reader.ok());
  }
}

}  // namespace
}  // namespace crivello
