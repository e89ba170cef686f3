// SPDX-License-Identifier: Apache-2.0
// How the parts work together; crawls of a web are scenarios in tests/.
#include "engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "engine/forget_everywhere.h"
#include "engine/open_collection.h"

namespace crivello::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Notes final : public Listener {
 public:
  void Warn(std::string_view event, const std::string& /*sentence*/) override { events.emplace_back(event); }
  std::unique_ptr<Progress> NewProgress() override { return std::make_unique<SilentProgress>(); }
  std::vector<std::string> events;
};

bool NoHurry(Duration /*limit*/) { return false; }

class EngineTest : public testing::Test {
 protected:
  EngineOptions Options() {
    EngineOptions options;
    options.directory = folder_ / "c";
    options.software = "crivello/1";
    options.crawl.memory_bytes = 64 << 20;
    options.crawl.allow_private = true;
    options.crawl.min_free_bytes = 0;
    return options;
  }
  // Paused from the start, so that it sends no requests.
  std::unique_ptr<Engine> StartPaused() {
    std::filesystem::create_directories(folder_ / "c");
    EXPECT_TRUE(WriteFileAtomically(folder_ / "c/paused", AsBytes("")).ok());
    auto engine = Engine::StartAll(Options(), notes_);
    EXPECT_TRUE(engine.ok()) << engine.status().ToString();
    return engine.ok() ? *std::move(engine) : nullptr;
  }
  static void Send(Engine& engine, const std::string& url, const std::string& text) {
    const serve::Sources sources = engine.sources();
    ASSERT_EQ(sources.sink->Add(R"({"url": ")" + url + R"(", "text": ")" + text + R"("})"), Status::Ok());
    ASSERT_EQ(sources.sink->Commit(), Status::Ok());
  }
  static std::vector<std::string> Found(Engine& engine, const std::string& query) {
    const auto results = engine.sources().searcher->Search({.query = query, .fold_duplicates = false});
    EXPECT_TRUE(results.ok()) << results.status().ToString();
    std::vector<std::string> urls;
    for (const auto& result : results->results) urls.push_back(result.url);
    return urls;
  }

  TemporaryFolder folder_;
  Notes notes_;
};

TEST_F(EngineTest, WithoutSeedsACrawlIsOverAtOnce) {
  const auto engine = Engine::OpenToCrawl(Options(), notes_);
  ASSERT_TRUE(engine.ok()) << engine.status().ToString();
  const auto end = (*engine)->Crawl();
  ASSERT_TRUE(end.ok()) << end.status().ToString();
  EXPECT_EQ(end->why, crawl::CrawlEnd::Why::kFinished);
  EXPECT_EQ((*engine)->Health().crawl.pages, 0u);
  EXPECT_EQ((*engine)->Stop(NoHurry), Status::Ok());
  EXPECT_THAT(notes_.events, IsEmpty());
}

TEST_F(EngineTest, MakesWhatIsSentSearchableAndForgetsItFromTheIndex) {
  const auto engine = StartPaused();
  ASSERT_NE(engine, nullptr);
  EXPECT_TRUE(engine->Health().paused);
  Send(*engine, "https://a.example/1", "a walnut tree");
  Send(*engine, "https://b.example/", "another walnut");
  ASSERT_EQ(engine->CatchUp(), Status::Ok());
  EXPECT_EQ(Found(*engine, "walnut").size(), 2u);
  EXPECT_EQ(engine->Health().index.documents, 2u);
  EXPECT_EQ(engine->sources().index().documents, 2u);

  SilentProgress progress;
  const auto target = collection::ForgetTarget::Parse("a.example").value();
  const auto forgotten =
      ForgetEverywhere(engine->collection(), {&target, 1}, "asked", &engine->index(), progress);
  ASSERT_TRUE(forgotten.ok()) << forgotten.status().ToString();
  EXPECT_THAT(Found(*engine, "walnut"), ElementsAre("https://b.example/"));
  EXPECT_EQ(engine->Stop(NoHurry), Status::Ok());
  EXPECT_EQ(engine->Health().status(), Status::Ok());
}

TEST_F(EngineTest, CompletesAForgettingThatWasCutOff) {
  {
    const auto engine = StartPaused();
    ASSERT_NE(engine, nullptr);
    Send(*engine, "https://a.example/1", "a walnut tree");
    ASSERT_EQ(engine->Stop(NoHurry), Status::Ok());
  }
  {
    // The state after a crash: the list says what to delete, and it is still there.
    const auto store = OpenToRead(folder_ / "c");
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    ASSERT_EQ((*store)->forgotten().Replace(
                  {{.target = collection::ForgetTarget::Parse("a.example").value(), .reason = "asked"}}),
              Status::Ok());
    WarnOfUnfinished(**store, notes_);
    EXPECT_THAT(notes_.events, ElementsAre("forget.unfinished"));
  }
  notes_.events.clear();
  const auto engine = StartPaused();
  ASSERT_NE(engine, nullptr);
  EXPECT_THAT(notes_.events, ElementsAre("forget.resumed", "forget.done"));
  ASSERT_EQ(engine->CatchUp(), Status::Ok());
  EXPECT_THAT(Found(*engine, "walnut"), IsEmpty());
  EXPECT_EQ(engine->Stop(NoHurry), Status::Ok());
}

TEST_F(EngineTest, ServesWhatAnotherCommitsAndFollowsIt) {
  const auto writer = StartPaused();
  ASSERT_NE(writer, nullptr);
  Send(*writer, "https://a.example/1", "a walnut tree");
  ASSERT_EQ(writer->CatchUp(), Status::Ok());  // a build is committed
  CollectionVisits visits(folder_ / "c");
  ServicePages pages(visits);
  const auto server = Engine::OpenToServe(folder_ / "c", pages);
  ASSERT_TRUE(server.ok()) << server.status().ToString();
  EXPECT_EQ(Found(**server, "walnut").size(), 1u);
  EXPECT_EQ((*server)->sources().crawl, nullptr);
  EXPECT_FALSE((*server)->FollowIndex().value());

  Send(*writer, "https://b.example/", "another walnut");
  ASSERT_EQ(writer->Stop(NoHurry), Status::Ok());
  EXPECT_TRUE((*server)->FollowIndex().value());
  EXPECT_EQ(Found(**server, "walnut").size(), 2u);
}

TEST_F(EngineTest, CannotServeACollectionWithoutIndex) {
  const auto engine = Engine::OpenToCrawl(Options(), notes_);
  ASSERT_TRUE(engine.ok());
  CollectionVisits visits(folder_ / "c");
  ServicePages pages(visits);
  EXPECT_EQ(Engine::OpenToServe(folder_ / "c", pages).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace crivello::engine
