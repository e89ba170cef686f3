// SPDX-License-Identifier: Apache-2.0
#include "graph/names/name_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/random.h"
#include "base/test_support.h"
#include "graph/names/name_list_writer.h"

namespace crivello::graph {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Names that share prefixes, with some bytes that hosts and URLs do not have.
std::vector<std::string> RandomNames(SeededRandom& random, size_t count) {
  std::set<std::string> names;
  while (names.size() < count) {
    std::string name = names.empty() || random.Below(3) == 0 ? "" : *names.begin();
    name.resize(name.empty() ? 0 : random.Below(name.size() + 1));
    for (uint64_t more = 1 + random.Below(20); more > 0; more--) {
      name += static_cast<char>(random.Below(20) == 0 ? 0xff - random.Below(2) : 'a' + random.Below(3));
    }
    names.insert(name);
  }
  return {names.begin(), names.end()};
}

Result<Mapped<NameList>> Write(const std::string& path, const std::vector<std::string>& by_node,
                               uint64_t memory_bytes = 1 << 20) {
  NameListBuilder builder({.folder = path + "-sort", .memory_bytes = memory_bytes});
  for (const std::string& name : by_node) CRV_TRY(builder.Add(name));
  CRV_TRY(builder.WriteTo({.path = path, .form = "test"}).status());
  return Mapped<NameList>::Open(path);
}

std::vector<std::string> NamesOf(const NameList& list) {
  std::vector<std::string> names;
  for (uint64_t node = 0; node < list.size(); node++) names.push_back(list.Name(static_cast<Node>(node)));
  return names;
}

TEST(NameListTest, GivesTheNameOfEachNodeAndTheNodeOfEachNameInAnyOrder) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  const TemporaryFolder folder;
  for (const size_t count : {0u, 1u, 2u, 15u, 16u, 17u, 500u}) {
    std::vector<std::string> names = RandomNames(random, count);
    for (const bool shuffled : {false, true}) {
      for (size_t i = count; shuffled && i > 1; i--) std::swap(names[i - 1], names[random.Below(i)]);
      const bool in_order = std::is_sorted(names.begin(), names.end());
      const auto file = Write(folder / "names", names, shuffled ? 300 : 1 << 20);
      ASSERT_TRUE(file.ok()) << file.status().ToString();
      const NameList& list = **file;
      EXPECT_EQ(list.Check(), Status::Ok());
      EXPECT_EQ(list.in_order(), in_order);
      EXPECT_EQ(list.form(), "test");
      EXPECT_EQ(NamesOf(list), names);
      std::vector<std::string> sorted = names;
      std::sort(sorted.begin(), sorted.end());
      size_t rank = 0;
      for (auto cursor = list.Begin(); cursor.valid(); cursor.Next(), rank++) {
        ASSERT_LT(rank, sorted.size());
        EXPECT_EQ(cursor.name(), sorted[rank]);
        EXPECT_EQ(names[cursor.node()], sorted[rank]);
      }
      EXPECT_EQ(rank, sorted.size());
      for (size_t node = 0; node < names.size(); node++) {
        EXPECT_EQ(list.Find(names[node]), static_cast<Node>(node));
        EXPECT_EQ(list.Find(names[node] + "!"), std::nullopt);
        EXPECT_EQ(list.Seek(names[node]).name(), names[node]);
      }
      EXPECT_EQ(list.Find(""), std::nullopt);
    }
  }
}

TEST(NameListTest, TheIdentityIsThatOfTheNamesInTheirOrder) {
  const TemporaryFolder folder;
  const auto identity = [&folder](const std::vector<std::string>& names) {
    return (*Write(folder / "n", names))->identity();
  };
  const uint64_t abc = identity({"a", "b", "c"});
  EXPECT_EQ(identity({"a", "b", "c"}), abc);
  EXPECT_NE(identity({"a", "c", "b"}), abc);
  EXPECT_NE(identity({"a", "b"}), abc);
  EXPECT_NE(identity({"a", "bc"}), abc);
}

TEST(NameListTest, ANameThatIsRemovedLeavesItsNodeAndTheIdentityAndNoByte) {
  const TemporaryFolder folder;
  std::vector<std::string> names;
  for (int i = 0; i < 100; i++)
    names.push_back(std::string(i % 7 == 0 ? "secret" : "known") + std::to_string(i));
  for (const bool sorted : {false, true}) {
    if (sorted) std::sort(names.begin(), names.end());
    const uint64_t identity = (*Write(folder / "n", names))->identity();
    const auto secret = [](std::string_view name) { return name.starts_with("secret"); };
    // The second time there is nothing to do, and removed names stay removed.
    for (int time = 0; time < 2; time++) ASSERT_EQ(RemoveNames(folder / "n", secret), Status::Ok());
    ASSERT_EQ(RemoveNames(folder / "n", [](std::string_view name) { return name == "known1"; }),
              Status::Ok());
    const auto file = Mapped<NameList>::Open(folder / "n");
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    const NameList& list = **file;
    EXPECT_EQ(list.Check(), Status::Ok());
    EXPECT_EQ(list.identity(), identity);
    EXPECT_EQ(list.in_order(), sorted);
    EXPECT_EQ(list.removed(), 16u);
    ASSERT_EQ(list.size(), names.size());
    for (size_t node = 0; node < names.size(); node++) {
      const bool gone = secret(names[node]) || names[node] == "known1";
      EXPECT_EQ(list.Name(static_cast<Node>(node)), gone ? "" : names[node]);
      EXPECT_EQ(list.Find(names[node]).has_value(), !gone);
    }
    uint64_t left = 0;
    for (auto cursor = list.Begin(); cursor.valid(); cursor.Next()) left++;
    EXPECT_EQ(left, names.size() - 16);
    EXPECT_EQ(ReadFile(folder / "n")->find("ecret"), std::string::npos);
  }
  EXPECT_EQ(RemoveNames(folder / "none", [](std::string_view) { return true; }).code(),
            StatusCode::kNotFound);
}

TEST(NameListTest, RefusesNamesThatAreNoneOrTheSame) {
  const TemporaryFolder folder;
  EXPECT_THAT(Write(folder / "n", {"b", "a", "b"}).status().message(), HasSubstr("two nodes are named 'b'"));
  for (const std::string& bad : {std::string(), std::string("a\0b", 3)}) {
    EXPECT_EQ(Write(folder / "n", {"a", bad}).status().code(), StatusCode::kInvalidArgument);
  }
  auto writer = NameListWriter::Create({.path = folder / "n", .form = "test"});
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer->Add("b").ok());
  EXPECT_THAT(writer->Add("a").message(), HasSubstr("'a' comes too late"));
  EXPECT_THAT(writer->Add("").message(), HasSubstr("empty"));
  EXPECT_FALSE(std::filesystem::exists(folder / "n"));
}

TEST(NameListTest, EveryFlippedByteAndEveryCutIsRefusedOrReadWithinBounds) {
  const TemporaryFolder folder;
  const std::string path = folder / "n";
  std::vector<std::string> names;
  for (int i = 0; i < 40; i++) names.push_back("name" + std::to_string(i * 7 % 40));
  ASSERT_TRUE(Write(path, names).ok());
  const std::string bytes = ReadFile(path).value();
  const auto write = [&path](const std::string& damaged) {
    ASSERT_TRUE(
        PosixFileSystem().OpenForAppend(path, {.truncate = true}).value()->Append(AsBytes(damaged)).ok());
  };
  for (size_t i = 0; i < bytes.size(); i++) {
    for (const int bit : {0, 6}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
      write(damaged);
      EXPECT_FALSE(Mapped<NameList>::Open(path).ok()) << "byte " << i;
      // Without the checksum: whatever it contains, nothing outside is read and every iteration ends.
      const auto file = Mapped<NameList>::Open(path, {.verify = Verify::kEnvelope});
      if (!file.ok()) continue;
      const NameList& list = **file;
      list.Check().IgnoreError();
      for (uint64_t node = 0; node < list.size() && node < 100; node++) list.Name(static_cast<Node>(node));
      for (const std::string& name : names) list.Find(name);
      uint64_t count = 0;
      for (auto cursor = list.Begin(); cursor.valid(); cursor.Next()) count++;
      EXPECT_LE(count, list.size());
    }
    write(bytes.substr(0, i));
    EXPECT_FALSE(Mapped<NameList>::Open(path).ok()) << "cut at " << i;
  }
}

}  // namespace
}  // namespace crivello::graph
