// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>
#include <vector>

#include "engine/collection_access.h"
#include "engine/index_policy.h"
#include "engine/open_collection.h"
#include "engine/ranking_profile.h"
#include "index/tables/collection_index.h"

namespace crivello::engine {
namespace {

// How often Stop() checks whether the user wants to stop immediately.
constexpr Duration kLook = std::chrono::milliseconds(100);

}  // namespace

Result<std::unique_ptr<Engine>> Engine::OpenToCrawl(EngineOptions options, Listener& listener) {
  std::unique_ptr<Engine> engine(new Engine());
  engine->directory_ = options.directory;
  engine->memory_budget_ = options.crawl.memory_bytes;
  options.crawl.listener = &listener;
  CRV_ASSIGN(engine->collection_, engine::OpenToCrawl(options.directory, {.software = options.software},
                                                      &options.crawl, listener));
  engine->OpenHostRanks(&options.crawl, /*are_coming=*/false, listener);
  CRV_ASSIGN(crawl::CrawlParts parts, crawl::OpenWebParts(options.crawl, engine->collection_->memory()));
  CRV_ASSIGN(engine->crawler_,
             crawl::Crawler::Open(*engine->collection_, std::move(options.crawl), std::move(parts)));
  engine->service_ = std::make_unique<OwnService>(*engine->collection_, engine->index());
  return engine;
}

Result<std::unique_ptr<Engine>> Engine::StartAll(EngineOptions options, Listener& listener) {
  std::unique_ptr<Engine> engine(new Engine());
  engine->directory_ = options.directory;
  engine->memory_budget_ = options.crawl.memory_bytes;
  options.crawl.listener = &listener;
  CRV_ASSIGN(engine->collection_,
             engine::OpenToCrawl(options.directory,
                                 {.software = options.software, .work = collection::MemoryPlan::Work::kUp},
                                 &options.crawl, listener));
  collection::Collection& collection = *engine->collection_;
  // A quarter of the index's share is for graphs, because the index is not being built all the time.
  const uint64_t graphs = collection.memory().index / 4;
  CRV_TRY(engine->StartIndexing(collection.memory().index - graphs, listener));
  engine->OpenHostRanks(&options.crawl, /*are_coming=*/options.ranks, listener);
  engine->shape_ = std::make_unique<GraphShape>(options.directory);

  engine->service_ = std::make_unique<OwnService>(collection, engine->index());
  engine->own_pages_ = std::make_unique<ServicePages>(*engine->service_);
  engine->pages_ = engine->own_pages_.get();
  engine->hosts_ = std::make_unique<StoreHosts>(collection, engine->host_ranks_.get());
  engine->sink_ = std::make_unique<StoreSink>(collection, *engine->indexer_);
  engine->crawl_backlog_ = std::make_unique<CrawlBacklog>(*engine->indexer_);
  options.crawl.backlog = engine->crawl_backlog_.get();
  CRV_ASSIGN(engine->supervisor_, CrawlSupervisor::Start(collection, std::move(options.crawl)));
  engine->service_->service().SetCrawl(engine->supervisor_.get());
  if (options.ranks) {
    engine->live_ranks_ =
        LiveRanks::Start(collection,
                         {.memory_bytes = graphs,
                          .changed = [hosts = engine->host_ranks_.get()] { hosts->Refresh().IgnoreError(); }},
                         listener);
  }
  engine->forgetter_ = std::make_unique<StoreForgetter>(collection, engine->indexer_.get());
  return engine;
}

Status Engine::StartIndexing(uint64_t memory_bytes, Listener& listener) {
  LiveIndexerOptions live;
  live.listener = &listener;
  CRV_ASSIGN(live.settings, DefaultIndexSettings());
  live.memory_bytes = memory_bytes;
  anchors_ = jobs::LinkAnchors::Of(*collection_);
  live.anchors = anchors_.get();
  ranks_ = std::make_unique<CollectionRanks>(*collection_);
  live.ranks = ranks_.get();
  // Until the first snapshot, searches find nothing.
  const auto nothing =
      std::make_shared<const index::Snapshot>(std::vector<index::SegmentView>(), 0, live.settings.analyser);
  CRV_ASSIGN(searcher_, search::IndexSearcher::Create(nothing));
  live.publish = [searcher = searcher_.get()](std::shared_ptr<const index::Snapshot> snapshot) {
    searcher->Use(std::move(snapshot));
  };
  CRV_ASSIGN(indexer_, LiveIndexer::Start(IndexedTablets(*collection_), std::move(live)));
  return Status::Ok();
}

void Engine::OpenHostRanks(crawl::CrawlOptions* options, bool are_coming, Listener& listener) {
  host_ranks_ = std::make_unique<LiveHostRanks>(directory_, options->host_rank);
  options->host_ranks.ranks = host_ranks_.get();
  options->host_ranks.visits = options->priority.host_rank;
  const Status found = host_ranks_->Refresh();
  const bool is_wanted = options->host_ranks.visits || options->host_ranks.limits;
  const bool will_come = are_coming && options->host_rank == jobs::kHostRank;
  if (found.ok() || !is_wanted || (will_come && found.code() == StatusCode::kNotFound)) return;
  listener.Warn("ranks.missing",
                fmt::format("hosts are taken to be equally good: {}; rank them with 'crivello graph build "
                            "--level host' and 'crivello rank pagerank --level host --as {}'",
                            found.message(), options->host_rank));
}

Status Engine::CatchUp() {
  // The listener was told about an error of the ranks; the index has the ranks that exist.
  if (live_ranks_ != nullptr) live_ranks_->CatchUp().IgnoreError();
  return indexer_->CatchUp(/*build=*/true);
}

Result<std::unique_ptr<Engine>> Engine::OpenToServe(const std::string& directory, serve::PageSource& pages) {
  RaiseDescriptorLimit();
  std::unique_ptr<Engine> engine(new Engine());
  engine->directory_ = directory;
  engine->pages_ = &pages;
  CRV_ASSIGN(auto snapshot, index::OpenCollectionIndex(directory));
  CRV_ASSIGN(engine->searcher_, search::IndexSearcher::Create(std::move(snapshot)));
  engine->shape_ = std::make_unique<GraphShape>(directory);
  return engine;
}

Engine::~Engine() = default;

serve::Sources Engine::sources() {
  if (disk_ == nullptr) disk_ = std::make_unique<DiskWatch>(directory_);
  return {.searcher = searcher_.get(),
          .index = [this] { return Facts(); },
          .pages = pages_,
          .crawl = supervisor_.get(),
          .hosts = hosts_.get(),
          .shape = shape_.get(),
          .forget = forgetter_.get(),
          .sink = sink_.get(),
          .profiles = [this](std::string_view name) { return LoadRankingProfile(directory_, name); },
          .disk = [this] { return disk_->Get(); },
          .memory_budget = memory_budget_};
}

serve::IndexStats Engine::Facts() const {
  const auto snapshot = searcher_->snapshot();
  serve::IndexStats facts = {.ready = true,
                             .snapshot = snapshot->generation(),
                             .documents = snapshot->live_documents(),
                             .segments = snapshot->segments().size()};
  for (const index::SegmentView& part : snapshot->segments()) {
    facts.parts.push_back(
        {.documents = part.segment->documents(), .deleted = part.live == nullptr ? 0 : part.live->deleted()});
  }
  if (indexer_ == nullptr) return facts;
  const LiveIndexer::Stats counts = indexer_->stats();
  facts.backlog = counts.backlog;
  facts.builds = counts.builds;
  facts.building = counts.building;
  return facts;
}

EngineHealth Engine::Health() const {
  EngineHealth health;
  if (crawler_ != nullptr) health.crawl = crawler_->stats();
  if (supervisor_ != nullptr) {
    health.crawl = supervisor_->stats();
    health.end = supervisor_->end();
    health.paused = supervisor_->state() == serve::CrawlControl::State::kPaused;
  }
  if (indexer_ != nullptr) health.index = indexer_->stats();
  return health;
}

care::IndexKeeper& Engine::index() {
  if (indexer_ != nullptr) return *indexer_;
  return stored_index_;
}

Status Engine::AnswerOthers() {
  CRV_ASSIGN(server_, wire::Server::Open(SocketPath(directory_), service_->service()));
  return Status::Ok();
}

void Engine::StopCrawl(bool at_once) {
  if (crawler_ != nullptr) crawler_->Stop(at_once);
  if (supervisor_ != nullptr) supervisor_->Stop(at_once);
}

Result<bool> Engine::FollowIndex() {
  CRV_ASSIGN(const uint64_t generation, index::CollectionGeneration(directory_));
  if (generation == searcher_->snapshot()->generation()) return false;
  CRV_ASSIGN(auto newer, index::OpenCollectionIndex(directory_));
  searcher_->Use(std::move(newer));
  return true;
}

Status Engine::Stop(const std::function<bool(Duration limit)>& interrupted) {
  Status crawled, indexed;
  push_ = nullptr;
  if (supervisor_ != nullptr) {
    supervisor_->Stop(/*at_once=*/false);
    while (!supervisor_->WaitUntilEnded(kLook)) {
      if (interrupted(Duration::zero())) supervisor_->Stop(/*at_once=*/true);
    }
    crawled = supervisor_->end().status();
  }
  if (forgetter_ != nullptr) {
    // In a hurry, do not wait for the index; the next start completes the deletion.
    while (!forgetter_->WaitUntilIdle(kLook)) {
      if (interrupted(Duration::zero())) break;
    }
  }
  if (live_ranks_ != nullptr) live_ranks_->Stop();
  if (indexer_ != nullptr) indexed = indexer_->Stop();
  forgetter_ = nullptr;
  server_ = nullptr;
  if (collection_ != nullptr) CRV_TRY(collection_->Close());
  CRV_TRY(crawled);
  return indexed;
}

}  // namespace crivello::engine
