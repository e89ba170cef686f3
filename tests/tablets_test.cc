// SPDX-License-Identifier: Apache-2.0
// A collection with several tablets behaves like one with a single tablet, with the same results.  A tablet
// that lost acknowledged data is refused.
#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/test_waiting.h"
#include "crawl_scenario.h"
#include "engine/collection_access.h"
#include "serve/http/http_test_client.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

class TabletsScenario : public CrawlScenario {
 protected:
  std::vector<std::string> CrawlInto(const std::string& tablets) const {
    std::vector<std::string> arguments = CrawlArguments();
    arguments.insert(arguments.end(), {"--tablets", tablets});
    return arguments;
  }
  fs::path Collection() const { return folder_ / "collection"; }

  // Everything that a user sees of a collection.
  struct Seen {
    std::map<std::string, std::string> pages;  // by URL, as returned by Page()
    std::map<std::string, std::vector<std::pair<std::string, double>>> answers;  // URL and score, by query
  };
  // The parts that must not depend on the tablets: all of a row except its time and whether it is a copy.
  static std::string Page(const wire::PageVersion& version) {
    json page = {{"status", version.status},
                 {"type", version.type},
                 {"bytes", version.bytes},
                 {"digest", version.digest},
                 {"location", version.location},
                 {"noindex", version.noindex},
                 {"noarchive", version.noarchive},
                 {"nofollow", version.nofollow},
                 {"truncated", version.truncated},
                 {"links", json::array()},
                 {"has text", version.text.has_value()}};
    if (version.text) {
      page["text"] = {version.text->title, version.text->text, version.text->language, version.text->charset};
    }
    if (version.links) {
      for (const wire::PageLink& link : *version.links) page["links"].push_back({link.url, link.text});
    }
    return page.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  // The pages, without the endless calendar.
  std::map<std::string, std::string> Pages() const {
    std::map<std::string, std::string> pages;
    SilentListener silent;
    auto access = engine::CollectionAccess::Open(Collection(), engine::CollectionAccess::Use::kRead, silent);
    EXPECT_TRUE(access.ok()) << access.status().ToString();
    wire::ScanRequest scan;
    do {
      auto some = access->service().Ask(scan, silent);
      EXPECT_TRUE(some.ok()) << some.status().ToString();
      for (const wire::ScannedPage& page : some->pages) {
        if (server_->web().IsTrap(page.url)) continue;
        const auto versions =
            access->service().Ask(wire::GetRequest{.url = page.url, .text = true, .links = true}, silent);
        EXPECT_TRUE(versions.ok()) << versions.status().ToString();
        pages[page.url] = Page(versions->versions.at(0));
      }
      scan.begin = some->next;
    } while (!scan.begin.empty());
    return pages;
  }
  Seen Look() const {
    Seen seen;
    seen.pages = Pages();
    EXPECT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
    for (const char* query : {"bread", "bees honey", "\"the\"", "title:bread OR water", "site:example"}) {
      Run({"search", "--json", "-n", "50", query});
      for (const json& line : Lines()) {
        for (const json& result : line["results"]) {
          if (server_->web().IsTrap(std::string(result["url"]))) continue;
          seen.answers[query].emplace_back(result["url"], result["score"]);
        }
      }
      // Equal scores may come in any order.
      std::sort(seen.answers[query].begin(), seen.answers[query].end());
    }
    EXPECT_EQ(Run({"check"}), 0) << Text("out");
    return seen;
  }
  // 'serve' gives the same answers as 'search', and shows the pages.
  void ExpectServed(const Seen& seen) {
    fs::remove(folder_ / "out");  // of the previous command
    const pid_t server = Start({"serve", "--quiet", "--json", "--listen", "127.0.0.1:0"});
    ASSERT_TRUE(WaitFor([&] { return Text("out").find('\n') != std::string::npos; })) << Text("err");
    const std::string url = Lines().front()["url"];
    serve::TestClient client(static_cast<uint16_t>(std::stoul(url.substr(url.rfind(':') + 1))));
    const auto get = [&](const std::string& target) {
      const serve::TestClient::Answer answer = client.Ask("GET", target);
      EXPECT_EQ(answer.status, 200) << target << ": " << answer.body;
      return json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
    };
    std::vector<std::pair<std::string, double>> answers;
    const json found = get("/api/v1/search?n=50&q=bread");
    for (const json& result : found["results"]) {
      if (!server_->web().IsTrap(std::string(result["url"]))) {
        answers.emplace_back(result["url"], result["score"]);
      }
    }
    std::sort(answers.begin(), answers.end());
    EXPECT_EQ(answers, seen.answers.at("bread"));
    for (const auto& [page, contents] : seen.pages) {
      if (page.find_first_of("?&#%+") != std::string::npos) continue;  // would need escaping
      EXPECT_EQ(get("/api/v1/document?url=" + page)["versions"][0]["status"],
                json::parse(contents)["status"]);
    }
    kill(server, SIGINT);
    EXPECT_EQ(Wait(server), 0) << Text("err");
  }
};

TEST_F(TabletsScenario, FourHoldAndAnswerWhatOneDoes) {
  ASSERT_EQ(Run(CrawlInto("1")), 0) << Text("err");
  const Seen one = Look();
  EXPECT_GT(one.pages.size(), 100u);
  EXPECT_FALSE(one.answers.at("bread").empty());
  fs::rename(Collection(), folder_ / "one");

  ASSERT_EQ(Run(CrawlInto("4")), 0) << Text("err");
  EXPECT_TRUE(fs::is_directory(Collection() / "tablets/t-10/archive"));
  const Seen four = Look();
  EXPECT_EQ(four.pages, one.pages);
  // Which of several copies is shown depends on which was fetched first; all other results are equal.
  for (const auto& [query, answers] : one.answers) {
    size_t same = 0;
    const auto& others = four.answers.at(query);
    for (const auto& answer : answers) {
      same += static_cast<size_t>(std::count(others.begin(), others.end(), answer));
    }
    EXPECT_GE(10 * same, 8 * answers.size()) << query;
  }

  ExpectServed(four);

  ASSERT_EQ(Run({"backup", folder_ / "backups"}), 0) << Text("err");
  const std::string gone = one.pages.begin()->first;
  ASSERT_EQ(Run({"forget", gone, "--reason", "a test"}), 0) << Text("err");
  EXPECT_THAT(Pages(), Not(Contains(Key(gone))));
  fs::remove_all(Collection());
  ASSERT_EQ(Run({"restore", folder_ / "backups"}), 0) << Text("err");
  EXPECT_EQ(Pages(), one.pages);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

// A truncated log looks like one torn by a crash: the crawl continued, and ended with a tenth of its pages.
TEST_F(TabletsScenario, RefuseToGoOnWithACutDatabase) {
  const pid_t crawler = Start(CrawlInto("2"));
  // The log in use, which has the greatest number.
  const auto log = [&] {
    fs::path newest;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(Collection() / "tablets/t-0/db", error)) {
      if (entry.path().extension() == ".log") newest = std::max(newest, entry.path());
    }
    return newest;
  };
  std::error_code error;
  for (int i = 0; i < 6000; ++i) {
    const fs::path live = log();
    if (!live.empty() && fs::file_size(live, error) > 100'000 && !error) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(crawler, SIGKILL);
  Wait(crawler);
  const fs::path cut = log();
  ASSERT_FALSE(cut.empty());
  // By so much that acknowledged commits are lost, and not only the one in progress.
  fs::resize_file(cut, fs::file_size(cut) / 20);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Run(CrawlInto("2")), 3) << "opening it changes nothing";
    EXPECT_THAT(Text("err"), HasSubstr(cut.parent_path().string()));
  }
  EXPECT_EQ(Run({"scan", "--json"}), 3);
  EXPECT_EQ(Run({"check"}), 1);
  EXPECT_THAT(Text("out"), HasSubstr("was acknowledged"));
  ASSERT_EQ(Run({"check", "--repair"}), 0) << Text("err");
  EXPECT_GT(Rows().size(), 10u);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

}  // namespace
}  // namespace crivello
