// SPDX-License-Identifier: Apache-2.0
// Common first mistakes: the exact messages, and the exit codes.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "crawl_scenario.h"
#include "fetch/dns_server.h"
#include "fetch/scripted_server.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int kMisused = 2;
constexpr int kBadBytes = 3;
constexpr int kCannot = 4;

class FirstMistakes : public CrawlScenario {
 protected:
  void TearDown() override {
    if (child_ == 0) return;
    kill(child_, SIGKILL);
    Wait(child_);
  }

  // A polite crawl, without the built-in web.
  static std::vector<std::string> With(const std::string& command, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {command, "--min-free", "1M", "--memory", "32M"};
    if (command == "up") arguments.insert(arguments.end(), {"--listen", "127.0.0.1:0"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  // Runs the program after calling `prepare` in its process, where it must not allocate.
  int RunAs(const std::function<void()>& prepare, std::vector<std::string> arguments,
            const std::string& collection) const {
    arguments.insert(arguments.begin(), {ProgramPath(), "-C", collection});
    const std::string out = folder_ / "out", err = folder_ / "err";
    return Wait(StartProgram(std::move(arguments), [&] {
      DirectTo(out, STDOUT_FILENO);
      DirectTo(err, STDERR_FILENO);
      prepare();
    }));
  }

  pid_t child_ = 0;
};

TEST_F(FirstMistakes, AWrongHostNameIsReportedAtOnceAndExits4) {
  fetch::DnsServer dns([](const std::string&) { return fetch::DnsAnswer{.rcode = 3}; });
  for (const char* command : {"up", "crawl"}) {
    SCOPED_TRACE(command);
    std::vector<std::string> arguments =
        With(command, {"https://nosuch.example/", "--contact", "me@example.org", "--dns", dns.address()});
    if (arguments[0] == "up") arguments.push_back("--once");
    EXPECT_EQ(Run(arguments), kCannot);
    EXPECT_THAT(Text("err"),
                HasSubstr("crivello: cannot fetch the seed https://nosuch.example/: cannot resolve "
                          "nosuch.example: Domain name not found"));
    EXPECT_THAT(Text("out"), HasSubstr("no seed could be fetched; 'crivello report' says why"));
  }
  // The second run has tried it again, and `report` shows the same.
  ASSERT_EQ(Run({"report", "--json"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("Domain name not found"));
}

TEST_F(FirstMistakes, APrivateAddressIsRefusedOnceAndTheOptionIsNamed) {
  std::vector<std::string> arguments = With(
      "up", {"http://127.0.0.1:1/", "--contact", "me@example.org", "--once", "--json", "--back-off", "1h"});
  EXPECT_EQ(Run(arguments), kCannot);
  EXPECT_THAT(
      Text("err"),
      HasSubstr("cannot fetch the seed http://127.0.0.1:1/: address-refused: 127.0.0.1 is loopback (RFC "
                "1122); to fetch from such addresses, give --allow-private"));
  const json done = Lines().back();
  EXPECT_EQ(done["why"], "no seed could be fetched; 'crivello report' says why");
  EXPECT_EQ(done["seeds_failed"], 1);
}

TEST_F(FirstMistakes, APrivateAddressIsFetchedOnceItIsAllowed) {
  fetch::ScriptedServer server(fetch::ScriptedServer::Always(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nhi"));
  const std::string seed = "http://127.0.0.1:" + std::to_string(server.port()) + "/";
  EXPECT_EQ(Run(With("crawl", {seed, "--contact", "me@example.org"})), kCannot);
  EXPECT_EQ(server.connections(), 0);
  // Neither seed nor contact need be given again.
  EXPECT_EQ(Run(With("crawl", {"--allow-private"})), 0) << Text("err");
  EXPECT_EQ(Run({"get", seed}), 0);
}

TEST_F(FirstMistakes, AServerThatDoesNotAnswerIsReportedAtOnce) {
  child_ = Start(With("up", {"http://127.0.0.1:1/", "--allow-private", "--back-off", "1h"}));
  while (Text("err").find("cannot fetch the seed http://127.0.0.1:1/: ") == std::string::npos) {
    ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0) << Text("err");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_THAT(Text("err"), HasSubstr("it will be tried again"));
  kill(child_, SIGINT);
  EXPECT_EQ(Wait(std::exchange(child_, 0)), 0);
}

TEST_F(FirstMistakes, APageThatIsNotThereIsReported) {
  fetch::ScriptedServer server(fetch::ScriptedServer::Always(
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno"));
  const std::string seed = "http://127.0.0.1:" + std::to_string(server.port()) + "/tpyo";
  EXPECT_EQ(Run(With("crawl", {seed, "--allow-private"})), kCannot);
  EXPECT_THAT(Text("err"), HasSubstr("cannot fetch the seed " + seed + ": the server answered 404"));
}

TEST_F(FirstMistakes, UpSaysOnceThatItIsFinishedAndIsQuietThen) {
  std::vector<std::string> up = CrawlArguments();
  std::erase(up, "--quiet");
  up[0] = "up";
  up[2] = "/dev/null";
  up.insert(up.end(), {"--listen", "127.0.0.1:0"});
  child_ = Start(up);
  const std::string finished = "The crawl is finished: nothing is left to fetch.";
  while (Text("err").find(finished) == std::string::npos) {
    ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0) << Text("err");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  kill(child_, SIGINT);
  EXPECT_EQ(Wait(std::exchange(child_, 0)), 0);
  const std::string err = Text("err");
  EXPECT_EQ(err.find(finished), err.rfind(finished));
  // Including earlier runs.
  EXPECT_THAT(Text("out"), HasSubstr(" searchable in all: "));
}

TEST_F(FirstMistakes, ATypoInACommandOrAnOptionIsAnsweredWithTheName) {
  EXPECT_EQ(Run({"serch", "foo"}), kMisused);
  EXPECT_EQ(Text("err"),
            "crivello: 'crivello' has no command 'serch'; is it 'search'?\nTry 'crivello --help'.\n");
  EXPECT_EQ(Run({"search", "--rnak", "bm25", "foo"}), kMisused);
  EXPECT_EQ(
      Text("err"),
      "crivello: 'crivello search' has no option '--rnak'; is it '--rank'?\nTry 'crivello search --help'.\n");
  EXPECT_EQ(Run({"--json", "search", "--rnak", "bm25", "foo"}), kMisused);
  EXPECT_EQ(json::parse(Text("err"))["error"]["code"], "invalid argument");
  EXPECT_EQ(Run({"help", "search"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("Search the collection"));
  EXPECT_EQ(Run({"help"}), 0);
  EXPECT_EQ(Run({"version"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("crivello "));
  EXPECT_EQ(Run({"-V"}), 0);
}

TEST_F(FirstMistakes, ATypoInASeedOrAFileMakesNoCollection) {
  EXPECT_EQ(Run(With("up", {"not a url", "--contact", "me@example.org"})), kMisused);
  EXPECT_EQ(Text("err"), "crivello: invalid seed 'not a url': expected an http:// or https:// URL\n");
  EXPECT_FALSE(fs::exists(folder_ / "collection"));
  EXPECT_EQ(Run({"import", folder_ / "nosuch.jsonl"}), kCannot);
  EXPECT_THAT(Text("err"), AllOf(HasSubstr("nosuch.jsonl"), HasSubstr("No such file or directory")));
  EXPECT_FALSE(fs::exists(folder_ / "collection"));
}

TEST_F(FirstMistakes, WithoutAContactOrWithABadOneNothingIsMade) {
  EXPECT_EQ(Run(With("up", {"https://example.org/"})), kMisused);
  EXPECT_EQ(
      Text("err"),
      "crivello: --contact is required: an e-mail address or a URL where webmasters can reach you (not with "
      "--allow-private)\n");
  EXPECT_EQ(Run(With("up", {"https://example.org/", "--contact", "nonsense"})), kMisused);
  EXPECT_EQ(
      Text("err"),
      "crivello: --contact: invalid contact 'nonsense': expected an e-mail address (you@your.site) or an "
      "http:// or https:// URL\n");
  EXPECT_FALSE(fs::exists(folder_ / "collection"));
}

TEST_F(FirstMistakes, TheContactIsKeptByTheCollection) {
  fetch::DnsServer dns([](const std::string&) { return fetch::DnsAnswer{.rcode = 3}; });
  EXPECT_EQ(Run(With("up", {"https://nosuch.example/", "--contact", "me@example.org", "--dns", dns.address(),
                            "--once"})),
            kCannot);
  EXPECT_EQ(Run(With("up", {"--once", "--dns", dns.address()})), kCannot) << Text("err");
  EXPECT_THAT(Text("err"), Not(HasSubstr("--contact")));
  ASSERT_EQ(Run({"config", "show", "up"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("mailto:me@example.org"));
}

TEST_F(FirstMistakes, WithoutPermissionTheFileIsNamed) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root, to become somebody else";
  constexpr uid_t kNobody = 65534;
  const auto become = [] {
    if (setgid(kNobody) != 0 || setuid(kNobody) != 0) _exit(97);
  };
  chmod(folder_.path().c_str(), 0755);
  const std::string parent = folder_ / "closed";
  fs::create_directory(parent);
  chmod(parent.c_str(), 0755);  // can be read, but not written
  EXPECT_EQ(
      RunAs(become, With("crawl", {"https://example.org/", "--contact", "me@example.org"}), parent + "/c"),
      kCannot);
  EXPECT_THAT(Text("err"), AllOf(HasSubstr(parent + "/c"), HasSubstr("Permission denied")));
  EXPECT_EQ(RunAs(become, {"search", "bread"}, parent + "/c"), kCannot);
  EXPECT_THAT(Text("err"), HasSubstr("is not a Crivello collection; create one with 'crivello up URL' or "
                                     "'crivello import FILE'"));
  std::ofstream(folder_ / "secret.jsonl") << "{\"text\": \"a\"}\n";
  chmod((folder_ / "secret.jsonl").c_str(), 0600);
  EXPECT_EQ(RunAs(become, {"import", folder_ / "secret.jsonl"}, parent + "/c"), kCannot);
  EXPECT_THAT(Text("err"), AllOf(HasSubstr("secret.jsonl"), HasSubstr("Permission denied")));
}

TEST_F(FirstMistakes, AFullDiskUnderTheOutputIsSaid) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  EXPECT_EQ(RunAs([full] { dup2(full, STDOUT_FILENO); }, {"help"}, folder_ / "c"), kCannot);
  close(full);
  EXPECT_EQ(Text("err"), "crivello: cannot write to standard output: No space left on device\n");
}

TEST_F(FirstMistakes, TheLimitsOfTheProcessAreSaid) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve more address space than any limit";
#endif
  const auto limit = [](auto what, rlim_t value) {
    return [what, value] {
      const rlimit both = {value, value};
      if (setrlimit(what, &both) != 0) _exit(97);
    };
  };
  std::ofstream documents(folder_ / "documents.jsonl");
  for (int i = 0; i < 3000; ++i) {
    documents << R"({"id": ")" << i << R"(", "text": "document )" << i * 7919 << R"("})"
              << "\n";
  }
  documents.close();
  const std::string collection = folder_ / "collection";
  // Whether memory runs out for an object or for a thread depends on the limit.
  for (const rlim_t mib : {rlim_t{100}, rlim_t{150}, rlim_t{200}, rlim_t{300}}) {
    SCOPED_TRACE(mib);
    const int code = RunAs(limit(RLIMIT_AS, mib << 20), {"import", folder_ / "documents.jsonl"}, collection);
    if (code == 0) continue;  // there was enough memory
    EXPECT_EQ(code, kCannot);
    EXPECT_THAT(Text("err"), HasSubstr("lower --memory, or raise the limits of the process"));
  }
  EXPECT_EQ(RunAs(limit(RLIMIT_FSIZE, 64 << 10), {"import", folder_ / "documents.jsonl"}, folder_ / "files"),
            kCannot);
  EXPECT_THAT(Text("err"), HasSubstr("may write no file larger than 64 KiB"));
}

TEST_F(FirstMistakes, ADiskWithTooLittleRoomStopsACrawlWithAWord) {
  EXPECT_EQ(Run({"crawl", "http://127.0.0.1:1/", "--allow-private", "--memory", "32M", "--min-free", "900T"}),
            kCannot);
  EXPECT_THAT(Text("out"), AllOf(HasSubstr("stopped before the disk is full"), HasSubstr("--min-free")));
}

TEST_F(FirstMistakes, ALockedCollectionNamesItsOwner) {
  std::vector<std::string> up = CrawlArguments();
  up[0] = "up";
  up[2] = "/dev/null";
  up.insert(up.end(), {"--listen", "127.0.0.1:0", "--json"});
  fs::remove(folder_ / "out");
  child_ = Start(up);
  while (Text("out").find('\n') == std::string::npos) {
    ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0) << Text("err");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::string collection = folder_ / "collection";
  EXPECT_EQ(RunAs([] {}, With("crawl", {"http://127.0.0.1:1/", "--allow-private"}), collection), kCannot);
  EXPECT_THAT(Text("err"), HasSubstr("' is in use by process " + std::to_string(child_) +
                                     "; stop it first, or use a command that only reads"));
  kill(child_, SIGINT);
  EXPECT_EQ(Wait(std::exchange(child_, 0)), 0);
}

TEST_F(FirstMistakes, AWrongFileIsToldFromADamagedOne) {
  EXPECT_EQ(Run({"warc", "ls", "/etc/passwd"}), kBadBytes);
  EXPECT_EQ(Text("err"), "crivello: /etc/passwd: has no WARC or ARC record; it is not a web archive\n");
  std::ofstream(folder_ / "long.jsonl") << R"({"text": ")" << std::string(17 << 20, 'x') << "\"}\n";
  EXPECT_EQ(Run({"import", folder_ / "long.jsonl"}), kBadBytes);
  EXPECT_THAT(Text("err"), HasSubstr("longer than 16777216 bytes"));
  EXPECT_EQ(Run({"warc", "check", "/etc/passwd"}), kBadBytes);
  EXPECT_EQ(Run({"inspect", "/etc/passwd"}), kBadBytes);
  EXPECT_EQ(Run({"text", "/bin/ls"}), kBadBytes);
  EXPECT_THAT(Text("err"), HasSubstr("/bin/ls"));
  EXPECT_EQ(Run({"crawl", "--filter", "schedule=nofunc(x)", "--allow-private"}), kMisused);
  EXPECT_THAT(Text("err"), HasSubstr("there is no predicate \"nofunc\"\n  nofunc(x)\n  ^\n"));
}

TEST_F(FirstMistakes, NumbersAndNamesThatCannotBeAreRefused) {
  std::ofstream(folder_ / "documents.jsonl") << "{\"id\": \"one\", \"text\": \"bread and salt\"}\n"
                                             << "{\"id\": \"two\"}\n";
  EXPECT_EQ(Run({"import", folder_ / "documents.jsonl"}), 0) << "one line of two is fine";
  EXPECT_THAT(Text("out"), HasSubstr("1 document, "));
  EXPECT_THAT(Text("out"), HasSubstr("1 refused"));
  ASSERT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
  for (const char* count : {"-5", "0", "99999999999999999999", "1.5", "many"}) {
    EXPECT_EQ(Run({"search", "-n", count, "bread"}), kMisused) << count;
  }
  EXPECT_EQ(Run({"search", "--static", "nope", "bread"}), kMisused);
  EXPECT_THAT(Text("err"), HasSubstr("no static score 'nope'"));
  EXPECT_EQ(Run({"terms", "--field", "nope"}), kMisused);
  EXPECT_THAT(Text("err"), HasSubstr("the index has no such field; it has"));
  for (const char* query : {"", "   ", "((("}) EXPECT_EQ(Run({"search", query}), kMisused) << query;
  EXPECT_EQ(Run({"search", "bread", "date:banana"}), 0);
  EXPECT_THAT(Text("err"), HasSubstr("note: date:banana is not a filter: a date is 2020"));
  EXPECT_EQ(Run({"search", "bread"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("1 matching page\n"));
  EXPECT_EQ(Run({"why", "example.com"}), 0) << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("https://example.com/"));
}

}  // namespace
}  // namespace crivello
