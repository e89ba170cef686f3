// SPDX-License-Identifier: Apache-2.0
#include "text/formats/subprocess.h"

#include <gtest/gtest.h>

namespace crivello::text {
namespace {

std::string FailureOf(const Result<std::string>& result) {
  return result.ok() ? "ok" : result.status().message();
}

TEST(SubprocessTest, InputGoesInAndOutputComesBack) {
  const std::string input(300000, 'x');
  const auto output = RunSubprocess({.arguments = {"cat"}, .input = input});
  ASSERT_TRUE(output.ok()) << output.status().ToString();
  EXPECT_EQ(*output, input);
}

TEST(SubprocessTest, AProgramThatDoesNotReadItsInputIsNoFault) {
  const std::string input(300000, 'x');
  EXPECT_EQ(FailureOf(RunSubprocess({.arguments = {"true"}, .input = input})), "ok");
}

TEST(SubprocessTest, LimitsAreNamed) {
  EXPECT_EQ(
      FailureOf(RunSubprocess({.arguments = {"sleep", "100"}, .max_time = std::chrono::milliseconds(300)})),
      "sleep exceeded the time limit of 0.3 s");
  EXPECT_EQ(FailureOf(RunSubprocess({.arguments = {"yes"}, .max_output_bytes = 100000})),
            "yes exceeded the output limit of 100000 bytes");
  EXPECT_EQ(FailureOf(RunSubprocess({.arguments = {"sh", "-c", "echo bad >&2; exit 3"}})),
            "sh failed with status 3: bad");
  const auto memory = RunSubprocess(
      {.arguments = {"sh", "-c", "x=a; while :; do x=$x$x; done"}, .max_memory_bytes = size_t{64} << 20});
  EXPECT_EQ(memory.status().code(), StatusCode::kCorruption) << FailureOf(memory);
  EXPECT_EQ(RunSubprocess({.arguments = {"no-such-program"}}).status().code(), StatusCode::kNotFound);
}

// A background child keeps the output open; it is killed with its group.
TEST(SubprocessTest, TheWholeGroupIsKilled) {
  const auto begin = std::chrono::steady_clock::now();
  const auto result = RunSubprocess(
      {.arguments = {"sh", "-c", "sleep 60 & sleep 60"}, .max_time = std::chrono::milliseconds(300)});
  EXPECT_EQ(FailureOf(result), "sh exceeded the time limit of 0.3 s");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(SubprocessTest, ThereIsNoNetworkUnlessThisMachinePermitsNoSandbox) {
  if (BestSandbox() == Sandbox::kLimits) GTEST_SKIP() << "skipped: neither bubblewrap nor namespaces";
  for (const Sandbox sandbox : {Sandbox::kBubblewrap, Sandbox::kNamespace}) {
    const auto interfaces = RunSubprocessIn(sandbox, {.arguments = {"cat", "/proc/net/dev"}});
    if (!interfaces.ok()) continue;  // this one is not permitted here
    EXPECT_EQ(interfaces->find("eth"), std::string::npos) << SandboxName(sandbox);
    EXPECT_NE(interfaces->find("lo:"), std::string::npos) << SandboxName(sandbox);
  }
}

TEST(SubprocessTest, BubblewrapHidesFilesOutsideOfUsr) {
  if (BestSandbox() != Sandbox::kBubblewrap) GTEST_SKIP() << "skipped: no bubblewrap";
  EXPECT_FALSE(RunSubprocess({.arguments = {"cat", "/etc/passwd"}}).ok());
  EXPECT_TRUE(RunSubprocessIn(Sandbox::kLimits, {.arguments = {"cat", "/etc/passwd"}}).ok());
}

TEST(SubprocessTest, NothingIsWrittenToFiles) {
  for (const Sandbox sandbox : {Sandbox::kLimits, BestSandbox()}) {
    EXPECT_FALSE(
        RunSubprocessIn(sandbox, {.arguments = {"sh", "-c", "echo x > /tmp/crivello-subprocess-test"}}).ok());
  }
  ::unlink("/tmp/crivello-subprocess-test");
}

}  // namespace
}  // namespace crivello::text
