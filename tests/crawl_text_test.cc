// SPDX-License-Identifier: Apache-2.0
// What a crawl derives from its pages: the text in rows, and the same text again from the archive.
#include "crawl_scenario.h"

namespace crivello {
namespace {

using testing::HasSubstr;

class CrawlTextTest : public CrawlScenario {
 protected:
  // The main text, title and language of the first pages with text.
  std::map<std::string, std::string> Texts() const {
    std::map<std::string, std::string> texts;
    for (const std::string& url : RowsWith(200)) {
      if (texts.size() == 12) break;
      EXPECT_EQ(Run({"get", url, "--column", "text", "--json"}), 0) << url;
      const json version = Lines().front()["versions"][0];
      if (!version.contains("text")) continue;
      texts[url] = version["title"].get<std::string>() + "\n" + version["text"].get<std::string>() + "\n" +
                   version.value("language", "");
    }
    return texts;
  }
  std::string UrlOf(const std::string& path) const {
    for (const std::string& url : RowsWith(200)) {
      if (url.find(path) != std::string::npos) return url;
    }
    ADD_FAILURE() << "no row of " << path;
    return "";
  }
};

TEST_F(CrawlTextTest, RowsHaveTheMainTextAndItIsFoundAgainInTheArchive) {
  std::vector<std::string> arguments = CrawlArguments();
  arguments.insert(arguments.end(), {"--max-pages", "60"});
  ASSERT_EQ(Run(arguments), 0) << Text("err");
  ASSERT_EQ(Run({"rederive", "--all", "--json"}), 0) << Text("err");
  const json first = Lines().back();
  EXPECT_GT(first["remade"].get<int>(), 40);
  EXPECT_EQ(first["failed"], 0);
  const auto texts = Texts();
  EXPECT_EQ(texts.size(), 12u);
  ASSERT_EQ(Run({"rederive", "--json"}), 0);
  EXPECT_EQ(Lines().back()["remade"], 0);
  ASSERT_EQ(Run({"rederive", "--all"}), 0);
  EXPECT_EQ(Texts(), texts);  // neither the archive nor the knowledge about the sites has changed
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(CrawlTextTest, TextReadsAnArchivedPageByItsUrl) {
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  const std::string url = UrlOf("/huts/bivouac.html");
  ASSERT_EQ(Run({"text", url, "--json"}), 0) << Text("err");
  const json page = Lines().front();
  EXPECT_FALSE(page["title"].get<std::string>().empty());
  EXPECT_FALSE(page["text"].get<std::string>().empty());
  EXPECT_EQ(page["language"], "en");
  ASSERT_EQ(Run({"get", url, "--column", "text", "--json"}), 0);
  const std::string title = Lines().front()["versions"][0]["title"];
  EXPECT_EQ(page["title"], title);
  ASSERT_EQ(Run({"text", url, "--blocks"}), 0);
  EXPECT_THAT(Text("out"), HasSubstr("heading"));

  EXPECT_EQ(Run({"text", "https://nowhere.test/"}), 1);
  EXPECT_THAT(Text("err"), HasSubstr("is not in this collection"));
}

}  // namespace
}  // namespace crivello
