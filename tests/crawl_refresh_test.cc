// SPDX-License-Identifier: Apache-2.0
// Refetching seeds, cookies, and sitemaps on request.
#include <atomic>

#include "crawl_scenario.h"
#include "demo/census.h"
#include "fetch/scripted_server.h"

namespace crivello {
namespace {

using fetch::ScriptedServer;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class RefreshTest : public CrawlScenario {
 protected:
  // A crawl of one scripted server, on loopback.
  std::vector<std::string> Arguments(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"crawl",  "--allow-private", "--delay", "10ms",     "--ip-delay",
                                          "1ms",    "--min-free",      "1M",      "--memory", "32M",
                                          "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  static std::string Page(const std::string& body, const std::string& fields = "") {
    return "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + fields +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  static constexpr const char* kNotFound = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
  // The path in the head of a request.
  static std::string PathOf(const std::string& head) {
    const size_t start = head.find(' ') + 1;
    return head.substr(start, head.find(' ', start) - start);
  }
  static std::vector<std::string> Asked(const ScriptedServer& server, const std::string& path) {
    std::vector<std::string> heads;
    for (const std::string& head : server.requests()) {
      if (PathOf(head) == path) heads.push_back(head);
    }
    return heads;
  }
};

TEST_F(RefreshTest, AsksForSeedsAgainAndKeepsWhatHasNotChanged) {
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  const auto rows = Rows();
  const size_t before = server_->Log().size();
  std::vector<std::string> again = CrawlArguments();
  again.push_back("--refresh");
  ASSERT_EQ(Run(again), 0) << Text("err");
  EXPECT_EQ(Rows(), rows);

  const auto log = server_->Log();
  size_t not_modified = 0;
  for (size_t i = before; i < log.size(); i++) not_modified += log[i].status == 304;
  EXPECT_GT(not_modified, 0u);
  const std::string seed = server_->web().Seeds().front();
  ASSERT_EQ(Run({"why", seed}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("has not changed"));
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(RefreshTest, TheScheduleSaysWhenAPageIsVisitedNextAndWhy) {
  ScriptedServer server([&](ScriptedServer::Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const std::string path = PathOf(head);
      const std::string ends = path == "/leaf" ? "X-Robots-Tag: unavailable_after: 2020-01-01\r\n" : "";
      connection.Write(path == "/robots.txt" ? std::string(kNotFound)
                                             : Page("a page <a href=/leaf>x</a>" + path, ends));
    }
  });
  ASSERT_EQ(Run(Arguments({server.Url()})), 0) << Text("err");
  ASSERT_EQ(Run({"schedule", server.Url(), "--json"}), 0) << Text("err");
  const json visit = Lines().at(0);
  EXPECT_EQ(visit["url"], server.Url());
  EXPECT_EQ(visit["visits"], 1);
  EXPECT_EQ(visit["changes"], 0);
  EXPECT_EQ(visit["failures"], 0);
  EXPECT_GE(visit["interval"], 3600);
  EXPECT_GT(visit["next"], visit["last"]);
  EXPECT_THAT(visit["reason"].get<std::string>(), HasSubstr("visited once"));
  ASSERT_EQ(Run({"schedule", "--summary", "--json"}), 0) << Text("err");
  const json sum = Lines().at(0);
  EXPECT_EQ(sum["pages"], 2);
  EXPECT_EQ(sum["new"], 2);
  EXPECT_EQ(sum["revisits"], 0);
  EXPECT_GT(sum["fresh"], 0.5);
  EXPECT_GT(sum["visits_per_day"], 0) << "less than one a day, too";
  EXPECT_LT(sum["visits_per_day"], 2);
  for (const char* const key : {"queued", "failing", "visits_per_day", "age", "changes", "next"}) {
    EXPECT_TRUE(sum.contains(key)) << key;
  }
  ASSERT_EQ(Run({"why", server.Url()}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("next visit"));
  EXPECT_EQ(Run({"schedule", server.Url("/none"), "--json"}), 1);
  EXPECT_TRUE(Lines().at(0)["next"].is_null());
  // A page that has asked to be gone by now is never visited again.
  ASSERT_EQ(Run({"schedule", server.Url("/leaf"), "--json"}), 0) << Text("err");
  EXPECT_TRUE(Lines().at(0)["next"].is_null());
  EXPECT_THAT(Lines().at(0)["reason"].get<std::string>(), HasSubstr("unavailable_after"));
  ASSERT_EQ(Run({"why", server.Url("/leaf")}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("neither shown in search nor fetched again"));
  EXPECT_THAT(Text("out"), Not(HasSubstr("next visit")));
}

TEST_F(RefreshTest, SendsTheValidatorsAndFollowsTheNewLinks) {
  std::atomic<bool> changed = false;
  ScriptedServer server([&](ScriptedServer::Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const std::string path = PathOf(head);
      if (path == "/") {
        connection.Write(changed ? Page("new <a href=/new>x</a>", "ETag: \"two\"\r\n")
                                 : Page("old <a href=/old>x</a>", "ETag: \"one\"\r\n"));
      } else {
        connection.Write(path == "/robots.txt" ? std::string(kNotFound) : Page("a leaf " + path));
      }
    }
  });
  ASSERT_EQ(Run(Arguments({server.Url()})), 0) << Text("err");
  ASSERT_EQ(Run(Arguments({server.Url()})), 0) << Text("err");
  EXPECT_EQ(Asked(server, "/").size(), 1u);  // without the option, a seed is fetched once
  changed = true;
  ASSERT_EQ(Run(Arguments({server.Url(), "--refresh"})), 0) << Text("err");
  ASSERT_EQ(Asked(server, "/").size(), 2u);
  EXPECT_THAT(Asked(server, "/")[1], HasSubstr("If-None-Match: \"one\"\r\n"));
  EXPECT_EQ(Asked(server, "/new").size(), 1u);
  EXPECT_EQ(Asked(server, "/old").size(), 1u);
  ASSERT_EQ(Run({"get", server.Url(), "--versions", "--json"}), 0);
  EXPECT_EQ(Lines().front()["versions"].size(), 2u);
}

TEST_F(RefreshTest, SendsCookiesBackToTheHostThatSetThem) {
  ScriptedServer server([&](ScriptedServer::Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const std::string path = PathOf(head);
      const bool known = head.find("Cookie: visitor=7\r\n") != std::string::npos;
      if (path == "/robots.txt") {
        connection.Write(kNotFound);
      } else if (path == "/") {
        connection.Write(
            "HTTP/1.1 302 Found\r\nLocation: /in\r\nSet-Cookie: visitor=7; Path=/\r\nContent-Length: "
            "0\r\n\r\n");
      } else {
        connection.Write(known ? Page("welcome <a href=/more>x</a>")
                               : "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
      }
    }
  });
  ASSERT_EQ(Run(Arguments({server.Url()})), 0) << Text("err");
  ASSERT_EQ(Run({"get", server.Url("/in"), "--json"}), 0);
  EXPECT_EQ(Lines().front()["versions"][0]["status"], 200);
  EXPECT_THAT(Asked(server, "/more"), Contains(HasSubstr("Cookie: visitor=7\r\n")));
  EXPECT_THAT(Asked(server, "/robots.txt"), Not(Contains(HasSubstr("Cookie:"))));
}

TEST_F(RefreshTest, NoCookiesMeansNone) {
  ScriptedServer server([&](ScriptedServer::Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      connection.Write(PathOf(head) == "/robots.txt" ? std::string(kNotFound)
                                                     : Page("<a href=/more>x</a>", "Set-Cookie: a=1\r\n"));
    }
  });
  ASSERT_EQ(Run(Arguments({server.Url(), "--no-cookies"})), 0) << Text("err");
  EXPECT_EQ(Asked(server, "/more").size(), 1u);
  for (const std::string& head : server.requests()) EXPECT_THAT(head, Not(HasSubstr("Cookie:")));
}

TEST_F(RefreshTest, StartsFromASitemap) {
  ScriptedServer* at = nullptr;
  ScriptedServer server([&](ScriptedServer::Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const std::string path = PathOf(head);
      const std::string list = at->Url("/a") + "\n" + at->Url("/b") + "\n";
      connection.Write(path == "/robots.txt" ? std::string(kNotFound)
                       : path == "/list.txt"
                           ? "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
                                 std::to_string(list.size()) + "\r\n\r\n" + list
                           : Page("leaf " + path));
    }
  });
  at = &server;
  ASSERT_EQ(Run(Arguments({"--sitemap", server.Url("/list.txt")})), 0) << Text("err");
  EXPECT_EQ(Asked(server, "/a").size(), 1u);
  EXPECT_EQ(Asked(server, "/b").size(), 1u);
}

}  // namespace
}  // namespace crivello
