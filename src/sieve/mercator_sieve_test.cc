// SPDX-License-Identifier: Apache-2.0
#include "sieve/mercator_sieve.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "base/atomic_file.h"
#include "base/forwarding_file_system.h"
#include "base/image.h"
#include "base/random.h"
#include "base/test_waiting.h"
#include "sieve/mercator_files.h"
#include "sieve/sieve_contract.h"
#include "sieve/sieve_load.h"
#include "sieve/z_file.h"

namespace crivello::sieve {
namespace {

SieveSubject Subject(const std::string& name, uint64_t batch_keys, uint64_t memory_bytes) {
  return {.name = name, .open = [=](const std::string& folder, FileSystem& fs) {
            return OpenMercatorSieve(folder, {.memory_bytes = memory_bytes, .batch_keys = batch_keys}, fs);
          }};
}
const SieveSubject kTiny = Subject("TinyBatches", 40, 0);
const SieveSubject kSmall = Subject("SmallBatches", 700, 1 << 15);
const SieveSubject kDefault = Subject("DefaultBatches", 0, 16 << 20);

INSTANTIATE_TEST_SUITE_P(Mercator, SieveContract, testing::Values(kTiny, kSmall, kDefault), SubjectName);
INSTANTIATE_TEST_SUITE_P(Mercator, SieveCrash, testing::Values(kTiny, kSmall), SubjectName);

// A disk on which syncs of one file are slow, or wait for a signal.
class SlowFileSystem final : public ForwardingFileSystem {
 public:
  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override {
    CRV_ASSIGN(auto file, ForwardingFileSystem::OpenForAppend(path, options));
    return std::unique_ptr<AppendFile>(std::make_unique<File>(*this, path, std::move(file)));
  }

  std::atomic<uint64_t> log_syncs = 0;
  // While it is set, no run of Z can be completed.
  void HoldRuns(bool hold) {
    std::lock_guard lock(mu_);
    hold_ = hold;
    changed_.notify_all();
  }

 private:
  class File final : public AppendFile {
   public:
    File(SlowFileSystem& fs, std::string path, std::unique_ptr<AppendFile> file)
        : fs_(fs), path_(std::move(path)), file_(std::move(file)) {}
    Status Append(Bytes bytes) override { return file_->Append(bytes); }
    Status Sync() override {
      if (path_.find("/a-") != std::string::npos) {
        fs_.log_syncs++;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      if (path_.find("/z-") != std::string::npos) {
        std::unique_lock lock(fs_.mu_);
        fs_.changed_.wait(lock, [&] { return !fs_.hold_; });
      }
      return file_->Sync();
    }

   private:
    SlowFileSystem& fs_;
    const std::string path_;
    const std::unique_ptr<AppendFile> file_;
  };

  std::mutex mu_;
  std::condition_variable changed_;
  bool hold_ = false;
};

std::unique_ptr<Sieve> Open(const std::string& folder, MercatorSieveOptions options,
                            FileSystem& fs = PosixFileSystem()) {
  auto sieve = OpenMercatorSieve(folder, options, fs);
  EXPECT_TRUE(sieve.ok()) << sieve.status().ToString();
  return sieve.ok() ? std::move(sieve).value() : nullptr;
}

Status OfferKeys(Sieve& sieve, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; i++) {
    const LoadKey key(5, i);
    const Key one[] = {key.key()};
    CRV_TRY(sieve.Offer(one));
  }
  return Status::Ok();
}

uint64_t TakeAll(Sieve& sieve) {
  const auto taken = sieve.Take(~uint64_t{0}, [](std::string_view) {});
  EXPECT_TRUE(taken.ok()) << taken.status().ToString();
  return taken.ok() ? *taken : 0;
}

TEST(MercatorSieveTest, SharesASyncAmongThreadsThatWaitForOne) {
  TemporaryFolder folder;
  SlowFileSystem fs;
  auto sieve = Open(folder / "sieve", {.memory_bytes = 1 << 20}, fs);
  ASSERT_NE(sieve, nullptr);
  const uint64_t before = fs.log_syncs;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 8; t++) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 20; i++) {
        EXPECT_TRUE(OfferKeys(*sieve, t * 100 + i, t * 100 + i + 1).ok());
        EXPECT_TRUE(sieve->Sync().ok());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_LT(fs.log_syncs - before, 8u * 20 / 2);
  const uint64_t now = fs.log_syncs;
  EXPECT_TRUE(sieve->Sync().ok());
  EXPECT_EQ(fs.log_syncs, now) << "there was nothing to sync";
}

TEST(MercatorSieveTest, TakesKeysInAndSyncsThemWhileItDecides) {
  TemporaryFolder folder;
  SlowFileSystem fs;
  auto sieve = Open(folder / "sieve", {.memory_bytes = 1 << 20, .batch_keys = 1000}, fs);
  ASSERT_NE(sieve, nullptr);
  fs.HoldRuns(true);
  // The first batch cannot be decided; the second one fills.
  ASSERT_TRUE(OfferKeys(*sieve, 0, 2000).ok());
  ASSERT_TRUE(sieve->Sync().ok());
  ASSERT_TRUE(sieve->Flush({.wait = false}).ok());
  EXPECT_EQ(TakeAll(*sieve), 0u);
  ASSERT_TRUE(sieve->Release().ok());
  EXPECT_EQ(sieve->stats().waiting, 2000u);
  // One more key must wait.
  std::atomic<bool> offered = false;
  std::atomic<pid_t> id = 0;
  std::thread waiter([&] {
    id = ::gettid();
    EXPECT_TRUE(OfferKeys(*sieve, 2000, 2001).ok());
    offered = true;
  });
  EXPECT_TRUE(WaitFor([&] { return id != 0; }));
  EXPECT_TRUE(WaitUntilBlocked(id));
  EXPECT_FALSE(offered);
  fs.HoldRuns(false);
  waiter.join();
  ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
  EXPECT_EQ(TakeAll(*sieve), 2001u);
}

TEST(MercatorSieveTest, KeepsItsRunsFewAndItsWritingLow) {
  TemporaryFolder folder;
  auto sieve = Open(folder / "sieve", {.memory_bytes = 1 << 20, .batch_keys = 500});
  ASSERT_NE(sieve, nullptr);
  const auto result = RunSieveLoad(*sieve, {.offers = 100000, .sync_every = 1000, .release_every = 1000});
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_EQ(result->taken, 100000u);
  sieve.reset();
  const auto recovered = MercatorFiles(folder / "sieve").Recover(PosixFileSystem());
  ASSERT_TRUE(recovered.ok());
  const auto& runs = recovered->manifest.runs;
  EXPECT_LE(runs.size(), 6u);
  for (size_t i = 1; i < runs.size(); i++) EXPECT_GE(runs[i - 1].keys, 4 * runs[i].keys);
  EXPECT_TRUE(recovered->manifest.batches.empty());
  // In 200 decisions, each key is written once, and each signature about log(200) times, not 100.
  EXPECT_LT(result->stats.written_bytes / 100000, 90u + 5 * 40);
}

TEST(MercatorSieveTest, KnowsTheKeysOfAPreparedFolder) {
  TemporaryFolder folder;
  ASSERT_TRUE(PrepareMercatorSieve(folder / "sieve", 3, 50000).ok());
  auto sieve = Open(folder / "sieve", {.memory_bytes = 16 << 20});
  ASSERT_NE(sieve, nullptr);
  EXPECT_EQ(sieve->stats().known, 50000u);
  const auto result = RunSieveLoad(*sieve, {.seed = 3, .offers = 60000, .repeats = 0.9, .known = 50000});
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_EQ(result->taken, result->fresh);
  EXPECT_NEAR(static_cast<double>(result->fresh), 6000, 500);
  EXPECT_EQ(sieve->stats().known, 50000 + result->fresh);
}

TEST(MercatorSieveTest, KeepsToItsMemory) {
  TemporaryFolder folder;
  for (const uint64_t bytes : {uint64_t{64} << 20, uint64_t{256} << 20, uint64_t{512} << 20}) {
    auto sieve = Open(folder / "sieve", {.memory_bytes = bytes});
    ASSERT_NE(sieve, nullptr);
    EXPECT_LE(sieve->stats().memory_bytes, bytes);
    EXPECT_GE(sieve->stats().memory_bytes, bytes / 10 * 9);
  }
}

TEST(MercatorSieveTest, RemovesWhatACrashLeft) {
  TemporaryFolder folder;
  const std::string path = folder / "sieve";
  {
    auto sieve = Open(path, {.memory_bytes = 1 << 20, .batch_keys = 100});
    ASSERT_NE(sieve, nullptr);
    ASSERT_TRUE(OfferKeys(*sieve, 0, 250).ok());
    ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
    EXPECT_EQ(TakeAll(*sieve), 250u);
    ASSERT_TRUE(sieve->Release().ok());
  }
  const MercatorFiles files(path);
  for (const auto& name : {files.Run(77), files.Marks(78), files.Keys(0), path + "/manifest.tmp-1-2"}) {
    ASSERT_TRUE(WriteFileAtomically(name, AsBytes("left over")).ok());
  }
  auto sieve = Open(path, {.memory_bytes = 1 << 20, .batch_keys = 100});
  ASSERT_NE(sieve, nullptr);
  for (const auto& name : {files.Run(77), files.Marks(78), files.Keys(0), path + "/manifest.tmp-1-2"}) {
    EXPECT_FALSE(std::filesystem::exists(name)) << name;
  }
  ASSERT_TRUE(OfferKeys(*sieve, 200, 300).ok());
  ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
  EXPECT_EQ(TakeAll(*sieve), 50u);
}

TEST(MercatorSieveTest, NamesTheFileThatIsDamagedOrMissing) {
  TemporaryFolder folder;
  const std::string path = folder / "sieve";
  const MercatorSieveOptions options = {.memory_bytes = 1 << 20, .batch_keys = 100};
  {
    auto sieve = Open(path, options);
    ASSERT_NE(sieve, nullptr);
    ASSERT_TRUE(OfferKeys(*sieve, 0, 250).ok());
    ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
    ASSERT_TRUE(OfferKeys(*sieve, 250, 280).ok());
    ASSERT_TRUE(sieve->Sync().ok());
  }
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_GE(names.size(), 9u);
  for (const std::string& name : names) {
    const std::string good = *ReadFile(path + "/" + name);
    std::string flipped = good;
    flipped[good.size() / 2] ^= 1;
    for (const std::string& bytes : {flipped, good.substr(0, good.size() / 2), std::string()}) {
      SCOPED_TRACE(testing::Message() << name << " " << bytes.size() << " of " << good.size());
      const std::string copy = folder / "copy";
      std::filesystem::remove_all(copy);
      std::filesystem::copy(path, copy);
      ASSERT_TRUE(WriteFileAtomically(copy + "/" + name, AsBytes(bytes)).ok());
      auto sieve = OpenMercatorSieve(copy, options);
      Status status = sieve.status();
      if (sieve.ok()) {
        status = OfferKeys(**sieve, 0, 300);
        if (status.ok()) status = (*sieve)->Flush({.wait = true});
        for (uint64_t n = 1; status.ok() && n > 0;) {
          const auto taken = (*sieve)->Take(1000, [](std::string_view) {});
          status = taken.status();
          n = taken.ok() ? *taken : 0;
        }
      }
      // In the filling log, damage to the data of the last sync looks like a torn tail.
      if (name == "a-000000000003" && !bytes.empty()) continue;
      EXPECT_EQ(status.code(), StatusCode::kCorruption) << status.ToString();
      EXPECT_THAT(status.message(), testing::HasSubstr(name));
    }
  }
}

// An idle crawl flushes again and again without waiting: it must learn that no flush can
// succeed.
TEST(MercatorSieveTest, SaysWhenNobodyWaitsThatAFileIsDamaged) {
  TemporaryFolder folder;
  const std::string path = folder / "sieve";
  {
    auto sieve = Open(path, {});
    ASSERT_TRUE(OfferKeys(*sieve, 0, 1000).ok());
    ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
    EXPECT_EQ(TakeAll(*sieve), 1000u);
    ASSERT_TRUE(sieve->Release().ok());
  }
  const std::string run = path + "/z-000000000000";
  std::string bytes = *ReadFile(run);
  bytes[100] ^= 1;
  ASSERT_TRUE(WriteFileAtomically(run, AsBytes(bytes)).ok());
  auto sieve = Open(path, {});
  ASSERT_TRUE(OfferKeys(*sieve, 1000, 1010).ok());
  EXPECT_EQ(sieve->Flush({.wait = true}).code(), StatusCode::kCorruption);
  const Status status = sieve->Flush({});
  EXPECT_EQ(status.code(), StatusCode::kCorruption);
  EXPECT_THAT(status.message(), testing::HasSubstr(run));
}

TEST(MercatorSieveTest, TellsHowItStandsWithoutBeingOpened) {
  TemporaryFolder folder;
  const std::string path = folder / "sieve";
  SievePending pending;
  SievePosition position;
  {
    auto sieve = Open(path, {});
    ASSERT_TRUE(OfferKeys(*sieve, 0, 100).ok());
    ASSERT_TRUE(sieve->Flush({.wait = true}).ok());
    ASSERT_TRUE(sieve->Take(30, [](std::string_view) {}).ok());
    ASSERT_TRUE(sieve->Release().ok());
    ASSERT_TRUE(OfferKeys(*sieve, 100, 107).ok());
    ASSERT_TRUE(sieve->Sync().ok());
    pending = sieve->pending();
    position = sieve->position();
  }
  const auto standing = PeekMercatorSieve(path);
  ASSERT_TRUE(standing.ok()) << standing.status().ToString();
  EXPECT_EQ(standing->pending.known, pending.known);
  EXPECT_EQ(standing->pending.waiting, 7u);
  EXPECT_EQ(standing->pending.untaken, 70u);
  EXPECT_EQ(standing->position, position);
}

TEST(MercatorManifestTest, GivesBackWhatWasEncodedAndRefusesContradictions) {
  MercatorManifest manifest;
  manifest.next_batch = 9;
  manifest.released = 3;
  manifest.runs = {{.id = 1, .keys = 100}, {.id = 8, .keys = 7}};
  manifest.batches = {{.id = 6, .keys = 20, .passed = 4}, {.id = 8, .keys = 9, .passed = 9}};
  const auto again = MercatorManifest::FromImage(manifest.Encode().bytes());
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(*again, manifest);
  EXPECT_EQ(manifest.known(), 107u);
  const auto refused = [&](const std::function<void(MercatorManifest&)>& change) {
    MercatorManifest bad = manifest;
    change(bad);
    return MercatorManifest::FromImage(bad.Encode().bytes()).status().code() == StatusCode::kCorruption;
  };
  EXPECT_TRUE(refused([](auto& bad) { bad.next_batch = 8; }));
  EXPECT_TRUE(refused([](auto& bad) { bad.released = 4; }));
  EXPECT_TRUE(refused([](auto& bad) { bad.runs[1].id = 1; }));
  EXPECT_TRUE(refused([](auto& bad) { bad.batches[1].id = 6; }));
  EXPECT_TRUE(refused([](auto& bad) { bad.batches[1].passed = 0; }));
  EXPECT_TRUE(refused([](auto& bad) { bad.batches[1].passed = 10; }));
  EXPECT_TRUE(refused([](auto& bad) { bad.batches.clear(); }));
  const auto image = manifest.Encode();
  for (size_t size = 0; size < image.bytes().size(); size++) {
    EXPECT_FALSE(MercatorManifest::FromImage(image.bytes().first(size)).ok());
  }
}

}  // namespace
}  // namespace crivello::sieve
