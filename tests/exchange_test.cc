// SPDX-License-Identifier: Apache-2.0
// Documents that are imported from other programs, exported to them, and deleted.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "crawl_scenario.h"
#include "serve/http/http_test_client.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// The two documents of the slides, byte for byte.
constexpr const char* kSlides = R"(<DOC>
<DOCNO>WTX001-B01-10</DOCNO>
<DOCHDR>
http://www.example.com/test.html 204.244.59.33 19970101013145 text/html 440
HTTP/1.0 200 OK
Date: Wed, 01 Jan 1997 01:21:13 GMT
Server: Apache/1.0.3
Content-type: text/html
Content-length: 270
Last-modified: Mon, 25 Nov 1996 05:31:24 GMT
</DOCHDR>
<HTML>
<TITLE>Tropical Fish Store</TITLE>
Coming soon!
</HTML>
</DOC>
<DOC>
<DOCNO>WTX001-B01-109</DOCNO>
<DOCHDR>
http://www.example.com/fish.html 204.244.59.33 19970101013149 text/html 440
HTTP/1.0 200 OK
Date: Wed, 01 Jan 1997 01:21:19 GMT
Server: Apache/1.0.3
Content-type: text/html
Content-length: 270
Last-modified: Mon, 25 Nov 1996 05:31:24 GMT
</DOCHDR>
<HTML>
<TITLE>Fish Information</TITLE>
This page will soon contain interesting
information about tropical fish.
</HTML>
</DOC>
)";

class ExchangeScenario : public CrawlScenario {
 protected:
  void SetUp() override {}
  void TearDown() override {
    if (child_ == 0) return;
    kill(child_, SIGKILL);
    Wait(child_);
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  // Runs the program on the collection of that name; its output replaces that of the previous run.
  int RunOn(const std::string& collection, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {ProgramPath(), "-C", folder_ / collection});
    const std::string out = folder_ / "out", err = folder_ / "err";
    return Wait(StartProgram(std::move(arguments), [&] {
      DirectTo(out, STDOUT_FILENO);
      DirectTo(err, STDERR_FILENO);
    }));
  }
  std::vector<std::string> Found(const std::string& collection, const std::string& query) const {
    EXPECT_LE(RunOn(collection, {"search", query, "--json", "--all"}), 1) << Text("err");
    std::vector<std::string> urls;
    for (const json& line : Lines()) {
      for (const json& result : line["results"]) urls.push_back(result["url"]);
    }
    return urls;
  }

  pid_t child_ = 0;
};

using TrecScenario = ExchangeScenario;

TEST_F(TrecScenario, TheDocumentsOfTheSlidesGoInAndOutByteForByte) {
  Write("WTX001.trec", kSlides);
  Write("B01", kSlides);  // recognised by its contents
  for (const char* name : {"WTX001.trec", "B01"}) {
    SCOPED_TRACE(name);
    const std::string collection = std::string("c-") + name;
    ASSERT_EQ(RunOn(collection, {"import", folder_ / name}), 0) << Text("err");
    EXPECT_THAT(Text("out"), HasSubstr("2 documents"));
    ASSERT_EQ(RunOn(collection, {"index", "--quiet"}), 0) << Text("err");
    EXPECT_THAT(Found(collection, "fish"),
                UnorderedElementsAre("http://www.example.com/test.html", "http://www.example.com/fish.html"));
    ASSERT_EQ(RunOn(collection, {"export", "--trec", folder_ / "out.trec"}), 0) << Text("err");
    EXPECT_EQ(Text("out.trec"), kSlides);
  }
}

TEST_F(TrecScenario, TextDocumentsAndDamageAreTaken) {
  Write("news",
        "<DOC>\n<DOCNO>FT911-1</DOCNO>\n<TEXT>\nherrings of the "
        "north\n</TEXT>\n</DOC>\n<DOC>\n<DOCNO>FT911-2</DOCNO>\nno end");
  ASSERT_EQ(Run({"import", "--format", "trec", folder_ / "news"}), 0) << Text("err");
  EXPECT_THAT(Text("err"), HasSubstr("no end"));
  ASSERT_EQ(Run({"index", "--quiet"}), 0);
  EXPECT_THAT(Found("collection", "herrings"), ElementsAre("https://import.invalid/FT911-1"));
  ASSERT_EQ(Run({"export", "--trec", folder_ / "out.trec"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("imported as text"));
}

constexpr const char* kThreeDocuments =
    R"({"url": "https://a.test/one", "id": "one", "title": "Bread", "text": "How bread rises.\n\nYeast and flour.", "language": "en", "date": "2020-01-02"}
{"url": "https://a.test/two", "title": "Salt", "text": "Bread needs salt, says the baker.", "language": "en", "date": "2021-01-02"}
{"url": "https://b.test/", "html": "<html lang=en><title>Oven</title><h1>The oven of stone</h1><nav><ul><li><a href=/x>Imprint bread</a></ul></nav><p>An oven bakes bread for the whole village, and has done so since anyone remembers. See <a href='https://a.test/one'>how dough behaves</a>.</p></html>", "date": "2022-01-02"}
)";

TEST_F(ExchangeScenario, WhatIsExportedAsLinesGivesTheSameAnswersWhenItIsImported) {
  Write("documents.jsonl", kThreeDocuments);
  ASSERT_EQ(RunOn("first", {"import", folder_ / "documents.jsonl"}), 0) << Text("err");
  ASSERT_EQ(RunOn("first", {"index", "--quiet"}), 0) << Text("err");
  ASSERT_EQ(RunOn("first", {"export", "--jsonl", "--links"}), 0) << Text("err");
  const std::string lines = Text("out");
  const std::vector<json> exported = Lines();
  ASSERT_EQ(exported.size(), 5u) << lines;  // three pages, two links
  EXPECT_EQ(exported[0]["url"], "https://a.test/one");
  EXPECT_EQ(exported[0]["id"], "one");
  EXPECT_EQ(exported[0]["time"], "2020-01-02T00:00:00Z");
  EXPECT_EQ(exported[0]["status"], 200);
  EXPECT_EQ(exported[0]["language"], "en");
  EXPECT_EQ(exported[0]["title"], "Bread");
  EXPECT_EQ(exported[0]["text"], "How bread rises.\n\nYeast and flour.");
  EXPECT_FALSE(exported[1].contains("id"));
  EXPECT_EQ(exported[4]["from"], "https://b.test/");
  EXPECT_EQ(exported[4]["to"], "https://a.test/one");
  EXPECT_EQ(exported[4]["text"], "how dough behaves");

  Write("exported.jsonl", lines);
  ASSERT_EQ(RunOn("second", {"import", folder_ / "exported.jsonl"}), 0) << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("3 documents"));
  EXPECT_THAT(Text("out"), testing::Not(HasSubstr("refused")));
  ASSERT_EQ(RunOn("second", {"index", "--quiet"}), 0) << Text("err");
  // Words from titles, headings, main text, surroundings and anchors, with the same scores.
  for (const char* query : {"bread", "oven", "stone", "imprint", "dough", "salt baker", "\"bread rises\""}) {
    SCOPED_TRACE(query);
    std::vector<std::vector<std::pair<std::string, double>>> answers;
    for (const char* collection : {"first", "second"}) {
      ASSERT_EQ(RunOn(collection, {"search", query, "--json", "--all"}), 0) << Text("err");
      auto& answer = answers.emplace_back();
      for (const json& line : Lines()) {
        for (const json& result : line["results"]) answer.emplace_back(result["url"], result["score"]);
      }
    }
    EXPECT_FALSE(answers[0].empty());
    EXPECT_EQ(answers[0], answers[1]);
  }
  ASSERT_EQ(RunOn("second", {"export", "--jsonl", "--links"}), 0);
  EXPECT_EQ(Text("out"), lines) << "exported again, it is the same";
}

TEST_F(ExchangeScenario, APageIsShownAsItWasAtATime) {
  const auto response = [](const std::string& date, const std::string& body) {
    const std::string http = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + body;
    return "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x:" + date + ">\r\nWARC-Date: " + date +
           "\r\nWARC-Target-URI: https://a.test/\r\nContent-Type: application/http; msgtype=response\r\n" +
           "Content-Length: " + std::to_string(http.size()) + "\r\n\r\n" + http + "\r\n\r\n";
  };
  Write("two.warc",
        response("2020-01-02T12:00:00Z", "the old text") + response("2021-01-02T12:00:00Z", "the new text"));
  ASSERT_EQ(Run({"import", folder_ / "two.warc", "--quiet"}), 0) << Text("err");
  const auto text_at = [&](const std::string& time) {
    EXPECT_EQ(Run({"get", "https://a.test/", "--at", time, "--json"}), 0) << Text("err");
    const json versions = Lines().at(0)["versions"];
    EXPECT_EQ(versions.size(), 1u);
    return versions.at(0)["text"].get<std::string>();
  };
  EXPECT_EQ(text_at("2026-01-01"), "the new text");
  EXPECT_EQ(text_at("2021-01-02T12:00:00Z"), "the new text");
  EXPECT_EQ(text_at("2021-01-02T11:59:59Z"), "the old text");
  ASSERT_EQ(Run({"get", "https://a.test/", "--at", "2020-06-01", "--column", "record"}), 0) << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("the old text"));
  ASSERT_EQ(Run({"get", "https://a.test/", "--at", "2021-06-01", "--versions", "--json"}), 0);
  EXPECT_EQ(Lines().at(0)["versions"].size(), 2u);
  EXPECT_EQ(Run({"get", "https://a.test/", "--at", "2019-01-01"}), 1);
  EXPECT_THAT(Text("err"), HasSubstr("was not in this collection at that time"));
  EXPECT_EQ(Run({"get", "https://a.test/", "--at", "soon"}), 2);
  EXPECT_THAT(Text("err"), HasSubstr("invalid --at 'soon'"));
}

TEST_F(ExchangeScenario, ALinkWithoutItsPageIsRefused) {
  Write("links.jsonl", R"({"text": "bread", "id": "1"}
{"from": "https://a.test/", "to": "https://b.test/", "text": "elsewhere"}
)");
  ASSERT_EQ(Run({"import", folder_ / "links.jsonl"}), 0);
  EXPECT_THAT(Text("err"), HasSubstr("line 2: a link must follow the line of the page that it is on"));
  for (const auto& wrong : std::vector<std::vector<std::string>>{
           {"export"}, {"export", "--links"}, {"export", "--jsonl", "--trec", "x"}}) {
    EXPECT_EQ(Run(wrong), 2);
  }
}

TEST_F(ExchangeScenario, DocumentsAreDeletedOverHttp) {
  Write("documents.jsonl", kThreeDocuments);
  ASSERT_EQ(Run({"import", folder_ / "documents.jsonl"}), 0) << Text("err");
  Write("WTX001.trec", kSlides);  // the archive has records of these
  ASSERT_EQ(Run({"import", folder_ / "WTX001.trec"}), 0) << Text("err");
  ASSERT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
  fs::remove(folder_ / "out");
  child_ = Start(
      {"up", "--listen", "127.0.0.1:0", "--json", "--allow-private", "--min-free", "1M", "--memory", "64M"});
  while (Text("out").find('\n') == std::string::npos) {
    ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0) << Text("err");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::string url = Lines().front()["url"];
  const auto port = static_cast<uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
  const auto ask = [&](const std::string& method, const std::string& target) {
    serve::TestClient client(port);
    const auto answer = client.Ask(method, target, {}, "");
    EXPECT_EQ(answer.status, 200u) << target << answer.body;
    return json::parse(answer.body);
  };
  const auto total = [&](const std::string& words) -> int {
    return ask("GET", "/api/v1/search?all=1&q=" + words)["total"];
  };
  EXPECT_EQ(total("bread"), 3);
  EXPECT_EQ(total("fish"), 2);
  EXPECT_EQ(ask("DELETE", "/api/v1/documents?id=one")["deleted"], 1);
  EXPECT_EQ(ask("DELETE", "/api/v1/documents?id=one")["deleted"], 0);
  EXPECT_EQ(ask("DELETE", "/api/v1/documents?url=https://b.test/")["deleted"], 1);
  EXPECT_EQ(ask("DELETE", "/api/v1/documents?url=http://www.example.com/fish.html")["deleted"], 1);
  EXPECT_EQ(ask("DELETE", "/api/v1/documents?url=https://never.test/")["deleted"], 0);
  while (total("bread") != 1 || total("fish") != 1) {
    ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0) << Text("err");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child_, SIGINT);
  EXPECT_EQ(Wait(std::exchange(child_, 0)), 0);
  // Crawled or archived pages leave a version that says so.
  EXPECT_EQ(Run({"get", "https://b.test/"}), 1);
  ASSERT_EQ(Run({"get", "http://www.example.com/fish.html", "--json", "--column", "fetch"}), 0);
  EXPECT_EQ(Lines().front()["versions"][0]["status"], 410);
}

}  // namespace
}  // namespace crivello
