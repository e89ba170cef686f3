// SPDX-License-Identifier: Apache-2.0
#include "engine/live_ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "care/index_keeper.h"
#include "engine/graph_shape.h"
#include "engine/live_host_ranks.h"
#include "engine/local_service.h"
#include "engine/rank_test_collection.h"
#include "engine/store_hosts.h"
#include "engine/stored_index.h"
#include "jobs/graph/graph_folder.h"
#include "jobs/graph/graph_store.h"
#include "jobs/graph/host_places.h"
#include "jobs/graph/rank_store.h"

namespace crivello::engine {
namespace {

using std::chrono::hours;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class RankNotes final : public Listener {
 public:
  void Warn(std::string_view event, const std::string& /*sentence*/) override {
    MutexLock lock(mu_);
    events_.emplace_back(event);
  }
  std::unique_ptr<Progress> NewProgress() override { return std::make_unique<SilentProgress>(); }
  std::vector<std::string> events() {
    MutexLock lock(mu_);
    return events_;
  }

 private:
  Mutex mu_;
  std::vector<std::string> events_ CRV_GUARDED_BY(mu_);
};

class LiveRanksTest : public testing::Test {
 protected:
  // Computes only on request.
  std::unique_ptr<LiveRanks> Start() {
    return LiveRanks::Start(
        *store_, {.look_interval = hours(1), .quiet_interval = hours(1), .changed = [this] { changed_++; }},
        notes_);
  }
  uint64_t PlaceOf(const std::string& url, const std::string& rank = "pagerank") {
    const auto standings = jobs::StandingsOf(store_.directory(), url);
    EXPECT_TRUE(standings.ok()) << standings.status().ToString();
    for (const jobs::PageStanding& one : *standings) {
      if (one.rank == rank) return one.place;
    }
    return 0;
  }

  LinkedCollection store_;
  RankNotes notes_;
  std::atomic<int> changed_ = 0;
};

TEST_F(LiveRanksTest, RanksAndGraphsFollowTheRows) {
  store_.PutExample();
  const auto ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  EXPECT_EQ(changed_, 1);
  EXPECT_EQ(PlaceOf("https://c.example/"), 1u);
  EXPECT_EQ(PlaceOf("https://a.example/"), 2u);
  EXPECT_EQ(PlaceOf("https://c.example/2"), 4u);
  EXPECT_EQ(PlaceOf("https://d.example/"), 0u);
  EXPECT_EQ(PlaceOf("https://c.example/2", "host-pagerank"), 1u);
  store_.Put("https://d.example/", {"https://b.example/"});
  store_.Put("https://d.example/2", {"https://b.example/"});
  store_.Put("https://d.example/3", {"https://b.example/"});
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  EXPECT_EQ(changed_, 2);
  EXPECT_NE(PlaceOf("https://d.example/"), 0u);
  EXPECT_LT(PlaceOf("https://b.example/"), 4u);
  EXPECT_EQ(ranks->stats().refreshes, 2u);
  EXPECT_THAT(notes_.events(), IsEmpty());
}

TEST_F(LiveRanksTest, NothingIsComputedAgainWhereNothingHasChanged) {
  store_.PutExample();
  {
    const auto ranks = Start();
    ASSERT_EQ(ranks->CatchUp(), Status::Ok());
    ASSERT_EQ(ranks->CatchUp(), Status::Ok());
    EXPECT_EQ(ranks->stats().refreshes, 1u);
  }
  // File times have a resolution of some milliseconds, row times of 1 µs: make the files newer than all rows.
  for (const char* file : {"graph/pages.graph", "graph/hosts.graph", "ranks/pagerank", "ranks/host-pagerank"})
    std::filesystem::last_write_time(store_.directory() + "/" + file,
                                     std::filesystem::file_time_type::clock::now());
  // The next process does not compute them either.
  auto ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  EXPECT_EQ(ranks->stats().refreshes, 0u);
  // Changes made while no process ran are not forgotten.
  ranks = nullptr;
  store_.Put("https://d.example/", {});
  ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  EXPECT_EQ(ranks->stats().refreshes, 1u);
  EXPECT_NE(PlaceOf("https://d.example/"), 0u);
}

TEST_F(LiveRanksTest, GraphsThatAForgettingDeletedAreMadeAgain) {
  store_.PutExample();
  const auto ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  ASSERT_EQ(jobs::ForgetInGraphs(store_.directory(),
                                 [](jobs::GraphLevel, std::string_view name) {
                                   return name.find("b,") != std::string_view::npos || name == "example.b";
                                 }),
            Status::Ok());
  EXPECT_EQ(jobs::OpenCollectionGraph(store_.directory(), jobs::GraphLevel::kPage).status().code(),
            StatusCode::kNotFound);
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  EXPECT_TRUE(jobs::OpenCollectionGraph(store_.directory(), jobs::GraphLevel::kPage).ok());
  EXPECT_EQ(ranks->stats().refreshes, 2u);
}

TEST_F(LiveRanksTest, AnErrorIsToldAndTheNextTimeIsAnother) {
  store_.PutExample();
  const std::string folder = store_.directory() + "/ranks";
  ASSERT_TRUE(WriteFileAtomically(folder, AsBytes("in the way")).ok());
  const auto ranks = Start();
  EXPECT_NE(ranks->CatchUp(), Status::Ok());
  EXPECT_THAT(notes_.events(), ElementsAre("ranks.failed"));
  std::filesystem::remove(folder);
  EXPECT_EQ(ranks->CatchUp(), Status::Ok());
  EXPECT_EQ(ranks->stats().refreshes, 1u);
}

TEST_F(LiveRanksTest, WhoeverWaitsWhenItStopsIsTold) {
  const auto ranks = Start();
  ranks->Stop();
  EXPECT_EQ(ranks->CatchUp().code(), StatusCode::kUnavailable);
}

TEST_F(LiveRanksTest, RanksThatUsersBroughtFollowTheGraph) {
  store_.PutExample();
  const auto ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  const auto before = jobs::OpenCollectionGraph(store_.directory(), jobs::GraphLevel::kHost);
  ASSERT_TRUE(before.ok()) << before.status().ToString();
  ASSERT_EQ(before->graph->nodes(), 3u);
  const std::vector<double> values = {1, 5, 2};  // of a, b and c
  ASSERT_EQ(jobs::StoreRank(store_.directory(), "mine", *before, "by hand", values), Status::Ok());
  store_.Put("https://aa.example/", {"https://b.example/"});
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  const auto mine = jobs::StoredRank::Open(store_.directory(), "mine");
  ASSERT_TRUE(mine.ok()) << mine.status().ToString();
  EXPECT_EQ(mine->vector().origin().how, "by hand");
  EXPECT_EQ(mine->Find("example.a"), 1);
  EXPECT_EQ(mine->Find("example.aa"), 2) << "the median";
  EXPECT_EQ(mine->Find("example.b"), 5);
  EXPECT_EQ(mine->Find("example.c"), 2);
}

TEST_F(LiveRanksTest, PlacesOfHostsAreSharesForACrawl) {
  store_.PutExample();
  store_.Put("https://b.example/2", {"https://a.example/"});
  LiveHostRanks hosts(store_.directory(), "host-pagerank");
  EXPECT_EQ(hosts.Refresh().code(), StatusCode::kNotFound);
  EXPECT_EQ(hosts.Of("c.example"), frontier::HostRanks::kUnknown);
  const auto ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  ASSERT_EQ(hosts.Refresh(), Status::Ok());
  EXPECT_EQ(hosts.Of("c.example"), 1);
  EXPECT_EQ(hosts.Of("a.example"), 0.5);
  EXPECT_EQ(hosts.Of("b.example"), 0);
  EXPECT_EQ(hosts.Of("unknown.example"), frontier::HostRanks::kUnknown);
  const auto best = hosts.current()->Best(2);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0].host, "c.example");
  EXPECT_EQ(best[1].host, "a.example");
  LiveHostRanks pages(store_.directory(), "pagerank");
  EXPECT_EQ(pages.Refresh().code(), StatusCode::kInvalidArgument);

  StoreHosts survey(*store_, &hosts);
  const auto seen = survey.Hosts();
  ASSERT_TRUE(seen.ok()) << seen.status().ToString();
  EXPECT_EQ((*seen)->ranked_hosts, 3u);
  for (const auto& host : (*seen)->hosts)
    EXPECT_EQ(host.rank_place, hosts.current()->Find(host.report.host)->place) << host.report.host;
}

TEST_F(LiveRanksTest, WhySaysWhereAPageStandsInEachRank) {
  store_.PutExample();
  const auto ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  StoredIndex index;
  LocalService service(*store_, index);
  const auto answer = service.Ask(wire::WhyRequest{.url = "https://c.example/"}, notes_);
  ASSERT_TRUE(answer.ok()) << answer.status().ToString();
  std::vector<std::string> sentences;
  for (const wire::Reason& reason : answer->reasons) {
    if (reason.kind == "rank") sentences.push_back(reason.sentence);
  }
  EXPECT_THAT(sentences, ElementsAre(HasSubstr("its host is number 1 of 3 hosts in the rank 'host-pagerank'"),
                                     HasSubstr("it is number 1 of 4 pages in the rank 'pagerank' (pagerank "
                                               "alpha=0.85), with the value 0.")));
}

TEST_F(LiveRanksTest, TheShapeIsThatOfTheGraphs) {
  store_.PutExample();
  GraphShape shapes(store_.directory());
  EXPECT_EQ(shapes.Shape().status().code(), StatusCode::kNotFound);
  const auto ranks = Start();
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  const auto shape = MeasureShape(store_.directory(), 1 << 20, {});
  ASSERT_TRUE(shape.ok()) << shape.status().ToString();
  EXPECT_EQ(shape->pages, 4u);
  EXPECT_EQ(shape->links, 4u);
  EXPECT_EQ(shape->components, 3u);
  uint64_t parts = 0;
  for (const auto& part : shape->bow_tie) parts += part.pages;
  EXPECT_EQ(parts, 4u);
  EXPECT_THAT(shape->bow_tie, Contains(testing::AllOf(Field(&serve::WebShape::Part::name, "core"),
                                                      Field(&serve::WebShape::Part::pages, 2u))));
  ASSERT_EQ(shape->outdegrees.size(), 1u);
  EXPECT_EQ(shape->outdegrees[0].value, 1u);
  EXPECT_EQ(shape->outdegrees[0].pages, 4u);
  EXPECT_EQ(shape->indegrees.size(), 3u);
  double sum = 0;
  for (const double share : shape->distances) sum += share;
  EXPECT_NEAR(sum, 1, 0.05);
  EXPECT_EQ(shape->hosts, 3u);
  ASSERT_EQ(shape->best_hosts.size(), 3u);
  EXPECT_EQ(shape->best_hosts[0].host, "c.example");
  // Computed in the background on request.
  Result<std::shared_ptr<const serve::WebShape>> served = shapes.Shape();
  while (served.status().code() == StatusCode::kUnavailable) served = shapes.Shape();
  ASSERT_TRUE(served.ok()) << served.status().ToString();
  EXPECT_EQ((*served)->pages, 4u);
  // A newer graph replaces it.
  store_.Put("https://d.example/", {"https://b.example/"});
  ASSERT_EQ(ranks->CatchUp(), Status::Ok());
  served = shapes.Shape();
  while (served.status().code() == StatusCode::kUnavailable) served = shapes.Shape();
  ASSERT_TRUE(served.ok()) << served.status().ToString();
  EXPECT_EQ((*served)->pages, 5u);
}

}  // namespace
}  // namespace crivello::engine
