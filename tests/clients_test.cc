// SPDX-License-Identifier: Apache-2.0
// Misbehaving clients of the process that owns a collection: it survives, and others do not have to wait.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/random.h"
#include "base/test_waiting.h"
#include "crawl_scenario.h"
#include "wire/codec.h"
#include "wire/remote_service.h"
#include "wire/unix_socket.h"

namespace crivello {
namespace {

using testing::HasSubstr;

class ClientsScenario : public CrawlScenario {
 protected:
  void SetUp() override {
    CrawlScenario::SetUp();
    std::vector<std::string> some = CrawlArguments();
    some.insert(some.end(), {"--max-pages", "60"});
    ASSERT_EQ(Run(some), 0) << Text("err");
    std::vector<std::string> up = CrawlArguments();
    up[0] = "up";
    up.insert(up.end(), {"--listen", "127.0.0.1:0"});
    owner_ = Start(up);
    ASSERT_TRUE(WaitFor([&] { return Owner().ok(); })) << Text("err");
    page_ = Owner().value()->Ask(wire::ScanRequest{.limit = 1}, silent_).value().pages.at(0).url;
    std::ofstream(folder_ / "documents.jsonl") << R"({"url": "https://doc.example/", "text": "A document."})";
  }
  void TearDown() override {
    if (owner_ == 0) return;
    kill(owner_, SIGKILL);
    Wait(owner_);
  }

  std::string SocketFile() const { return folder_ / "collection/socket"; }
  Result<std::unique_ptr<wire::RemoteService>> Owner() const {
    return wire::RemoteService::Connect(SocketFile(), {.patience = std::chrono::seconds(60)});
  }
  // The owner is running, and answers a well-behaved client.
  void ExpectOwnerAnswers(const std::string& after) {
    ASSERT_EQ(waitpid(owner_, nullptr, WNOHANG), 0) << after << ": the owner has ended: " << Text("err");
    // It may take a while to notice that clients are gone, and it serves 32 at a time.
    Status status;
    const bool answered = WaitFor([&] {
      auto client = Owner();
      status = client.status();
      if (!client.ok()) return true;
      const auto reasons = (*client)->Ask(wire::WhyRequest{.url = page_}, silent_);
      status = reasons.status();
      if (reasons.ok()) {
        EXPECT_FALSE(reasons->reasons.empty()) << after;
      }
      return status.message().find("which is its limit") == std::string::npos;
    });
    EXPECT_TRUE(answered && status.ok()) << after << ": " << status.ToString();
  }
  // All commands that query an owner.
  std::vector<std::string> Commands() const {
    return {"scan",
            "--json scan",
            "get " + page_,
            "get " + page_ + " --column record",
            "why " + page_,
            "schedule " + page_,
            "schedule --summary",
            "report",
            "frontier",
            "forget --list",
            "forget " + page_ + " --dry-run",
            "forget https://doc.example/private --reason test",
            "forget --finish",
            "import " + (folder_ / "documents.jsonl"),
            "backup " + (folder_ / "backups"),
            "order status",
            "order fetch " + page_,
            "graph build --level host",
            "export --jsonl --links",
            "export --trec " + (folder_ / "pages.trec"),
            "check"};
  }
  int Shell(const std::string& command, const std::string& redirection) const {
    const std::string line = std::string(ProgramPath()) + " -q -C " + (folder_ / "collection") + " " +
                             command + " " + redirection + " 2> " + (folder_ / "told");
    return system(("(" + line + ")").c_str());
  }

  pid_t owner_ = 0;
  std::string page_;
  SilentListener silent_;
};

TEST_F(ClientsScenario, NoCommandHarmsTheOwnerWhateverBecomesOfItsOutput) {
  for (const std::string& command : Commands()) {
    Shell(command, "| head -c 1 > /dev/null");
    ExpectOwnerAnswers(command + " into a closed pipe");
    Shell(command, "> /dev/full");
    ExpectOwnerAnswers(command + " onto a full disk");
    // A client that is killed before, during or after its request.
    Shell(command, "> /dev/null & sleep 0.01; kill -9 $! ; true");
    ExpectOwnerAnswers(command + " killed");
  }
}

// A command whose output nobody reads waits with its part of the answer; the owner and others do not.
TEST_F(ClientsScenario, NoCommandHoldsUpOthersWhenItsOutputIsNotRead) {
  for (const std::string& command : Commands()) {
    int ends[2] = {};
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    fcntl(ends[1], F_SETPIPE_SZ, 4096);
    std::vector<std::string> words = {ProgramPath(), "-q", "-C", folder_ / "collection"};
    std::istringstream rest(command);
    for (std::string word; rest >> word;) words.push_back(word);
    const int end = ends[1];
    const pid_t child = StartProgram(std::move(words), [end] { dup2(end, STDOUT_FILENO); });
    close(ends[1]);
    // Waits until it has begun to print; some print nothing, and close the pipe.
    pollfd output = {.fd = ends[0], .events = POLLIN, .revents = 0};
    ASSERT_EQ(poll(&output, 1, 60'000), 1) << command;
    ExpectOwnerAnswers(command + " that is not read");
    close(ends[0]);
    Wait(child);
    ExpectOwnerAnswers(command + " that was not read");
  }
}

TEST_F(ClientsScenario, OrdersReachTheCrawlAndNothingIsRestarted) {
  const auto order = [&](const std::string& words) {
    EXPECT_EQ(Shell("--json order " + words, "> " + (folder_ / "obeyed")), 0)
        << words << ": " << Text("told");
    return json::parse(Text("obeyed"));
  };
  EXPECT_EQ(order("pause")["state"], "paused");
  EXPECT_EQ(order("limits --max-pages 5000 --max-depth 7")["limits"]["max_depth"], 7);
  EXPECT_EQ(order("status")["limits"]["max_pages"], 5000);
  EXPECT_EQ(order("fetch " + page_ + " --priority 1 --not-before 2038-01-01")["scheduled"], 1);
  const json excluded = order("exclude host ads.example");
  EXPECT_EQ(excluded["dropped"], 0);
  EXPECT_EQ(excluded["exclusions"], json({"host ads.example"}));
  EXPECT_EQ(order("include host ads.example")["exclusions"], json::array());
  order("seeds http://seed.example/");
  EXPECT_EQ(order("status")["state"], "paused");
  EXPECT_NE(order("resume")["state"], "paused");
  EXPECT_THAT(Text("collection/seeds.txt"), HasSubstr("http://seed.example/"));
  // Impossible orders are reported, and change nothing.
  EXPECT_EQ(WEXITSTATUS(Shell("order exclude host 'a b'", "> /dev/null")), 2);
  EXPECT_EQ(WEXITSTATUS(Shell("order include host other.example", "> /dev/null")), 4);
  EXPECT_EQ(WEXITSTATUS(Shell("order fetch " + page_ + " --not-before soon", "> /dev/null")), 2);
  ExpectOwnerAnswers("orders");
  kill(owner_, SIGKILL);
  Wait(std::exchange(owner_, 0));
  EXPECT_EQ(Run({"order", "pause"}), 2);
  EXPECT_THAT(Text("err"), HasSubstr("start one with 'crivello up'"));
}

TEST_F(ClientsScenario, ImportsThroughTheOwner) {
  ASSERT_EQ(Shell("import " + (folder_ / "documents.jsonl"), "> /dev/null"), 0) << Text("told");
  const auto got =
      Owner().value()->Ask(wire::GetRequest{.url = "https://doc.example/", .text = true}, silent_);
  ASSERT_TRUE(got.ok()) << got.status().ToString();
  ASSERT_TRUE(got->versions.at(0).text.has_value());
  EXPECT_EQ(got->versions.at(0).text->text, "A document.");
}

TEST_F(ClientsScenario, GraphsAreBuiltByTheOwner) {
  ASSERT_EQ(Shell("--json graph build --level page --level host", "> " + (folder_ / "built")), 0)
      << Text("told");
  EXPECT_THAT(Text("built"), testing::HasSubstr("\"level\":\"host\""));
  ASSERT_EQ(Shell("rank pagerank --as mine", "> /dev/null"), 0) << Text("told");
  const auto reasons = Owner().value()->Ask(wire::WhyRequest{.url = page_}, silent_);
  ASSERT_TRUE(reasons.ok()) << reasons.status().ToString();
  EXPECT_TRUE(std::any_of(reasons->reasons.begin(), reasons->reasons.end(), [](const wire::Reason& reason) {
    return reason.sentence.find("in the rank 'mine'") != std::string::npos;
  }));
}

TEST_F(ClientsScenario, NoBytesOnTheSocketHarmTheOwner) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  std::vector<int> left_open;
  for (int i = 0; i < 50; ++i) {
    const int socket = wire::ConnectUnixSocket(SocketFile()).value();
    std::string bytes;
    // Random bytes, or a request with random bytes in it.
    if (i % 2 == 0) AppendFrames(wire::MessageType::kScan, Encode(wire::ScanRequest()), &bytes);
    bytes.resize(bytes.size() + random.Below(200));
    for (uint64_t flips = random.Below(8); flips > 0 && !bytes.empty(); --flips) {
      bytes[random.Below(bytes.size())] = static_cast<char>(random.Next());
    }
    send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (i < 5) {
      left_open.push_back(socket);
    } else {
      close(socket);
    }
  }
  ExpectOwnerAnswers("garbage");
  for (const int socket : left_open) close(socket);
}

TEST_F(ClientsScenario, AClientThatDoesNotReadHoldsUpNoOther) {
  std::string requests;
  for (int i = 0; i < 2000; ++i) {
    AppendFrames(wire::MessageType::kScan, Encode(wire::ScanRequest()), &requests);
  }
  std::vector<int> sockets;
  for (int i = 0; i < 8; ++i) {
    sockets.push_back(wire::ConnectUnixSocket(SocketFile()).value());
    // As much as the owner accepts before it waits for its answers to be read.
    send(sockets.back(), requests.data(), requests.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  for (int i = 0; i < 20; ++i) ExpectOwnerAnswers("slow readers");
  EXPECT_EQ(Shell("scan", "> /dev/null"), 0) << Text("told");
  for (const int socket : sockets) close(socket);
  kill(owner_, SIGINT);
  EXPECT_EQ(Wait(std::exchange(owner_, 0)), 0) << Text("err");
}

}  // namespace
}  // namespace crivello
