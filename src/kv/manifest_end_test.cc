// SPDX-License-Identifier: Apache-2.0
// A database whose MANIFEST is not what was synced opens with everything written to it, or not at all.
#include "kv/manifest_end.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/test_support.h"
#include "kv/database.h"
#include "kv/file_check.h"

namespace crivello::kv {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ManifestEndTest : public testing::Test {
 protected:
  static constexpr int kRuns = 5, kKeys = 20;

  Result<std::unique_ptr<Database>> Open(const std::string& name, bool read_only = false) const {
    DatabaseOptions options;
    options.families = {{.name = "rows"}, {.name = "texts", .blobs = true}};
    options.memory_bytes = 8 << 20;
    options.read_only = read_only;
    return Database::Open(folder_ / name, options);
  }
  // Opening moves the log of the previous run into tables and deletes it. The last run is killed.
  void SetUp() override {
    for (int run = 0; run < kRuns; run++) {
      const auto db = Open("live").value();
      for (int key = 0; key < kKeys; key++) {
        Batch batch;
        batch.Put(0, fmt::format("{} {}", run, key), "row");
        batch.Put(1, fmt::format("{} {}", run, key), std::string(2000, 'x'));
        ASSERT_TRUE(db->Write(batch, {.sync = true}).ok());
      }
      if (run + 1 == kRuns) CopyAsKilled();
    }
    for (const auto& file : fs::directory_iterator(folder_ / "killed")) {
      if (ManifestNumber(file.path()) != 0) manifest_ = file.path().filename();
    }
    size_ = fs::file_size(folder_ / ("killed/" + manifest_));
  }
  // Copies the open database. Files are copied one by one, so if tables were written meanwhile, once more.
  void CopyAsKilled() const {
    const auto manifest = [this] {
      const std::string name = ReadFile(folder_ / "live/CURRENT").value();
      return ReadFile(folder_ / ("live/" + name.substr(0, name.find('\n')))).value();
    };
    std::string before, after;
    std::error_code error;
    do {
      before = manifest();
      fs::remove_all(folder_ / "killed");
      fs::copy(folder_ / "live", folder_ / "killed", error);
      after = manifest();
    } while (error || after != before);
  }
  static void ExpectWhole(Database& db) {
    EXPECT_EQ(db.sequence(), uint64_t{kRuns * kKeys});
    for (const Family family : {Family{0}, Family{1}}) {
      int keys = 0;
      for (Cursor cursor = db.Scan(family); cursor.valid(); cursor.Next()) keys++;
      EXPECT_EQ(keys, kRuns * kKeys) << "family " << family;
    }
  }
  // Opens copies of the killed database, each with different damage to its MANIFEST: each is rejected, every
  // time, and stays unchanged.
  void ExpectRefused(const std::function<void(const std::string& path, uintmax_t at)>& injure) const {
    for (uintmax_t at = 0; at < size_; at += 37) {
      for (const bool read_only : {false, true}) {
        SCOPED_TRACE(fmt::format("at {} of {}, read only: {}", at, size_, read_only));
        fs::remove_all(folder_ / "db");
        fs::copy(folder_ / "killed", folder_ / "db");
        const std::string manifest = folder_ / ("db/" + manifest_);
        const std::string whole = ReadFile(manifest).value();
        injure(manifest, at);
        if (ReadFile(manifest).value() == whole) continue;
        for (int time = 0; time < 2; time++) {
          const auto db = Open("db", read_only);
          ASSERT_EQ(db.status().code(), StatusCode::kCorruption) << db.status().ToString();
          EXPECT_THAT(db.status().message(), AllOf(HasSubstr(folder_ / "db"), HasSubstr(manifest_)));
        }
        std::ofstream(manifest, std::ios::binary) << whole;
        const auto db = Open("db", read_only);
        ASSERT_TRUE(db.ok()) << db.status().ToString();
        ExpectWhole(**db);
      }
    }
  }
  std::string WitnessOf(const std::string& name) const {
    return folder_ / (name + "/" + ManifestWitness::kFileName);
  }
  std::vector<std::string> Notes(const std::string& name) const {
    std::vector<std::string> notes;
    EXPECT_TRUE(CheckLogFiles(folder_ / name, [&](std::string sentence) {
                  notes.push_back(std::move(sentence));
                }).ok());
    return notes;
  }

  const TemporaryFolder folder_;
  std::string manifest_;
  uintmax_t size_ = 0;
};

TEST_F(ManifestEndTest, OpensAKilledDatabase) {
  EXPECT_THAT(Notes("killed"), IsEmpty());
  for (const bool read_only : {true, false, false}) {
    const auto db = Open("killed", read_only);
    ASSERT_TRUE(db.ok()) << db.status().ToString();
    ExpectWhole(**db);
  }
}

TEST_F(ManifestEndTest, RefusesADatabaseWhoseManifestWasCut) {
  ExpectRefused([](const std::string& path, uintmax_t at) { fs::resize_file(path, at); });
}

TEST_F(ManifestEndTest, RefusesADatabaseWhoseManifestWasZeroed) {
  ExpectRefused([&](const std::string& path, uintmax_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    const std::string zeros(std::min<uintmax_t>(512, size_ - at), '\0');
    file.write(zeros.data(), static_cast<std::streamsize>(zeros.size()));
  });
}

// Bytes that RocksDB wrote but could not sync any more.
TEST_F(ManifestEndTest, LetsAManifestBeLonger) {
  std::ofstream(folder_ / ("killed/" + manifest_), std::ios::binary | std::ios::app) << "torn";
  const auto db = Open("killed");
  ASSERT_TRUE(db.ok()) << db.status().ToString();
  ExpectWhole(**db);
}

// The witness itself may be lost or damaged: that loses nothing, and a check reports it.
TEST_F(ManifestEndTest, RefusesNothingIfOnlyTheWitnessIsDamaged) {
  const std::string whole = ReadFile(WitnessOf("killed")).value();
  for (size_t at = 0; at < whole.size(); at += 5) {
    SCOPED_TRACE(at);
    fs::remove_all(folder_ / "db");
    fs::copy(folder_ / "killed", folder_ / "db");
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 4);
    std::ofstream(WitnessOf("db"), std::ios::binary) << bytes;
    EXPECT_TRUE(ManifestWitness::Check(folder_ / "db").ok());
    std::ofstream(WitnessOf("db"), std::ios::binary) << whole.substr(0, at);
    EXPECT_TRUE(ManifestWitness::Check(folder_ / "db").ok());
  }
  std::string header = whole;
  header[0] = static_cast<char>(header[0] ^ 4);
  std::ofstream(WitnessOf("killed"), std::ios::binary) << header;
  EXPECT_THAT(Notes("killed"), ElementsAre(HasSubstr(ManifestWitness::kFileName)));
  fs::remove(WitnessOf("killed"));
  EXPECT_THAT(Notes("killed"), IsEmpty());
  {
    const auto db = Open("killed");
    ASSERT_TRUE(db.ok()) << db.status().ToString();
    ExpectWhole(**db);
  }
  EXPECT_TRUE(fs::exists(WitnessOf("killed")));
}

TEST_F(ManifestEndTest, ACheckNamesTheManifest) {
  fs::resize_file(folder_ / ("killed/" + manifest_), size_ / 2);
  EXPECT_THAT(Notes("killed"), testing::Contains(HasSubstr(manifest_)));
}

// A second process that finds the database open does not touch the first one's witness.
TEST_F(ManifestEndTest, IsOfTheOneThatHasTheDatabaseOpen) {
  const auto db = Open("killed").value();
  const std::string before = ReadFile(WitnessOf("killed")).value();
  EXPECT_FALSE(before.empty());
  EXPECT_EQ(Open("killed").status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(ReadFile(WitnessOf("killed")).value(), testing::StartsWith(before));
  // A copy of the MANIFEST has no witness.
  EXPECT_TRUE(db->Checkpoint(folder_ / "copy").ok());
  EXPECT_FALSE(fs::exists(WitnessOf("copy")));
  EXPECT_TRUE(ManifestWitness::Check(folder_ / "killed").ok());
}

TEST_F(ManifestEndTest, RecordsAreReadBack) {
  const ManifestEnd end = {.number = 26, .bytes = 2716, .hash = 99};
  EXPECT_EQ(DecodeManifestEnd(AsBytes(EncodeManifestEnd(end))).value(), end);
  EXPECT_FALSE(DecodeManifestEnd(AsBytes(EncodeManifestEnd(end) + "x")).ok());
  EXPECT_FALSE(DecodeManifestEnd(AsBytes(EncodeManifestEnd(end).substr(1))).ok());
  EXPECT_EQ(ManifestNumber("a/MANIFEST-000026"), 26u);
  EXPECT_EQ(ManifestNumber("a/MANIFEST-26x"), 0u);
  EXPECT_EQ(ManifestNumber("MANIFEST-000026/CURRENT"), 0u);
}

}  // namespace
}  // namespace crivello::kv
