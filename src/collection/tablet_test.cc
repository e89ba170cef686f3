// SPDX-License-Identifier: Apache-2.0
#include "collection/tablet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/folder.h"
#include "base/test_support.h"
#include "frontier/url_record.h"
#include "store/capture.h"

namespace crivello::collection {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class TabletTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Tablet>> Open(uint64_t epoch = 0, bool read_only = false) {
    TabletOptions options;
    options.sieve = "mercator";
    options.read_only = read_only;
    return Tablet::Open(std::make_unique<LocalLease>(directory_, epoch), web::TabletId(), options);
  }
  // A commit as the crawler makes one: a record in the archive, a URL in the sieve, a write of the database.
  static void Commit(Tablet& tablet, uint64_t i) {
    const std::string url = "https://a.example/" + std::to_string(i);
    store::CaptureEncoder encoder({.compression = store::WarcCompression::kGzip});
    store::EncodedCapture encoded;
    store::Capture capture;
    capture.url = url;
    capture.date = 1;
    capture.response_head = "HTTP/1.1 200 OK\r\n\r\n";
    capture.body = url;
    ASSERT_TRUE(encoder.Encode(capture, Sha1Of(url), nullptr, &encoded).ok());
    ASSERT_TRUE(tablet.archive()->Append(encoded).ok());
    ASSERT_TRUE(tablet.archive()->Sync().ok());
    const sieve::Key key = {.signature = i, .bytes = url};
    ASSERT_TRUE(tablet.sieve().Offer({&key, 1}).ok());
    ASSERT_TRUE(tablet.sieve().Sync().ok());
    kv::Batch batch;
    store::FetchCell fetch;
    ASSERT_TRUE(tablet.table().Put(url, {.time = 1, .fetch = &fetch}, &batch).ok());
    ASSERT_TRUE(tablet.db().Write(batch, {.sync = true}).ok());
    ASSERT_TRUE(tablet.Acknowledge().ok());
  }
  // A tablet with some commits that was not closed, as after kill -9; its files may be injured.
  void MakeKilled(uint64_t commits = 20) {
    const std::string live = folder_ / "live";
    {
      std::swap(directory_, live_);
      const auto tablet = Open().value();
      for (uint64_t i = 0; i < commits; ++i) Commit(*tablet, i);
      fs::copy(directory_, folder_ / "killed", fs::copy_options::recursive);
      std::swap(directory_, live_);
    }
  }
  fs::path Newest(const std::string& part, std::string_view ending) {
    fs::path newest;
    for (const auto& entry : fs::directory_iterator(directory_ + "/" + part)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(ending) || name.starts_with(ending)) newest = std::max(newest, entry.path());
    }
    EXPECT_FALSE(newest.empty()) << part << " " << ending;
    return newest;
  }

  const TemporaryFolder folder_;
  std::string live_ = folder_ / "live";
  std::string directory_ = folder_ / "killed";
};

TEST_F(TabletTest, OpensWithAllThatWasAcknowledged) {
  MakeKilled();
  const auto tablet = Open();
  ASSERT_TRUE(tablet.ok()) << tablet.status().ToString();
  EXPECT_EQ((*tablet)->db().sequence(), 20u);
  EXPECT_EQ((*tablet)->sieve().stats().waiting, 20u);
}

TEST_F(TabletTest, RefusesADatabaseWhoseLogWasCut) {
  for (const double part : {0.99, 0.9, 0.5, 0.0}) {
    SCOPED_TRACE(part);
    fs::remove_all(folder_ / "live");
    fs::remove_all(folder_ / "killed");
    MakeKilled();
    const fs::path log = Newest("db", ".log");
    fs::resize_file(log, static_cast<uintmax_t>(static_cast<double>(fs::file_size(log)) * part));
    const auto tablet = Open();
    ASSERT_EQ(tablet.status().code(), StatusCode::kCorruption) << tablet.status().ToString();
    EXPECT_THAT(tablet.status().message(), AllOf(HasSubstr(directory_ + "/db"), HasSubstr("--repair")));
    EXPECT_EQ(Open().status().code(), StatusCode::kCorruption) << "opening again changes nothing";
  }
}

TEST_F(TabletTest, RefusesADatabaseWhoseLogIsGoneOrFlipped) {
  MakeKilled();
  const std::string log = Newest("db", ".log");
  std::string bytes = ReadFile(log).value();
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  fs::remove(log);
  EXPECT_EQ(Open().status().code(), StatusCode::kCorruption);
  fs::remove_all(folder_ / "live");
  fs::remove_all(folder_ / "killed");
  MakeKilled();
  fs::resize_file(log, 0);
  {
    auto file = PosixFileSystem().OpenForAppend(log, {}).value();
    ASSERT_TRUE(file->Append(AsBytes(bytes)).ok());
  }
  EXPECT_EQ(Open().status().code(), StatusCode::kCorruption);
}

TEST_F(TabletTest, RefusesASieveThatLostUrls) {
  MakeKilled();
  const fs::path keys = Newest("sieve", "a-");
  fs::resize_file(keys, fs::file_size(keys) - 8);
  const auto tablet = Open();
  ASSERT_EQ(tablet.status().code(), StatusCode::kCorruption) << tablet.status().ToString();
  EXPECT_THAT(tablet.status().message(), HasSubstr(directory_ + "/sieve"));
}

TEST_F(TabletTest, RefusesAnArchiveThatLostRecords) {
  MakeKilled();
  const fs::path warc = Newest("archive", ".warc.gz");
  fs::resize_file(warc, fs::file_size(warc) - 1);
  auto tablet = Open();
  ASSERT_EQ(tablet.status().code(), StatusCode::kCorruption) << tablet.status().ToString();
  EXPECT_THAT(tablet.status().message(), HasSubstr(warc.filename().string()));
  fs::remove(warc);
  tablet = Open();
  ASSERT_EQ(tablet.status().code(), StatusCode::kCorruption) << tablet.status().ToString();
  EXPECT_THAT(tablet.status().message(), AllOf(HasSubstr(directory_ + "/archive"), HasSubstr("00000001")));
}

TEST_F(TabletTest, RefusesASieveOfWhichAFileIsMissing) {
  {
    std::swap(directory_, live_);
    const auto tablet = Open().value();
    Commit(*tablet, 1);
    ASSERT_TRUE(tablet->sieve().Flush({.wait = true}).ok());
    ASSERT_TRUE(tablet->Close().ok());
    std::swap(directory_, live_);
  }
  fs::copy(live_, directory_, fs::copy_options::recursive);
  const fs::path run = Newest("sieve", "z-");
  fs::remove(run);
  for (const bool read_only : {false, true}) {
    const auto tablet = Open(0, read_only);
    ASSERT_EQ(tablet.status().code(), StatusCode::kCorruption) << tablet.status().ToString();
    EXPECT_THAT(tablet.status().message(), AllOf(HasSubstr(run.filename().string()), HasSubstr("--repair")));
  }
}

TEST_F(TabletTest, IsReadByManyAtATimeAndWrittenByNoneMeanwhile) {
  MakeKilled();
  {
    const auto one = Open(0, true), two = Open(0, true);
    ASSERT_TRUE(one.ok()) << one.status().ToString();
    ASSERT_TRUE(two.ok()) << two.status().ToString();
    EXPECT_EQ((*two)->db().sequence(), 20u);
    EXPECT_EQ((*two)->sieve_pending().waiting, 20u);
    const auto writer = Open();
    EXPECT_EQ(writer.status().code(), StatusCode::kUnavailable);
    EXPECT_THAT(writer.status().message(), HasSubstr("is being read"));
  }
  const auto writer = Open();
  ASSERT_TRUE(writer.ok()) << writer.status().ToString();
  EXPECT_EQ(Open(0, true).status().code(), StatusCode::kUnavailable);
}

TEST_F(TabletTest, RefusesToBeReadIfALogWasCut) {
  MakeKilled();
  const fs::path log = Newest("db", ".log");
  fs::resize_file(log, fs::file_size(log) / 2);
  const auto tablet = Open(0, true);
  ASSERT_EQ(tablet.status().code(), StatusCode::kCorruption) << tablet.status().ToString();
  EXPECT_THAT(tablet.status().message(), HasSubstr(log.filename().string()));
}

// A user who can write to the folder must not be able to choose which file of another user is written.
TEST_F(TabletTest, WritesItsNumberThroughNoLink) {
  const std::string other = folder_ / "other";
  { auto file = PosixFileSystem().OpenForAppend(other, {}).value(); }
  fs::create_directories(directory_);
  fs::create_symlink(other, directory_ + "/lock");
  EXPECT_EQ(Open().status().code(), StatusCode::kIoError);
  EXPECT_EQ(fs::file_size(other), 0u);
}

// What was written but not acknowledged may exist or not; either state is complete.
TEST_F(TabletTest, OpensIfTheJournalIsBehindOrGone) {
  MakeKilled();
  const std::string journal = directory_ + "/commits";
  fs::resize_file(journal, fs::file_size(journal) / 2);
  ASSERT_TRUE(Open().ok());
  fs::remove(journal);
  const auto tablet = Open();
  ASSERT_TRUE(tablet.ok()) << tablet.status().ToString();
  Commit(**tablet, 100);
  EXPECT_EQ(TabletJournal::ReadLast(journal).value()->sequence, 21u);
}

TEST_F(TabletTest, IsOpenInOneProcessAtATime) {
  const auto tablet = Open();
  ASSERT_TRUE(tablet.ok());
  const auto second = Open();
  ASSERT_EQ(second.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.status().message(), HasSubstr(std::to_string(getpid())));
}

TEST_F(TabletTest, AcknowledgesNothingOnceTheLeaseIsLost) {
  class LostLease final : public Lease {
   public:
    using Lease::Lease;
    Status StillMine() override { return Status::Unavailable("t- belongs to another agent"); }
  };
  TabletOptions options;
  options.sieve = "mercator";
  const auto tablet = Tablet::Open(std::make_unique<LostLease>(directory_, 3), web::TabletId(), options);
  ASSERT_TRUE(tablet.ok());
  kv::Batch batch;
  ASSERT_TRUE((*tablet)->db().Write(batch, {.sync = true}).ok());
  EXPECT_EQ((*tablet)->Acknowledge().code(), StatusCode::kUnavailable);
  EXPECT_EQ(TabletJournal::ReadLast(directory_ + "/commits").value(), std::nullopt);
}

TEST_F(TabletTest, IsNotOpenedUnderAnOlderEpochThanItWasWrittenUnder) {
  {
    const auto tablet = Open(7).value();
    Commit(*tablet, 1);
  }
  EXPECT_EQ(Open(6).status().code(), StatusCode::kUnavailable);
  EXPECT_TRUE(Open(8).ok());
}

}  // namespace
}  // namespace crivello::collection
