// SPDX-License-Identifier: Apache-2.0
#include "crawl/robots_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/civil_time.h"
#include "base/file_system.h"
#include "crawl/crawl_test_support.h"
#include "store/archive_reader.h"
#include "store/capture.h"
#include "store/warc_reader.h"

namespace crivello::crawl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using web::RobotsAccess;

class RobotsReaderTest : public testing::Test {
 protected:
  RobotsReaderTest() : stages_(OpenTestStore(folder_ / "c"), SeedOf("http://a.test/")) {}

  // The records of the archive: type, URL and purpose of each.
  std::vector<std::string> Archived() const {
    collection::Tablet& tablet = *stages_.store->tablet(0);
    EXPECT_TRUE(tablet.archive()->EndFile().ok());
    std::vector<std::string> records;
    for (const store::ArchiveFile& file : store::ListArchive(tablet.archive_directory()).value()) {
      const std::string bytes = ReadFile(tablet.archive_directory() + "/" + file.name).value();
      store::WarcReader reader(bytes);
      while (const auto record = reader.Next()) {
        if (record->type == store::WarcType::kWarcinfo) continue;
        records.push_back(
            fmt::format("{} {}{}{}", record->type_name, record->target_uri,
                        store::IsForRobots(*record) ? " for robots" : "",
                        record->block.find("sesame") != std::string_view::npos ? " with sesame" : ""));
      }
      EXPECT_EQ(reader.damages(), 0u);
    }
    return records;
  }
  frontier::Visit RobotsVisit() const {
    frontier::Visit visit = stages_.MadeUp("http://a.test/robots.txt");
    visit.kind = frontier::UrlKind::kRobots;
    return visit;
  }
  Settled Read(frontier::Visit visit, const Answer& answer) const {
    auto settled = RobotsReader(stages_.context).Read(stages_.Answered(std::move(visit), answer));
    EXPECT_TRUE(settled.ok()) << settled.status().ToString();
    return std::move(settled).value();
  }
  collection::RobotsRecord RecordOf(const Answer& answer) const {
    const Settled settled = Read(RobotsVisit(), answer);
    EXPECT_TRUE(settled.robots.has_value());
    EXPECT_EQ(settled.robots->origin, "http://a.test");
    return settled.robots->record;
  }
  void Keep(const collection::RobotsRecord& record) {
    const auto commit = stages_.frontier->Begin(0);
    stages_.store->tablet(0)->robots().Keep("http://a.test", record, &commit->batch());
    ASSERT_TRUE(commit->Write({.sync = false}).ok());
  }

  TemporaryFolder folder_;
  TestStages stages_;
};

TEST_F(RobotsReaderTest, KeepsTheRulesForADay) {
  const collection::RobotsRecord record = RecordOf(PlainText("User-agent: *\nDisallow: /private\n"));
  EXPECT_EQ(record.access, RobotsAccess::kParse);
  EXPECT_EQ(record.text, "User-agent: *\nDisallow: /private\n");
  EXPECT_EQ(record.expires - ToSeconds(stages_.clock.Wall()), 24 * 3600);
  EXPECT_FALSE(record.unreachable());
  EXPECT_EQ(stages_.counters.robots.value(), 1u);
}

TEST_F(RobotsReaderTest, TakesAMissingFileForPermission) {
  for (const int status : {401, 403, 404, 410}) {
    EXPECT_EQ(RecordOf({.status = status}).access, RobotsAccess::kAllowAll) << status;
  }
}

TEST_F(RobotsReaderTest, TakesAFailureForProhibitionAndKeepsItsReason) {
  for (const auto& [answer, why] :
       {std::pair(Answer{.status = 500}, "answered 500"), std::pair(Answer{.status = 503}, "answered 503"),
        std::pair(Answer{.status = 429}, "answered 429"),
        std::pair(Fault(fetch::Outcome::kTimeout), "timeout: as the script says"),
        std::pair(Fault(fetch::Outcome::kConnectionRefused), "connection-refused: as the script says")}) {
    const collection::RobotsRecord record = RecordOf(answer);
    EXPECT_TRUE(record.unreachable()) << why;
    EXPECT_EQ(record.text, why);
  }
}

TEST_F(RobotsReaderTest, KeepsToTheOldRulesForADayWhenTheServerFails) {
  Keep(RecordOf(PlainText("User-agent: *\nDisallow: /private\n")));
  stages_.clock.Advance(std::chrono::hours(23));
  const collection::RobotsRecord ill = RecordOf({.status = 500});
  EXPECT_EQ(ill.access, RobotsAccess::kParse);
  EXPECT_EQ(ill.text, "User-agent: *\nDisallow: /private\n");
  EXPECT_FALSE(ill.unreachable());
  Keep(ill);
  stages_.clock.Advance(std::chrono::hours(2));
  EXPECT_TRUE(RecordOf({.status = 500}).unreachable());
}

TEST_F(RobotsReaderTest, AllowsAllWhenTheServerHasFailedForAMonth) {
  Keep(RecordOf({.status = 500}));
  stages_.clock.Advance(std::chrono::hours(24 * 29));
  EXPECT_TRUE(RecordOf({.status = 500}).unreachable());
  stages_.clock.Advance(std::chrono::hours(24 * 2));
  EXPECT_EQ(RecordOf({.status = 500}).access, RobotsAccess::kAllowAll);
}

TEST_F(RobotsReaderTest, SendsTheVisitOnToWhereTheFileWasMoved) {
  const Settled settled = Read(RobotsVisit(), RedirectTo("http://b.test/robots.txt"));
  EXPECT_FALSE(settled.robots.has_value());  // nothing is known yet
  ASSERT_TRUE(stages_.frontier->Pump().ok());
  ASSERT_THAT(stages_.frontier->NeedsAddress(10), ElementsAre("b.test"));
  stages_.frontier->Resolved("b.test", "192.0.2.2", stages_.clock.Wall() + std::chrono::hours(1));
  const auto taken = stages_.frontier->Take();
  ASSERT_TRUE(taken.ok() && taken->visit);
  EXPECT_EQ(taken->visit->url, "http://b.test/robots.txt");
  EXPECT_EQ(taken->visit->origin, "http://a.test");
  EXPECT_EQ(taken->visit->hops, 1u);
  // What it says there is about the origin that was asked first.
  EXPECT_EQ(Read(*taken->visit, {.status = 404}).robots->origin, "http://a.test");
}

TEST_F(RobotsReaderTest, TakesASixthRedirectOrOneToNowhereForAMissingFile) {
  frontier::Visit visit = RobotsVisit();
  visit.hops = web::kRobotsMaxRedirects;
  EXPECT_EQ(Read(visit, RedirectTo("/robots2.txt")).robots->record.access, RobotsAccess::kAllowAll);
  EXPECT_EQ(RecordOf({.status = 301}).access, RobotsAccess::kAllowAll);
  EXPECT_THAT(stages_.frontier->NeedsAddress(10), IsEmpty());
}

TEST_F(RobotsReaderTest, ReadsAFileThatWasCutAtTheLimit) {
  Fetched fetched = stages_.Answered(RobotsVisit(), PlainText("User-agent: *\nDisallow: /private\n"));
  fetched.fetch->response.outcome = fetch::Outcome::kBodyTooLarge;
  const auto settled = RobotsReader(stages_.context).Read(std::move(fetched));
  ASSERT_TRUE(settled.ok());
  EXPECT_EQ(settled->robots->record.access, RobotsAccess::kParse);
}

TEST_F(RobotsReaderTest, OffersTheSitemapsThatAreInScope) {
  RecordOf(PlainText("Sitemap: http://a.test/map.xml\nSitemap: http://b.test/map.xml\nSitemap: no url\n"));
  EXPECT_THAT(stages_.Offered(), ElementsAre("http://a.test/map.xml 0 sitemap"));
  stages_.options.sitemaps = false;
  RecordOf(PlainText("Sitemap: http://a.test/other.xml\n"));
  EXPECT_THAT(stages_.Offered(), IsEmpty());
}

TEST_F(RobotsReaderTest, ArchivesEachAnswerWithTheHostThatGaveItAndMarksItAsNoPage) {
  const Settled moved = Read(RobotsVisit(), RedirectTo("http://b.test/rules"));
  EXPECT_NE(moved.allowed_by, nullptr) << "forgetting waits until it is committed";
  frontier::Visit visit = RobotsVisit();
  visit.url = "http://b.test/rules";
  visit.hops = 1;
  Read(visit, PlainText("User-agent: *\nDisallow: /sesame\n"));
  Read(RobotsVisit(), Answer{.status = 404});
  EXPECT_THAT(
      Archived(),
      ElementsAre("response http://a.test/robots.txt for robots", "request http://a.test/robots.txt",
                  "metadata http://a.test/robots.txt", "response http://b.test/rules for robots with sesame",
                  "request http://b.test/rules", "metadata http://b.test/rules",
                  "response http://a.test/robots.txt for robots", "request http://a.test/robots.txt",
                  "metadata http://a.test/robots.txt"));
}

TEST_F(RobotsReaderTest, ArchivesNothingWithoutAnAnswerOrOfAForgottenUrlOrWhenTold) {
  EXPECT_EQ(Read(RobotsVisit(), Fault(fetch::Outcome::kTimeout)).allowed_by, nullptr);
  ASSERT_TRUE(stages_.store->forgotten()
                  .Replace({{.target = collection::ForgetTarget::Parse("http://a.test/robots.txt").value(),
                             .reason = "a test",
                             .begun = 1}})
                  .ok());
  EXPECT_TRUE(Read(RobotsVisit(), PlainText("User-agent: *\n")).robots.has_value());
  ASSERT_TRUE(stages_.store->forgotten().Replace({}).ok());
  stages_.options.archive_robots = false;
  EXPECT_TRUE(Read(RobotsVisit(), PlainText("User-agent: *\n")).robots.has_value());
  EXPECT_THAT(Archived(), IsEmpty());
}

TEST_F(RobotsReaderTest, ArchivesNoPasswordThatWasSentToTheHost) {
  stages_.options.host_settings["a.test"].fields = {{"X-Open", "sesame"}};
  Fetched fetched = stages_.Answered(RobotsVisit(), PlainText("User-agent: *\n"));
  fetched.fetch->response.request_head = "GET /robots.txt HTTP/1.1\r\nHost: a.test\r\nX-Open: sesame\r\n\r\n";
  EXPECT_TRUE(RobotsReader(stages_.context).Read(std::move(fetched)).ok());
  EXPECT_THAT(Archived(),
              ElementsAre("response http://a.test/robots.txt for robots", "request http://a.test/robots.txt",
                          "metadata http://a.test/robots.txt"));
}

}  // namespace
}  // namespace crivello::crawl
