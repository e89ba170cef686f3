// SPDX-License-Identifier: Apache-2.0
#include "sieve/offline_sieve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/atomic_file.h"
#include "base/file_header.h"
#include "sieve/key_block.h"
#include "sieve/sieve_contract.h"

namespace crivello::sieve {
namespace {

// A holds a few hundred keys, sorted in several runs.
const SieveSubject kOffline = {"Offline", [](const std::string& folder, FileSystem& fs) {
                                 return OpenOfflineSieve(
                                     folder, {.memory_bytes = 1, .batch_bytes = 20000, .fs = &fs});
                               }};

INSTANTIATE_TEST_SUITE_P(Offline, SieveContract, testing::Values(kOffline), SubjectName);
INSTANTIATE_TEST_SUITE_P(Offline, SieveCrash, testing::Values(kOffline), SubjectName);

class OfflineSieveTest : public testing::Test {
 protected:
  std::unique_ptr<Sieve> Open() {
    auto sieve = kOffline.open(folder_.path(), PosixFileSystem());
    EXPECT_TRUE(sieve.ok()) << sieve.status().ToString();
    return sieve.ok() ? *std::move(sieve) : nullptr;
  }
  // Offers keys and makes them durable.
  void Offer(uint64_t from, uint64_t to) {
    const auto sieve = Open();
    ASSERT_NE(sieve, nullptr);
    for (uint64_t i = from; i < to; i++) {
      const TestKey key(i);
      const Key one[] = {key.key()};
      ASSERT_TRUE(sieve->Offer(one).ok());
    }
    ASSERT_TRUE(sieve->Sync().ok());
  }
  // Flips a byte in the middle of a file.
  void Damage(const std::string& name) {
    std::string bytes = *ReadFile(folder_ / name);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }
  // The status of opening, flushing and taking.
  Status Use() {
    CRV_ASSIGN(const auto sieve, kOffline.open(folder_.path(), PosixFileSystem()));
    CRV_TRY(sieve->Flush({.wait = true}));
    CRV_TRY(sieve->Take(UINT64_MAX, [](std::string_view) {}));
    return Status::Ok();
  }

  TemporaryFolder folder_;
};

TEST_F(OfflineSieveTest, NamesTheDamagedFile) {
  for (const std::string name : {"manifest", "z-000000000001", "f-000000000001"}) {
    std::filesystem::remove_all(folder_.path());
    Offer(0, 10);
    ASSERT_TRUE(Open()->Flush({.wait = true}).ok());
    Offer(10, 20);
    Damage(name);
    const Status status = Use();
    EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.ToString();
    EXPECT_NE(status.message().find(name), std::string::npos) << status.ToString();
  }
}

TEST_F(OfflineSieveTest, TellsALogThatACrashToreFromADamagedOne) {
  Offer(0, 10);
  // What a failed opening leaves: an empty log after one whose tail may be torn.
  ASSERT_TRUE(WriteFileAtomically(folder_ / "a-000000000002", EncodeFileHeader(kKeyLogKind)).ok());
  std::ofstream(folder_ / "a-000000000001", std::ios::binary | std::ios::app) << "torn";
  EXPECT_TRUE(Use().ok());

  std::filesystem::remove_all(folder_.path());
  Offer(0, 10);
  ASSERT_TRUE(WriteFileAtomically(folder_ / "a-000000000002", EncodeFileHeader(kKeyLogKind)).ok());
  Offer(10, 20);  // into the second log
  Damage("a-000000000001");
  const Status status = Use();
  EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.ToString();
  EXPECT_NE(status.message().find("a-000000000001"), std::string::npos) << status.ToString();
}

TEST_F(OfflineSieveTest, LeavesOnlyWhatItNeeds) {
  Offer(0, 5000);
  {
    const auto sieve = Open();
    ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
    EXPECT_EQ(*sieve->Take(UINT64_MAX, [](std::string_view) {}), 5000u);
    ASSERT_TRUE(sieve->Release().ok());
  }
  std::vector<std::string> kinds;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    kinds.push_back(entry.path().filename().string().substr(0, 2));
  }
  std::sort(kinds.begin(), kinds.end());
  EXPECT_EQ(kinds, std::vector<std::string>({"a-", "ma", "z-"}));
}

}  // namespace
}  // namespace crivello::sieve
