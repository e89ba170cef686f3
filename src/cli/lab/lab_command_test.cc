// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_test_support.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

TEST(LabCommandTest, ShowsAnExampleOfEachWithItsPicture) {
  const TemporaryFolder folder;
  for (const char* name : {"codes", "elias-fano", "sieve", "assignment", "hyperball", "simhash", "slope"}) {
    SCOPED_TRACE(name);
    const Outcome text = Crivello({"lab", name, "--svg", folder / "picture.svg"});
    EXPECT_EQ(text.code, kDone) << text.err;
    EXPECT_THAT(ReadFile(folder / "picture.svg").value(), testing::StartsWith("<svg "));
    const Outcome json = Crivello({"--json", "lab", name});
    EXPECT_GT(nlohmann::json::parse(json.out)["steps"].size(), 2u);
  }
}

TEST(LabCommandTest, TakesInputAndSaysWhatIsWrongWithIt) {
  EXPECT_THAT(Crivello({"lab", "codes", "42"}).out, HasSubstr("42 + 1 = 43 is 101011 in binary"));
  EXPECT_THAT(Crivello({"lab", "elias-fano", "1", "4", "--universe", "10"}).out,
              HasSubstr("none above u = 10"));
  EXPECT_THAT(Crivello({"lab", "hyperball", "0-1"}).out, HasSubstr("2 nodes, 1 arcs"));
  for (const auto& wrong : std::vector<std::vector<std::string>>{
           {"lab"}, {"lab", "hyperball", "0"}, {"lab", "simhash", "one"}, {"lab", "elias-fano", "4", "1"}}) {
    EXPECT_EQ(Crivello(wrong).code, kWrongUsage);
  }
  EXPECT_EQ(Crivello({"lab", "codes", "x"}).code, kBadData);
  EXPECT_EQ(Crivello({"lab", "slope", "/nosuch.html"}).code, kIoFailure);
}

}  // namespace
}  // namespace crivello::cli
