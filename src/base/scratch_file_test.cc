// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_file.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "base/test_support.h"

namespace crivello {
namespace {

TEST(ScratchFileTest, HasWhatWasAppendedAndNoName) {
  const TemporaryFolder folder;
  auto file = ScratchFile::Create(folder.path()).value();
  auto other = ScratchFile::Create(folder.path()).value();
  ASSERT_TRUE(file.Append(AsBytes("one")).ok());
  ASSERT_TRUE(other.Append(AsBytes("another")).ok());
  const InputFile& input = file.input();
  ScratchFile moved = std::move(file);
  ASSERT_TRUE(moved.Append(AsBytes("two")).ok());
  EXPECT_EQ(moved.size(), 6u);
  std::array<char, 8> read = {};
  EXPECT_EQ(input.Read(2, std::as_writable_bytes(std::span(read))).value(), 4u);
  EXPECT_STREQ(read.data(), "etwo");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(ScratchFileTest, TellsAnErrorOfTheDisk) {
  const TemporaryFolder folder;
  EXPECT_FALSE(ScratchFile::Create(folder / "missing").ok());
}

}  // namespace
}  // namespace crivello
