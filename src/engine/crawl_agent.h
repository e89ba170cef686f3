// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/wakeup.h"
#include "cluster/agent/agent.h"
#include "cluster/agent/crawl_orders.h"
#include "cluster/agent/shared_collection.h"
#include "cluster/agent/tablet_keeper.h"
#include "cluster/exchange/carrier.h"
#include "cluster/exchange/sent_urls.h"
#include "cluster/membership/bus.h"
#include "cluster/politeness/turn_service.h"
#include "collection/collection.h"
#include "crawl/crawler.h"
#include "crawl/other_tablets.h"
#include "engine/cluster_seeds.h"

namespace crivello::engine {

struct CrawlAgentOptions {
  std::string software = "crivello";  // the program and its version, which servers and archives see
  std::string scope = "crivello";     // the name of the cluster in subjects
  // Name, directory and memory are used; the crawl describes the archive.
  cluster::SharedCollectionOptions collection = {};
  // Without the tablets, which are taken from the collection.
  cluster::AgentOptions agent = {};
  // Seeds and memory are taken from the collection.
  crawl::CrawlOptions crawl = {};
  // How a crawl reaches the web, called whenever one starts; empty: crawl::OpenWebParts().
  std::function<Result<crawl::CrawlParts>()> parts = {};
};

// An agent that crawls: combines the tablets that the membership assigns to this process, the exchange of
// URLs with tablets elsewhere, and a crawl over all of them.
//
// Tablets are added to and removed from the running crawl, and the others are crawled meanwhile.  Requests to
// hosts of a tablet that is removed are completed, unless that takes too long.  A separate thread does this,
// looks for new seeds, and starts the crawl again if it failed.  Thread-safe.
class CrawlAgent final : private cluster::TabletKeeper, private crawl::OtherTablets {
 public:
  // Creates the collection if it is missing, and joins.  `bus` must outlive this.  Unavailable if another
  // process is just creating the collection.
  static Result<std::unique_ptr<CrawlAgent>> Start(cluster::Bus& bus, CrawlAgentOptions options);
  // Stops without giving tablets back: others wait until the leases expire.
  ~CrawlAgent() override;

  // Gives all tablets back.  left() once that is done.
  void Leave() {
    leaving_ = true;
    agent_->Leave();
  }
  bool left() const { return agent_->left(); }
  // Why the process should end: another agent has the same name, or the disk failed.
  Status status() const CRV_EXCLUDES(mu_);
  std::vector<std::string> tablets() const { return agent_->tablets(); }
  // Removes the folders of older epochs of tablets that have been open for long.  Call it now and then.
  Status RemoveOldEpochs() { return shared_->RemoveOldEpochs(SystemClock().Now()); }

  cluster::CrawlReport Report() const CRV_EXCLUDES(mu_, crawler_mu_);
  Status AddSeeds(const std::vector<std::string>& urls);

 private:
  // A tablet to add or remove, and whether that is done.
  struct Change {
    std::string tablet;
    std::shared_ptr<cluster::TabletExchange> exchange = {};  // null: remove it
    bool done = false;
    Status status = {};
    std::string note = {};  // to the next owner of a tablet that was removed
  };
  struct Attached {
    collection::Tablet* tablet = nullptr;
    std::shared_ptr<cluster::TabletExchange> exchange = {};
    bool crawled = false;  // the crawl has it; else it is not known whether it is idle
  };

  CrawlAgent(cluster::Bus& bus, CrawlAgentOptions options) : bus_(bus), options_(std::move(options)) {}
  Status Begin();

  // TabletKeeper
  Result<uint64_t> HighestEpoch(const std::string& tablet) override { return shared_->HighestEpoch(tablet); }
  Result<Opened> Open(const std::string& tablet, uint64_t above, uint64_t sequence) override;
  Status Close(const std::string& tablet) override;
  Progress ProgressOf(const std::string& tablet) override;
  // OtherTablets
  bool MayFetch(uint32_t tablet) override;
  bool BeginRequest(const std::string& address) override;
  void EndRequest(const std::string& address) override { turns_->End(address); }
  bool Full() override;
  Status Put(uint32_t from, std::span<const frontier::OutgoingUrl> urls, kv::Batch* batch) override;
  void Written(uint32_t from, bool written) override;
  std::vector<Again> OfferAgain() override;
  Status OfferedAgain(const Again& again, kv::Batch* batch) override;

  // Passes a change to the controlling thread, and waits until it is done.
  Status Make(const std::shared_ptr<Change>& change) CRV_EXCLUDES(mu_);
  void Control(std::stop_token stop);
  // Makes changes.
  void Apply(const std::deque<std::shared_ptr<Change>>& changes) CRV_EXCLUDES(mu_);
  Status Add(const Change& change) CRV_EXCLUDES(mu_);
  // Returns the note to the next owner.
  std::string Remove(const std::string& tablet) CRV_EXCLUDES(mu_);
  // Takes tablets out of the crawl together, and puts one into it.  If the crawl has ended, out of and into
  // the collection.
  void TakeOut(const std::vector<const collection::Tablet*>& tablets);
  Status PutIn(collection::Tablet& tablet, MonotonicTime rests_until);
  Status LookForSeeds();
  void LookForMoves();
  // Tells the log when the crawl stops because the disk is full, and when it fetches again.
  void ReportRoom();
  // Whether a tablet elsewhere asks for links again.
  bool OthersLostUrls();
  Status StartCrawl();
  void StopCrawl();
  std::shared_ptr<cluster::TabletExchange> ExchangeOf(uint32_t slot) const CRV_EXCLUDES(mu_);
  void Fail(const Status& status) CRV_EXCLUDES(mu_);
  const std::string& NameOf(uint32_t slot) const { return shared_->tablets()[slot]; }

  cluster::Bus& bus_;
  const CrawlAgentOptions options_;
  crawl::CrawlOptions crawl_;  // the options of each crawl
  std::unique_ptr<cluster::SharedCollection> shared_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<ClusterSeeds> seeds_;
  std::unique_ptr<cluster::SentUrls> sent_;
  std::vector<uint64_t> sending_;                  // used by the committer, between Put() and Written()
  std::atomic<cluster::Agent*> member_ = nullptr;  // agent_, once it exists
  std::atomic<bool> leaving_ = false;              // start no other crawl
  std::atomic<uint64_t> taken_seeds_ = 0;
  std::string full_;                 // used by the controlling thread: why the disk is full, as last reported
  std::vector<std::string> owners_;  // used by the controlling thread: the last known owner of each tablet

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  std::deque<std::shared_ptr<Change>> changes_ CRV_GUARDED_BY(mu_);
  std::map<std::string, Attached> attached_ CRV_GUARDED_BY(mu_);
  bool ending_ CRV_GUARDED_BY(mu_) = false;
  bool ran_ CRV_GUARDED_BY(mu_) = false;  // the crawl has ended
  Status failure_ CRV_GUARDED_BY(mu_);

  mutable Mutex crawler_mu_;
  std::unique_ptr<crawl::Crawler> crawler_ CRV_GUARDED_BY(crawler_mu_);  // null while there is none
  uint64_t pages_before_ CRV_GUARDED_BY(crawler_mu_) = 0;                // of crawls that have ended
  // Used by the controlling thread:
  crawl::Crawler* crawler_of_control_ = nullptr;  // crawler_, without its lock
  std::thread running_;
  MonotonicTime not_before_ = {};  // the earliest start of a new crawl

  std::unique_ptr<cluster::Carrier> carrier_;
  std::unique_ptr<cluster::TurnService> turns_;
  std::vector<std::unique_ptr<cluster::Bus::Subscription>> orders_;
  std::jthread control_;
  std::unique_ptr<cluster::Agent> agent_;  // the last member: it calls the others
};

}  // namespace crivello::engine
