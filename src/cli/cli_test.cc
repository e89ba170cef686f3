// SPDX-License-Identifier: Apache-2.0
// The program as scripts see it: arguments in, output and exit code out.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/app.h"
#include "cli/cli_test_support.h"
#include "cli/config/declarations.h"
#include "cli/output.h"
#include "cli/terminal_progress.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

TEST(CliTest, TellsItsVersionAndItsHelp) {
  const Outcome version = Crivello({"--version"});
  EXPECT_EQ(version.code, kDone);
  EXPECT_THAT(version.out, testing::StartsWith("crivello 0."));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--help"}, {"codes", "--help"}, {"inspect", "-h"}}) {
    const Outcome help = Crivello(words);
    EXPECT_EQ(help.code, kDone);
    EXPECT_THAT(help.out, HasSubstr("Usage: crivello"));
    EXPECT_EQ(help.err, "");
  }
  EXPECT_THAT(Crivello({"inspect", "--help"}).out, HasSubstr("Examples:"));
}

TEST(CliTest, AnswersAWrongCommandWithTheReasonAndTwo) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"nonsense"}, {"inspect"}, {"--nonsense"}, {"completion", "tcsh"}}) {
    const Outcome run = Crivello(words);
    EXPECT_EQ(run.code, kWrongUsage);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, testing::StartsWith("crivello: "));
    EXPECT_THAT(run.err, HasSubstr("--help"));
  }
}

TEST(CliTest, NamesTheWordThatIsNoCommandAndTheNumberThatIsNone) {
  EXPECT_THAT(Crivello({"codes", "tble"}).err,
              HasSubstr("'crivello codes' has no command 'tble'; is it 'table'?"));
  EXPECT_THAT(
      Crivello({"search", "--rnak", "bm25", "x"}).err,
      HasSubstr("'crivello search' has no option '--rnak'; is it '--rank'?\nTry 'crivello search --help'."));
  const std::vector<std::vector<std::string>> asks = {
      {"help"}, {"help", "search"}, {"-C", "x", "help", "search"}, {"version"}, {"-V"}};
  for (const std::vector<std::string>& words : asks) {
    EXPECT_EQ(Crivello(words).code, kDone) << testing::PrintToString(words);
  }
  EXPECT_THAT(Crivello({"codes", "tble"}).err, HasSubstr("no command 'tble'"));
  EXPECT_THAT(Crivello({"codes", "number", "-3"}).err, HasSubstr("'-3' is not a whole number"));
  EXPECT_EQ(Crivello({"codes", "number", "-3"}).code, kWrongUsage);
}

TEST(CliTest, ListsEachCommandUnderATitle) {
  Session session;
  const auto app = MakeApp(session);
  for (const CLI::App* const command : app->get_subcommands({})) {
    EXPECT_NE(command->get_group(), "Subcommands") << command->get_name();
  }
  const std::string help = Crivello({"--help"}).out;
  EXPECT_LT(help.find("\nCrawl, index and search:\n  up "), help.find("\nLook inside a collection:\n"));
}

TEST(CliTest, RefusesAClockBefore1970) {
  EXPECT_TRUE(CheckClock(WallTime()).ok());
  EXPECT_TRUE(CheckClock(SystemClock().Wall()).ok());
  const Status refused = CheckClock(WallTime(std::chrono::nanoseconds(-1)));
  EXPECT_EQ(refused.code(), StatusCode::kUnavailable);
  EXPECT_THAT(refused.message(), testing::HasSubstr("before 1970"));
}

TEST(CliTest, TellsBadDataFromMissingFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(Crivello({"inspect", folder / "none"}).code, kIoFailure);
  EXPECT_EQ(Crivello({"inspect", folder.path()}).code, kIoFailure);
  WriteText(folder / "text", "hello");
  const Outcome run = Crivello({"inspect", folder / "text"});
  EXPECT_EQ(run.code, kBadData);
  EXPECT_THAT(run.err, HasSubstr("not a Crivello file"));
}

TEST(CliTest, TakesGlobalOptionsBeforeAndAfterTheCommand) {
  EXPECT_EQ(Crivello({"--json", "man", "codes"}).code, kDone);
  EXPECT_EQ(Crivello({"man", "codes", "--json", "-q"}).code, kDone);
}

TEST(ManPageTest, ThereIsOneForEveryCommandAndItNamesEveryOption) {
  Session session;
  const auto app = MakeApp(session);
  const CommandDeclaration program = Declarations(*app);
  const auto check = [&](const CommandDeclaration& command, const auto& self) -> void {
    const std::string page = ManPage(command, program);
    EXPECT_THAT(page, testing::StartsWith(".TH crivello"));
    EXPECT_FALSE(command.description.empty()) << command.Name(' ');
    for (const auto& option : command.options) {
      EXPECT_FALSE(option.description.empty()) << command.Name(' ') << " " << option.names[0];
    }
    if (command.commands.empty() && command.path.size() > 1) {
      EXPECT_THAT(command.footer, HasSubstr("Example")) << command.Name(' ');
    }
    for (const auto& sub : command.commands) self(sub, self);
  };
  check(program, check);
  const TemporaryFolder folder;
  EXPECT_EQ(Crivello({"man", "--to", folder.path()}).code, kDone);
  EXPECT_TRUE(FileSize(folder / "crivello-inspect.1").ok());
  EXPECT_EQ(Crivello({"man", "nonsense"}).code, kWrongUsage);
}

TEST(CompletionTest, KnowsEveryCommand) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome run = Crivello({"completion", shell});
    EXPECT_EQ(run.code, kDone);
    for (const char* word : {"codes", "inspect", "from-lengths", "json"})
      EXPECT_THAT(run.out, HasSubstr(word)) << shell;
  }
}

TEST(CompletionTest, BashOffersTheWordsThatMayFollow) {
  const TemporaryFolder folder;
  WriteText(folder / "completion", Crivello({"completion", "bash"}).out);
  const auto complete = [&](const std::string& words, int cursor) {
    return Shell("bash -c 'source " + (folder / "completion") + "; COMP_WORDS=(" + words + "); COMP_CWORD=" +
                 std::to_string(cursor) + "; compopt() { :; }; _crivello; echo \"${COMPREPLY[@]}\"'");
  };
  EXPECT_EQ(complete("crivello ins", 1), "inspect\n");
  EXPECT_EQ(complete("crivello -q codes tab", 3), "table\n");
  EXPECT_EQ(complete("crivello completion z", 2), "zsh\n");
  EXPECT_EQ(complete("crivello inspect --js", 2), "--json\n");
}

TEST(OutputTest, LetsNothingReachTheTerminalUnescaped) {
  EXPECT_EQ(Printable("plain, è più"), "plain, è più");
  EXPECT_EQ(Printable("\x1b[31mred\n"), "\\x1b[31mred\\x0a");
  EXPECT_EQ(Printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(Printable("a\u202eb"), "a\\xe2\\x80\\xaeb");  // changes the direction of all that follows
  EXPECT_EQ(Printable("\u2029 \u202f"), "\u2029 \u202f");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b");           // a control sequence introducer in one code point
  EXPECT_EQ(Printable("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");  // overlong
}

TEST(OutputTest, AlignsColumns) {
  Table table({{"code"}, {"bits", true}});
  table.Row({"γ", "1.5"});
  table.Row({"golomb", "10.25"});
  EXPECT_EQ(table.ToString(), "code     bits\nγ         1.5\ngolomb  10.25\n");
  EXPECT_EQ(Grouped(0), "0");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
}

TEST(TerminalProgressTest, RedrawsALineOnATerminalAndIsQuietElsewhere) {
  ManualClock clock;
  const auto text_of = [&](bool terminal) {
    Capture err;
    {
      TerminalProgress progress(err.writer(), terminal, clock);
      progress.Start("counting", 100);
      for (int i = 0; i < 4; i++) {
        clock.Advance(std::chrono::seconds(10));
        progress.Advance(10);
      }
    }
    return err.Text();
  };
  EXPECT_THAT(text_of(true), HasSubstr("counting: 40 of 100 (40%)"));
  EXPECT_THAT(text_of(true), testing::EndsWith("\r\x1b[K"));
  EXPECT_EQ(text_of(false), "counting: 30 of 100 (30%), 70 s left, 1/s\n");
}

}  // namespace
}  // namespace crivello::cli
