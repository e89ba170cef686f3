// SPDX-License-Identifier: Apache-2.0
#include "engine/ranking_profile.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "search/ranking_weights.h"

namespace crivello::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class RankingProfileTest : public testing::Test {
 protected:
  RankingProfileTest() { std::filesystem::create_directories(folder_ / "ranking"); }
  void Write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(WriteFileAtomically(folder_ / ("ranking/" + name + ".toml"), AsBytes(text)).ok());
  }
  Result<search::RankingOptions> Load(const std::string& name) {
    return LoadRankingProfile(folder_ / "", name);
  }
  TemporaryFolder folder_;
};

TEST_F(RankingProfileTest, SetsWeightsAndSites) {
  Write("mine",
        "[ranking]\nstatic = \"none\"\n[weights]\nsecond.title = 0.75\nfields.url = 3\n\"b.url\" = 0.5\n"
        "[sites]\nblock = [\"Spam.example\"]\npin = \"a.org\"\n");
  const auto ranking = Load("mine");
  ASSERT_TRUE(ranking.ok()) << ranking.status().ToString();
  EXPECT_EQ(search::WeightOf("second.title", *ranking), 0.75);
  EXPECT_EQ(search::WeightOf("fields.url", *ranking), 3);
  EXPECT_EQ(search::WeightOf("b.url", *ranking), 0.5);
  EXPECT_EQ(search::WeightOf("k1", *ranking), search::WeightOf("k1", {}));
  EXPECT_EQ(ranking->rank, "none");
  EXPECT_THAT(ranking->sites.blocked, ElementsAre("spam.example"));
  EXPECT_THAT(ranking->sites.pinned, ElementsAre("a.org"));
}

TEST_F(RankingProfileTest, InheritsWhatItDoesNotSay) {
  Write("parent", "[weights]\nproximity = 2\nrank = 5\n");
  Write("child", "[ranking]\ninherits = \"parent\"\n[weights]\nrank = 7\n");
  const auto ranking = Load("child");
  ASSERT_TRUE(ranking.ok()) << ranking.status().ToString();
  EXPECT_EQ(ranking->proximity, 2);
  EXPECT_EQ(ranking->rank_weight, 7);
}

TEST_F(RankingProfileTest, NamesWhatIsWrong) {
  EXPECT_EQ(Load("nope").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Load("../mine").status().code(), StatusCode::kInvalidArgument);
  Write("loop", "[ranking]\ninherits = \"loop\"\n");
  EXPECT_THAT(Load("loop").status().message(), HasSubstr("line 2: 'inherits'"));
  Write("unknown", "[weights]\nsecond.titel = 1\n");
  EXPECT_THAT(Load("unknown").status().message(), HasSubstr("no weight 'second.titel'"));
  Write("range", "[weights]\n\nb = 2\n");
  EXPECT_THAT(Load("range").status().message(), HasSubstr("line 3: b: expected a number from 0 to 1"));
  Write("text", "[weights]\nb = \"x\"\n");
  EXPECT_THAT(Load("text").status().message(), HasSubstr("'b' is not a number"));
  Write("sites", "[sites]\nhide = [\"a\"]\n");
  EXPECT_THAT(Load("sites").status().message(), HasSubstr("unknown list 'hide'"));
  Write("url", "[sites]\nblock = [\"a.org\", \"http://b.org/\"]\n");
  EXPECT_THAT(Load("url").status().message(), HasSubstr("line 2: 'http://b.org/' is not a host or a domain"));
  Write("star", "[sites]\nlower = [\"*.b.org\"]\n");
  EXPECT_THAT(Load("star").status().message(), HasSubstr("'*.b.org' is not a host"));
  Write("blank", "[sites]\nraise = [\"\"]\n");
  EXPECT_EQ(Load("blank").status().code(), StatusCode::kInvalidArgument);
  Write("table", "[fields]\nurl = 1\n");
  EXPECT_THAT(Load("table").status().message(), HasSubstr("unknown table [fields]"));
  Write("none", "[weights\n");
  EXPECT_EQ(Load("none").status().code(), StatusCode::kInvalidArgument);
}

// People on the web see them.
TEST_F(RankingProfileTest, MessagesDoNotNameTheFolderOfTheCollection) {
  Write("none", "[weights\n");
  Write("text", "[weights]\nb = \"x\"\n");
  for (const char* name : {"nope", "none", "text"}) {
    const std::string message = Load(name).status().message();
    EXPECT_THAT(message, HasSubstr("ranking/" + std::string(name) + ".toml"));
    EXPECT_THAT(message, Not(HasSubstr(folder_ / "")));
  }
}

}  // namespace
}  // namespace crivello::engine
