// SPDX-License-Identifier: Apache-2.0
#include "page/site_templates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/test_support.h"
#include "html/html_tree.h"

namespace crivello::page {
namespace {

// A page with a notice that only the site's other pages distinguish from its text.
text::HtmlDocument Page(int number, std::string_view site = "a") {
  const std::string html = fmt::format(
      "<title>Page {0}</title><body>"
      "<p>This notice of {1} stands on every page of the site, in a paragraph like any other of it.</p>"
      "<p>Number {0} tells of matters that are its own, in some length, with commas, and full stops.</p>"
      "<p>A second thing that only page {0} says: it is the {0}th of those that were written for this.</p>",
      number, site);
  return text::ReadHtmlDocument(html::ParseHtml(html));
}

bool IsNoticeMain(const text::HtmlDocument& page) { return page.document.blocks.front().main; }

class SiteTemplatesTest : public testing::Test {
 protected:
  void SetUp() override { Reopen(); }
  void Reopen(size_t memory_bytes = SiteTemplates::kMemoryBytes) {
    templates_.reset();
    db_.reset();
    kv::DatabaseOptions db;
    db.families = {{.name = "site"}};
    db_ = kv::Database::Open(folder_.path() + "/db", db).value();
    templates_ = std::make_unique<SiteTemplates>(*db_, 0, memory_bytes);
  }
  text::HtmlDocument See(std::string_view host, int number) {
    text::HtmlDocument page = Page(number, host);
    EXPECT_TRUE(templates_->Mark(host, &page, SiteTemplates::Learning::kOn).ok());
    return page;
  }

  TemporaryFolder folder_;
  std::unique_ptr<kv::Database> db_;
  std::unique_ptr<SiteTemplates> templates_;
};

TEST_F(SiteTemplatesTest, WhatRepeatsOverAHostIsCut) {
  EXPECT_TRUE(IsNoticeMain(See("a", 0)));
  for (int i = 1; i < 8; ++i) See("a", i);
  EXPECT_FALSE(IsNoticeMain(See("a", 8)));
  EXPECT_EQ(See("a", 9).document.blocks.front().cut, text::CutReason::kTemplate);
  EXPECT_TRUE(IsNoticeMain(See("b", 9)));  // another host starts without a template
}

TEST_F(SiteTemplatesTest, WhatWasLearntLasts) {
  for (int i = 0; i < 8; ++i) See("a", i);
  Reopen();  // as after a crash: eight pages is one of the points at which it is written
  EXPECT_FALSE(IsNoticeMain(See("a", 8)));

  for (int i = 0; i < 5; ++i) See("b", i);
  EXPECT_EQ(templates_->Save(), Status::Ok());
  Reopen();
  EXPECT_FALSE(IsNoticeMain(See("b", 5)));
}

TEST_F(SiteTemplatesTest, HostsThatLeaveTheMemoryAreNotForgotten) {
  Reopen(1000);  // room for two of them
  for (int i = 0; i < 6; ++i) {
    for (const char* host : {"a", "b", "c", "d"}) See(host, i);
  }
  for (const char* host : {"a", "b", "c", "d"}) EXPECT_FALSE(IsNoticeMain(See(host, 9))) << host;
}

TEST_F(SiteTemplatesTest, TellsTheLanguageThatTheLastPagesAgreeOn) {
  for (int i = 0; i < 4; ++i) {
    text::HtmlDocument page = Page(i);
    const auto language = templates_->Mark("a", &page, SiteTemplates::Learning::kOn);
    ASSERT_TRUE(language.ok());
    EXPECT_EQ(language->value_or("none"), i < 2 ? "none" : "it");
    EXPECT_EQ(templates_->LearnLanguage("a", "it"), Status::Ok());
  }
}

TEST_F(SiteTemplatesTest, WhatCannotBeReadIsLearntAnew) {
  kv::Batch batch;
  batch.Put(0, "a", "of another version");
  ASSERT_EQ(db_->Write(batch, {.sync = false}), Status::Ok());
  for (int i = 0; i < 8; ++i) See("a", i);
  EXPECT_FALSE(IsNoticeMain(See("a", 8)));
}

TEST_F(SiteTemplatesTest, ThreadsMayShareIt) {
  Reopen(1500);  // room for three of them
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 50; ++i) See(std::string(1, static_cast<char>('a' + i % 5)), 100 * t + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(templates_->Save(), Status::Ok());
}

}  // namespace
}  // namespace crivello::page
