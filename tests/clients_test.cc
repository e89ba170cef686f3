// SPDX-License-Identifier: Apache-2.0
// Clients of the process that owns a collection which do not behave: it lives, and others do not wait.
#include <sys/socket.h>

#include "base/random.h"
#include "base/test_waiting.h"
#include "crawl_scenario.h"
#include "wire/codec.h"
#include "wire/remote_service.h"
#include "wire/unix_socket.h"

namespace crivello {
namespace {

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
  // The owner runs, and answers a client that behaves.
  void ExpectOwnerAnswers(const std::string& after) {
    ASSERT_EQ(waitpid(owner_, nullptr, WNOHANG), 0) << after << ": the owner has ended: " << Text("err");
    auto client = Owner();
    ASSERT_TRUE(client.ok()) << after << ": " << client.status().ToString();
    const auto reasons = (*client)->Ask(wire::WhyRequest{.url = page_}, silent_);
    ASSERT_TRUE(reasons.ok()) << after << ": " << reasons.status().ToString();
    EXPECT_FALSE(reasons->reasons.empty()) << after;
  }
  // Every command that asks an owner.
  std::vector<std::string> Commands() const {
    return {"scan",
            "--json scan",
            "get " + page_,
            "get " + page_ + " --column record",
            "why " + page_,
            "report",
            "frontier",
            "forget --list",
            "forget " + page_ + " --dry-run",
            "backup " + (folder_ / "backups"),
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
    // One that is killed while it asks, or before, or after.
    Shell(command, "> /dev/null & sleep 0.01; kill -9 $! ; true");
    ExpectOwnerAnswers(command + " killed");
  }
}

TEST_F(ClientsScenario, NoBytesOnTheSocketHarmTheOwner) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  std::vector<int> left_open;
  for (int i = 0; i < 50; ++i) {
    const int socket = wire::ConnectUnixSocket(SocketFile()).value();
    std::string bytes;
    // Noise, or a request with noise in it.
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
    // As much as the owner takes before it waits for answers to be read.
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
