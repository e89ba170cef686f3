// SPDX-License-Identifier: Apache-2.0
// Searching as a user does: documents are imported or crawled, indexed, searched, changed and evaluated.
#include <cstdlib>
#include <filesystem>

#include "base/conformance.h"
#include "crawl_scenario.h"
#include "demo/things_to_try.h"
#include "serve/http/http_test_client.h"

namespace crivello {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class SearchScenario : public CrawlScenario {
 protected:
  void Import(const std::string& lines) {
    std::ofstream(folder_ / "docs.jsonl") << lines;
    ASSERT_EQ(Run({"import", folder_ / "docs.jsonl"}), 0) << Text("err");
  }
  json Search(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"--json", "search"});
    const int code = Run(arguments);
    EXPECT_THAT(code, testing::AnyOf(0, 1)) << Text("err");
    const std::vector<json> lines = Lines();
    return lines.empty() ? json() : lines.front();
  }
  std::vector<std::string> Ids(const json& answer) const {
    std::vector<std::string> ids;
    for (const json& result : answer["results"]) ids.push_back(result["id"]);
    return ids;
  }
  std::vector<std::string> Found(const std::string& query) const { return Ids(Search({query})); }
};

const char* const kDocuments =
    R"({"id":"oak","url":"https://trees.example/oak","title":"The oak","text":"An oak is a large tree.\n\nIts wood is hard and strong."}
{"id":"ash","url":"https://trees.example/ash","title":"The ash","text":"An ash is a tree of the olive family, and grows fast in wet ground."}
{"id":"river","url":"https://water.example/river","title":"Rivers","text":"A river carries water to the sea; trees stand at its banks.","date":"2020-05-01"}
)";

TEST_F(SearchScenario, DocumentsAreImportedIndexedAndFound) {
  Import(kDocuments);
  EXPECT_EQ(Run({"search", "tree"}), 4);
  EXPECT_THAT(Text("err"), HasSubstr("create one with 'crivello index'"));
  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("3 documents of 3 rows"));

  EXPECT_THAT(Found("oak"), ElementsAre("oak"));
  EXPECT_THAT(Found("tree"), UnorderedElementsAre("oak", "ash", "river"));  // "trees", by its stem
  EXPECT_THAT(Found("\"olive family\""), ElementsAre("ash"));
  EXPECT_THAT(Found("tree -title:oak site:trees.example"), ElementsAre("ash"));
  EXPECT_THAT(Found("wat*"), ElementsAre("river"));
  EXPECT_THAT(Found("rivr~"), ElementsAre("river"));
  EXPECT_THAT(Found("nowhere"), IsEmpty());
  EXPECT_EQ(Run({"search", "nowhere"}), 1);
  const json answer = Search({"hard", "wood"});
  EXPECT_EQ(answer["results"][0]["rank"], 1);
  EXPECT_EQ(answer["results"][0]["url"], "https://trees.example/oak");
  EXPECT_EQ(answer["results"][0]["title"], "The oak");
  EXPECT_THAT(answer["results"][0]["snippet"].get<std::string>(), HasSubstr("wood is hard"));
  EXPECT_EQ(Run({"search", "--explain", "oak"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("idf"));
  EXPECT_EQ(Run({"check"}), 0) << Text("out");

  ASSERT_EQ(Run({"--json", "terms", "tre"}), 0);
  EXPECT_EQ(Lines().front()["term"], "tree");
  EXPECT_EQ(Lines().front()["documents"], 3);
}

TEST_F(SearchScenario, WhatIsTypedIsCompletedCorrectedAndComparedWithPages) {
  Import(kDocuments);
  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  ASSERT_EQ(Run({"--json", "suggest", "ri"}), 0) << Text("err");
  EXPECT_EQ(Lines().front()["suggestions"], json({"river", "Rivers"}));
  EXPECT_EQ(Run({"suggest", "zzz"}), 1);
  EXPECT_EQ(Search({"squirels", "sqare"}).contains("did_you_mean"), false);
  const json corrected = Search({"watre"});
  EXPECT_EQ(corrected["results"].dump(), Search({"water"})["results"].dump());
  EXPECT_EQ(corrected["notes"], json({"no page has \"watre\": these are results for water"}));
  EXPECT_EQ(Run({"search", "--strict", "watre"}), 1);
  EXPECT_THAT(Text("out"), HasSubstr("did you mean: water"));
  ASSERT_EQ(Run({"--json", "similar", "trees.example/oak"}), 0) << Text("err");
  const std::vector<std::string> like = Ids(Lines().front());
  EXPECT_THAT(like, testing::Not(testing::Contains("oak")));
  EXPECT_THAT(like, testing::Contains("ash"));
  EXPECT_EQ(Run({"similar", "https://nowhere.example/"}), 1);
}

TEST_F(SearchScenario, WhatChangesIsFoundAfterARefresh) {
  std::string many = kDocuments;
  for (int i = 0; i < 20; i++) {
    many += R"({"id":"x)" + std::to_string(i) + R"(","text":"filler number )" + std::to_string(i) + "\"}\n";
  }
  Import(many);
  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  Import(R"({"id":"oak","url":"https://trees.example/oak","title":"The oak","text":"Squirrels live in it."}
{"id":"elm","url":"https://trees.example/elm","title":"The elm","text":"Elms are tall."}
)");
  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("2 pages are new or have changed"));
  EXPECT_THAT(Found("squirrels"), ElementsAre("oak"));
  EXPECT_THAT(Found("elm"), ElementsAre("elm"));
  EXPECT_THAT(Found("strong"), IsEmpty());
  ASSERT_EQ(Run({"index", "delete", "https://trees.example/elm"}), 0) << Text("err");
  EXPECT_THAT(Found("elm"), IsEmpty());
  ASSERT_EQ(Run({"index", "merge"}), 0) << Text("err");
  EXPECT_THAT(Found("squirrels"), ElementsAre("oak"));
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(SearchScenario, EveryFormatAndOrderAnswersTheSame) {
  Import(kDocuments);
  ASSERT_EQ(Run({"index"}), 0) << Text("err");
  const json expected = Search({"tree", "water"});
  for (const char* format :
       {"quasi-succinct", "partitioned", "interpolative", "classic", "classic-delta-8"}) {
    ASSERT_EQ(Run({"index", "--format", format}), 0) << Text("err");
    EXPECT_EQ(Search({"tree", "water"})["results"], expected["results"]) << format;
  }
  for (const char* order : {"bisection", "inlinks", "depth"}) {
    ASSERT_EQ(Run({"index", "--order", order}), 0) << Text("err");
    EXPECT_EQ(Ids(Search({"tree", "water"})), Ids(expected)) << order;
  }
}

// An index may keep which documents have a word, how often, and where.  It answers queries without the data
// that it does not keep, and says so.
TEST_F(SearchScenario, AnIndexOfEachDegreeAnswersOnTheCommandLineOverHttpAndOnThePage) {
  Import(kDocuments);
  for (const std::string degree : {"documents", "counts", "positions"}) {
    SCOPED_TRACE(degree);
    ASSERT_EQ(Run({"index", "--with", degree}), 0) << Text("err");
    const bool exact = degree == "positions";
    const char* const note = "this index has no positions";
    for (const char* rank : {"bm25f", "bm25", "tfidf", "tfidf-max", "count"}) {
      EXPECT_THAT(Ids(Search({"--rank", rank, "tree"})), UnorderedElementsAre("oak", "ash", "river")) << rank;
    }
    EXPECT_THAT(Found("+tree -wood -water"), ElementsAre("ash"));
    EXPECT_THAT(Found("(wood OR olive) AND tree"), UnorderedElementsAre("oak", "ash"));
    EXPECT_THAT(Found("tree site:trees.example NOT olive"), ElementsAre("oak"));
    EXPECT_THAT(Found("wat*"), ElementsAre("river"));
    EXPECT_THAT(Found("\"family olive\""),
                exact ? std::vector<std::string>() : std::vector<std::string>{"ash"});
    ASSERT_EQ(Run({"search", "\"olive family\""}), 0) << Text("err");
    EXPECT_EQ(Text("err").find(note) == std::string::npos, exact) << Text("err");

    std::filesystem::remove(folder_ / "out");
    const pid_t server = Start({"serve", "--json", "--quiet", "--listen", "127.0.0.1:0"});
    while (Text("out").find('\n') == std::string::npos) {
      ASSERT_EQ(waitpid(server, nullptr, WNOHANG), 0) << Text("err");
      usleep(10'000);
    }
    const std::string url = Lines().front()["url"];
    serve::TestClient client(static_cast<uint16_t>(std::stoul(url.substr(url.rfind(':') + 1))));
    const auto ask = [&](const std::string& target) { return client.Ask("GET", target).body; };
    EXPECT_EQ(json::parse(ask("/api/v1/search?q=%2Btree+-wood"))["total"], 2);
    EXPECT_EQ(json::parse(ask("/api/v1/search?q=%22olive+family%22")).dump().find(note) == std::string::npos,
              exact);
    EXPECT_THAT(ask("/?q=%2Btree+-wood+-water"), HasSubstr("https://trees.example/ash"));
    const std::string page = ask("/?q=%22olive+family%22");
    EXPECT_THAT(page, HasSubstr("https://trees.example/ash"));
    EXPECT_EQ(page.find(note) == std::string::npos, exact);
    kill(server, SIGINT);
    EXPECT_EQ(Wait(server), 0);
  }
}

TEST_F(SearchScenario, VersionsAreFoundAsOfATime) {
  Import(R"({"id":"a","url":"https://a.example/","text":"winter now","date":"2020-01-01"}
{"id":"a","url":"https://a.example/","text":"summer now","date":"2020-07-01"}
)");
  ASSERT_EQ(Run({"index", "--versions"}), 0) << Text("err");
  EXPECT_THAT(Found("winter"), IsEmpty());
  EXPECT_THAT(Found("summer"), ElementsAre("a"));
  EXPECT_THAT(Ids(Search({"winter", "--at", "2020-03-01"})), ElementsAre("a"));
  EXPECT_THAT(Ids(Search({"summer", "--at", "2020-03-01"})), IsEmpty());
}

TEST_F(SearchScenario, AnIndexGoesOutAndInAgainAsCiff) {
  Import(kDocuments);
  ASSERT_EQ(Run({"index", "--analyser", "plain", "--fields", "body"}), 0) << Text("err");
  const std::vector<std::string> expected = Found("tree water");
  ASSERT_EQ(Run({"export", "--ciff", folder_ / "index.ciff"}), 0) << Text("err");
  std::filesystem::remove_all(folder_ / "collection");
  ASSERT_EQ(Run({"import", "--ciff", folder_ / "index.ciff"}), 0) << Text("err");
  EXPECT_EQ(Found("tree water"), expected);
}

TEST_F(SearchScenario, PagesOfACrawlAreFound) {
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  ASSERT_EQ(Run({"index", "--json"}), 0) << Text("err");
  const json built = Lines().back();
  EXPECT_GT(built["documents"].get<int>(), 50);
  const json answer = Search({"mountain", "hut"});
  ASSERT_FALSE(answer["results"].empty());
  EXPECT_THAT(answer["results"][0]["url"].get<std::string>(), HasSubstr("high-huts.test"));
  for (const demo::ThingToTry& thing : demo::kThingsToTry) {
    const json tried = Search({std::string(thing.query)});
    ASSERT_FALSE(tried["results"].empty()) << thing.query;
    std::string url = tried["results"][0]["url"];
    const std::string port = ":" + std::to_string(server_->port());
    EXPECT_EQ(url.replace(url.find(port), port.size(), ""), "http://" + std::string(thing.answer))
        << thing.query;
  }
  // For a mirror, the original is shown, with the copy below it.
  const json mirrored = Search({"tessera joins"})["results"][0];
  EXPECT_THAT(mirrored["duplicates"].dump(), HasSubstr("http://tessera-mirror.test"));
  // Pages that ask not to be indexed are left out.
  const json all = Search({"-n", "1000", "site:test"});
  for (const json& result : all["results"]) {
    ASSERT_EQ(Run({"--json", "get", result["url"]}), 0);
    EXPECT_FALSE(Lines().front()["versions"][0].contains("noindex")) << result["url"];
  }
}

// The floor is plain BM25 with stop words and the Porter stemmer, as on the collections' own page.
TEST_F(SearchScenario, RanksTestCollectionsAboveTheirFloor) {
  struct Collection {
    const char* name;
    double map, ndcg;
  };
  for (const Collection& collection :
       {Collection{"cranfield", 0.305, 0.384}, Collection{"cacm", 0.319, 0.475}}) {
    const std::string folder = SharedPath(std::string("conformance/ir/") + collection.name);
    if (folder.empty()) GTEST_SKIP() << "skipped: no ../shared";
    const std::string documents = folder_ / collection.name;
    ASSERT_EQ(std::system(("zcat '" + folder + "/docs.jsonl.gz' >'" + documents + "'").c_str()), 0);
    std::filesystem::remove_all(folder_ / "collection");
    ASSERT_EQ(Run({"import", "--format", "jsonl", documents}), 0) << Text("err");
    ASSERT_EQ(Run({"index"}), 0) << Text("err");
    ASSERT_EQ(Run({"--json", "eval", "--topics", folder + "/queries.tsv", "--qrels", folder + "/qrels.txt"}),
              0)
        << Text("err");
    const json measured = Lines().back();
    std::printf("conformance ir/%s map %.4f ndcg@10 %.4f\n", collection.name, measured["map"].get<double>(),
                measured["ndcg@10"].get<double>());
    std::fflush(stdout);
    EXPECT_GT(measured["map"].get<double>(), collection.map);
    EXPECT_GT(measured["ndcg@10"].get<double>(), collection.ndcg);
  }
}

}  // namespace
}  // namespace crivello
