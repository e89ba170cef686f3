// SPDX-License-Identifier: Apache-2.0
#include "cli/lab/text_terms.h"

#include "cli/cli_test_support.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

TEST(TextTermsTest, ShowsTheTermsOfAPage) {
  const TemporaryFolder folder;
  WriteText(folder / "page.html", "<html lang=en><p>The running foxes</p>");
  const Outcome table =
      Crivello({"text", folder / "page.html", "--terms", "--analyser", "words fold stem:en"});
  EXPECT_EQ(table.code, kDone);
  EXPECT_THAT(table.out, HasSubstr("       1        4       11 word      running\n"));
  EXPECT_THAT(table.out, HasSubstr("       1        4       11 stem      run\n"));
  const Json json = Json::parse(Crivello({"--json", "text", folder / "page.html", "--terms"}).out);
  EXPECT_EQ(json["analyser"].get<std::string>(), text::kStandardAnalyser);
  EXPECT_EQ(json["language"], "en");
  EXPECT_EQ(json["terms"][0]["term"], "the");
  EXPECT_EQ(json["terms"][0]["kind"], "word");
}

TEST(TextTermsTest, AWrongAnalyserIsWrongUsage) {
  const TemporaryFolder folder;
  WriteText(folder / "page.html", "<html><p>x</p>");
  const Outcome run = Crivello({"text", folder / "page.html", "--terms", "--analyser", "words acents"});
  EXPECT_EQ(run.code, kWrongUsage);
  EXPECT_THAT(run.err, HasSubstr("column 7"));
}

TEST(TextTermsTest, ReadsDocumentsThatAreNoHtml) {
  const TemporaryFolder folder;
  WriteText(folder / "a.md",
            "# Titolo\n\nNel mezzo del cammin di nostra vita mi ritrovai per una selva oscura.\n");
  const Json json = Json::parse(Crivello({"--json", "text", folder / "a.md"}).out);
  EXPECT_EQ(json["title"], "Titolo");
  EXPECT_EQ(json["format"], "markdown");
  EXPECT_EQ(json["language"], "it");
  EXPECT_THAT(Crivello({"text", folder / "a.md"}).out, HasSubstr("selva oscura.\n"));
  EXPECT_THAT(Crivello({"text", folder / "a.md", "--terms"}).out, HasSubstr(" oscura\n"));
  WriteText(folder / "b.docx", "PK\x03\x04 broken word/document.xml");
  const Outcome broken = Crivello({"text", folder / "b.docx"});
  EXPECT_EQ(broken.code, kBadData);
  EXPECT_THAT(broken.err, HasSubstr("zip"));
}

}  // namespace
}  // namespace crivello::cli
