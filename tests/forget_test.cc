// SPDX-License-Identifier: Apache-2.0
// `crivello forget`: no file of the collection contains the page, and it does not come back.
#include "base/test_paths.h"
#include "care_scenario.h"

namespace crivello {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* kUrl = "https://one.example/secret";

class ForgetTest : public CareScenario {
 protected:
  int Found(std::string_view word) const {
    Run({"search", std::string(word), "--json"});
    const std::vector<json> lines = Lines();
    return lines.empty() ? 0 : lines[0]["total"].get<int>();
  }
  int Forget(const std::string& target) const {
    return Run({"forget", target, "--reason", "asked by its author", "--quiet"});
  }
};

TEST_F(ForgetTest, LeavesThePageInNoFile) {
  Import(Pages());
  EXPECT_GE(Found(kSecret), 1);
  const std::set<std::string> before = FilesWith(kSecret, Collection());
  // The search finds what is there.
  EXPECT_THAT(before, Contains(StartsWith("tablets/t-/archive/")));
  EXPECT_THAT(before, Contains(StartsWith("tablets/t-/db/")));
  EXPECT_THAT(before, Contains(StartsWith("tablets/t-/index/")));
  EXPECT_THAT(before, Contains("tablets/t-/links/by-target"));
  ASSERT_EQ(Run({"inspect", Collection() / "tablets/t-/links/by-target", "--json"}), 0) << Text("err");
  EXPECT_EQ(Lines().at(0)["kind"], "links");
  EXPECT_EQ(Lines().at(0)["links"], 3);

  ASSERT_EQ(Run({"forget", kUrl, "--dry-run", "--json"}), 0) << Text("err");
  EXPECT_EQ(Lines().at(0)["pages"], 1);
  EXPECT_EQ(Found(kKept), 1);

  ASSERT_EQ(Forget(kUrl), 0) << Text("err");
  EXPECT_THAT(FilesWith(kSecret, Collection()), IsEmpty());
  EXPECT_THAT(FilesWith(kKept, Collection()), testing::Not(IsEmpty()));
  // Links from other pages to it are not in the file of links either.
  EXPECT_THAT(FilesWith("/secret", Collection() / "tablets/t-/links"), IsEmpty());
  ASSERT_EQ(Run({"inspect", Collection() / "tablets/t-/links/by-target", "--json"}), 0) << Text("err");
  EXPECT_EQ(Lines().at(0)["links"], 0);
  EXPECT_EQ(Found(kSecret), 0);
  EXPECT_EQ(Found(kKept), 1);
  EXPECT_EQ(Run({"get", kUrl}), 1);
  EXPECT_EQ(Run({"get", "https://one.example/other"}), 0);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");

  ASSERT_EQ(Run({"why", kUrl}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("asked by its author"));
  ASSERT_EQ(Run({"forget", "--list", "--json"}), 0);
  EXPECT_EQ(Lines().at(0)["target"], kUrl);
  EXPECT_TRUE(Lines().at(0).contains("done"));
}

TEST_F(ForgetTest, KeepsItFromComingBackByImport) {
  Import(Pages());
  ASSERT_EQ(Forget("https://one.example/*"), 0) << Text("err");
  EXPECT_EQ(Run({"import", folder_ / "pages.warc.gz", "--json"}), 0);  // the other pages are there
  EXPECT_EQ(Lines().back()["refused"], 2);
  EXPECT_THAT(FilesWith(kSecret, Collection()), IsEmpty());
  EXPECT_THAT(FilesWith(kKept, Collection()), IsEmpty());
}

TEST_F(ForgetTest, IsDoneByTheCrawlThatHasItOpen) {
  const pid_t crawler = Start(CrawlArguments());
  const std::string program = std::string(ProgramPath()) + " -C " + Collection().string() + " ";
  const std::string target = server_->web().Seeds().front();
  const std::string host = target.substr(0, target.find('/', 8)) + "/*";
  int code = 4;
  for (int i = 0; i < 100 && code == 4; ++i) {  // 4: not yet listening
    usleep(50'000);
    code = WEXITSTATUS(
        system((program + "forget '" + host + "' --reason asked --quiet > /dev/null 2>&1").c_str()));
  }
  EXPECT_EQ(code, 0);
  EXPECT_EQ(Wait(crawler), 0) << Text("err");
  for (const auto& [url, status] : Rows())
    EXPECT_FALSE(url.starts_with(host.substr(0, host.size() - 1))) << url;
  EXPECT_FALSE(Rows().empty());
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(ForgetTest, RefusesWhatItCannotUnderstand) {
  Import({});
  for (const char* wrong : {"", "example.org/page", "ftp://example.org/", "*", "two words"}) {
    EXPECT_EQ(Forget(wrong), 2) << wrong;
  }
  EXPECT_EQ(Run({"forget", kUrl}), 2);
  EXPECT_THAT(Text("err"), HasSubstr("--reason"));
}

TEST_F(ForgetTest, IsDoneOrNotBegunAfterAKill) {
  Import(Pages());
  std::filesystem::rename(Collection(), folder_ / "good");
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  const auto put_back = [this] {
    std::filesystem::remove_all(Collection());
    std::filesystem::copy(folder_ / "good", Collection(), std::filesystem::copy_options::recursive);
  };
  const std::vector<std::string> forget = {"forget", kUrl, "--reason", "asked", "--quiet"};
  put_back();
  const Duration whole = TimeOf(forget);
  int cut = 0;
  for (int i = 0; MoreKills(i, cut); ++i) {
    put_back();
    RunAndKill(forget, whole, i, random);
    const int listed = Run({"forget", "--list", "--json"});
    SCOPED_TRACE(testing::Message() << "kill " << i << ": " << Text("out"));
    if (listed == 1) {
      EXPECT_EQ(Run({"get", kUrl}), 0) << "not begun, and yet it is gone";
      continue;
    }
    if (!Lines().at(0).contains("done")) {
      cut++;
      EXPECT_THAT(Text("err"), HasSubstr("interrupted"));
      ASSERT_EQ(Run({"index", "--quiet"}), 0) << Text("err");  // any command that writes completes it
      EXPECT_THAT(Text("err"), HasSubstr("is forgotten"));
    }
    EXPECT_THAT(FilesWith(kSecret, Collection()), IsEmpty());
    EXPECT_EQ(Run({"get", kUrl}), 1);
    EXPECT_EQ(Run({"check"}), 0) << Text("out");
    EXPECT_EQ(Found(kKept), 1);
  }
  EXPECT_GT(cut, 0);
}

}  // namespace
}  // namespace crivello
