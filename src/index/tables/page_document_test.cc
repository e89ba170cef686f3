// SPDX-License-Identifier: Apache-2.0
#include "index/tables/page_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "index/segments/document_values.h"
#include "text/formats/document.h"

namespace crivello::index {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Texts = std::map<std::string, std::vector<std::string>>;

Texts ByField(const std::vector<IndexDocument::FieldText>& texts) {
  Texts by_field;
  for (const auto& text : texts) by_field[text.field].push_back(text.text);
  return by_field;
}

int64_t Number(const IndexDocument& document, std::string_view name) {
  for (const auto& number : document.numbers) {
    if (number.name == name) return number.value;
  }
  ADD_FAILURE() << "no " << name;
  return 0;
}

class PageDocumentTest : public testing::Test {
 protected:
  PageDocumentTest() {
    fetch_.status = 200;
    fetch_.content_type = "application/pdf";
    fetch_.noarchive = true;
    fetch_.id = "17";
    text_ = {.language = "pt-BR",
             .title = "Trees",
             .published = 99,
             .blocks = {{.kind = static_cast<uint8_t>(text::BlockKind::kHeading), .level = 1, .text = "Oaks"},
                        {.text = "They grow."},
                        {.main = false, .text = "Imprint"}}};
  }
  IndexDocument Make(const PageFields& fields = {}) {
    return MakeDocument({.row_key = "uk,co,forest,www)https:443/a%20b/c_d.html?x=1",
                         .time = 5'000'000,
                         .fetch = fetch_,
                         .text = text_,
                         .links = &links_,
                         .inlinks = &inlinks_},
                        fields)
        .value();
  }

  store::FetchCell fetch_;
  store::TextCell text_;
  const std::vector<store::OutLink> links_ = {{.url = "https://oak.org/", .text = "an oak"}};
  const Inlinks inlinks_ = {.pages = 3, .texts = {"on trees", "trees"}};
};

TEST_F(PageDocumentTest, HasAllFields) {
  const IndexDocument document = Make();
  EXPECT_EQ(document.url, "https://www.forest.co.uk/a%20b/c_d.html?x=1");
  EXPECT_EQ(document.id, "17");
  EXPECT_EQ(document.text, "Oaks\n\nThey grow.");
  EXPECT_EQ(ByField(document.texts), (Texts{{"title", {"Trees"}},
                                            {"headings", {"Oaks"}},
                                            {"body", {"They grow."}},
                                            {"rest", {"Imprint"}},
                                            {"url", {"forest co uk  a b c d html x 1"}},
                                            {"anchor", {"on trees", "trees"}}}));
  EXPECT_EQ(ByField(document.keywords), (Texts{{"site", {"www.forest.co.uk", "forest.co.uk"}},
                                               {"lang", {"pt-BR", "pt"}},
                                               {"type", {"application/pdf", "pdf"}},
                                               {"links", {"https://oak.org/"}},
                                               {"name", {"t:trees", "a:trees"}}}));
  EXPECT_EQ(Number(document, column::kTime), 5);
  EXPECT_EQ(Number(document, column::kPublished), 99);
  EXPECT_EQ(Number(document, column::kFlags), kNoArchive);
  EXPECT_EQ(Number(document, column::kInlinks), 3);
  EXPECT_EQ(Number(document, column::kDepth), 3);
}

TEST_F(PageDocumentTest, ABodyAloneHasTitleAndHeadingsToo) {
  const IndexDocument document = Make(PageFields::Parse("body").value());
  EXPECT_EQ(ByField(document.texts), (Texts{{"body", {"Trees", "Oaks", "They grow."}}}));
  EXPECT_TRUE(document.keywords.empty());
}

TEST_F(PageDocumentTest, WhatIsNotForSearchersIsNotSearchable) {
  EXPECT_TRUE(IsSearchable(fetch_));
  fetch_.noindex = true;
  EXPECT_FALSE(IsSearchable(fetch_));
  fetch_.noindex = false;
  fetch_.kind = store::PageKind::kError;
  EXPECT_FALSE(IsSearchable(fetch_));
  fetch_.kind = store::PageKind::kListing;
  EXPECT_TRUE(IsSearchable(fetch_));
  fetch_.status = 404;
  EXPECT_FALSE(IsSearchable(fetch_));
}

TEST_F(PageDocumentTest, TranslationsHaveOneNumber) {
  const auto number = [](std::string_view key, std::string_view language, const std::string& translations) {
    store::FetchCell fetch;
    fetch.translations = translations;
    const store::TextCell text = {.language = language};
    return Number(MakeDocument({.row_key = key, .fetch = fetch, .text = text}, {}).value(),
                  column::kTranslation);
  };
  const int64_t english = number("org,a)https:443/x.html", "en", "");
  EXPECT_EQ(number("org,a,de)https:443/x.html", "de", ""), english);
  EXPECT_EQ(number("org,a)https:443/de/x.html", "de", ""), english);
  EXPECT_NE(number("org,a,de)https:443/x.html", "en", ""), english);
  EXPECT_NE(number("org,a)https:443/y.html", "en", ""), english);
  // The page's own statements have precedence.
  EXPECT_EQ(number("org,a)https:443/one", "en", "https://a.org/eins"),
            number("org,a)https:443/eins", "de", "https://a.org/eins"));
}

TEST(PageFieldsTest, NamesAreRead) {
  const auto fields = PageFields::Parse("title, body,site");
  ASSERT_TRUE(fields.ok());
  EXPECT_THAT(fields->names(), ElementsAre("body", "site", "title"));
  // The list of all fields from before pages had names.
  EXPECT_TRUE(PageFields::Parse("title,headings,body,rest,url,anchor,site,lang,type,links")->Has("name"));
  EXPECT_THAT(PageFields::Parse("body,colour").status().message(), HasSubstr("'colour'"));
  EXPECT_THAT(PageFields::Parse("").status().message(), HasSubstr("at least one field"));
}

TEST(PageDocumentDepthTest, CountsFolders) {
  const auto depth = [](std::string_view key) {
    const store::FetchCell fetch;
    const store::TextCell text;
    return Number(MakeDocument({.row_key = key, .fetch = fetch, .text = text}, {}).value(), column::kDepth);
  };
  EXPECT_EQ(depth("org,a)https:443/"), 0);
  EXPECT_EQ(depth("org,a)https:443/x"), 1);
  EXPECT_EQ(depth("org,a)https:443/x/"), 1);
  EXPECT_EQ(depth("org,a)https:443/x/y"), 2);
  EXPECT_EQ(depth("org,a)https:443/?q"), 1);
}

}  // namespace
}  // namespace crivello::index
