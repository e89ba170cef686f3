// SPDX-License-Identifier: Apache-2.0
// Tablets that exchange URLs while messages are lost, delayed, repeated, reordered and damaged, owners crash,
// are replaced while they still work, and tablets are restored from old copies.  One seed is one history.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <list>
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

namespace crivello::cluster {

enum class ExchangeBug {
  kNone,
  kStoreDoesNotSync,            // what was written is durable only some time later
  kSieveDoesNotSync,            // the same of the sieve
  kNoFence,                     // nobody looks whether the tablet was taken over
  kSentBeforeSync,              // batches leave before they are durable
  kSentBeforeFence,             // batches leave before the epoch was looked at
  kOutboxApartFromRow,          // written after the row
  kRestoredWithoutIncarnation,  // a restored sender continues to count
  kRestoredWithoutQuestion,     // a restored receiver asks nobody
  kNotDerivedAgain,             // a request to derive links again is dropped
  kChecksumIgnored,             // damaged messages are taken
};
constexpr ExchangeBug kExchangeBugs[] = {ExchangeBug::kStoreDoesNotSync,
                                         ExchangeBug::kSieveDoesNotSync,
                                         ExchangeBug::kNoFence,
                                         ExchangeBug::kSentBeforeSync,
                                         ExchangeBug::kSentBeforeFence,
                                         ExchangeBug::kOutboxApartFromRow,
                                         ExchangeBug::kRestoredWithoutIncarnation,
                                         ExchangeBug::kRestoredWithoutQuestion,
                                         ExchangeBug::kNotDerivedAgain,
                                         ExchangeBug::kChecksumIgnored};
inline std::string_view ExchangeBugName(ExchangeBug bug) {
  switch (bug) {
    case ExchangeBug::kNone:
      return "none";
    case ExchangeBug::kStoreDoesNotSync:
      return "confirmed before the numbers are synced";
    case ExchangeBug::kSieveDoesNotSync:
      return "confirmed before the sieve is synced";
    case ExchangeBug::kNoFence:
      return "confirmed without a look for a higher epoch";
    case ExchangeBug::kSentBeforeSync:
      return "sent before the outbox is synced";
    case ExchangeBug::kSentBeforeFence:
      return "sent before a look for a higher epoch";
    case ExchangeBug::kOutboxApartFromRow:
      return "outbox written after the row";
    case ExchangeBug::kRestoredWithoutIncarnation:
      return "restored sender keeps its incarnation";
    case ExchangeBug::kRestoredWithoutQuestion:
      return "restored receiver does not ask";
    case ExchangeBug::kNotDerivedAgain:
      return "links not derived again";
    case ExchangeBug::kChecksumIgnored:
      return "checksum ignored";
  }
  return "";
}

struct ExchangeSimulationStats {
  uint64_t messages = 0, lost = 0, repeated = 0, damaged = 0;
  uint64_t rows = 0, urls = 0;
  uint64_t crashes = 0, takeovers = 0, stale_wakes = 0, restores = 0;
  uint64_t early = 0, gaps = 0, derived_again = 0;

  void Add(const ExchangeSimulationStats& other) {
    messages += other.messages, lost += other.lost, repeated += other.repeated, damaged += other.damaged;
    rows += other.rows, urls += other.urls;
    crashes += other.crashes, takeovers += other.takeovers, stale_wakes += other.stale_wakes;
    restores += other.restores, early += other.early, gaps += other.gaps,
        derived_again += other.derived_again;
  }
};

class ExchangeSimulation {
 public:
  ExchangeSimulation(uint64_t seed, ExchangeBug bug) : random_(seed), bug_(bug), tablets_(kTablets) {
    for (size_t i = 0; i < kTablets; i++) {
      tablets_[i].name = fmt::format("t-{:02b}", i);
      tablets_[i].snapshot = Disk{};
      Take(i, Disk{}, /*restored=*/false);
    }
  }

  // What was violated; empty if nothing was.
  std::string Run() {
    for (int tick = 0; tick < kBusyTicks && violation_.empty(); tick++) Tick();
    calm_ = true;
    for (int tick = 0; tick < kCalmTicks && violation_.empty(); tick++) {
      Tick();
      if (Settled()) return Check();
    }
    return violation_.empty() ? "some URLs were never confirmed" : violation_;
  }
  const ExchangeSimulationStats& stats() const { return stats_; }

 private:
  static constexpr size_t kTablets = 4;
  static constexpr int kBusyTicks = 250;
  static constexpr int kCalmTicks = 1500;

  // What a folder of an epoch holds durably.
  struct Disk {
    std::map<std::string, std::string> db = {};
    std::set<std::string> sieve = {};
  };
  struct Process;
  struct SimulatedTablet {
    std::string name;
    uint64_t epoch = 0;
    std::set<std::string> acknowledged = {};  // rows
    Disk snapshot = {};                       // a backup
    std::set<std::string> snapshot_rows = {};
    std::list<std::unique_ptr<Process>> processes =
        {};  // the owner last; before it, owners that do not know yet
  };

  // The store and the sieve of one process; any operation may be its last.
  class Store final : public ExchangeStore {
   public:
    Store(ExchangeSimulation& world, Process& process) : world_(world), process_(process) {}
    Status Put(const std::string& key, std::string_view value) override {
      pending_[key] = std::string(value);
      return world_.MayCrash();
    }
    Status Delete(const std::string& key) override {
      pending_[key] = std::nullopt;
      return world_.MayCrash();
    }
    Status Scan(std::string_view prefix,
                const std::function<Status(std::string_view, std::string_view)>& visit) const override {
      std::map<std::string, std::string> now = process_.disk.db;
      for (const auto* writes : {&late_, &pending_}) Apply(*writes, now);
      for (auto at = now.lower_bound(std::string(prefix)); at != now.end() && at->first.starts_with(prefix);
           ++at) {
        CRV_TRY(visit(at->first, at->second));
      }
      return Status::Ok();
    }
    Status Sync() override {
      CRV_TRY(world_.MayCrash());
      if (world_.bug_ == ExchangeBug::kStoreDoesNotSync) {
        Apply(late_, process_.disk.db);
        late_ = std::exchange(pending_, {});
      } else {
        Apply(std::exchange(pending_, {}), process_.disk.db);
      }
      world_.MayTakeOver(process_.tablet);
      return world_.MayCrash();
    }
    Status StillMine() override {
      if (world_.bug_ == ExchangeBug::kNoFence) return Status::Ok();
      if (world_.tablets_[process_.tablet].epoch == process_.epoch) return Status::Ok();
      world_.stats_.stale_wakes++;
      return Status::Unavailable("taken over");
    }
    Status Offer(std::string_view urls) {
      for (RecordReader in(urls); in.left() > 0;) {
        const std::string url(in.Text());
        if (!in.ok() || !world_.offered_.contains(url)) world_.violation_ = "a URL arrives that nobody sent";
        offered_.insert(url);
      }
      return world_.MayCrash();
    }
    Status SyncSieve() {
      CRV_TRY(world_.MayCrash());
      if (world_.bug_ == ExchangeBug::kSieveDoesNotSync) {
        process_.disk.sieve.merge(late_offered_);
        late_offered_ = std::exchange(offered_, {});
      } else {
        process_.disk.sieve.merge(offered_);
      }
      return world_.MayCrash();
    }

   private:
    using Writes = std::map<std::string, std::optional<std::string>>;
    static void Apply(const Writes& writes, std::map<std::string, std::string>& to) {
      for (const auto& [key, value] : writes) {
        if (value) {
          to[key] = *value;
        } else {
          to.erase(key);
        }
      }
    }

    ExchangeSimulation& world_;
    Process& process_;
    Writes pending_;
    Writes late_;
    std::set<std::string> offered_;
    std::set<std::string> late_offered_;
  };
  class Sieve final : public UrlSink {
   public:
    explicit Sieve(Store& store) : store_(store) {}
    Status Offer(std::string_view urls) override { return store_.Offer(urls); }
    Status Sync() override { return store_.SyncSieve(); }

   private:
    Store& store_;
  };

  struct Process {
    Process(ExchangeSimulation& world, size_t number, uint64_t in_epoch, Disk from)
        : tablet(number), epoch(in_epoch), disk(std::move(from)), store(world, *this), sieve(store) {}
    const size_t tablet;
    const uint64_t epoch;
    Disk disk;
    Store store;
    Sieve sieve;
    std::optional<Outbox> outbox;
    std::optional<Inbox> inbox;
    bool dead = false;
    int paused_until = 0;
  };
  struct Message {
    int at = 0;
    size_t to = 0;
    std::string bytes;
  };

  bool Chance(double share) { return !calm_ && random_.Unit() < share; }
  Status MayCrash() { return Chance(0.002) ? Status::IoError("crash") : Status::Ok(); }

  // A new owner takes what the last one had made durable; the old process continues until it notices.
  void MayTakeOver(size_t tablet) {
    if (!Chance(0.003)) return;
    stats_.takeovers++;
    tablets_[tablet].epoch++;  // claimed; the folder is copied below, from what is durable now
    copied_[tablet] = tablets_[tablet].processes.back()->disk;
  }

  void Take(size_t tablet, Disk disk, bool restored) {
    SimulatedTablet& here = tablets_[tablet];
    if (!copied_.contains(tablet)) here.epoch++;
    here.processes.push_back(std::make_unique<Process>(*this, tablet, here.epoch, std::move(disk)));
    Open(*here.processes.back(), restored);
  }

  void Open(Process& process, bool restored) {
    InboxOptions in = {.tablet = tablets_[process.tablet].name, .epoch = process.epoch, .held_bytes = 300};
    if (restored && bug_ != ExchangeBug::kRestoredWithoutQuestion) {
      for (const SimulatedTablet& other : tablets_) {
        if (&other != &tablets_[process.tablet]) in.ask.push_back(other.name);
      }
    }
    auto outbox = Outbox::Open(
        process.store, {.tablet = tablets_[process.tablet].name,
                        .epoch = process.epoch,
                        .new_incarnation = restored && bug_ != ExchangeBug::kRestoredWithoutIncarnation,
                        .batch_bytes = 40,
                        .window_bytes = 200});
    auto inbox = Inbox::Open(process.store, process.sieve, in);
    // The processes of a restored tablet must not lose what it asks for, so the restore is not over before
    // this.
    if (!outbox.ok() || !inbox.ok() || (restored && !process.store.Sync().ok())) {
      process.dead = true;
      process_restored_[process.tablet] = restored;
      return;
    }
    process.outbox.emplace(std::move(*outbox));
    process.inbox.emplace(std::move(*inbox));
    if (restored) process.outbox->Committed();
  }

  void Send(const ExchangeMessage& message, const std::string& to) {
    std::string bytes = EncodeMessage(message);
    stats_.messages++;
    if (Chance(0.15)) {
      stats_.lost++;
      return;
    }
    if (Chance(0.02)) {
      stats_.damaged++;
      if (bug_ == ExchangeBug::kChecksumIgnored) {
        if (const auto* batch = std::get_if<UrlBatch>(&message); batch != nullptr && !batch->urls.empty()) {
          UrlBatch damaged = *batch;
          damaged.urls[random_.Below(damaged.urls.size())] ^= 1;
          bytes = EncodeMessage(damaged);
        }
      } else {
        bytes[random_.Below(bytes.size())] ^= static_cast<char>(1 << random_.Below(8));
      }
    }
    const int copies = Chance(0.1) ? 2 : 1;
    if (copies == 2) stats_.repeated++;
    for (int i = 0; i < copies; i++) {
      const int delay = 1 + static_cast<int>(random_.Below(Chance(0.1) ? 60 : 4));
      bus_.push_back({.at = now_ + delay, .to = NumberOf(to), .bytes = bytes});
    }
  }

  size_t NumberOf(const std::string& name) const {
    for (size_t i = 0; i < kTablets; i++) {
      if (tablets_[i].name == name) return i;
    }
    return 0;
  }

  static Status Deliver(Process& process, const std::string& bytes) {
    const auto message = DecodeMessage(bytes);
    if (!message.ok()) return Status::Ok();
    if (const auto* batch = std::get_if<UrlBatch>(&*message)) return process.inbox->OnBatch(*batch);
    return process.outbox->OnConfirmation(std::get<Confirmation>(*message));
  }

  // A page with links, and whatever else is to be written.
  Status CommitRow(Process& process) {
    SimulatedTablet& here = tablets_[process.tablet];
    std::string row;
    if (!calm_ && !process.outbox->full()) {
      row = fmt::format("row/{:06}", ++last_row_);
      RecordWriter links;
      for (uint64_t i = random_.Below(4); i-- > 0;) {
        const size_t target = random_.Below(kTablets);
        if (target == process.tablet) continue;
        const std::string url = fmt::format("{}/{}", tablets_[target].name, ++last_url_);
        offered_.insert(url);
        stats_.urls++;
        links.Text(tablets_[target].name);
        links.Text(url);
        process.outbox->Add(tablets_[target].name, url);
      }
      CRV_TRY(process.store.Put(row, links.bytes()));
      if (bug_ == ExchangeBug::kOutboxApartFromRow) CRV_TRY(process.store.Sync());
    }
    const std::set<std::string> again = process.outbox->rederivations();
    for (const std::string& target : again) {
      stats_.derived_again++;
      if (bug_ != ExchangeBug::kNotDerivedAgain) {
        CRV_TRY(process.store.Scan("row/", [&](std::string_view, std::string_view value) -> Status {
          for (RecordReader in(value); in.left() > 0;) {
            const std::string_view name = in.Text();
            const std::string_view url = in.Text();
            if (name == target) process.outbox->Add(target, url);
          }
          return Status::Ok();
        }));
      }
      CRV_TRY(process.outbox->Rederived(target));
    }
    CRV_TRY(process.outbox->Flush());
    if (bug_ == ExchangeBug::kSentBeforeSync) process.outbox->Committed(), SendAll(process);
    CRV_TRY(process.store.Sync());
    if (bug_ == ExchangeBug::kSentBeforeFence) process.outbox->Committed(), SendAll(process);
    CRV_TRY(process.store.StillMine());
    process.outbox->Committed();
    if (!row.empty()) {
      stats_.rows++;
      here.acknowledged.insert(row);
    }
    return Status::Ok();
  }

  void SendAll(Process& process) {
    const MonotonicTime now{std::chrono::milliseconds(100) * now_};
    for (const UrlBatch& batch : process.outbox->ToSend(now)) Send(batch, batch.stream.to);
    for (const Confirmation& question : process.inbox->ToAsk(now)) Send(question, question.stream.from);
  }

  Status Work(Process& process) {
    if (calm_ || random_.Below(4) == 0) CRV_TRY(CommitRow(process));
    SendAll(process);
    CRV_ASSIGN(const auto confirmations, process.inbox->Commit());
    for (const Confirmation& one : confirmations) Send(one, one.stream.from);
    return Status::Ok();
  }

  void Tick() {
    now_++;
    std::vector<Message> due;
    for (size_t i = 0; i < bus_.size();) {
      if (bus_[i].at > now_) {
        i++;
        continue;
      }
      due.push_back(std::move(bus_[i]));
      bus_[i] = std::move(bus_.back());
      bus_.pop_back();
    }
    for (const Message& message : due) {
      for (const auto& process : tablets_[message.to].processes) {
        if (!process->dead && !Deliver(*process, message.bytes).ok()) process->dead = true;
      }
    }
    for (size_t tablet = 0; tablet < kTablets; tablet++) {
      SimulatedTablet& here = tablets_[tablet];
      MayTakeOver(tablet);
      for (const auto& process : here.processes) {
        const bool paused = now_ < process->paused_until && !calm_;
        if (!process->dead && !paused && random_.Below(8) != 0 && !Work(*process).ok()) process->dead = true;
        if (Chance(0.005)) process->paused_until = now_ + static_cast<int>(random_.Below(60));
      }
      Replace(tablet);
      if (Chance(0.004)) {
        here.snapshot = here.processes.back()->disk;
        here.snapshot_rows = here.acknowledged;
      }
      if (Chance(0.002)) {
        stats_.restores++;
        for (const auto& process : here.processes) Bury(*process);
        here.processes.clear();  // a restore is made while nothing runs
        here.acknowledged = here.snapshot_rows;
        Take(tablet, here.snapshot, /*restored=*/true);
      }
    }
  }

  void Bury(const Process& process) {
    if (!process.inbox) return;
    stats_.early += process.inbox->early();
    stats_.gaps += process.inbox->gaps();
  }

  // Starts what took over, and a new process where the owner died.
  void Replace(size_t tablet) {
    SimulatedTablet& here = tablets_[tablet];
    if (const auto copied = copied_.find(tablet); copied != copied_.end()) {
      Take(tablet, copied->second, std::exchange(process_restored_[tablet], false));
      copied_.erase(tablet);
    } else if (here.processes.back()->dead) {
      stats_.crashes++;
      Disk disk = here.processes.back()->disk;
      Take(tablet, std::move(disk), std::exchange(process_restored_[tablet], false));
    }
    for (auto process = here.processes.begin(); std::next(process) != here.processes.end();) {
      if ((*process)->dead) {
        Bury(**process);
        process = here.processes.erase(process);
      } else {
        ++process;
      }
    }
  }

  bool Settled() const {
    if (!bus_.empty()) return false;
    return std::all_of(tablets_.begin(), tablets_.end(), [](const SimulatedTablet& tablet) {
      const Process& owner = *tablet.processes.back();
      return tablet.processes.size() == 1 && !owner.dead && owner.outbox->empty() && !owner.inbox->asks();
    });
  }

  std::string Check() {
    for (const SimulatedTablet& tablet : tablets_) {
      const Process& owner = *tablet.processes.back();
      Bury(owner);
      for (const std::string& row : tablet.acknowledged) {
        if (!owner.disk.db.contains(row)) return fmt::format("{} lost the acknowledged {}", tablet.name, row);
      }
      for (auto at = owner.disk.db.lower_bound("row/");
           at != owner.disk.db.end() && at->first.starts_with("row/"); ++at) {
        for (RecordReader in(at->second); in.left() > 0;) {
          const std::string target(in.Text());
          const std::string url(in.Text());
          if (!tablets_[NumberOf(target)].processes.back()->disk.sieve.contains(url)) {
            return fmt::format("{} of {} in {} never reached the sieve of {}", url, at->first, tablet.name,
                               target);
          }
        }
      }
    }
    return "";
  }

  SeededRandom random_;
  const ExchangeBug bug_;
  std::vector<SimulatedTablet> tablets_;
  std::vector<Message> bus_;
  std::set<std::string> offered_;
  std::map<size_t, Disk> copied_;  // by tablets that are being taken over
  std::map<size_t, bool> process_restored_;
  std::string violation_;
  bool calm_ = false;
  int now_ = 0;
  uint64_t last_row_ = 0;
  uint64_t last_url_ = 0;
  ExchangeSimulationStats stats_;
};

}  // namespace crivello::cluster
