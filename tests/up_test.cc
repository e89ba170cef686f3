// SPDX-License-Identifier: Apache-2.0
// The whole program at once: it crawls the built-in web, indexes it and serves it over HTTP while it grows.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/test_paths.h"
#include "care_scenario.h"
#include "serve/http/http_test_client.h"

namespace crivello {
namespace {

using testing::Contains;
using testing::HasSubstr;

class UpScenario : public CrawlScenario {
 protected:
  void TearDown() override {
    if (child_ != 0) {
      kill(child_, SIGKILL);
      Wait(child_);
    }
  }

  std::vector<std::string> UpArguments() const {
    std::vector<std::string> arguments = CrawlArguments();
    arguments[0] = "up";
    arguments.insert(arguments.end(), {"--json", "--listen", "127.0.0.1:0"});
    return arguments;
  }

  // Starts a server and waits until it prints where it listens.
  void Open(const std::vector<std::string>& arguments) {
    std::filesystem::remove(folder_ / "out");  // of the previous program
    child_ = Start(arguments);
    for (std::string out; (out = Text("out")).find('\n') == std::string::npos;) {
      ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0) << Text("err");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const json open = Lines().front();
    ASSERT_EQ(open["event"], "open");
    const std::string url = open["url"];
    port_ = static_cast<uint16_t>(std::stoul(url.substr(url.rfind(':') + 1)));
  }
  int Interrupt() {
    kill(child_, SIGINT);
    return Wait(std::exchange(child_, 0));
  }

  serve::TestClient::Answer Ask(const std::string& method, const std::string& target,
                                const std::string& body = "") const {
    serve::TestClient client(port_);
    return client.Ask(method, target, {{"Content-Type", "application/json"}}, body);
  }
  json Get(const std::string& target) const {
    const serve::TestClient::Answer answer = Ask("GET", target);
    EXPECT_EQ(answer.status, 200) << target << ": " << answer.body;
    return json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
  }
  std::vector<std::string> Found(const std::string& query) const {
    std::vector<std::string> urls;
    const json answer = Get("/api/v1/search?n=100&q=" + query);
    for (const json& result : answer["results"]) urls.push_back(result["url"]);
    return urls;
  }
  // Polls until the condition holds; takes longer on a busy machine.
  template <typename Condition>
  testing::AssertionResult Becomes(Condition condition) const {
    for (int i = 0; i < 3000; i++) {
      if (condition()) return testing::AssertionSuccess();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return testing::AssertionFailure() << "not in a minute: " << Text("err");
  }
  std::string State() const { return Get("/api/v1/crawl")["state"]; }

  struct ProcessSize {
    uint64_t files = 0;
    uint64_t threads = 0;
    uint64_t own_kilobytes = 0;  // of memory, without mapped files
  };
  static ProcessSize SizeOf(pid_t process) {
    const std::filesystem::path folder = "/proc/" + std::to_string(process);
    ProcessSize size;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder / "fd")) size.files++;
    std::ifstream status(folder / "status");
    for (std::string line; std::getline(status, line);) {
      std::istringstream words(line);
      std::string name;
      words >> name;
      if (name == "Threads:") words >> size.threads;
      if (name == "RssAnon:") words >> size.own_kilobytes;
    }
    return size;
  }

  pid_t child_ = 0;
  uint16_t port_ = 0;
};

TEST_F(UpScenario, CanBeSearchedWhileItCrawlsAndGoesOnWhereItStopped) {
  Open(UpArguments());
  EXPECT_TRUE(Becomes([&] { return !Found("bread").empty(); }));
  const std::vector<std::string> before = Found("bread");
  EXPECT_EQ(Interrupt(), 0) << Text("err");
  EXPECT_EQ(Lines().back()["event"], "done");

  Open(UpArguments());
  // Everything shown before is there before anything is fetched.
  const std::vector<std::string> after = Found("bread");
  for (const std::string& url : before) EXPECT_THAT(after, Contains(url));
  EXPECT_TRUE(Becomes([&] { return State() == "finished"; }));
  EXPECT_TRUE(Becomes([&] { return Get("/api/v1/stats")["index"]["documents"] > 150; }));
  // Found by the text of links, once these are known.
  EXPECT_TRUE(Becomes([&] { return !Found("anchor:valley+anchor:bread").empty(); }));
  EXPECT_EQ(Interrupt(), 0) << Text("err");
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(UpScenario, RanksPagesAndHostsByItself) {
  std::vector<std::string> arguments = UpArguments();
  arguments.insert(arguments.end(), {"--priority", "rank", "--scale-by-rank"});
  Open(arguments);
  EXPECT_TRUE(Becomes([&] { return State() == "finished"; }));
  // Once the crawl is idle.
  EXPECT_TRUE(Becomes([&] { return std::filesystem::exists(folder_ / "collection/ranks/host-pagerank"); }));
  EXPECT_TRUE(Becomes([&] {
    const json answer = Get("/api/v1/search?n=1&explain=true&q=bread");
    return answer["results"].dump().find("pagerank") != std::string::npos;
  }));
  const serve::TestClient::Answer shape = Ask("GET", "/shape");
  EXPECT_EQ(shape.status, 200);
  EXPECT_THAT(shape.body, HasSubstr("<td>core</td>"));
  EXPECT_THAT(shape.body, HasSubstr("<a href=\"/?q=site"));
  const std::vector<std::string> found = Found("bread");
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(Get("/api/v1/why?url=" + found.front()).dump(), HasSubstr("in the rank 'pagerank'"));
  EXPECT_TRUE(Becomes([&] { return Ask("GET", "/hosts").body.find("by PageRank") != std::string::npos; }));
  EXPECT_EQ(Interrupt(), 0) << Text("err");
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(UpScenario, KeepsWhatItHasShownThroughAKill) {
  Open(UpArguments());
  EXPECT_TRUE(Becomes([&] { return Found("the").size() > 20; }));
  const std::vector<std::string> shown = Found("the");
  const json documents = Get("/api/v1/stats")["index"]["documents"];
  kill(child_, SIGKILL);
  Wait(std::exchange(child_, 0));
  std::vector<std::string> arguments = UpArguments();
  arguments.insert(arguments.end(), {"--max-pages", "1"});  // existing pages were fetched before
  Open(arguments);
  EXPECT_TRUE(Becomes([&] { return Get("/api/v1/stats")["index"]["documents"] >= documents; }));
  for (const std::string& url : shown) {
    EXPECT_EQ(Get("/api/v1/document?url=" + url)["versions"].size(), 1u) << url;
  }
  EXPECT_EQ(Interrupt(), 0) << Text("err");
}

TEST_F(UpScenario, EndsAForgettingBeforeItStopsOrWhenItStartsAgain) {
  const auto forget = [this](const std::string& url) {
    return Ask("POST", "/api/v1/forgotten", R"({"target": ")" + url + R"(", "reason": "asked"})").status;
  };
  Open(UpArguments());
  ASSERT_TRUE(Becomes([&] { return Found("bread").size() > 1; }));
  const std::string first = Found("bread").at(0);
  const std::string second = Found("bread").at(1);
  EXPECT_EQ(forget(first), 202);
  EXPECT_EQ(Interrupt(), 0) << Text("err");
  ASSERT_EQ(Run({"forget", "--list", "--json"}), 0) << Text("err");
  EXPECT_TRUE(Lines().at(0).contains("done"));

  Open(UpArguments());
  EXPECT_THAT(Found("bread"), testing::Not(Contains(first)));
  EXPECT_EQ(forget(second), 202);
  kill(child_, SIGKILL);
  Wait(std::exchange(child_, 0));
  Open(UpArguments());
  EXPECT_THAT(Found("bread"), testing::Not(Contains(second)));
  EXPECT_EQ(Get("/api/v1/forgotten")["running"], false);
  EXPECT_TRUE(Get("/api/v1/forgotten")["forgotten"].at(1).contains("done"));
  EXPECT_EQ(Interrupt(), 0) << Text("err");
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(UpScenario, PausesAcrossARestartAndTakesMoreSeeds) {
  std::vector<std::string> arguments = UpArguments();
  arguments[2] = "/dev/null";  // no seeds
  Open(arguments);
  EXPECT_TRUE(Becomes([&] { return State() == "finished"; }));
  EXPECT_EQ(Ask("POST", "/api/v1/crawl/pause", "{}").status, 200);
  EXPECT_EQ(State(), "paused");
  const json seeds = {{"urls", {server_->web().Seeds().front()}}};
  EXPECT_EQ(Ask("POST", "/api/v1/crawl/seeds", seeds.dump()).status, 200);
  EXPECT_EQ(Ask("POST", "/api/v1/crawl/seeds", R"({"urls": ["mailto:x"]})").status, 400);
  EXPECT_EQ(Interrupt(), 0) << Text("err");
  EXPECT_TRUE(server_->Log().empty());

  Open(arguments);
  EXPECT_EQ(State(), "paused");
  EXPECT_THAT(Get("/api/v1/crawl")["seeds"].dump(), HasSubstr(server_->web().Seeds().front()));
  EXPECT_EQ(Ask("POST", "/api/v1/crawl/resume", "{}").status, 200);
  EXPECT_TRUE(Becomes([&] { return State() == "finished"; }));
  EXPECT_GT(Get("/api/v1/crawl")["pages"], 5);
  EXPECT_EQ(Interrupt(), 0) << Text("err");
}

TEST_F(UpScenario, TakesDocumentsOverHttp) {
  std::vector<std::string> arguments = UpArguments();
  arguments[2] = "/dev/null";
  Open(arguments);
  serve::TestClient client(port_);
  const auto answer = client.Ask("POST", "/api/v1/import", {{"Content-Type", "application/x-ndjson"}},
                                 "{\"id\": \"one\", \"text\": \"a quixotic zeppelin\"}\n"
                                 "{\"id\": \"two\"}\n");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json done = json::parse(answer.body);
  EXPECT_EQ(done["accepted"], 1);
  EXPECT_EQ(done["refused"], 1);
  EXPECT_TRUE(Becomes([&] { return Found("zeppelin").size() == 1; }));
  EXPECT_EQ(Interrupt(), 0) << Text("err");
}

// The short version of bench/soak: documents are added and replaced many times, while searches continue.
TEST_F(UpScenario, StaysAsSmallAsItIsWhilePagesChange) {
  std::vector<std::string> arguments = UpArguments();
  arguments[2] = "/dev/null";
  Open(arguments);
  serve::TestClient client(port_);
  const auto change = [&](int round) {
    std::string lines;
    for (int i = 0; i < 200; i++) {
      json document = {{"id", "d" + std::to_string(i)}, {"title", "round " + std::to_string(round)}};
      std::string text;
      for (int word = 0; word < 100; word++)
        text += "w" + std::to_string((round * 31 + i * word) % 997) + ' ';
      document["text"] = text;
      lines += document.dump() + '\n';
    }
    const auto answer =
        client.Ask("POST", "/api/v1/import", {{"Content-Type", "application/x-ndjson"}}, lines);
    ASSERT_EQ(answer.status, 200) << answer.body;
    const std::string search = "/api/v1/search?n=1&q=title:" + std::to_string(round);
    ASSERT_TRUE(Becomes([&] { return Get(search)["total"] == 200; })) << "round " << round;
  };
  constexpr int kWarm = 10;
  for (int round = 0; round < kWarm && !HasFatalFailure(); round++) change(round);
  const ProcessSize before = SizeOf(child_);
  for (int round = kWarm; round < 3 * kWarm && !HasFatalFailure(); round++) change(round);
  const ProcessSize after = SizeOf(child_);
  // The number of tables varies; one file per round would be twenty.
  EXPECT_LE(after.files, before.files + 16);
  EXPECT_LE(after.threads, before.threads + 1);
#ifndef __SANITIZE_ADDRESS__  // it keeps freed memory for a while
  EXPECT_LE(after.own_kilobytes, before.own_kilobytes + (48 << 10));
#endif
  EXPECT_EQ(Get("/api/v1/stats")["index"]["documents"], 200);
  EXPECT_EQ(Interrupt(), 0) << Text("err");
}

TEST_F(UpScenario, ServesBesideWhoeverCrawls) {
  ASSERT_EQ(Run([&] {
              std::vector<std::string> once = UpArguments();
              once.push_back("--once");
              return once;
            }()),
            0)
      << Text("err");
  EXPECT_GT(Lines().back()["documents"], 150);
  Open({"serve", "--json", "--quiet", "--listen", "127.0.0.1:0"});
  const std::vector<std::string> found = Found("bread");
  ASSERT_FALSE(found.empty());
  // Rows are read by opening the collection briefly; and a new crawl is not blocked by that.
  EXPECT_EQ(Ask("GET", "/cached?url=" + found.front()).status, 200);
  const json why = Get("/api/v1/why?url=" + found.front());
  EXPECT_GT(why["events"].size(), 1u) << why;
  EXPECT_EQ(Ask("POST", "/api/v1/crawl/pause", "{}").status, 409);
  const std::string documents = folder_ / "documents.jsonl";
  std::ofstream(documents) << "{\"id\": \"one\", \"text\": \"a quixotic zeppelin\"}\n";
  const pid_t server = std::exchange(child_, 0);
  EXPECT_EQ(Run({"import", documents}), 0) << Text("err");
  EXPECT_EQ(Run({"index"}), 0) << Text("err");
  child_ = server;
  EXPECT_TRUE(Becomes([&] { return Found("zeppelin").size() == 1; }));
  EXPECT_EQ(Interrupt(), 0) << Text("err");
}

TEST_F(UpScenario, SaysWhatIsWrong) {
  EXPECT_EQ(Run({"serve"}), 4);
  EXPECT_THAT(Text("err"), HasSubstr("is not a Crivello collection"));
  std::vector<std::string> arguments = UpArguments();
  arguments.back() = "here";
  EXPECT_EQ(Run(arguments), 2);
  EXPECT_THAT(Text("err"), HasSubstr("expected ADDRESS:PORT"));
}

TEST_F(UpScenario, ForgetsAndIsBackedUpWhileItRuns) {
  Open(UpArguments());
  const std::string secret(kSecret);
  const json document = {{"id", "1"},
                         {"url", "https://doc.example/secret"},
                         {"title", secret + " title"},
                         {"text", "The word " + secret + " stands here, among others that do not matter."}};
  const auto import = [&] {
    serve::TestClient client(port_);
    return json::parse(
        client.Ask("POST", "/api/v1/import", {{"Content-Type", "application/x-ndjson"}}, document.dump())
            .body);
  };
  EXPECT_EQ(import()["accepted"], 1);
  EXPECT_TRUE(Becomes([&] { return !Found(secret).empty(); }));
  const std::string collection = folder_ / "collection";
  const std::string program = std::string(ProgramPath()) + " -C " + collection + " ";
  const std::string end = " --quiet > " + (folder_ / "told") + " 2>&1";
  ASSERT_EQ(system((program + "backup " + (folder_ / "backups") + end).c_str()), 0) << Text("told");
  ASSERT_EQ(system((program + "forget doc.example --reason asked" + end).c_str()), 0) << Text("told");
  EXPECT_TRUE(Found(secret).empty());
  EXPECT_EQ(import()["refused"], 1);
  EXPECT_EQ(Interrupt(), 0) << Text("err");
  EXPECT_THAT(FilesWith(secret, collection), testing::IsEmpty());
  EXPECT_THAT(FilesWith(secret, folder_ / "backups"), testing::Not(testing::IsEmpty()));
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
  std::filesystem::remove_all(collection);
  ASSERT_EQ(Run({"restore", folder_ / "backups", "--quiet"}), 0) << Text("err");
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
  EXPECT_EQ(Run({"get", "https://doc.example/secret"}), 0) << Text("err");
}

}  // namespace
}  // namespace crivello
