// SPDX-License-Identifier: Apache-2.0
#include "engine/service_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/site_test_support.h"

namespace crivello::engine {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class ServicePagesTest : public testing::Test {
 protected:
  void SetUp() override {
    site_.Add({.url = "https://a.example/",
               .body = "<title>Old</title><p>The old text of a page about walnuts.",
               .date = "2026-01-02T03:04:05Z"});
    site_.Add({.url = "https://a.example/",
               .body = "<title>New</title><p>The new text of a page about walnuts. <a href=/b>to b</a>",
               .date = "2026-02-02T03:04:05Z"});
    site_.Add({.url = "https://a.example/b",
               .body = "<p>Not to be shown.",
               .head = "Content-Type: text/html\r\nX-Robots-Tag: noarchive\r\n"});
    site_.Add({.url = "https://b.example/", .body = "<p>Another host."});
    site_.Open();
  }
  TestSite site_;
};

TEST_F(ServicePagesTest, ReadsVersionsNewestFirst) {
  const auto versions = site_.pages().Versions("https://A.example");
  ASSERT_TRUE(versions.ok()) << versions.status().ToString();
  ASSERT_EQ(versions->size(), 2u);
  EXPECT_EQ((*versions)[0].title, "New");
  EXPECT_EQ((*versions)[1].title, "Old");
  EXPECT_EQ((*versions)[0].status, 200);
  EXPECT_THAT((*versions)[0].text, HasSubstr("The new text"));
  ASSERT_EQ((*versions)[0].links.size(), 1u);
  EXPECT_EQ((*versions)[0].links[0].url, "https://a.example/b");
  EXPECT_EQ((*versions)[0].links[0].text, "to b");
  EXPECT_EQ(site_.pages().Versions("https://a.example/none").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(site_.pages().Versions("ftp://a.example/").status().code(), StatusCode::kInvalidArgument);
}

TEST_F(ServicePagesTest, ReadsTheRecordOfTheNewest) {
  const auto record = site_.pages().Record("https://a.example/");
  ASSERT_TRUE(record.ok()) << record.status().ToString();
  EXPECT_EQ(record->time_seconds, 1770001445);
  EXPECT_FALSE(record->noarchive);
  EXPECT_THAT(record->response, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(record->response, EndsWith("to b</a>"));
  EXPECT_TRUE(site_.pages().Record("https://a.example/b")->noarchive);
}

TEST_F(ServicePagesTest, TellsWhatCanBeShown) {
  EXPECT_THAT(
      site_.pages().Archived({"https://a.example/", "https://a.example/b", "https://c.example/", "x"}),
      ElementsAre(true, false, false, false));
}

TEST_F(ServicePagesTest, CountsRowsAndHosts) {
  const auto counts = site_.pages().Stats();
  ASSERT_TRUE(counts.ok());
  EXPECT_EQ(counts->pages, 3u);
  EXPECT_EQ(counts->hosts, 2u);
  EXPECT_EQ(counts->queued, 0u);
}

TEST_F(ServicePagesTest, AnswersSeveralThreads) {
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([this] {
      for (int i = 0; i < 50; i++) {
        EXPECT_TRUE(site_.pages().Record("https://a.example/").ok());
        EXPECT_EQ(site_.pages().Stats()->pages, 3u);
        EXPECT_TRUE(site_.pages().Why("https://a.example/").ok());
      }
    });
  }
}

}  // namespace
}  // namespace crivello::engine
