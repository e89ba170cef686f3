// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "sieve/sieve_factory.h"

namespace crivello::sieve {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Check(const std::string& folder) {
  std::vector<std::string> found;
  EXPECT_TRUE(CheckSieveFiles(folder, [&](std::string what) { found.push_back(std::move(what)); }).ok());
  return found;
}

void Flip(const std::string& path, uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const char byte = static_cast<char>(file.get() ^ 0x20);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

TEST(SieveCheckTest, NamesEveryDamagedFileOfEveryKind) {
  int files = 0;
  for (const SieveKind& kind : SieveKinds()) {
    SCOPED_TRACE(kind.name);
    const TemporaryFolder folder;
    const std::string path = folder / "sieve";
    {
      auto sieve = MakeSieve(kind.name, path, {.memory_bytes = 1 << 20, .expected_keys = 10'000}).value();
      SeededRandom random(7);
      // Sync in between, so that the earlier data is known to be durable.
      for (int i = 0; i < 3; i++) {
        std::vector<Key> keys;
        const std::string bytes(50, 'k');
        for (int j = 0; j < 3000; j++) keys.push_back({random.Below(UINT64_MAX), bytes});
        ASSERT_TRUE(sieve->Offer(keys).ok());
        ASSERT_TRUE(sieve->Sync().ok());
        if (i == 2) break;
        ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
      }
    }
    EXPECT_THAT(Check(path), IsEmpty());
    if (kind.name == "rocksdb") continue;  // tested in file_check_test.cc
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.file_size() >= 100) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    for (size_t i = 0; i < names.size(); i++) {
      // In the last log, damage to the data of the last sync looks like what a crash tears.
      const std::string prefix = names[i].substr(0, names[i].find('-') + 1);
      const bool last = i + 1 == names.size() || !names[i + 1].starts_with(prefix);
      if (last && (prefix == "a-" || prefix == "keys-" || prefix == "batch-")) continue;
      files++;
      const std::string file = path + "/" + names[i];
      const uint64_t size = std::filesystem::file_size(file);
      const uint64_t at = size < 2000 ? 70 : size / 3;
      Flip(file, at);
      EXPECT_THAT(Check(path), Contains(HasSubstr(names[i]))) << size;
      Flip(file, at);
    }
    EXPECT_THAT(Check(path), IsEmpty());
  }
  EXPECT_GT(files, 5);
}

TEST(SieveCheckTest, TellsThePageOfADamagedRun) {
  const TemporaryFolder folder;
  const std::string path = folder / "sieve";
  {
    auto sieve = MakeSieve("mercator", path, {.memory_bytes = 1 << 20}).value();
    std::vector<Key> keys;
    SeededRandom random(8);
    for (int j = 0; j < 20'000; j++) keys.push_back({random.Below(UINT64_MAX), "x"});
    ASSERT_TRUE(sieve->Offer(keys).ok());
    ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
  }
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (!entry.path().filename().string().starts_with("z-")) continue;
    ASSERT_GT(entry.file_size(), 64 + 2 * 4096u);
    Flip(entry.path(), 64 + 4096 + 100);
    EXPECT_THAT(Check(path), Contains(testing::AllOf(HasSubstr(entry.path().string()), HasSubstr("page 1"))));
    return;
  }
  FAIL() << "no run";
}

}  // namespace
}  // namespace crivello::sieve
