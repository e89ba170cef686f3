// SPDX-License-Identifier: Apache-2.0
// Tests that score the program on a public test suite and, always, on a small sample of cases that we
// wrote ourselves (tests/conformance-sample), in the suite's own file format. Included only by _test.cc
// files.
//
//   using UrlConformanceTest = ConformanceSuite;
//   CRV_CONFORMANCE_SUITE(UrlConformanceTest);
//   TEST_P(UrlConformanceTest, Parses) {
//     const std::string path = SuitePath("url/urltestdata.json");
//     if (path.empty()) GTEST_SKIP() << kNoSuite;
//     Score score("urltestdata");
//     ...
//     ExpectScore(score, {.cases = 891, .percent = 100});
//   }
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/conformance.h"

namespace crivello {

enum class SuiteSize { kSample, kWhole };

class ConformanceSuite : public testing::TestWithParam<SuiteSize> {
 protected:
  static constexpr const char* kNoSuite = "skipped: no ../shared, only the sample was run";

  bool is_sample() const { return GetParam() == SuiteSize::kSample; }
  // A file or folder of the suite. "" if the suite is not on this machine; the sample is always available.
  std::string SuitePath(const std::string& name) const {
    if (!is_sample()) return SharedPath("conformance/" + name);
    const std::string path = std::string(SourceDirectory()) + "/tests/conformance-sample/" + name;
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
    return path;
  }
  std::string ScoreName(const std::string& name) const { return is_sample() ? "sample/" + name : name; }

  struct Bar {
    int cases = 0;         // in the whole suite; 0: not checked
    double percent = 100;  // minimum
  };
  // All of the sample must pass, because it contains only passing cases.
  void ExpectScore(const Score& score, const Bar& bar) const {
    EXPECT_GT(score.cases(), 0);
    if (!is_sample() && bar.cases > 0) {
      EXPECT_EQ(score.cases(), bar.cases);
    }
    EXPECT_GE(score.percent(), is_sample() ? 100 : bar.percent)
        << "set CRIVELLO_CONFORMANCE_FAILURES=1 to see the cases that failed";
  }
};

inline std::string SuiteSizeName(const testing::TestParamInfo<SuiteSize>& suite) {
  return suite.param == SuiteSize::kSample ? "Sample" : "Whole";
}

// Runs the tests of a fixture on the sample and on the whole suite.
#define CRV_CONFORMANCE_SUITE(fixture)                                                                     \
  INSTANTIATE_TEST_SUITE_P(Conformance, fixture,                                                           \
                           testing::Values(::crivello::SuiteSize::kSample, ::crivello::SuiteSize::kWhole), \
                           ::crivello::SuiteSizeName)

}  // namespace crivello
