// SPDX-License-Identifier: Apache-2.0
#include "cluster/fence/file_system_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/test_support.h"

namespace crivello::cluster {
namespace {

TEST(FileSystemProbeTest, FindsALocalFileSystemGoodForTwoProbes) {
  const TemporaryFolder folder;
  Result<std::vector<ProbeFinding>> other = Status::NotFound("not run");
  std::thread thread([&] {
    other =
        ProbeFileSystem({.folder = folder.path(), .nonce = 2, .wait = std::chrono::minutes(1), .rounds = 10});
  });
  const auto findings =
      ProbeFileSystem({.folder = folder.path(), .nonce = 1, .wait = std::chrono::minutes(1), .rounds = 10});
  thread.join();
  for (const auto* one : {&findings, &std::as_const(other)}) {
    ASSERT_TRUE(one->ok()) << one->status().ToString();
    EXPECT_EQ((*one)->size(), 8u);
    for (const ProbeFinding& finding : **one) {
      EXPECT_NE(finding.verdict, ProbeVerdict::kBad) << finding.check << ": " << finding.detail;
    }
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FileSystemProbeTest, LooksAloneAtWhatOneCanSee) {
  const TemporaryFolder folder;
  const auto findings = ProbeFileSystem({.folder = folder.path(), .nonce = 1});
  ASSERT_TRUE(findings.ok()) << findings.status().ToString();
  EXPECT_EQ(findings->size(), 5u);
  EXPECT_EQ(findings->back().verdict, ProbeVerdict::kUnknown);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FileSystemProbeTest, IsNotMisledByAProbeThatWasKilled) {
  const TemporaryFolder folder;
  const std::string left = folder.path() + "/crivello-probe";
  std::filesystem::create_directory(left);
  std::ofstream(left + "/peer-0000000000000000") << "";
  std::ofstream(left + "/say-0000000000000000") << "hello 0000000000000007\n";
  Result<std::vector<ProbeFinding>> other = Status::NotFound("not run");
  std::thread thread([&] {
    other =
        ProbeFileSystem({.folder = folder.path(), .nonce = 2, .wait = std::chrono::minutes(1), .rounds = 2});
  });
  const auto findings =
      ProbeFileSystem({.folder = folder.path(), .nonce = 1, .wait = std::chrono::minutes(1), .rounds = 2});
  thread.join();
  EXPECT_TRUE(findings.ok()) << findings.status().ToString();
  EXPECT_TRUE(other.ok()) << other.status().ToString();
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FileSystemProbeTest, MakesNoFolderWhereThePathIsWrong) {
  const TemporaryFolder folder;
  const auto findings = ProbeFileSystem({.folder = folder.path() + "/typo", .nonce = 1});
  EXPECT_EQ(findings.status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FileSystemProbeTest, SaysThatNobodyAnswers) {
  const TemporaryFolder folder;
  const auto findings =
      ProbeFileSystem({.folder = folder.path(), .nonce = 1, .wait = std::chrono::milliseconds(1)});
  EXPECT_EQ(findings.status().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace crivello::cluster
