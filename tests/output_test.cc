// SPDX-License-Identifier: Apache-2.0
// What happens to a command, and to the process that runs it, if its output cannot be written.
#include <fcntl.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "crawl_scenario.h"

namespace crivello {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr int kReaderGone = 141;  // 128 + SIGPIPE
constexpr int kIoFailure = 4;

// The destination of one of the program's standard files.
enum class Place { kFile, kClosedPipe, kFullDisk, kNowhere };

class OutputScenario : public CrawlScenario {
 protected:
  void TearDown() override {
    if (child_ == 0) return;
    kill(child_, SIGKILL);
    Wait(child_);
  }

  // Called in the child: opens a file for the program as `number`.
  static void Direct(int number, Place place, const std::string& path) {
    int file = -1;
    int ends[2] = {-1, -1};
    switch (place) {
      case Place::kFile:
        file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        break;
      case Place::kClosedPipe:
        if (pipe2(ends, O_CLOEXEC) != 0) _exit(97);
        close(ends[0]);
        file = ends[1];
        break;
      case Place::kFullDisk:
        file = open("/dev/full", O_WRONLY | O_CLOEXEC);
        break;
      case Place::kNowhere:
        close(number);
        return;
    }
    if (dup2(file, number) < 0) _exit(97);
  }

  pid_t StartTo(Place out, Place err, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {ProgramPath(), "-C", folder_ / "collection"});
    const std::string out_path = folder_ / "out", err_path = folder_ / "err";
    return StartProgram(std::move(arguments), [&] {
      Direct(STDERR_FILENO, err, err_path);
      Direct(STDOUT_FILENO, out, out_path);
    });
  }
  int RunTo(Place out, const std::vector<std::string>& arguments) const {
    return Wait(StartTo(out, Place::kFile, arguments));
  }

  // A crawl of some pages, indexed.
  void Fill() {
    std::vector<std::string> crawl = CrawlArguments();
    crawl.insert(crawl.end(), {"--max-pages", "60"});
    ASSERT_EQ(Run(crawl), 0) << Text("err");
    ASSERT_EQ(Run({"index"}), 0) << Text("err");
    ASSERT_EQ(Run({"scan", "--json"}), 0) << Text("err");
    page_ = Lines().front()["url"];
  }

  void ExpectFailuresOf(const std::vector<std::vector<std::string>>& commands) const {
    for (const auto& command : commands) {
      SCOPED_TRACE(testing::PrintToString(command));
      EXPECT_EQ(RunTo(Place::kClosedPipe, command), kReaderGone);
      EXPECT_THAT(Text("err"), IsEmpty());
      EXPECT_EQ(RunTo(Place::kFullDisk, command), kIoFailure);
      EXPECT_EQ(Text("err"), "crivello: cannot write to standard output: No space left on device\n");
    }
  }

  std::string page_;
  pid_t child_ = 0;
};

TEST_F(OutputScenario, ACommandEndsWhenItsOutputCannotBeWritten) {
  Fill();
  ExpectFailuresOf({{"-q", "scan"},
                    {"-q", "scan", "--json"},
                    {"-q", "get", page_},
                    {"-q", "get", page_, "--column", "record"},
                    {"-q", "why", page_},
                    {"-q", "report"},
                    {"-q", "report", "--csv"},
                    {"-q", "frontier"},
                    {"-q", "check"},
                    {"-q", "search", "the"},
                    {"-q", "search", "the", "--json"},
                    {"-q", "suggest", "t"},
                    {"-q", "terms", "t"},
                    {"-q", "export", "--ciff", folder_ / "index.ciff"}});
}

TEST_F(OutputScenario, AClosedOutputIsAnErrorAndNoFileOfTheCollection) {
  Fill();
  EXPECT_EQ(RunTo(Place::kNowhere, {"scan"}), kIoFailure);
  EXPECT_EQ(Text("err"), "crivello: cannot write to standard output: Bad file descriptor\n");
  EXPECT_EQ(Wait(StartTo(Place::kFile, Place::kNowhere, {"scan"})), 0);
  EXPECT_EQ(Run({"-q", "check"}), 0) << Text("out");
}

TEST_F(OutputScenario, TheOwnerOfACollectionOutlivesThoseWhoAskIt) {
  Fill();
  std::vector<std::string> up = CrawlArguments();
  up[0] = "up";
  up.insert(up.end(), {"--json", "--listen", "127.0.0.1:0"});
  std::filesystem::remove(folder_ / "out");  // of the previous command
  child_ = StartTo(Place::kFile, Place::kClosedPipe, up);
  while (Text("out").find('\n') == std::string::npos) {
    ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::ofstream(folder_ / "documents.jsonl") << R"({"url": "https://doc.example/", "text": "A document."})";
  ExpectFailuresOf({{"scan"},
                    {"get", page_},
                    {"why", page_},
                    {"report"},
                    {"frontier"},
                    {"-q", "check"},
                    {"-q", "forget", page_, "--dry-run"},
                    {"-q", "backup", folder_ / "backups"},
                    {"-q", "import", folder_ / "documents.jsonl"}});
  ASSERT_EQ(waitpid(child_, nullptr, WNOHANG), 0) << "the owner has ended";
  kill(child_, SIGINT);
  EXPECT_EQ(Wait(std::exchange(child_, 0)), 0);
}

TEST_F(OutputScenario, ACrawlContinuesWhenNobodyReadsIt) {
  std::vector<std::string> crawl = CrawlArguments();
  crawl.insert(crawl.end(), {"--max-pages", "60"});
  std::erase(crawl, "--quiet");
  EXPECT_EQ(Wait(StartTo(Place::kFile, Place::kClosedPipe, crawl)), 0);
  EXPECT_THAT(Text("out"), HasSubstr("60 pages"));
  // It needs no reader for its results either: they are the collection.
  EXPECT_EQ(RunTo(Place::kClosedPipe, crawl), kReaderGone);
  EXPECT_EQ(Run({"-q", "check"}), 0) << Text("out");
}

}  // namespace
}  // namespace crivello
