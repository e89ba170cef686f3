// SPDX-License-Identifier: Apache-2.0
#include "care/archive_against_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support.h"
#include "care/importer.h"
#include "frontier/url_record.h"
#include "store/capture.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ArchiveAgainstRowsTest : public testing::Test {
 protected:
  ArchiveAgainstRowsTest() {
    collection::CollectionOptions options;
    options.directory = folder_ / "c";
    store_ = collection::Collection::Open(options).value();
    Importer importer(*store_, {});
    for (const char* url : {"https://a.example/1", "https://a.example/2"}) {
      store::WarcRecord record;
      record.type = store::WarcType::kResponse;
      record.target_uri = url;
      record.date = "2020-01-02T03:04:05Z";
      record.block = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nhello";
      record.whole = true;
      EXPECT_TRUE(importer.Add(record).ok());
    }
    EXPECT_TRUE(importer.Finish().ok());
  }
  collection::Tablet& tablet() { return *store_->tablets()[0]; }
  void LoseRow(const char* url) {
    kv::Batch batch;
    tablet().table().Delete(web::RowKey(*web::CanonicalUrl(url)).value(), &batch);
    ASSERT_TRUE(tablet().db().Write(batch, {.sync = true}).ok());
  }
  std::vector<std::string> Problems() {
    store::StoreCheck check;
    SilentProgress progress;
    const auto forgotten = store_->forgotten().current();
    EXPECT_TRUE(CheckArchiveAgainstRows(tablet(), *forgotten, &check, progress).ok());
    return check.sentences;
  }

  const TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
};

TEST_F(ArchiveAgainstRowsTest, NotesAPageWhoseRowIsLostWithTheFileThatHoldsIt) {
  EXPECT_THAT(Problems(), IsEmpty());
  LoseRow("https://a.example/2");
  const auto lost =
      ElementsAre(AllOf(HasSubstr("https://a.example/2"), HasSubstr(".warc.gz: the record at offset")));
  EXPECT_THAT(Problems(), lost) << "in a file without index";
  ASSERT_TRUE(tablet().archive()->Close().ok());
  EXPECT_THAT(Problems(), lost) << "in a file with its index";
}

TEST_F(ArchiveAgainstRowsTest, LetsPagesBeThatAreQueuedOrForgotten) {
  LoseRow("https://a.example/1");
  LoseRow("https://a.example/2");
  const frontier::UrlRecord record = {.url = "https://a.example/1"};
  auto change = tablet().queues().Begin();
  ASSERT_TRUE(change.Enqueue({&record, 1}, WallTime(std::chrono::seconds(1))).ok());
  ASSERT_TRUE(change.Write({}).ok());
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("https://a.example/2")));
  ASSERT_TRUE(store_->forgotten()
                  .Replace({{.target = collection::ForgetTarget::Parse("https://a.example/2").value(),
                             .reason = "a test",
                             .begun = 1}})
                  .ok());
  EXPECT_THAT(Problems(), IsEmpty());
}

// A response to a request for robots.txt has no row; a page with the same URL has one.
TEST_F(ArchiveAgainstRowsTest, MissesNoRowOfARobots) {
  const auto archive = [&](std::string_view purpose) {
    store::CaptureEncoder encoder;
    store::EncodedCapture encoded;
    ASSERT_TRUE(encoder
                    .Encode({.url = "https://a.example/robots.txt",
                             .date = 1'577'934'245,
                             .ip = "192.0.2.1",
                             .request_head = {},
                             .response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n",
                             .body = "User-agent: *\n",
                             .truncated = {},
                             .purpose = purpose},
                            Sha1Of("User-agent: *\n"), nullptr, &encoded)
                    .ok());
    ASSERT_TRUE(tablet().archive()->Append(encoded).ok());
  };
  archive(store::kRobotsPurpose);
  EXPECT_THAT(Problems(), IsEmpty());
  archive("");
  EXPECT_THAT(Problems(), ElementsAre(HasSubstr("https://a.example/robots.txt")));
}

}  // namespace
}  // namespace crivello::care
