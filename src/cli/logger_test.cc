// SPDX-License-Identifier: Apache-2.0
#include "cli/logger.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "cli/cli_test_support.h"
#include "cli/signals.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

std::string Written(LogFormat format, LogLevel level, const std::string& sentence,
                    std::initializer_list<LogField> fields = {}) {
  Capture err;
  Logger(err.writer(), format).Write(level, "test.event", sentence, fields);
  return err.Text();
}

TEST(LoggerTest, WritesForPeopleForTerminalsAndForPrograms) {
  EXPECT_EQ(Written(LogFormat::kPlain, LogLevel::kInfo, "It runs", {{"pages", uint64_t{3}}}), "It runs\n");
  EXPECT_EQ(Written(LogFormat::kPlain, LogLevel::kError, "It broke"), "crivello: It broke\n");
  EXPECT_THAT(Written(LogFormat::kText, LogLevel::kInfo, "It runs",
                      {{"pages", uint64_t{3}}, {"rate", 0.5}, {"url", "http://a/"}, {"said", "a \"b\""}}),
              MatchesRegex("20[0-9-]*T[0-9:]*\\.[0-9][0-9][0-9]Z info test.event: It runs pages=3 rate=0.500 "
                           "url=http://a/ said=\"a \\\\\"b\\\\\"\"\n"));
  const auto json = nlohmann::json::parse(
      Written(LogFormat::kJson, LogLevel::kWarning, "It\nruns", {{"pages", uint64_t{3}}, {"url", "\xff"}}));
  EXPECT_EQ(json["level"], "warning");
  EXPECT_EQ(json["event"], "test.event");
  EXPECT_EQ(json["message"], "It\nruns");
  EXPECT_EQ(json["pages"], 3);
  EXPECT_EQ(json["url"], "\xef\xbf\xbd");
  EXPECT_THAT(json["time"].get<std::string>(), MatchesRegex("20.*Z"));
}

TEST(LoggerTest, IsALineWhateverItIsTold) {
  for (const LogFormat format : {LogFormat::kPlain, LogFormat::kText, LogFormat::kJson}) {
    const std::string line =
        Written(format, LogLevel::kInfo, "a\nb\x1b[2J", {{"path", "/x\n2026 error forged: y"}});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
}

TEST(LoggerTest, TellsWhatItsLevelWants) {
  Capture err;
  Logger log(err.writer());
  log.Write(LogLevel::kDebug, "test", "one");
  log.set_level(LogLevel::kDebug);
  log.Write(LogLevel::kDebug, "test", "two");
  log.set_level(LogLevel::kError);
  log.Write(LogLevel::kWarning, "test", "three");
  EXPECT_EQ(err.Text(), "two\n");
  for (const char* name : {"error", "warning", "info", "debug"}) EXPECT_EQ(NameOf(*FindLogLevel(name)), name);
  EXPECT_FALSE(FindLogLevel("all"));
  EXPECT_FALSE(FindLogFormat("xml"));
}

// Sends signals to itself, and exits with 0 if each was handled.
[[noreturn]] void FollowSignals() {
  Capture err;
  Logger log(err.writer());
  const auto becomes = [&log](LogLevel level) {
    for (int i = 0; i < 1000 && log.level() != level; i++) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return log.level() == level;
  };
  bool followed = true;
  {
    Signals signals(log);
    const std::pair<int, LogLevel> kSteps[] = {{SIGUSR1, LogLevel::kDebug},
                                               {SIGUSR2, LogLevel::kInfo},
                                               {SIGUSR2, LogLevel::kWarning},
                                               {SIGUSR2, LogLevel::kError}};
    for (const auto& [signal, level] : kSteps) {
      kill(getpid(), signal);
      followed = becomes(level) && followed;
    }
    kill(getpid(), SIGUSR2);  // already at the lowest level

    // An interrupt is consumed once; a handler gets those that nobody waits for.
    kill(getpid(), SIGTERM);
    followed = signals.WaitFor(std::chrono::seconds(60)) && !signals.WaitFor(Duration::zero()) && followed;
    std::promise<void> handled;
    signals.OnInterrupt([&handled] { handled.set_value(); });
    kill(getpid(), SIGINT);
    followed =
        handled.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready && followed;
    signals.OnInterrupt({});
    kill(getpid(), SIGINT);
    followed = signals.WaitFor(std::chrono::seconds(60)) && followed;
  }
  followed = followed && log.level() == LogLevel::kError &&
             err.Text().find("the log level is now debug") != std::string::npos;
  std::_Exit(followed ? 0 : 1);
}

TEST(SignalsDeathTest, ChangeTheLevelOrInterruptAndNeverEndTheProcess) {
  // In a separate process, because here other tests' threads may not block the signal, and would end it.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(FollowSignals(), testing::ExitedWithCode(0), "");
}

TEST(LogOptionsTest, ErrorsAreEventsInTheFormatAsked) {
  const Outcome run = Crivello({"--log-format", "json", "inspect", "/none"});
  const auto json = nlohmann::json::parse(run.err);
  EXPECT_EQ(json["level"], "error");
  EXPECT_EQ(json["event"], "failed");
  EXPECT_EQ(run.code, kIoFailure);
  EXPECT_EQ(Crivello({"--log-format", "xml", "inspect", "/none"}).code, kWrongUsage);
}

}  // namespace
}  // namespace crivello::cli
