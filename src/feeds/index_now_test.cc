// SPDX-License-Identifier: Apache-2.0
#include "feeds/index_now.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace crivello::feeds {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Verdict = IndexNowDesk::Verdict;

constexpr const char* kKey = "0123456789abcdef";

// A crawl of *.example with key files from the test.
class TestIndexNowCrawl final : public IndexNowCrawl {
 public:
  bool Wants(const std::string& url) override { return url.find(".example/") != std::string::npos; }
  Status Fetch(const std::string& url) override {
    asked.push_back(url);
    return Status::Ok();
  }
  Result<std::optional<std::string>> Fetched(const std::string& url, WallTime since) override {
    const auto found = files.find(url);
    if (found == files.end() || since > last_fetch) return std::optional<std::string>();
    return std::optional(found->second);
  }
  Status Hint(const std::vector<std::string>& urls) override {
    hinted.insert(hinted.end(), urls.begin(), urls.end());
    return Status::Ok();
  }

  std::map<std::string, std::string> files;
  WallTime last_fetch = WallTime::max();
  std::vector<std::string> asked;
  std::vector<std::string> hinted;
};

class IndexNowTest : public testing::Test {
 protected:
  static IndexNow Of(std::vector<std::string> urls, const std::string& key = kKey,
                     const std::string& location = {}) {
    return {.host = {}, .key = key, .key_location = location, .urls = std::move(urls)};
  }
  Verdict Take(const IndexNow& submission) { return desk_.Take(submission).verdict; }
  void Look() { ASSERT_TRUE(desk_.Look().ok()); }

  TestIndexNowCrawl crawl_;
  ManualClock clock_{WallTime(hours(24 * 365 * 50))};
  IndexNowDesk desk_{crawl_, clock_};
};

TEST_F(IndexNowTest, HandsOnUrlsOnceTheKeyIsProven) {
  EXPECT_EQ(Take(Of({"https://a.example/1", "https://a.example/2#x", "https://a.example/1"})),
            Verdict::kAccepted);
  EXPECT_THAT(crawl_.asked, ElementsAre("https://a.example/0123456789abcdef.txt"));
  Look();
  EXPECT_THAT(crawl_.hinted, IsEmpty()) << "the key file is not there yet";
  crawl_.files["https://a.example/0123456789abcdef.txt"] = "\n0123456789abcdef \n";
  Look();
  EXPECT_THAT(crawl_.hinted, ElementsAre("https://a.example/1", "https://a.example/2"));
  // From now on the key is known.
  EXPECT_EQ(Take(Of({"https://a.example/3"})), Verdict::kAccepted);
  EXPECT_THAT(crawl_.hinted, SizeIs(3));
  EXPECT_THAT(crawl_.asked, SizeIs(1));
  clock_.Advance(hours(24));
  EXPECT_EQ(Take(Of({"https://a.example/4"})), Verdict::kAccepted);
  EXPECT_THAT(crawl_.asked, SizeIs(2)) << "after a day it is asked for again";
}

// The file is read before the second submission arrives, and examined after it.
TEST_F(IndexNowTest, SubmissionsOfOneKeyShareItsFile) {
  EXPECT_EQ(Take(Of({"https://a.example/1"})), Verdict::kAccepted);
  crawl_.files["https://a.example/0123456789abcdef.txt"] = kKey;
  crawl_.last_fetch = clock_.Wall();
  clock_.Advance(std::chrono::seconds(1));
  EXPECT_EQ(Take(Of({"https://a.example/2"})), Verdict::kAccepted);
  EXPECT_THAT(crawl_.asked, SizeIs(1));
  Look();
  EXPECT_THAT(crawl_.hinted, ElementsAre("https://a.example/1", "https://a.example/2"));
  EXPECT_EQ(desk_.stats().waiting, 0u);
}

TEST_F(IndexNowTest, RemembersWrongKeysAndAsksAgainAfterAnHour) {
  crawl_.files["https://a.example/0123456789abcdef.txt"] = "";  // 404
  crawl_.files["https://a.example/key.txt"] = "another-key";
  EXPECT_EQ(Take(Of({"https://a.example/1"})), Verdict::kAccepted);
  EXPECT_EQ(Take(Of({"https://a.example/1"}, kKey, "https://a.example/key.txt")), Verdict::kAccepted);
  Look();
  EXPECT_THAT(crawl_.hinted, IsEmpty());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(Take(Of({"https://a.example/1"})), Verdict::kWrongKey);
    EXPECT_EQ(Take(Of({"https://a.example/1"}, kKey, "https://a.example/key.txt")), Verdict::kWrongKey);
  }
  EXPECT_THAT(crawl_.asked, SizeIs(2));
  EXPECT_EQ(desk_.stats().wrong_key, 202u);
  // Submissions with the right key are accepted.
  EXPECT_EQ(Take(Of({"https://a.example/1"}, "another-key", "https://a.example/key.txt")),
            Verdict::kAccepted);
  EXPECT_THAT(crawl_.hinted, ElementsAre("https://a.example/1"));
  clock_.Advance(hours(1));
  crawl_.files["https://a.example/key.txt"] = kKey;
  EXPECT_EQ(Take(Of({"https://a.example/2"}, kKey, "https://a.example/key.txt")), Verdict::kAccepted);
  Look();
  EXPECT_THAT(crawl_.hinted, ElementsAre("https://a.example/1", "https://a.example/2"));
}

TEST_F(IndexNowTest, AKeyFileSpeaksForItsFolderAlone) {
  const std::string location = "https://a.example/blog/key.txt";
  EXPECT_EQ(Take(Of({"https://a.example/blog/1"}, kKey, location)), Verdict::kAccepted);
  for (const char* url :
       {"https://a.example/", "https://a.example/blogs/1", "http://a.example/blog/1",
        "https://b.example/blog/1", "https://a.example:8443/blog/1", "https://a.example/blog/../other"}) {
    const auto answer = desk_.Take(Of({"https://a.example/blog/1", url}, kKey, location));
    EXPECT_EQ(answer.verdict, Verdict::kMalformed) << url;
    EXPECT_THAT(answer.message, HasSubstr("not below 'https://a.example/blog/'")) << url;
  }
}

TEST_F(IndexNowTest, RefusesWhatIsOutOfScopeBeforeAnythingIsFetched) {
  EXPECT_EQ(Take(Of({"https://elsewhere.test/1"})), Verdict::kOutOfScope);
  EXPECT_EQ(Take(Of({"http://127.0.0.1/1"})), Verdict::kOutOfScope);
  EXPECT_THAT(crawl_.asked, IsEmpty());
}

TEST_F(IndexNowTest, RefusesWhatBreaksTheRules) {
  EXPECT_EQ(Take(Of({})), Verdict::kMalformed);
  EXPECT_EQ(Take(Of({"https://a.example/1"}, "short")), Verdict::kMalformed);
  EXPECT_EQ(Take(Of({"https://a.example/1"}, std::string(129, 'a'))), Verdict::kMalformed);
  EXPECT_EQ(Take(Of({"https://a.example/1"}, "../../etc/passwd")), Verdict::kMalformed);
  EXPECT_EQ(Take(Of({"not a URL"})), Verdict::kMalformed);
  EXPECT_EQ(Take(Of({"https://a.example/" + std::string(3000, 'a')})), Verdict::kMalformed);
  IndexNow other = Of({"https://a.example/1"});
  other.host = "b.example";
  EXPECT_EQ(Take(other), Verdict::kMalformed);
  EXPECT_EQ(Take(Of(std::vector<std::string>(10'001, "https://a.example/1"))), Verdict::kMalformed);
  EXPECT_THAT(crawl_.asked, IsEmpty());
}

// A flood gets memory for a limited number of submissions, and causes requests for a limited number of key
// files of a host.
TEST_F(IndexNowTest, BoundsWhatAFloodCanHave) {
  uint64_t accepted = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string host = "https://h" + std::to_string(i % 2000) + ".example/";
    if (Take(Of({host + "1"}, "key-number-" + std::to_string(i))) == Verdict::kAccepted) accepted++;
  }
  EXPECT_EQ(accepted, IndexNowOptions().waiting);
  EXPECT_EQ(desk_.stats().waiting, IndexNowOptions().waiting);
  EXPECT_THAT(crawl_.asked, SizeIs(IndexNowOptions().waiting));
  // Submissions whose files never arrive make room for others.
  clock_.Advance(IndexNowOptions().patience);
  Look();
  EXPECT_EQ(desk_.stats().waiting, 0u);
  EXPECT_EQ(Take(Of({"https://a.example/1"})), Verdict::kAccepted);
}

TEST_F(IndexNowTest, AHostHasSoManyUrlsAnHour) {
  crawl_.files["https://a.example/0123456789abcdef.txt"] = kKey;
  std::vector<std::string> urls;
  for (int i = 0; i < 6000; ++i) urls.push_back("https://a.example/" + std::to_string(i));
  EXPECT_EQ(Take(Of(urls)), Verdict::kAccepted);
  Look();
  EXPECT_EQ(Take(Of(urls)), Verdict::kTooMany);
  clock_.Advance(hours(1));
  EXPECT_EQ(Take(Of(urls)), Verdict::kAccepted);
  EXPECT_THAT(crawl_.hinted, SizeIs(12'000));
}

}  // namespace
}  // namespace crivello::feeds
