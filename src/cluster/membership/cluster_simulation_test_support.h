// SPDX-License-Identifier: Apache-2.0
// Agents that share a bus and a disk, and crawl a small web.  The bus, the clocks, the disk and the store
// fail in all the ways that they can.  One seed is one history.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/record.h"
#include "cluster/exchange/inbox.h"
#include "cluster/exchange/message.h"
#include "cluster/exchange/outbox.h"
#include "cluster/fence/epoch_lease.h"
#include "cluster/fence/fence_test_support.h"
#include "cluster/fence/takeover.h"
#include "cluster/membership/cluster_bugs_test_support.h"
#include "cluster/membership/membership.h"
#include "cluster/membership/simulated_bus_test_support.h"

namespace crivello::cluster {

class ClusterSimulation {
 public:
  ClusterSimulation(uint64_t seed, ClusterBug bug) : random_(seed), bug_(bug), bus_(time_, random_, kLease) {
    // Some histories have one kind of fault only, so that more can be asked of them.
    mode_ = seed % 8 == 0 ? Mode::kNoFaults : seed % 8 == 1 ? Mode::kLostBuckets : Mode::kAll;
    bus_.ignores_revisions = bug == ClusterBug::kRevisionsIgnored;
    bus_.forgets_conflicts = bug == ClusterBug::kConflictIsSuccess;
    for (size_t i = 0; i < kTablets; i++) tablets_.push_back({.name = fmt::format("t-{:03b}", i)});
    disk_.names["c"] = {.file = -1, .durable = true};
    for (size_t i = 0; i < kTablets; i++) disk_.names[FolderOf(i)] = {.file = -1, .durable = true};
    for (size_t i = 0; i < kPages; i++) {
      for (int k = 0; k < 2; k++) links_[i].push_back(random_.Below(kPages));
    }
    for (int i = 0; i < kAgents; i++) {
      agents_[i].drift = 1 + 0.04 * (2 * random_.Unit() - 1);
      agents_[i].offset = Duration(static_cast<int64_t>(random_.Below(1'000'000'000'000)));
      // Some join later.
      time_.After(i < 2 ? Duration(0) : Part(10 * random_.Unit()), [this, i] { Start(i); });
    }
  }

  // What was violated; empty if nothing was.
  std::string Run() {
    bus_.faulty = mode_ == Mode::kAll;
    for (int i = 0; i < kBusyLeases * 4 && violation_.empty(); i++) {
      time_.RunUntil(time_.now() + kLease / 4);
      if (mode_ != Mode::kNoFaults) Fault();
    }
    Calm();
    const Duration calm = time_.now();
    for (int i = 0; i < kCalmLeases * 4 && violation_.empty(); i++) {
      time_.RunUntil(time_.now() + kLease / 4);
      CheckOwned(time_.now() - calm >= 3 * kLease);
      if (Settled()) break;
      if (i + 1 == kCalmLeases * 4) Fail("the crawl did not end: " + Unsettled());
    }
    // An agent that crashed before may start three leases later, and one whose closing hangs ends even then.
    // Whoever joins is given tablets once the members have been the same for two leases.
    for (Duration until = calm; violation_.empty() && time_.now() < until + kJoinLeases * kLease;) {
      time_.RunUntil(until + kJoinLeases * kLease);
      until = std::max(calm, last_start_);
    }
    if (violation_.empty()) CheckRest();
    if (violation_.empty()) CheckEnd();
    stats_.bus = bus_.stats;
    return violation_;
  }
  const ClusterSimulationStats& stats() const { return stats_; }

 private:
  static constexpr int kAgents = 4;
  static constexpr size_t kTablets = 5;
  static constexpr size_t kPages = 80;
  static constexpr size_t kSeeds = 3;
  static constexpr int kBusyLeases = 25;
  static constexpr int kCalmLeases = 60;
  static constexpr int kJoinLeases = 6;
  static constexpr int kRestLeases = 4;
  // After the last fault a tablet is claimed when its lease runs out, perhaps by a neighbour of its owner,
  // and moves to where it belongs.
  static constexpr uint64_t kMostCalmClaims = 6;
  // It goes away and comes back.
  static constexpr uint64_t kClaimsPerFault = 2;
  static constexpr Duration kLease = std::chrono::seconds(15);
  using Disk = ModelDiskOf<kAgents>;
  using Files = ModelFilesOf<kAgents>;
  enum class Mode { kNoFaults, kLostBuckets, kAll };

  static Duration Part(double share) {
    return Duration(static_cast<int64_t>(share * static_cast<double>(kLease.count())));
  }
  static std::string UrlOf(size_t page) { return fmt::format("http://h/{}", page); }
  static size_t PageOf(const std::string& url) { return std::stoul(url.substr(9)); }
  static size_t TabletOf(size_t page) { return Mix64(page) % kTablets; }

  // A tablet in an agent: while it is taken over, and as long as it is open.
  class Process final : public ExchangeStore {
   public:
    Process(ClusterSimulation& world, int on_agent, uint64_t in_generation, size_t of_tablet)
        : world_(world), agent(on_agent), generation(in_generation), tablet(of_tablet) {}

    // ---- The store: one file, written whole, so that a write is atomic.
    Status Put(const std::string& key, std::string_view value) override {
      pending_[key] = std::string(value);
      return Status::Ok();
    }
    Status Delete(const std::string& key) override {
      pending_[key] = std::nullopt;
      return Status::Ok();
    }
    Status Sync() override {
      for (const auto& [key, value] : pending_) {
        if (value) {
          db[key] = *value;
        } else {
          db.erase(key);
        }
      }
      pending_.clear();
      db["sequence"] = std::to_string(++sequence);
      return WriteLog();
    }
    Status WriteLog() {
      RecordWriter out;
      for (const auto& [key, value] : db) out.Text(key), out.Text(value);
      Files files = world_.FilesOf(agent);
      CRV_TRY(files.Write(folder + "/log", out.bytes()));
      CRV_TRY(world_.MayStall(*this));
      CRV_TRY(files.Sync(folder + "/log"));
      CRV_TRY(files.SyncFolder(folder));
      return world_.MayStall(*this);
    }
    Status StillMine() override {
      if (world_.bug_ == ClusterBug::kNoFence) return Status::Ok();
      Files files = world_.FilesOf(agent);
      CRV_TRY(CheckEpoch(files, world_.FolderOf(tablet), epoch));
      return world_.MayStall(*this);
    }
    Status Scan(std::string_view prefix,
                const std::function<Status(std::string_view, std::string_view)>& visit) const override {
      for (auto at = db.lower_bound(std::string(prefix)); at != db.end() && at->first.starts_with(prefix);
           ++at) {
        CRV_TRY(visit(at->first, at->second));
      }
      return Status::Ok();
    }
    // ---- The sieve, which is synced with the store.
    class Sieve final : public UrlSink {
     public:
      explicit Sieve(Process& process) : process_(process) {}
      Status Offer(std::string_view urls) override {
        for (RecordReader in(urls); in.left() > 0;) unsynced_.insert(std::string(in.Text()));
        return Status::Ok();
      }
      Status Sync() override {
        if (process_.world_.bug_ == ClusterBug::kSieveNotSynced) std::swap(unsynced_, late_);
        for (const std::string& url : unsynced_) process_.db["sieve/" + url] = "";
        unsynced_.clear();
        return process_.WriteLog();
      }

     private:
      Process& process_;
      std::set<std::string> unsynced_ = {};
      std::set<std::string> late_ = {};  // of kSieveNotSynced
    };

   private:
    ClusterSimulation& world_;
    std::map<std::string, std::optional<std::string>> pending_ = {};

   public:
    const int agent;
    const uint64_t generation;
    const size_t tablet;
    std::optional<Takeover> takeover = {};
    uint64_t required = 0;  // sequence
    uint64_t epoch = 0;
    std::string folder = {};
    std::map<std::string, std::string> db = {};
    uint64_t sequence = 0;
    Sieve sieve{*this};
    std::optional<Outbox> outbox = {};
    std::optional<Inbox> inbox = {};
    bool open = false;
    bool ended = false;
    bool sending = false;  // a request was allowed, and did not leave yet
    std::vector<size_t> fetching = {};
    std::set<std::string> written = {};  // rows that are not acknowledged yet
    int stale_requests = 0;
  };

  struct Agent {
    double drift = 1;
    Duration offset = {};
    uint64_t generation = 0;  // counts starts and ends
    bool alive = false;
    bool leaving = false;
    bool busy = false;  // in the middle of an operation
    Duration paused_until = {};
    std::optional<Membership> membership = {};
    std::map<size_t, std::shared_ptr<Process>> processes = {};
  };
  struct SimulatedTablet {
    std::string name;
    std::map<uint64_t, uint64_t> owners = {};           // of epochs: agent and generation
    std::map<uint64_t, Duration> opened = {};           // epochs
    std::map<std::string, uint64_t> acknowledged = {};  // rows
  };

  void Fail(std::string what) {
    if (violation_.empty()) violation_ = std::move(what);
  }
  bool Chance(double share) { return mode_ == Mode::kAll && !calm_ && random_.Unit() < share; }
  Files FilesOf(int agent) { return Files(disk_, agent, FenceBug::kNone); }
  std::string FolderOf(size_t tablet) const { return "c/" + tablets_[tablet].name; }
  size_t NumberOf(const std::string& name) const {
    for (size_t i = 0; i < kTablets; i++) {
      if (tablets_[i].name == name) return i;
    }
    return 0;
  }
  MonotonicTime Clock(int agent) const {
    const Agent& a = agents_[agent];
    return MonotonicTime(a.offset +
                         Duration(static_cast<int64_t>(a.drift * static_cast<double>(time_.now().count()))));
  }
  bool Current(int agent, uint64_t generation) const {
    return agents_[agent].alive && agents_[agent].generation == generation;
  }

  // Runs an event of an agent, later if it is paused or in the middle of something; never if it ended.
  void InAgent(int agent, uint64_t generation, Duration delay, std::function<void()> event) {
    time_.After(delay, [this, agent, generation, event = std::move(event)] {
      if (!Current(agent, generation) || !violation_.empty()) return;
      Agent& a = agents_[agent];
      if (a.busy || time_.now() < a.paused_until) {
        InAgent(agent, generation, Part(0.05), event);
        return;
      }
      event();
    });
  }

  // An operation on the disk may take long, and may be the last one of the agent.
  Status MayStall(const Process& process) {
    Agent& agent = agents_[process.agent];
    if (Chance(0.004)) {
      stats_.stalls++;
      faults_++;
      agent.busy = true;
      time_.RunUntil(time_.now() + Part(2 * random_.Unit()));
      agent.busy = false;
    }
    if (!Current(process.agent, process.generation)) return Status::IoError("killed");
    if (Chance(0.001)) {
      Kill(process.agent);
      return Status::IoError("killed");
    }
    return Status::Ok();
  }

  void Start(int number) {
    Agent& agent = agents_[number];
    if (agent.alive || !violation_.empty()) return;
    agent.alive = true;
    faults_++;
    last_start_ = time_.now();
    agent.leaving = false;
    agent.generation++;
    MembershipOptions options = {
        .name = fmt::format("agent{}", number), .process = random_.Next(), .lease = kLease, .openings = 2};
    for (const SimulatedTablet& tablet : tablets_) options.tablets.push_back(tablet.name);
    if (bug_ == ClusterBug::kNeverStops)
      options.shares.stop = options.shares.close = options.shares.exit = 99;
    if (bug_ == ClusterBug::kExpiresEarly) options.shares.expiry = 0.3;
    if (bug_ == ClusterBug::kNoWaitForNewBucket) options.shares.new_bucket = 0;
    if (bug_ == ClusterBug::kIdleNeverLooks) options.shares.look = 1e6;
    agent.membership.emplace(std::move(options));
    Step(number, agent.generation);
  }
  // The process ends; what it has not synced is lost with the machine, or written later.
  void Kill(int number) {
    Agent& agent = agents_[number];
    if (!agent.alive) return;
    if (random_.Below(2) == 0) disk_.WriteBack(number);
    disk_.Crash(number);
    agent.alive = false;
    agent.generation++;
    agent.paused_until = {};
    for (auto& [tablet, process] : agent.processes) End(*process);
    agent.processes.clear();
    time_.After(Part(calm_ ? 0.1 : 3 * random_.Unit()), [this, number] { Start(number); });
  }
  void End(Process& process) {
    if (process.inbox) stats_.gaps += process.inbox->early();
    process.ended = true;
    process.open = false;
    ended_.push_back(agents_[process.agent].processes[process.tablet]);  // events may still refer to it
  }

  void Step(int number, uint64_t generation) {
    Agent& agent = agents_[number];
    Membership& membership = *agent.membership;
    membership.Tick(Clock(number));
    if (!membership.name_status().ok()) Fail("an agent found another one of its name");
    if (membership.MustExit(Clock(number))) {
      stats_.exits++;
      Kill(number);
      return;
    }
    for (const BusRequest& request : membership.TakeRequests()) {
      bus_.Execute(number, request, [this, number, generation](const BusReply& reply) {
        InAgent(number, generation, Duration(0),
                [this, number, reply] { agents_[number].membership->OnReply(reply, Clock(number)); });
      });
    }
    for (const TabletOrder& order : membership.TakeOrders()) Obey(number, order);
    std::vector<std::shared_ptr<Process>> open;
    for (const auto& [tablet, process] : agent.processes) {
      if (process->open) open.push_back(process);
    }
    for (const auto& process : open) {
      if (process->ended) continue;
      const Status status = Work(*process);
      if (!Current(number, generation)) return;
      if (!status.ok() && !process->ended) Lost(*process, status);
    }
    if (agent.leaving && membership.left()) {
      Kill(number);
      return;
    }
    InAgent(number, generation, Part(0.04 + 0.02 * random_.Unit()),
            [this, number, generation] { Step(number, generation); });
  }

  void Obey(int number, const TabletOrder& order) {
    Agent& agent = agents_[number];
    const size_t tablet = NumberOf(order.tablet);
    switch (order.kind) {
      case TabletOrder::Kind::kLook: {
        const auto names = FilesOf(number).List(FolderOf(tablet), SharedFiles::Look::kFresh);
        agent.membership->OnLooked(order.tablet, names.ok() ? HighestEpoch(*names) : 0, Clock(number));
        break;
      }
      case TabletOrder::Kind::kOpen: {
        auto process = std::make_shared<Process>(*this, number, agent.generation, tablet);
        process->required = order.sequence;
        process->takeover.emplace(
            TakeoverOptions{.tablet = FolderOf(tablet),
                            .owner = fmt::format("agent{}", number),
                            .nonce = random_.Next(),
                            .above = order.epoch,
                            .role = bug_ == ClusterBug::kLogIsLinked ? LinkLog : CopyLog});
        agent.processes[tablet] = process;
        TakeOver(process);
        break;
      }
      case TabletOrder::Kind::kClose: {
        const auto at = agent.processes.find(tablet);
        if (at != agent.processes.end()) {
          stats_.closed++;
          Close(at->second);
        } else {
          agent.membership->OnClosed(order.tablet, Clock(number));
        }
        break;
      }
    }
  }
  // Waits for pages on their way as long as they can still be confirmed.  Closing takes a while, and may
  // hang.
  void Close(const std::shared_ptr<Process>& process) {
    const bool hangs = Chance(0.01);
    InAgent(process->agent, process->generation, hangs ? Part(100) : Part(0.05 * random_.Unit()),
            [this, process] {
              if (process->ended) return;
              if (MayConfirm(*process) && (!process->fetching.empty() || !process->written.empty())) {
                const Status status = Commit(*process, std::nullopt);
                if (!Current(process->agent, process->generation)) return;
                if (!status.ok()) Lost(*process, status);
                Close(process);
                return;
              }
              End(*process);
              agents_[process->agent].processes.erase(process->tablet);
              agents_[process->agent].membership->OnClosed(tablets_[process->tablet].name,
                                                           Clock(process->agent));
            });
  }
  static FileRole CopyLog(const std::string& path, const std::vector<std::string>&) {
    return path == "READY" ? FileRole::kSkip : FileRole::kCopy;
  }
  static FileRole LinkLog(const std::string& path, const std::vector<std::string>&) {
    return path == "READY" ? FileRole::kSkip : FileRole::kLink;
  }

  void Lost(const Process& process, const Status& why) {
    stats_.fenced++;
    if (why.code() != StatusCode::kUnavailable) Fail(why.message());
    // Two agents may claim a tablet at the moment in which the bucket is lost.
    const Duration had = time_.now() - tablets_[process.tablet].opened.at(process.epoch);
    if (mode_ == Mode::kNoFaults || (mode_ == Mode::kLostBuckets && had >= kLease)) {
      Fail(fmt::format("a living owner lost {}", tablets_[process.tablet].name));
    }
    Agent& agent = agents_[process.agent];
    agent.membership->OnLost(tablets_[process.tablet].name, Clock(process.agent));
  }

  // One operation of a take-over after the other.
  void TakeOver(const std::shared_ptr<Process>& process) {
    InAgent(process->agent, process->generation, Part(0.002 * random_.Unit()), [this, process] {
      if (process->ended) return;
      Files files = FilesOf(process->agent);
      const auto done = process->takeover->Step(files);
      if (done.ok() && !*done) {
        TakeOver(process);
        return;
      }
      const Status opened = done.ok() ? Open(*process) : done.status();
      if (process->ended) return;
      const std::string& name = tablets_[process->tablet].name;
      if (!opened.ok()) {
        End(*process);
        agents_[process->agent].processes.erase(process->tablet);
        agents_[process->agent].membership->OnFailed(name, /*will_pass=*/true, Clock(process->agent));
        return;
      }
      process->open = true;
      agents_[process->agent].membership->OnOpened(name, process->epoch, process->sequence,
                                                   Clock(process->agent));
    });
  }

  Status Open(Process& process) {
    SimulatedTablet& tablet = tablets_[process.tablet];
    process.epoch = process.takeover->epoch();
    process.folder = process.takeover->folder();
    stats_.takeovers++;
    const uint64_t owner = process.generation * kAgents + static_cast<uint64_t>(process.agent);
    if (!tablet.owners.try_emplace(process.epoch, owner).second) {
      Fail(fmt::format("epoch {} of {} has two owners", process.epoch, tablet.name));
    }
    tablet.opened[process.epoch] = time_.now();
    const auto log = FilesOf(process.agent).Read(process.folder + "/log");
    const bool is_new = !log.ok() || log->empty();
    if (!is_new) {
      for (RecordReader in(*log); in.left() > 0;) {
        std::string key(in.Text());
        process.db[std::move(key)] = std::string(in.Text());
      }
      process.sequence = std::stoull(process.db["sequence"]);
    }
    for (const auto& [key, value] : process.db) {
      if (!key.starts_with("row/")) continue;
      const size_t space = value.find(' ');
      const auto next = tablet.opened.upper_bound(std::stoull(value));
      if (next->first < process.epoch && next->second.count() < std::stoll(value.substr(space))) {
        Fail(fmt::format("{} of {} was written by a stale owner, and epoch {} has it", key, tablet.name,
                         process.epoch));
      }
    }
    for (const auto& [row, epoch] : tablet.acknowledged) {
      if (epoch < process.epoch && !process.db.contains(row)) {
        Fail(fmt::format("{} of {} was acknowledged, and epoch {} does not have it", row, tablet.name,
                         process.epoch));
      }
    }
    if (process.sequence < process.required) {
      Fail(fmt::format("{} ends at commit {} in epoch {}, but {} was acknowledged", tablet.name,
                       process.sequence, process.epoch, process.required));
    }
    // What the last owner had written and not acknowledged is durable now, unless this one was overtaken
    // while it opened the tablet.
    Files files = FilesOf(process.agent);
    if (CheckEpoch(files, FolderOf(process.tablet), process.epoch).ok()) {
      for (const auto& [key, value] : process.db) {
        if (key.starts_with("row/")) tablet.acknowledged.try_emplace(key, process.epoch);
      }
    }
    if (is_new) {
      for (size_t page = 0; page < kSeeds; page++) {
        if (TabletOf(page) == process.tablet) process.db["sieve/" + UrlOf(page)] = "";
      }
      CRV_TRY(process.Sync());
    }
    CRV_ASSIGN(auto outbox,
               Outbox::Open(
                   process,
                   {.tablet = tablet.name, .epoch = process.epoch, .batch_bytes = 40, .window_bytes = 200}));
    CRV_ASSIGN(auto inbox, Inbox::Open(process, process.sieve,
                                       {.tablet = tablet.name, .epoch = process.epoch, .held_bytes = 300}));
    process.outbox.emplace(std::move(outbox));
    process.inbox.emplace(std::move(inbox));
    return Status::Ok();
  }

  // ---- The crawl of a tablet.

  bool MayFetch(const Process& process) const {
    return !process.ended &&
           agents_[process.agent].membership->MayFetch(tablets_[process.tablet].name, Clock(process.agent));
  }
  bool MayConfirm(const Process& process) const {
    return !process.ended &&
           agents_[process.agent].membership->MayConfirm(tablets_[process.tablet].name, Clock(process.agent));
  }

  Status Work(Process& process) {
    if (!MayFetch(process)) return Status::Ok();
    CRV_TRY(Commit(process, std::nullopt));
    for (auto at = process.db.lower_bound("sieve/");
         at != process.db.end() && at->first.starts_with("sieve/"); ++at) {
      if (process.fetching.size() >= 3) break;
      const std::string url = at->first.substr(6);
      const size_t page = PageOf(url);
      if (process.db.contains("row/" + url)) continue;
      if (std::count(process.fetching.begin(), process.fetching.end(), page) > 0) continue;
      process.fetching.push_back(page);
      // The request is prepared now and sent a moment later; a process that was paused looks again.
      const MonotonicTime prepared = Clock(process.agent);
      const auto self = agents_[process.agent].processes.at(process.tablet);
      InAgent(process.agent, process.generation, Part(0.01 + 0.1 * random_.Unit()),
              [this, self, page, prepared] { Request(self, page, prepared); });
    }
    return Exchange(process);
  }

  void Request(const std::shared_ptr<Process>& process, size_t page, MonotonicTime prepared) {
    if (process->ended) return;
    const bool was_paused = Clock(process->agent) - prepared > Part(0.2);
    if ((was_paused && bug_ != ClusterBug::kSentAfterPause) ||
        (!MayFetch(*process) && bug_ != ClusterBug::kSentAfterPause)) {
      std::erase(process->fetching, page);
      return;
    }
    // Between the look at the clock and the request the process may be paused.  A host gets one request at a
    // time, so there is one request at most of which this is true.
    if (process->sending) {
      std::erase(process->fetching, page);
      return;
    }
    const auto send = [this, process, page] {
      process->sending = false;
      SimulatedTablet& tablet = tablets_[process->tablet];
      if (tablet.opened.rbegin()->first > process->epoch) {
        stats_.stale_requests++;
        if (++process->stale_requests > 1) Fail("a stale owner sent more than one request to a host");
      }
      const int times = ++fetched_[{page, process->epoch}];
      if (times > 1)
        Fail(fmt::format("page {} was fetched {} times in epoch {}", page, times, process->epoch));
      if (++fetches_[page] > 1) stats_.fetched_again++;
      if (fetches_[page] > 1 && mode_ == Mode::kNoFaults) {
        Fail(fmt::format("page {} was fetched twice without a fault", page));
      }
      InAgent(process->agent, process->generation, Part(0.02 + 0.1 * random_.Unit()), [this, process, page] {
        if (process->ended) return;
        const int agent = process->agent;
        const Status status = Commit(*process, page);
        if (Current(agent, process->generation) && !status.ok() && !process->ended) Lost(*process, status);
      });
    };
    if (Chance(0.01)) {
      process->sending = true;
      Pause(process->agent, Part(3 * random_.Unit()));
      InAgent(process->agent, process->generation, Duration(0), send);
    } else {
      send();
    }
  }

  // A page, or only what waits to be written and acknowledged.
  Status Commit(Process& process, std::optional<size_t> page) {
    SimulatedTablet& tablet = tablets_[process.tablet];
    if (page) {
      const std::string row = "row/" + UrlOf(*page);
      for (const size_t link : links_[*page]) {
        if (TabletOf(link) != process.tablet) {
          process.outbox->Add(tablets_[TabletOf(link)].name, UrlOf(link));
        } else {
          CRV_TRY(process.Put("sieve/" + UrlOf(link), ""));
        }
      }
      CRV_TRY(process.Put(row, fmt::format("{} {}", process.epoch, time_.now().count())));
      process.written.insert(row);
      if (bug_ == ClusterBug::kAcknowledgedFirst) tablet.acknowledged.try_emplace(row, process.epoch);
      if (bug_ == ClusterBug::kOutboxForgotten) CRV_TRY(process.Sync());
      CRV_TRY(process.outbox->Flush());
      if (bug_ == ClusterBug::kSentBeforeSync) {
        process.outbox->Committed();
        SendBatches(process);
      }
      CRV_TRY(process.Sync());
      std::erase(process.fetching, *page);
    }
    if (process.written.empty() || !MayConfirm(process)) return Status::Ok();
    CRV_TRY(process.StillMine());
    process.outbox->Committed();
    for (const std::string& row : process.written) tablet.acknowledged.try_emplace(row, process.epoch);
    process.written.clear();
    agents_[process.agent].membership->SetProgress(tablet.name, process.sequence, 0);
    return Status::Ok();
  }

  Status Exchange(Process& process) {
    SendBatches(process);
    CRV_ASSIGN(const auto confirmations, process.inbox->Commit());
    for (const Confirmation& one : confirmations) Send(process.agent, one, one.stream.from);
    return Status::Ok();
  }
  void SendBatches(Process& process) {
    for (const UrlBatch& batch : process.outbox->ToSend(Clock(process.agent))) {
      Send(process.agent, batch, batch.stream.to);
    }
  }
  void Send(int from, const ExchangeMessage& message, const std::string& to) {
    const size_t tablet = NumberOf(to);
    const std::string bytes = EncodeMessage(message);
    bus_.Publish(from, kAgents, [this, tablet, bytes](int agent) {
      InAgent(agent, agents_[agent].generation, Duration(0), [this, agent, tablet, bytes] {
        const auto at = agents_[agent].processes.find(tablet);
        if (at == agents_[agent].processes.end() || !at->second->open) return;
        const auto process = at->second;
        const auto decoded = DecodeMessage(bytes);
        const auto* batch = std::get_if<UrlBatch>(&*decoded);
        const Status status = batch != nullptr
                                  ? process->inbox->OnBatch(*batch)
                                  : process->outbox->OnConfirmation(std::get<Confirmation>(*decoded));
        if (!status.ok()) Fail("a message was refused: " + status.message());
      });
    });
  }

  // ---- Faults.

  void Pause(int agent, Duration length) {
    stats_.pauses++;
    faults_++;
    agents_[agent].paused_until = time_.now() + length;
  }

  void Fault() {
    const double kind = random_.Unit();
    const int agent = static_cast<int>(random_.Below(kAgents));
    if (random_.Below(40) == 0) {
      faults_++;
      bus_.Forget();
    }
    if (mode_ != Mode::kAll) return;
    if (random_.Below(8) == 0) bus_.Remember();
    // Crashes and pauses count by themselves.
    if (kind < 0.02 || (kind >= 0.15 && kind < 0.28)) faults_++;
    if (kind < 0.02) {
      bus_.RollBack();
    } else if (kind < 0.07) {
      if (agents_[agent].alive) stats_.crashes++;
      Kill(agent);
    } else if (kind < 0.08) {
      stats_.power_cuts++;
      for (int i = 0; i < kAgents; i++) Kill(i);
      disk_.PowerCut();
    } else if (kind < 0.15) {
      Pause(agent, Part(4 * random_.Unit()));
    } else if (kind < 0.22) {
      stats_.cuts++;
      bus_.cut.insert(agent);
      time_.After(Part(4 * random_.Unit()), [this, agent] { bus_.cut.erase(agent); });
    } else if (kind < 0.25) {
      stats_.outages++;
      bus_.down = true;
      time_.After(Part(2 * random_.Unit()), [this] { bus_.down = false; });
    } else if (kind < 0.28) {
      if (agents_[agent].alive && !agents_[agent].leaving) {
        stats_.leaves++;
        agents_[agent].leaving = true;
        agents_[agent].membership->Leave();
      }
    } else if (kind < 0.5) {
      disk_.WriteBack(agent);
    }
  }

  void Calm() {
    calm_ = true;
    for (size_t i = 0; i < kTablets; i++) epochs_at_calm_.push_back(HighestEpochOf(i));
    bus_.faulty = bus_.down = false;
    bus_.cut.clear();
    for (int i = 0; i < kAgents; i++) {
      agents_[i].paused_until = {};
      if (!agents_[i].alive) Start(i);
      if (agents_[i].leaving) Kill(i);
    }
  }

  const Process* OwnerOf(size_t tablet) const {
    const SimulatedTablet& here = tablets_[tablet];
    for (const Agent& agent : agents_) {
      const auto at = agent.processes.find(tablet);
      if (at != agent.processes.end() && at->second->open && !here.opened.empty() &&
          here.opened.rbegin()->first == at->second->epoch) {
        return at->second.get();
      }
    }
    return nullptr;
  }
  // One that moves at the moment was owned before.
  void CheckOwned(bool over) {
    for (size_t i = 0; i < kTablets; i++) {
      if (OwnerOf(i) != nullptr) owned_since_calm_.insert(i);
      if (over && !owned_since_calm_.contains(i)) {
        Fail(fmt::format("{} had no owner in the three leases after the last fault", tablets_[i].name));
      }
    }
  }

  std::set<size_t> Reachable() const {
    std::set<size_t> pages;
    std::vector<size_t> next;
    for (size_t page = 0; page < kSeeds; page++) next.push_back(page);
    while (!next.empty()) {
      const size_t page = next.back();
      next.pop_back();
      if (!pages.insert(page).second) continue;
      for (const size_t link : links_.at(page)) next.push_back(link);
    }
    return pages;
  }

  std::string Unsettled() const {
    for (size_t i = 0; i < kTablets; i++) {
      const Process* const owner = OwnerOf(i);
      if (owner == nullptr) return tablets_[i].name + " has no owner";
      if (!owner->outbox->empty()) return tablets_[i].name + " has URLs for others";
      const Membership& membership = *agents_[owner->agent].membership;
      if (membership.view().names().size() != kAgents) return "an agent is missing";
      if (membership.view().RankOf(i, fmt::format("agent{}", owner->agent)) != 0) {
        return tablets_[i].name + " has not moved to where it belongs";
      }
    }
    for (const size_t page : Reachable()) {
      if (!tablets_[TabletOf(page)].acknowledged.contains("row/" + UrlOf(page))) {
        return fmt::format("page {} of {} was not fetched", page, tablets_[TabletOf(page)].name);
      }
    }
    return "";
  }
  bool Settled() const { return Unsettled().empty(); }

  uint64_t HighestEpochOf(size_t tablet) {
    const auto names = FilesOf(0).List(FolderOf(tablet), SharedFiles::Look::kFresh);
    return names.ok() ? HighestEpoch(*names) : 0;
  }
  // A cluster without faults comes to rest: tablets are not passed on for ever.
  void CheckRest() {
    std::vector<uint64_t> settled;
    for (size_t i = 0; i < kTablets; i++) {
      settled.push_back(HighestEpochOf(i));
      stats_.claims += settled.back();
      const uint64_t claims = settled.back() - epochs_at_calm_[i];
      stats_.calm_claims = std::max(stats_.calm_claims, claims);
      if (claims > kMostCalmClaims) {
        Fail(fmt::format("{} was claimed {} times after the last fault", tablets_[i].name, claims));
      }
      stats_.claims_per_fault = std::max(stats_.claims_per_fault,
                                         static_cast<double>(settled.back()) / static_cast<double>(faults_));
      const uint64_t most = kClaimsPerFault * faults_ + kMostCalmClaims;
      if (settled.back() > most)
        Fail(fmt::format("{} was claimed {} times in {} faults", tablets_[i].name, settled.back(), faults_));
    }
    time_.RunUntil(time_.now() + kRestLeases * kLease);
    for (size_t i = 0; i < kTablets; i++) {
      if (HighestEpochOf(i) != settled[i]) Fail(fmt::format("{} moved without a reason", tablets_[i].name));
    }
    if (!Settled()) Fail("it did not last: " + Unsettled());
  }

  void CheckEnd() {
    for (size_t i = 0; i < kTablets; i++) {
      const Process& owner = *OwnerOf(i);
      for (const auto& [row, epoch] : tablets_[i].acknowledged) {
        stats_.pages++;
        if (!owner.db.contains(row)) Fail(fmt::format("{} lost the acknowledged {}", tablets_[i].name, row));
      }
    }
  }

  SeededRandom random_;
  const ClusterBug bug_;
  Mode mode_ = Mode::kAll;
  SimulatedTime time_;
  SimulatedBus bus_;
  Disk disk_;
  std::vector<SimulatedTablet> tablets_;
  Agent agents_[kAgents];
  std::vector<std::shared_ptr<Process>> ended_;
  std::map<size_t, std::vector<size_t>> links_;
  std::map<std::pair<size_t, uint64_t>, int> fetched_;  // by page and epoch
  std::map<size_t, int> fetches_;
  std::string violation_;
  bool calm_ = false;
  uint64_t faults_ = 0;  // and starts of agents
  Duration last_start_ = {};
  std::vector<uint64_t> epochs_at_calm_ = {};
  std::set<size_t> owned_since_calm_ = {};
  ClusterSimulationStats stats_;
};

}  // namespace crivello::cluster
