// SPDX-License-Identifier: Apache-2.0
#include "cli/writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <memory>

#include "cli/cli_test_support.h"
#include "cli/terminal_progress.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File FullDisk() { return {std::fopen("/dev/full", "w"), std::fclose}; }

// A pipe whose reader is closed.
File ClosedPipe() {
  std::signal(SIGPIPE, SIG_IGN);  // as main() does
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  return {fdopen(ends[1], "w"), std::fclose};
}

struct Failure {
  int code = 0;
  std::string err;
};

// Runs a command with its results going to a file that accepts none.
Failure RunTo(const std::vector<std::string>& words, const File& out) {
  std::vector<const char*> argv = {"crivello"};
  for (const auto& word : words) argv.push_back(word.c_str());
  Writer writer(out.get());
  Capture err;
  const int code = Main(static_cast<int>(argv.size()), argv.data(), writer, err.writer());
  return {code, err.Text()};
}

TEST(WriterTest, PrintsWhatItIsGiven) {
  Capture out;
  out.writer().Print("{} of {}\n", 3, "seven");
  out.writer().Write(std::string_view("a\0b", 3));
  EXPECT_TRUE(out.writer().ok());
  EXPECT_EQ(out.Text(), std::string("3 of seven\na\0b", 14));
  EXPECT_FALSE(out.writer().is_terminal());
}

TEST(WriterTest, KeepsTheFirstError) {
  const File full = FullDisk();
  Writer writer(full.get());
  writer.Print("buffered");
  EXPECT_TRUE(writer.ok());
  const Status status = writer.Flush();
  EXPECT_EQ(status.code(), StatusCode::kIoError);
  EXPECT_EQ(status.message(), "cannot write to standard output: No space left on device");
  EXPECT_FALSE(writer.ok());
  EXPECT_FALSE(writer.reader_has_gone());
  writer.Print("more");
  EXPECT_EQ(writer.Flush(), status);
}

TEST(WriterTest, TellsALoopThatTheReaderHasGone) {
  const File pipe = ClosedPipe();
  Writer writer(pipe.get());
  int lines = 0;
  for (; writer.ok() && lines < 1'000'000; lines++) writer.Print("line {}\n", lines);
  EXPECT_LT(lines, 100'000);
  EXPECT_TRUE(writer.reader_has_gone());
}

TEST(WriterTest, OfALogTriesAgain) {
  // The disk is full until the file is replaced.
  const File log = FullDisk();
  Writer writer(log.get(), Writer::AfterError::kTryAgain);
  writer.Print("lost\n");
  EXPECT_FALSE(writer.Flush().ok());
  TemporaryFolder folder;
  const int room = open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(dup2(room, fileno(log.get())), 0);
  close(room);
  writer.Print("kept\n");
  writer.Flush().IgnoreError();
  EXPECT_THAT(ReadFile(folder / "log").value(), HasSubstr("kept\n"));
}

TEST(WriterTest, LetsProgressAndLogGoOnWhenNobodyReadsThem) {
  const File pipe = ClosedPipe();
  Writer err(pipe.get(), Writer::AfterError::kTryAgain);
  TerminalProgress progress(err, /*is_terminal=*/true);
  progress.Start("counting", 100);
  progress.Advance(100);
  progress.Finish();
  Logger(err).Write(LogLevel::kError, "test", "nobody reads it");
  EXPECT_FALSE(err.ok());
}

TEST(WriterTest, EndsEveryCommandThatPrints) {
  TemporaryFolder folder;
  WriteText(folder / "numbers", "1\n2\n3\n");
  WriteText(folder / "robots.txt", "User-agent: *\nDisallow: /x\n");
  WriteText(folder / "page", "<title>A page</title><p>Some words of it.</p>");
  WriteText(folder / "feed", "<rss version=\"2.0\"><channel><title>A feed</title></channel></rss>");
  WriteText(folder / "a.warc",
            "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.org/\r\nContent-Length: "
            "5\r\n\r\nhello\r\n\r\n");
  WriteText(folder / "links", "http://a.it/\nhttp://b.it/\n");
  WriteText(folder / "sorted", Crivello({"sieve", "sort", folder / "links"}).out);
  WriteText(folder / "Z", "");
  ASSERT_EQ(Crivello({"codes", "pack", folder / "numbers", "--to", folder / "packed"}).code, kDone);
  const std::vector<std::vector<std::string>> commands = {
      {"--help"},
      {"--version"},
      {"scan", "--help"},
      {"codes", "number", "3"},
      {"codes", "table", "gamma"},
      {"codes", "from-lengths", "1", "2", "2"},
      {"codes", "measure", folder / "numbers"},
      {"codes", "pack", folder / "numbers", "--to", folder / "packed2"},
      {"inspect", folder / "packed"},
      {"text", folder / "page"},
      {"text", folder / "page", "--tokens"},
      {"text", folder / "page", "--tree"},
      {"text", folder / "page", "--terms"},
      {"url", "http://a.org/"},
      {"robots", folder / "robots.txt", "crivello", "/"},
      {"feed", "read", folder / "feed"},
      {"warc", "ls", folder / "a.warc"},
      {"warc", "check", folder / "a.warc"},
      {"warc", "cat", folder / "a.warc", "--offset", "0"},
      {"sieve", "sort", folder / "links"},
      {"sieve", "merge", "--seen", folder / "Z", folder / "sorted"},
      {"sieve", "bench", "--kind", "memory", "--keys", "100", "--folder", folder.path()},
      {"crawl", "--simulate", "1", "--hosts", "2", "--pages", "10"},
      {"completion", "bash"},
      {"man"},
      {"config", "sample"},
      {"config", "show"},
  };
  for (const auto& words : commands) {
    for (const bool json : {false, true}) {
      std::vector<std::string> line = words;
      if (json) line.insert(line.begin(), "--json");
      SCOPED_TRACE(testing::PrintToString(line));
      ASSERT_EQ(Crivello(line).err.find("crivello:"), std::string::npos);
      WriteText(folder / "Z", "");  // it has not seen any keys yet
      const Failure full = RunTo(line, FullDisk());
      EXPECT_EQ(full.code, kIoFailure);
      EXPECT_THAT(full.err,
                  HasSubstr("crivello: cannot write to standard output: No space left on device\n"));
      const Failure gone = RunTo(line, ClosedPipe());
      EXPECT_EQ(gone.code, kReaderGone);
      EXPECT_EQ(gone.err.find("crivello:"), std::string::npos) << gone.err;
    }
  }
  EXPECT_THAT(ReadFile(folder / "Z").value(), IsEmpty()) << "a merge notes only lines that were printed";
}

TEST(WriterTest, DoesNotHideAnErrorOfTheCommand) {
  const Failure run = RunTo({"inspect", "/none"}, ClosedPipe());
  EXPECT_EQ(run.code, kIoFailure);
  EXPECT_THAT(run.err, HasSubstr("/none"));
}

}  // namespace
}  // namespace crivello::cli
