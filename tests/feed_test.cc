// SPDX-License-Identifier: Apache-2.0
// Feeds as a user follows them: on their own, and during a crawl.
#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "crawl_scenario.h"
#include "engine/hub_test_support.h"
#include "fetch/scripted_server.h"
#include "serve/http/http_test_client.h"

namespace crivello {
namespace {

using fetch::ScriptedServer;
using testing::Contains;
using testing::HasSubstr;

class FeedScenario : public CrawlScenario {
 protected:
  FeedScenario() : site_([this](ScriptedServer::Connection& connection) { Serve(connection); }) {}
  ~FeedScenario() override {
    if (up_ != 0) {
      kill(up_, SIGKILL);
      Wait(up_);
    }
  }

  static std::string Answer(const std::string& type, const std::string& body) {
    return "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
  }
  void Serve(ScriptedServer::Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const size_t start = head.find(' ') + 1;
      const std::string path = head.substr(start, head.find(' ', start) - start);
      int items = 0;
      {
        const std::lock_guard lock(mu_);
        asked_.push_back(path);
        items = items_;
      }
      const std::string tag = "\"" + std::to_string(items) + "\"";
      if (path == "/") {
        connection.Write(
            Answer("text/html",
                   "<html><head><link rel=alternate type=application/rss+xml href=/news.xml></head>"
                   "<body><p>A site with a feed.</p></body></html>"));
      } else if (path == "/right-key.txt") {
        connection.Write(Answer("text/plain", "right-key"));
      } else if (path.starts_with("/item")) {
        connection.Write(Answer("text/html", "<p>The text of " + path + "</p>"));
      } else if (path == "/news.xml" && head.find("If-None-Match: " + tag) != std::string::npos) {
        connection.Write("HTTP/1.1 304 Not Modified\r\nETag: " + tag + "\r\n\r\n");
      } else if (path == "/news.xml") {
        std::string body = "<rss version=\"2.0\"><channel><title>News</title><ttl>60</ttl>";
        for (int i = items; i > 0; --i)
          body += "<item><link>" + site_.Url("/item" + std::to_string(i)) + "</link></item>";
        const std::string links = "\r\nLink: <" + hub_.Url("/hub") + ">; rel=hub, </news.xml>; rel=self";
        connection.Write(Answer("application/rss+xml\r\nETag: " + tag + links, body + "</channel></rss>"));
      } else {
        connection.Write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
      }
    }
  }
  void Publish() {
    const std::lock_guard lock(mu_);
    items_++;
  }
  size_t Asked(const std::string& path) const {
    const std::lock_guard lock(mu_);
    return static_cast<size_t>(std::count(asked_.begin(), asked_.end(), path));
  }
  std::vector<std::string> Arguments(const std::string& command, const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {command,      site_.Url(), "--allow-private", "--delay", "10ms",
                                          "--ip-delay", "1ms",       "--min-free",      "1M",      "--memory",
                                          "32M",        "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  // With separate output files, because other commands write to "out" and "err" meanwhile.
  void StartUp(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ProgramPath(), "-C", folder_ / "collection"});
    const std::string out = folder_ / "up-out", err = folder_ / "up-err";
    up_ = StartProgram(std::move(arguments), [&] {
      DirectTo(out, STDOUT_FILENO);
      DirectTo(err, STDERR_FILENO);
    });
  }
  // Starts it with a listener for what sites and hubs say, and returns the port of that.
  uint16_t StartUpToBePushed(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {
        "--json",      "--listen",     "127.0.0.1:0",           "--push-listen",
        "127.0.0.1:0", "--public-url", "https://push.example/", "--filter",
        "follow=false"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::ofstream(folder_ / "up-out").flush();  // what an earlier one has written
    StartUp(Arguments("up", arguments));
    const std::string sign = "{\"event\":\"push\",\"url\":\"http://127.0.0.1:";
    EXPECT_TRUE(Becomes([&] { return Text("up-out").find(sign) != std::string::npos; })) << Text("up-err");
    const std::string out = Text("up-out");
    const size_t at = out.find(sign);
    return at == out.npos ? uint16_t{0} : static_cast<uint16_t>(std::stoul(out.substr(at + sign.size())));
  }
  void StopUp() {
    kill(up_, SIGINT);
    EXPECT_EQ(Wait(std::exchange(up_, 0)), 0) << Text("up-err");
  }
  json Feed(const std::string& path) {
    if (Run({"feed", "show", site_.Url(path), "--json"}) != 0) return json();
    return Lines().front();
  }
  // Waits longer on a busy machine.
  template <typename Condition>
  testing::AssertionResult Becomes(Condition condition) {
    for (int i = 0; i < 3000; i++) {
      if (condition()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return testing::AssertionFailure() << "not in a minute";
  }

  mutable std::mutex mu_;
  int items_ = 2;
  std::vector<std::string> asked_;
  engine::TestHub hub_;
  ScriptedServer site_;
  pid_t up_ = 0;
};

TEST_F(FeedScenario, IsFollowedByOneCrawlAfterTheOther) {
  // Otherwise the crawl would find the items through the links of its pages.
  const std::vector<std::string> crawl = Arguments("crawl", {"--filter", "follow=false"});
  ASSERT_EQ(Run(crawl), 0) << Text("err");
  EXPECT_EQ(Run({"feed", "list"}), 1) << "there is none yet";
  ASSERT_EQ(Run({"feed", "add", site_.Url()}), 0) << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("Added 1 feed; the next 'crivello up' or 'crivello crawl'"));
  EXPECT_EQ(Run({"feed", "add", site_.Url()}), 1);
  EXPECT_THAT(Text("out"), HasSubstr("is already in the list"));
  ASSERT_EQ(Run(crawl), 0) << Text("err");

  // The feed that the site names has replaced the site.
  ASSERT_EQ(Run({"feed", "list", "--json"}), 0) << Text("err");
  ASSERT_EQ(Lines().size(), 1u);
  const json line = Lines().front();
  EXPECT_EQ(line["url"], site_.Url("/news.xml"));
  EXPECT_EQ(line["site"], site_.Url("/"));
  EXPECT_EQ(line["kind"], "RSS");
  EXPECT_EQ(line["ttl"], 3600);
  EXPECT_EQ(line["last_status"], 200);
  EXPECT_EQ(line["items"], 2);
  EXPECT_EQ(line["new"], 2);
  EXPECT_TRUE(line["next"].is_string());
  for (const char* item : {"/item1", "/item2"}) EXPECT_EQ(Asked(item), 1u);

  // The feed is not due yet; once it is, only the new item is fetched.
  Publish();
  ASSERT_EQ(Run(crawl), 0) << Text("err");
  EXPECT_EQ(Asked("/news.xml"), 1u);
  ASSERT_EQ(Run({"feed", "poll"}), 0) << Text("err");
  ASSERT_EQ(Run(crawl), 0) << Text("err");
  EXPECT_EQ(Asked("/news.xml"), 2u);
  for (const char* item : {"/item1", "/item2", "/item3"}) EXPECT_EQ(Asked(item), 1u);
  EXPECT_EQ(Run({"get", site_.Url("/item3")}), 0) << Text("err");
  ASSERT_EQ(Run({"feed", "poll", site_.Url("/news.xml")}), 0) << Text("err");
  ASSERT_EQ(Run(crawl), 0) << Text("err");
  EXPECT_EQ(Feed("/news.xml")["last_status"], 304);
  EXPECT_EQ(Feed("/news.xml")["polls"], 3);

  // Lists of feeds can be exported and imported again.
  ASSERT_EQ(Run({"feed", "export"}), 0) << Text("err");
  const std::string opml = Text("out");
  EXPECT_THAT(opml, HasSubstr("xmlUrl=\"" + site_.Url("/news.xml") + "\""));
  ASSERT_EQ(Run({"feed", "remove", site_.Url("/news.xml")}), 0) << Text("err");
  EXPECT_EQ(Run({"feed", "show", site_.Url("/news.xml")}), 1);
  EXPECT_EQ(Run({"feed", "list"}), 1);
  std::ofstream(folder_ / "list.opml") << opml;
  ASSERT_EQ(Run({"feed", "import", folder_ / "list.opml"}), 0) << Text("err");
  EXPECT_EQ(Feed("/news.xml")["title"], "News");
  // One that cannot be polled does not keep the others out.
  std::ofstream(folder_ / "mixed.opml")
      << "<opml><outline xmlUrl='javascript:alert(1)'/><outline xmlUrl='feed:" << site_.Url("/other.xml")
      << "'/></opml>";
  ASSERT_EQ(Run({"feed", "import", folder_ / "mixed.opml"}), 0) << Text("err");
  EXPECT_THAT(Text("err"), HasSubstr("mixed.opml: skipped 'javascript:alert(1)': expected an http://"));
  EXPECT_EQ(Feed("/other.xml")["items"], 0);
  std::ofstream(folder_ / "none.opml") << "<opml><outline xmlUrl='ftp://a.example/feed'/></opml>";
  EXPECT_EQ(Run({"feed", "import", folder_ / "none.opml"}), 3);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(FeedScenario, IsFollowedByARunningCrawl) {
  std::vector<std::string> up = Arguments("up", {"--json", "--listen", "127.0.0.1:0", "--follow-feeds"});
  std::erase(up, "--quiet");
  StartUp(up);
  ASSERT_TRUE(Becomes([&] { return Asked("/item2") == 1; })) << Text("up-err");
  ASSERT_TRUE(Becomes([&] { return Feed("/news.xml").value("items", 0) == 2; }));
  Publish();
  ASSERT_EQ(Run({"feed", "poll", site_.Url("/news.xml")}), 0) << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("the running crawl polls them now"));
  ASSERT_TRUE(Becomes([&] { return Run({"get", site_.Url("/item3")}) == 0; }));
  for (const char* item : {"/item1", "/item2", "/item3"}) EXPECT_EQ(Asked(item), 1u);
  ASSERT_EQ(Run({"feed", "remove", site_.Url("/news.xml")}), 0) << Text("err");
  EXPECT_EQ(Run({"feed", "list"}), 1);
  // It says once that it waits, and not after each poll.
  const std::string waits = "The crawl waits for pages and feeds that are due";
  ASSERT_TRUE(Becomes([&] { return Text("up-err").find(waits) != std::string::npos; })) << Text("up-err");
  kill(up_, SIGINT);
  EXPECT_EQ(Wait(std::exchange(up_, 0)), 0);
  const std::string err = Text("up-err");
  EXPECT_EQ(err.find(waits), err.rfind(waits)) << err;
}

// IndexNow, on its own listener: first the key file is fetched like any page, and then the page.
TEST_F(FeedScenario, ASiteSaysWhichPagesHaveChanged) {
  const uint16_t port = StartUpToBePushed();
  const auto ask = [port](const std::string& target) {
    return serve::TestClient(port).Ask("GET", target, {{"Host", "push.example"}}).status;
  };
  const auto submit = [&](const std::string& path, const std::string& key) {
    return ask("/indexnow?url=" + site_.Url(path) + "&key=" + key);
  };
  EXPECT_EQ(submit("/item1", "right-key"), 202);
  EXPECT_EQ(submit("/item2", "wrong-key"), 202);
  ASSERT_TRUE(Becomes([&] { return Run({"get", site_.Url("/item1")}) == 0; }));
  ASSERT_TRUE(Becomes([&] { return submit("/item2", "wrong-key") == 403; }));
  EXPECT_EQ(Asked("/item2"), 0u);
  EXPECT_EQ(Asked("/right-key.txt"), 1u);
  EXPECT_EQ(Asked("/wrong-key.txt"), 1u);
  EXPECT_EQ(ask("/indexnow?url=https://elsewhere.example/&key=right-key"), 422);
  EXPECT_EQ(ask("/dashboard"), 404);
  EXPECT_EQ(ask("/websub/1"), 404);
  StopUp();
}

// WebSub: the feed asks for polls an hour apart, so what comes sooner comes by its hub.
TEST_F(FeedScenario, AHubDeliversAFeed) {
  uint16_t port = StartUpToBePushed();
  ASSERT_EQ(Run({"feed", "add", "--push", site_.Url("/news.xml")}), 0) << Text("err");
  const engine::TestHub::Asked asked = hub_.Await(0);
  EXPECT_EQ(asked.path, "/hub");
  EXPECT_EQ(asked.mode(), "subscribe");
  EXPECT_EQ(asked.at("hub.topic"), site_.Url("/news.xml"));
  const auto subscription = [&] {
    const json feed = Feed("/news.xml");
    return feed.contains("subscriptions") && feed["subscriptions"].size() == 1 ? feed["subscriptions"][0]
                                                                               : json::object();
  };
  EXPECT_EQ(subscription().value("state", ""), "asked");
  EXPECT_EQ(hub_.Deliver(asked, port, "too early").status, 410);
  EXPECT_EQ(hub_.Verify(asked, port, "challenge").body, "challenge");
  EXPECT_EQ(hub_.Verify(asked, port, "challenge").status, 404);
  EXPECT_EQ(subscription().value("state", ""), "subscribed");
  ASSERT_TRUE(Becomes([&] { return Asked("/item2") == 1; })) << Text("up-err");

  Publish();
  engine::TestHub::Asked forger = asked;
  forger.form["hub.secret"] = "a guess";
  EXPECT_EQ(hub_.Deliver(forger, port, "forged").status, 403);
  EXPECT_EQ(Asked("/news.xml"), 1u);
  EXPECT_EQ(hub_.Deliver(asked, port, "news").status, 202);
  ASSERT_TRUE(Becomes([&] { return Run({"get", site_.Url("/item3")}) == 0; })) << Text("up-err");
  EXPECT_EQ(Asked("/news.xml"), 2u) << "it is the origin that is asked";
  ASSERT_TRUE(Becomes([&] { return subscription().value("deliveries", 0) == 1; }));
  EXPECT_EQ(subscription().value("refused", 0), 2);
  EXPECT_TRUE(subscription()["last_delivery"].is_string());
  StopUp();

  // A restart asks no hub again, and knows what was delivered.
  port = StartUpToBePushed();
  EXPECT_EQ(hub_.Deliver(asked, port, "news").status, 202);
  Publish();
  EXPECT_EQ(hub_.Deliver(asked, port, "more news").status, 202);
  ASSERT_TRUE(Becomes([&] { return Run({"get", site_.Url("/item4")}) == 0; })) << Text("up-err");
  EXPECT_EQ(Asked("/news.xml"), 3u);
  EXPECT_THAT(hub_.asked(), testing::SizeIs(1));
  ASSERT_EQ(Run({"feed", "remove", site_.Url("/news.xml")}), 0) << Text("err");
  const engine::TestHub::Asked ended = hub_.Await(1);
  EXPECT_EQ(ended.mode(), "unsubscribe");
  EXPECT_EQ(hub_.Verify(ended, port, "end").body, "end");
  EXPECT_EQ(hub_.Deliver(asked, port, "too late").status, 410);
  StopUp();
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

// Feeds store content of pages, so forgetting must remove it there.
TEST_F(FeedScenario, IsForgottenWithItsPage) {
  ASSERT_EQ(Run(Arguments("crawl", {"--follow-feeds"})), 0) << Text("err");
  EXPECT_EQ(Feed("/news.xml")["items"], 2);
  ASSERT_EQ(Run({"forget", site_.Url("/news.xml"), "--reason", "test", "--quiet"}), 0) << Text("err");
  EXPECT_EQ(Run({"feed", "list"}), 1);
  EXPECT_EQ(Run({"feed", "add", site_.Url("/news.xml")}), 2);
  EXPECT_THAT(Text("err"), HasSubstr("forgotten"));
}

}  // namespace
}  // namespace crivello
