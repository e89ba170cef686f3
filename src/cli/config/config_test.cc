// SPDX-License-Identifier: Apache-2.0
#include "cli/config/config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "cli/app.h"
#include "cli/cli_test_support.h"
#include "cli/config/declarations.h"
#include "cli/config/option_reasons.h"
#include "cli/config/option_tree.h"

namespace crivello::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// A collection with a configuration of its own, and a configuration file beside it.
class ConfigTest : public testing::Test {
 protected:
  ConfigTest() {
    std::filesystem::create_directory(folder_ / "web");
    WriteText(folder_ / "web/crivello.toml", "[collection]\nversion = 1\n\n[crawl]\ndelay = \"10s\"\n");
    WriteText(folder_ / "etc.toml", "[crivello]\ncollection = \"" + (folder_ / "web") + "\"\n");
  }
  void Etc(const std::string& text) { WriteText(folder_ / "etc.toml", text); }
  Outcome Show(std::vector<std::string> words, const std::vector<std::string>& environment = {}) {
    words.insert(words.begin(), {"-C", folder_ / "web", "config", "show"});
    return Crivello(words, environment);
  }

  const TemporaryFolder folder_;
};

TEST_F(ConfigTest, TellsWhereEachValueCameFrom) {
  const std::string etc = folder_ / "etc.toml";
  EXPECT_THAT(Show({"crawl"}).out, ContainsRegex("crawl +ip-delay +1s +default\n"));
  EXPECT_THAT(Show({"crawl"}).out, ContainsRegex("crawl +delay +10s +.*web/crivello.toml:5\n"));
  Etc("[crawl]\ndelay = \"11s\"\nfilter = [\"fetch=true\", \"store=true\"]\n");
  EXPECT_THAT(Show({"crawl", "--config", etc}).out, ContainsRegex("crawl +delay +11s +.*etc.toml:2\n"));
  EXPECT_THAT(Show({"crawl", "--config", etc}).out,
              ContainsRegex("filter +fetch=true, store=true +.*etc.toml:3\n"));
  const std::vector<std::string> environment = {"CRIVELLO_CRAWL_DELAY=12s", "CRIVELLO_CONFIG=" + etc};
  EXPECT_THAT(Show({"crawl"}, environment).out,
              ContainsRegex("crawl +delay +12s +environment: CRIVELLO_CRAWL_DELAY\n"));
  EXPECT_THAT(Show({"crawl", "--delay", "13s"}, environment).out, ContainsRegex("crawl +delay +13s +flag\n"));
  EXPECT_THAT(Show({"--json", "crawl", "--allow-private"}).out,
              HasSubstr(R"({"table":"crawl","option":"allow-private","value":"true","from":"flag"})"));
}

TEST_F(ConfigTest, MaySetWhatACommandRequires) {
  const std::string etc = folder_ / "etc.toml";
  Etc("[cluster.status]\nnats = \"nats://agent:secret@127.0.0.1:1\"\n[agent]\nshared = \"" +
      (folder_ / "web") + "\"\n");
  EXPECT_EQ(Crivello({"cluster", "status"}).err,
            "crivello: --nats is required\nTry 'crivello cluster status --help'.\n");
  EXPECT_THAT(Crivello({"--config", etc, "cluster", "status"}).err, HasSubstr("nats://127.0.0.1:1"));
  EXPECT_THAT(Crivello({"--config", etc, "agent"}).err, HasSubstr("--nats is required"));
  EXPECT_THAT(Crivello({"--config", etc, "agent"}, {"CRIVELLO_AGENT_NATS=nats://127.0.0.1:1"}).err,
              HasSubstr("--name is required"));
  EXPECT_THAT(Crivello({"agent", "--help"}).out, HasSubstr("REQUIRED"));
  // The folder has a configuration of its own, too.
  EXPECT_THAT(Crivello({"--config", etc, "config", "show", "agent"}).out,
              ContainsRegex("agent +delay +10s +.*web/crivello.toml:5\n"));
}

TEST_F(ConfigTest, ShowsEveryOptionOfEveryCommandIfNoneIsNamed) {
  const std::string all = Show({}).out;
  Session session;
  const auto app = MakeApp(session);
  ForEachCommand(*app, [&](CLI::App& command) {
    for (const CLI::Option* option : OptionsOf(command)) {
      if (!IsConfigurable(*option)) continue;
      EXPECT_THAT(all, HasSubstr(TableOf(command) + " "));
      EXPECT_THAT(all, HasSubstr(" " + option->get_lnames().front() + " "));
    }
  });
}

TEST_F(ConfigTest, UpTakesTheOptionsOfWhatItDoes) {
  Etc("[crawl]\ndelay = \"11s\"\nsimulate = 1\n[serve]\nlisten = \"127.0.0.1:1\"\n[up]\nlisten = "
      "\"127.0.0.1:2\"\n");
  const std::string shown = Show({"up", "--config", folder_ / "etc.toml"}).out;
  EXPECT_THAT(shown, ContainsRegex("up +delay +11s +.*etc.toml:2\n"));
  EXPECT_THAT(shown, ContainsRegex("up +listen +127.0.0.1:2 +.*etc.toml:7\n"));
  EXPECT_THAT(Show({"up"}, {"CRIVELLO_SERVE_LISTEN=127.0.0.1:3"}).out,
              ContainsRegex("up +listen +127.0.0.1:3 +environment: CRIVELLO_SERVE_LISTEN\n"));
}

TEST_F(ConfigTest, AFileNamesTheCollectionAndThatOneNoOther) {
  const Outcome run = Crivello({"--config", folder_ / "etc.toml", "config", "show", "crawl"});
  EXPECT_THAT(run.out, ContainsRegex("crivello +collection +.*/web +.*etc.toml:2\n"));
  EXPECT_THAT(run.out, ContainsRegex("crawl +delay +10s +.*web/crivello.toml:5\n"));
  WriteText(folder_ / "web/crivello.toml", "[crivello]\ncollection = \"x\"\n");
  EXPECT_THAT(Show({}).err,
              HasSubstr("crivello.toml:2: a collection's own file cannot name another configuration file"));
}

// A collection may come from someone else.
TEST_F(ConfigTest, ACollectionsOwnFileCannotSayWhomToTrust) {
  for (const std::string_view option :
       {"[serve]\nlisten = \"0.0.0.0:1\"\n", "[serve]\naccess-log = \"x\"\n", "[serve]\nkeys = \"x\"\n",
        "[serve]\nname = [\"x\"]\n", "[up]\nlisten = \"0.0.0.0:1\"\n", "[crawl]\nallow-private = true\n",
        "[crawl]\nproxy = \"http://x\"\n", "[crawl]\nany-certificate = true\n", "[serve]\ncors = [\"*\"]\n",
        "[crawl]\nsign-key = \"x\"\n", "[up]\nsign-agent = \"https://x/\"\n",
        "[crawl]\nlog = \"/etc/cron.d/x\"\n", "[export]\ntrec = \"/etc/cron.d/x\"\n"}) {
    WriteText(folder_ / "web/crivello.toml", std::string(option));
    const Outcome run = Show({"crawl"});
    EXPECT_EQ(run.code, kWrongUsage) << option;
    EXPECT_THAT(run.err, HasSubstr("web/crivello.toml:2: a collection's own file cannot set")) << option;
    // The same is allowed in a file that the user names.
    Etc(std::string(option));
    WriteText(folder_ / "web/crivello.toml", "[crawl]\ndelay = \"10s\"\n");
    EXPECT_EQ(Show({"--config", folder_ / "etc.toml", "crawl"}).code, kDone) << option;
  }
}

TEST_F(ConfigTest, ATableOfAHostHasItsNameAndKnownOptions) {
  Etc("[host.\"wiki.example\"]\ndelay = \"1s\"\nheaders = [\"X-Key: x\"]\n");
  EXPECT_EQ(Show({"--config", folder_ / "etc.toml", "crawl"}).code, kDone);
  const auto error = [&](const std::string& text) {
    Etc(text);
    const Outcome run = Show({"--config", folder_ / "etc.toml", "crawl"});
    EXPECT_EQ(run.code, kWrongUsage);
    return run.err;
  };
  EXPECT_THAT(error("[host.\"wiki.example\"]\ndelays = \"1s\"\n"),
              HasSubstr("etc.toml:2: unknown option 'delays' of a host; is it 'delay'?"));
  EXPECT_THAT(error("[host]\ndelay = \"1s\"\n"), HasSubstr("as in [host.\"example.org\"]"));
  Etc("");
  WriteText(folder_ / "web/crivello.toml", "[host.\"a.example\"]\nuser = \"me\"\n");
  const Outcome own = Show({"crawl"});
  EXPECT_EQ(own.code, kWrongUsage);
  EXPECT_THAT(own.err, HasSubstr("web/crivello.toml:2: a collection's own file cannot set 'user' of a host"));
  WriteText(folder_ / "web/crivello.toml", "[host.\"a.example\"]\ndelay = \"1s\"\n");
  EXPECT_EQ(Show({"crawl"}).code, kDone);
}

TEST_F(ConfigTest, AWrongNameIsAnErrorThatNamesTheRightOne) {
  const auto error = [&](const std::string& text) {
    Etc(text);
    // Whatever command runs: a file is valid or invalid as a whole.
    const Outcome run = Crivello({"--config", folder_ / "etc.toml", "codes", "number", "3"});
    EXPECT_EQ(run.code, kWrongUsage);
    EXPECT_EQ(run.out, "");
    return run.err;
  };
  EXPECT_THAT(error("[crawl]\n\ndely = 3\n"),
              HasSubstr("etc.toml:3: unknown option 'dely' in [crawl]; is it 'delay'?"));
  EXPECT_THAT(error("[crwl]\n"), HasSubstr("etc.toml:1: unknown command 'crwl'; is it 'crawl'?"));
  EXPECT_THAT(error("[codes.mesure]\nx = 1\n"), HasSubstr("is it 'codes.measure'?"));
  EXPECT_THAT(error("[crivello]\nconfig = \"x\"\n"), HasSubstr("unknown option 'config' in [crivello]"));
  EXPECT_THAT(error("[crawl]\nzzzzzz = 3\n"), testing::EndsWith("unknown option 'zzzzzz' in [crawl]\n"));
  EXPECT_THAT(error("[collection]\nversion = 1\n"), HasSubstr("unknown command 'collection'"));
  Etc("");
  EXPECT_THAT(Show({}, {"CRIVELLO_CRAWL_DELLAY=3s"}).err,
              HasSubstr("unknown environment variable CRIVELLO_CRAWL_DELLAY: it does not name an option; is "
                        "it 'CRIVELLO_CRAWL_DELAY'?"));
  EXPECT_EQ(Show({}, {"CRIVELLO_CRAWL_DELLAY=3s"}).code, kWrongUsage);
}

TEST_F(ConfigTest, AWrongValueIsAnErrorThatNamesItsPlace) {
  Etc("[crawl]\ndelay = \"soon\"\n");
  EXPECT_THAT(Show({"--config", folder_ / "etc.toml", "crawl"}).err,
              ContainsRegex("etc.toml:2: 'soon' is not a duration"));
  EXPECT_THAT(Show({"crawl"}, {"CRIVELLO_CRAWL_SCOPE=all"}).err,
              HasSubstr("environment: CRIVELLO_CRAWL_SCOPE: "));
  EXPECT_EQ(Crivello({"--config", folder_ / "none.toml", "codes", "number", "3"}).code, kIoFailure);
}

TEST_F(ConfigTest, AnEmptyVariableIsNoneAndThatOfAListHasLines) {
  EXPECT_THAT(Show({"crawl"}, {"CRIVELLO_CRAWL_IP_DELAY="}).out, ContainsRegex("ip-delay +1s +default\n"));
  EXPECT_THAT(Show({"crawl"}, {"CRIVELLO_CRAWL_FILTER=fetch=true\nstore=true"}).out,
              ContainsRegex("filter +fetch=true, store=true +environment"));
}

TEST(ConfigNamesTest, NoTwoOptionsShareAVariable) {
  Session session;
  const auto app = MakeApp(session);
  std::set<std::string> variables;
  ForEachCommand(*app, [&](CLI::App& command) {
    for (const CLI::Option* option : OptionsOf(command)) {
      if (!IsConfigurable(*option)) continue;
      const std::string variable = VariableOf(TableOf(command), option->get_lnames().front());
      EXPECT_TRUE(variables.insert(variable).second) << variable;
    }
  });
  EXPECT_TRUE(variables.contains("CRIVELLO_CRAWL_MAX_PAGES"));
  EXPECT_TRUE(variables.contains("CRIVELLO_COLLECTION"));
  EXPECT_TRUE(variables.contains("CRIVELLO_SIEVE_BENCH_KEYS"));
}

// Enabling all options of the sample changes nothing: none is missing, rejected or different from the
// default.
TEST(ConfigSampleTest, HasEveryOptionAndChangesNothing) {
  const TemporaryFolder folder;
  const Outcome sample = Crivello({"config", "sample"});
  ASSERT_EQ(sample.code, kDone) << sample.err;
  std::string file, line;
  std::istringstream lines(sample.out);
  while (std::getline(lines, line)) {
    const bool option = line.starts_with("# ") && line.find(" = ") != std::string::npos &&
                        line.find(' ', 2) == line.find(" = ");
    // An empty default cannot be given.
    if (option && line.ends_with(" = \"\"")) continue;
    file += (option ? line.substr(2) : line) + "\n";
  }
  WriteText(folder / "sample.toml", file);
  const auto show = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", folder / "none"});
    words.insert(words.end(), {"config", "show", "--json"});
    const Outcome run = Crivello(words);
    EXPECT_EQ(run.code, kDone) << run.err;
    return run.out;
  };
  // Ignores the origins, and the arguments of the two runs.
  const auto values = [](const std::string& shown) {
    std::vector<std::string> result;
    std::istringstream in(shown);
    for (std::string one; std::getline(in, one);) {
      const bool told =
          one.starts_with("{\"table\":\"crivello\"") &&
          (one.find("\"config\"") != std::string::npos || one.find("\"json\"") != std::string::npos);
      if (!told) result.push_back(one.substr(0, one.find(",\"from\"")));
    }
    return result;
  };
  const std::string in_force = show({"--config", folder / "sample.toml"});
  EXPECT_EQ(values(in_force), values(show({})));
  EXPECT_THAT(in_force, HasSubstr("sample.toml:"));
}

TEST(ConfigSampleTest, ThatOfACommandHasWhatItTakes) {
  const std::string sample = Crivello({"config", "sample", "up"}).out;
  for (const char* table : {"[crivello]", "[crawl]", "[serve]", "[up]"})
    EXPECT_THAT(sample, HasSubstr(table));
  EXPECT_THAT(sample, Not(HasSubstr("[search]")));
  EXPECT_THAT(sample, HasSubstr("\n# delay = \"4s\"\n"));
  EXPECT_EQ(sample.find("# delay = "), sample.rfind("# delay = "));
  EXPECT_THAT(Crivello({"config", "sample", "serv"}).err, HasSubstr("is it 'serve'?"));
}

TEST(ConfigSampleTest, GivesAReasonForEachDefaultOfAServiceAndNoneForWhatIsNot) {
  Session session;
  const auto app = MakeApp(session);
  const CommandDeclaration program = Declarations(*app);
  std::vector<const CommandDeclaration*> commands = {&program};
  for (const auto& command : program.commands) {
    if (command.path[1] == "crawl" || command.path[1] == "serve") commands.push_back(&command);
  }
  ASSERT_EQ(commands.size(), 3u);
  for (const CommandDeclaration* command : commands) {
    for (const auto& option : command->options) {
      if (option.value.empty() || option.default_value.empty() || option.positional) continue;
      EXPECT_NE(ReasonOf(command->path.back(), option.names.back().substr(2)), "") << option.names.back();
    }
  }
  EXPECT_TRUE(OptionsWithReasons().size() > 10);
  for (const auto& [table, option] : OptionsWithReasons()) {
    bool found = false;
    for (const CommandDeclaration* command : commands) {
      for (const auto& one : command->options) {
        found |= command->path.back() == table && one.names.back() == "--" + std::string(option);
      }
    }
    EXPECT_TRUE(found) << table << " " << option;
  }
}

}  // namespace
}  // namespace crivello::cli
