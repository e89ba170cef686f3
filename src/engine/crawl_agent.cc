// SPDX-License-Identifier: Apache-2.0
#include "engine/crawl_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "base/folder.h"
#include "engine/open_collection.h"

namespace crivello::engine {
namespace {

// How often to check seeds and owners.
constexpr Duration kLookInterval = std::chrono::milliseconds(250);
// The pause after a failed crawl: meanwhile the tablet that caused the failure is closed.
constexpr Duration kAfterFailure = std::chrono::milliseconds(200);
// The crawl asks for a turn many times per second for as long as it has a host to fetch from.
constexpr Duration kForgetWants = std::chrono::seconds(5);
// The share of a lease that requests to the hosts of a tablet get to end before it is closed.
constexpr int kShareToClose = 10;
// The shares of the memory for URLs that wait to be sent, and for those known to be sent.
constexpr uint64_t kOutboxShare = 8;
constexpr uint64_t kSentShare = 32;
constexpr uint64_t kLeastOutbox = 1 << 20;

void DescribeArchive(const std::string& software, crawl::CrawlOptions* crawl,
                     store::ArchiveOptions* archive) {
  if (crawl->user_agent.empty()) {
    crawl->user_agent = crawl->contact.empty() ? software : fmt::format("{} (+{})", software, crawl->contact);
  }
  archive->warc.compression = crawl->compression;
  archive->rotate_bytes = crawl->warc_bytes;
  archive->prefix = crawl->warc_prefix;
  archive->warcinfo = {
      {"software", software}, {"robots", "obey"}, {"http-header-user-agent", crawl->user_agent}};
  if (!crawl->contact.empty()) archive->warcinfo.emplace_back("operator", crawl->contact);
}

}  // namespace

Result<std::unique_ptr<CrawlAgent>> CrawlAgent::Start(cluster::Bus& bus, CrawlAgentOptions options) {
  DescribeArchive(options.software, &options.crawl, &options.collection.archive);
  std::unique_ptr<CrawlAgent> agent(new CrawlAgent(bus, std::move(options)));
  CRV_TRY(agent->Begin());
  return agent;
}

Status CrawlAgent::Begin() {
  RaiseDescriptorLimit();
  const cluster::SharedCollectionOptions& shared = options_.collection;
  CRV_ASSIGN(shared_, cluster::SharedCollection::Open(shared));
  collection::CollectionOptions open;
  open.directory = shared.directory;
  open.work = collection::MemoryPlan::Work::kCrawl;
  open.memory_bytes = shared.memory_bytes;
  open.shared = true;
  CRV_ASSIGN(store_, collection::Collection::Open(open));
  seeds_ = std::make_unique<ClusterSeeds>(shared.directory);
  sent_ = std::make_unique<cluster::SentUrls>(shared.memory_bytes / kSentShare);
  crawl_ = options_.crawl;
  crawl_.seeds.clear();
  crawl_.others = this;
  crawl_.wait_for_orders = true;
  crawl_.memories = fmt::format("{}/agents/{}", shared.directory, shared.agent);
  CRV_TRY(MakeFolders(crawl_.memories));

  cluster::CarrierOptions carrier = {.scope = options_.scope, .agent = shared.agent};
  carrier.owner_of = [this](const std::string& tablet) {
    cluster::Agent* const member = member_;
    return member == nullptr ? std::string() : member->OwnerOf(tablet);
  };
  carrier.may_confirm = [this](const std::string& tablet) {
    cluster::Agent* const member = member_;
    return member != nullptr && member->MayConfirm(tablet);
  };
  carrier.arrived = [this] {
    MutexLock lock(crawler_mu_);
    if (crawler_ != nullptr) crawler_->Arrived();
  };
  carrier.failed = [this](const std::string&, const Status& status) { Fail(status); };
  CRV_ASSIGN(carrier_, cluster::Carrier::Start(bus_, std::move(carrier)));
  CRV_ASSIGN(turns_, cluster::TurnService::Start(bus_, {.scope = options_.scope,
                                                        .agent = shared.agent,
                                                        .process = options_.agent.membership.process,
                                                        .map = store_->map(),
                                                        .turns = {.request = crawl_.limits.total_time,
                                                                  .delay = crawl_.politeness.address_delay,
                                                                  .forget = kForgetWants},
                                                        .now = cluster::BootTime,
                                                        .may_fetch =
                                                            [this](const std::string& tablet) {
                                                              cluster::Agent* const member = member_;
                                                              return member != nullptr &&
                                                                     member->MayFetch(tablet);
                                                            },
                                                        // The crawl asks again soon.
                                                        .on_turn = [](const std::string&) {}}));
  control_ = std::jthread([this](std::stop_token stop) { Control(std::move(stop)); });
  cluster::AgentOptions agent = options_.agent;
  agent.membership.tablets = shared_->tablets();
  cluster::TabletKeeper& keeper = *this;
  agent_ = std::make_unique<cluster::Agent>(bus_, keeper, std::move(agent));
  member_ = agent_.get();
  CRV_ASSIGN(orders_,
             cluster::AnswerCrawlOrders(bus_, options_.scope, shared.agent,
                                        {.report = [this] { return Report(); },
                                         .add_seeds = [this](const auto& urls) { return AddSeeds(urls); }}));
  return Status::Ok();
}

CrawlAgent::~CrawlAgent() {
  orders_.clear();
  {
    MutexLock lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  control_ = {};  // ends the crawl, which calls the agent
  carrier_ = nullptr;
  turns_ = nullptr;
  member_ = nullptr;
  agent_ = nullptr;
}

Status CrawlAgent::status() const {
  CRV_TRY(agent_->status());
  MutexLock lock(mu_);
  return failure_;
}

// Unavailable: another agent has a tablet, which is closed once the membership notices.
void CrawlAgent::Fail(const Status& status) {
  if (status.ok() || status.code() == StatusCode::kUnavailable) return;
  MutexLock lock(mu_);
  if (failure_.ok()) failure_ = status;
}

// ---- The keeper of tablets.

Result<cluster::TabletKeeper::Opened> CrawlAgent::Open(const std::string& tablet, uint64_t above,
                                                       uint64_t sequence) {
  CRV_ASSIGN(const Opened opened, shared_->Open(tablet, above, sequence));
  const Status attached = [&]() -> Status {
    const uint64_t outbox = options_.collection.memory_bytes / kOutboxShare / shared_->tablets().size();
    CRV_ASSIGN(auto exchange, cluster::TabletExchange::Open(
                                  *shared_->Find(tablet),
                                  {.outbox_bytes = std::max(outbox, kLeastOutbox), .gate = &store_->gate()}));
    return Make(std::make_shared<Change>(Change{.tablet = tablet, .exchange = std::move(exchange)}));
  }();
  if (!attached.ok()) {
    shared_->Close(tablet).IgnoreError();
    return attached;
  }
  return opened;
}

Status CrawlAgent::Close(const std::string& tablet) {
  const auto change = std::make_shared<Change>(Change{.tablet = tablet});
  CRV_TRY(Make(change));
  return shared_->Close(tablet, change->note);
}

cluster::TabletKeeper::Progress CrawlAgent::ProgressOf(const std::string& tablet) {
  Progress progress = shared_->ProgressOf(tablet);
  MutexLock lock(mu_);
  const auto at = attached_.find(tablet);
  if (at != attached_.end()) progress.lag_urls = at->second.exchange->waiting_urls();
  return progress;
}

// ---- What the crawl asks and tells.

bool CrawlAgent::MayFetch(uint32_t tablet) {
  cluster::Agent* const member = member_;
  return member != nullptr && member->MayFetch(NameOf(tablet));
}

bool CrawlAgent::BeginRequest(const std::string& address) {
  turns_->Want(address);
  return turns_->Begin(address);
}

bool CrawlAgent::Full() {
  MutexLock lock(mu_);
  return std::any_of(attached_.begin(), attached_.end(),
                     [](const auto& entry) { return entry.second.exchange->full(); });
}

std::shared_ptr<cluster::TabletExchange> CrawlAgent::ExchangeOf(uint32_t slot) const {
  MutexLock lock(mu_);
  const auto at = attached_.find(NameOf(slot));
  return at == attached_.end() ? nullptr : at->second.exchange;
}

Status CrawlAgent::Put(uint32_t from, std::span<const frontier::OutgoingUrl> urls, kv::Batch* batch) {
  const auto exchange = ExchangeOf(from);
  if (exchange == nullptr) return Status::Unavailable(fmt::format("tablet {} was closed", NameOf(from)));
  sending_.clear();
  std::set<uint64_t> news;
  std::vector<cluster::TabletExchange::Outgoing> outgoing;
  for (const frontier::OutgoingUrl& url : urls) {
    if (sent_->Contains(url.signature) || !news.insert(url.signature).second) continue;
    sending_.push_back(url.signature);
    outgoing.push_back({.to = NameOf(url.tablet), .record = url.record});
  }
  return exchange->Put(outgoing, batch);
}

void CrawlAgent::Written(uint32_t from, bool written) {
  if (const auto exchange = ExchangeOf(from); exchange != nullptr) exchange->Written(written);
  if (written) sent_->Add(sending_);
  carrier_->Wake();
}

std::vector<crawl::OtherTablets::Again> CrawlAgent::OfferAgain() {
  std::vector<Again> all;
  for (uint32_t from = 0; from < shared_->tablets().size(); from++) {
    const auto exchange = ExchangeOf(from);
    if (exchange == nullptr) continue;
    for (const std::string& to : exchange->rederivations()) {
      const auto id = web::TabletId::Parse(to);
      const auto slot = id ? store_->map().Find(*id) : std::nullopt;
      if (slot) all.push_back({.from = from, .to = *slot});
    }
  }
  if (!all.empty()) sent_->Clear();
  return all;
}

Status CrawlAgent::OfferedAgain(const Again& again, kv::Batch* batch) {
  const auto exchange = ExchangeOf(again.from);
  if (exchange == nullptr)
    return Status::Unavailable(fmt::format("tablet {} was closed", NameOf(again.from)));
  sending_.clear();
  return exchange->Rederived(NameOf(again.to), batch);
}

bool CrawlAgent::OthersLostUrls() {
  MutexLock lock(mu_);
  return std::any_of(attached_.begin(), attached_.end(),
                     [](const auto& entry) { return !entry.second.exchange->rederivations().empty(); });
}

// ---- Orders.

Status CrawlAgent::AddSeeds(const std::vector<std::string>& urls) { return seeds_->Add(urls); }

cluster::CrawlReport CrawlAgent::Report() const {
  cluster::CrawlReport report = {.agent = options_.collection.agent,
                                 .lease_milliseconds = static_cast<uint64_t>(options_.agent.membership.lease /
                                                                             std::chrono::milliseconds(1)),
                                 .seeds = taken_seeds_,
                                 .all_tablets = shared_->tablets().size()};
  // In this order: URLs that arrive after a tablet was examined change its sequence, and so the next report.
  std::map<std::string, cluster::CrawlReport::Tablet> tablets;
  bool idle = false;
  {
    MutexLock lock(mu_);
    for (const auto& [name, attached] : attached_) {
      tablets[name] = {.tablet = name,
                       .epoch = attached.tablet->lease().epoch(),
                       .idle = attached.crawled && attached.exchange->outbox_empty(),
                       .sequence = attached.tablet->db().sequence(),
                       .lag_urls = attached.exchange->waiting_urls()};
    }
  }
  {
    MutexLock lock(crawler_mu_);
    report.pages = pages_before_;
    if (crawler_ != nullptr) {
      const crawl::CrawlStats stats = crawler_->stats();
      report.pages += stats.pages;
      report.queued = stats.frontier.queued_urls;
      const auto end = crawler_->idle();
      idle =
          end && (end->why == crawl::CrawlEnd::Why::kFinished || end->why == crawl::CrawlEnd::Why::kBudget);
    }
  }
  for (auto& [name, tablet] : tablets) {
    tablet.idle &= idle;
    report.tablets.push_back(std::move(tablet));
  }
  return report;
}

// ---- The controlling thread.

Status CrawlAgent::Make(const std::shared_ptr<Change>& change) {
  MutexLock lock(mu_);
  changes_.push_back(change);
  changed_.notify_all();
  changed_.wait(mu_, [&]() CRV_REQUIRES(mu_) { return change->done || ending_; });
  return change->done ? change->status : Status::Unavailable("this agent is ending");
}

void CrawlAgent::Control(std::stop_token stop) {
  while (!stop.stop_requested()) {
    std::deque<std::shared_ptr<Change>> changes;
    bool ran = false;
    {
      MutexLock lock(mu_);
      changed_.wait_for(mu_, stop, kLookInterval,
                        [this]() CRV_REQUIRES(mu_) { return !changes_.empty() || ran_ || ending_; });
      if (ending_) break;
      changes.swap(changes_);
      ran = ran_;
    }
    if (ran) {
      StopCrawl();
      not_before_ = SystemClock().Now() + kAfterFailure;
    }
    Apply(changes);
    if (running_.joinable() && OthersLostUrls()) crawler_of_control_->OfferAgainElsewhere();
    LookForMoves();
    ReportRoom();
    Fail(LookForSeeds());
    if (!running_.joinable() && !leaving_ && !store_->tablets().empty() &&
        SystemClock().Now() >= not_before_) {
      const Status started = StartCrawl();
      if (!started.ok()) not_before_ = SystemClock().Now() + kAfterFailure;
      Fail(started);
    }
  }
  StopCrawl();
}

void CrawlAgent::Apply(const std::deque<std::shared_ptr<Change>>& changes) {
  if (changes.empty()) return;
  sent_->Clear();
  std::vector<const collection::Tablet*> going;
  {
    MutexLock lock(mu_);
    for (const auto& change : changes) {
      const auto at = attached_.find(change->tablet);
      if (change->exchange != nullptr || at == attached_.end()) continue;
      at->second.crawled = false;
      going.push_back(at->second.tablet);
    }
  }
  if (!going.empty()) TakeOut(going);
  for (const auto& change : changes) {
    Status status;
    std::string note;
    if (change->exchange == nullptr) {
      note = Remove(change->tablet);
    } else {
      status = Add(*change);
    }
    MutexLock lock(mu_);
    change->note = std::move(note);
    change->status = std::move(status);
    change->done = true;
    changed_.notify_all();
  }
}

std::string CrawlAgent::Remove(const std::string& tablet) {
  {
    MutexLock lock(mu_);
    if (attached_.erase(tablet) == 0) return {};
  }
  if (tablet == shared_->tablets().front()) seeds_->Disown();
  carrier_->Remove(tablet);
  return turns_->CloseTablet(tablet);
}

Status CrawlAgent::Add(const Change& change) {
  collection::Tablet* const tablet = shared_->Find(change.tablet);
  if (change.tablet == shared_->tablets().front()) CRV_TRY(seeds_->Own(*tablet));
  CRV_TRY(turns_->OpenTablet(
      change.tablet, tablet->lease().epoch(),
      {.is_new = shared_->IsNew(change.tablet), .handed_over = shared_->NoteOf(change.tablet)}));
  // The last owner may have sent a request a moment ago; if it was cut off, one may still be under way.
  MonotonicTime rests_until = MonotonicTime::min();
  if (!shared_->IsNew(change.tablet)) rests_until = SystemClock().Now();
  if (shared_->WasCutOff(change.tablet)) rests_until += crawl_.limits.total_time;
  {
    MutexLock lock(mu_);
    attached_[change.tablet] = {.tablet = tablet, .exchange = change.exchange};
  }
  if (Status status = PutIn(*tablet, rests_until); !status.ok()) {
    Remove(change.tablet);
    return status;
  }
  carrier_->Add(change.exchange);
  MutexLock lock(mu_);
  attached_[change.tablet].crawled = true;
  return Status::Ok();
}

void CrawlAgent::TakeOut(const std::vector<const collection::Tablet*>& tablets) {
  const Duration limit = options_.agent.membership.lease / kShareToClose;
  if (running_.joinable() && crawler_of_control_->Detach(tablets, limit).ok()) return;
  StopCrawl();
  for (const collection::Tablet* const tablet : tablets) {
    if (store_->tablet(store_->map().Find(tablet->id()).value()) == tablet) store_->Detach(*tablet);
  }
}

Status CrawlAgent::PutIn(collection::Tablet& tablet, MonotonicTime rests_until) {
  if (running_.joinable()) {
    Status status = crawler_of_control_->Attach(tablet, rests_until);
    if (status.code() != StatusCode::kUnavailable || tablet.lost()) return status;
    // The crawl has ended, and did not take the tablet.
    StopCrawl();
  }
  if (store_->tablet(store_->map().Find(tablet.id()).value()) == nullptr) store_->Attach(tablet, rests_until);
  return Status::Ok();
}

void CrawlAgent::LookForMoves() {
  cluster::Agent* const member = member_;
  if (member == nullptr) return;
  std::vector<std::string> owners;
  for (const std::string& tablet : shared_->tablets()) owners.push_back(member->OwnerOf(tablet));
  if (owners == owners_) return;
  owners_ = std::move(owners);
  sent_->Clear();
}

void CrawlAgent::ReportRoom() {
  std::string full;
  {
    MutexLock lock(crawler_mu_);
    const auto idle = crawler_ == nullptr ? std::optional<crawl::CrawlEnd>() : crawler_->idle();
    if (idle && idle->why == crawl::CrawlEnd::Why::kDiskFull) full = idle->detail;
  }
  if (full.empty() == full_.empty() || !options_.agent.on_event) return;
  full_ = full;
  options_.agent.on_event(
      full.empty() ? Status::Ok() : Status::Unavailable(full),
      full.empty() ? "fetching: the disk has room again" : "not fetching: the disk is full");
}

Status CrawlAgent::LookForSeeds() {
  CRV_ASSIGN(const auto seeds, seeds_->Look());
  if (!seeds) return Status::Ok();
  std::vector<std::string> news;
  const std::vector<std::string> known = store_->seeds();
  const std::set<std::string_view> names(known.begin(), known.end());
  for (const std::string& seed : *seeds) {
    if (!names.contains(seed)) news.push_back(seed);
  }
  if (news.empty()) {
    // Some published seeds have disappeared: the owner corrects that.
  } else if (crawler_of_control_ != nullptr) {
    CRV_TRY(crawler_of_control_->AddSeeds(news));
  } else {
    CRV_TRY(store_->AddSeeds(news));
  }
  taken_seeds_ = store_->seeds().size();
  return Status::Ok();
}

Status CrawlAgent::StartCrawl() {
  CRV_ASSIGN(crawl::CrawlParts parts,
             options_.parts ? options_.parts() : crawl::OpenWebParts(crawl_, store_->memory()));
  CRV_ASSIGN(std::unique_ptr<crawl::Crawler> crawler,
             crawl::Crawler::Open(*store_, crawl_, std::move(parts)));
  crawl::Crawler* const runs = crawler.get();
  taken_seeds_ = store_->seeds().size();
  {
    MutexLock lock(crawler_mu_);
    crawler_ = std::move(crawler);
    crawler_of_control_ = runs;
  }
  running_ = std::thread([this, runs] {
    const Result<crawl::CrawlEnd> end = runs->Run();
    Fail(end.status());
    MutexLock lock(mu_);
    ran_ = true;
    changed_.notify_all();
  });
  return Status::Ok();
}

void CrawlAgent::StopCrawl() {
  if (!running_.joinable()) return;
  crawler_of_control_->Stop(/*at_once=*/true);
  running_.join();
  {
    MutexLock lock(mu_);
    ran_ = false;
  }
  MutexLock lock(crawler_mu_);
  pages_before_ += crawler_->stats().pages;
  crawler_of_control_ = nullptr;
  crawler_ = nullptr;
}

}  // namespace crivello::engine
