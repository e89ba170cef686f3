// SPDX-License-Identifier: Apache-2.0
#include "frontier/queue_load.h"

#include <fmt/format.h>
#include <time.h>

#include <chrono>
#include <cmath>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "base/process_usage.h"
#include "base/random.h"
#include "frontier/host_queues.h"

namespace crivello::frontier {
namespace {

double ThreadCpuSeconds() {
  timespec t = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The number after `name` in /proc/self/io; 0 if it is missing.
uint64_t IoNumber(std::string_view name) {
  const auto text = ReadFile("/proc/self/io");
  if (!text.ok()) return 0;
  const size_t at = text->find(name);
  return at == std::string::npos ? 0 : std::strtoull(text->c_str() + at + name.size(), nullptr, 10);
}

// Zipf with exponent 1, by the inverse of its integral.
uint64_t ZipfRank(Random& random, uint64_t hosts) {
  const double u = static_cast<double>(random.Next() >> 11) * 0x1p-53;
  return static_cast<uint64_t>(std::exp(u * std::log(static_cast<double>(hosts))));
}

// URLs of some 65 bytes; half of each path is random.
class Discovery {
 public:
  explicit Discovery(const QueueLoadOptions& options) : options_(options), random_(options.seed) {}

  void Make(uint64_t count) {
    const uint64_t links = options_.links_per_page;
    text_.clear();
    text_.reserve((count + (links == 0 ? 0 : count / links + 1)) * kUrlBytes);
    urls_.clear();
    std::vector<Range> pages;
    uint64_t page_rank = 0;
    for (uint64_t i = 0; i < count; i++) {
      if (links > 0 && i % links == 0) {
        page_rank = ZipfRank(random_, options_.hosts);
        pages.push_back(AppendUrl(page_rank));
      }
      const bool stays = links > 0 && random_.Below(4) != 0;
      urls_.push_back(AppendUrl(stays ? page_rank : ZipfRank(random_, options_.hosts)));
    }
    records_.clear();
    for (size_t i = 0; i < urls_.size(); i++) {
      const size_t end = urls_[i].begin + urls_[i].size;
      const std::string_view url = View(urls_[i]);
      records_.push_back({.url = url,
                          .priority = static_cast<uint8_t>(end % 8 == 0),
                          .depth = static_cast<uint32_t>(end % 4),
                          .found = WallTime(std::chrono::seconds(1'800'000'000))});
      if (links > 0 && options_.name_pages) records_.back().via = Via::Of(url, View(pages[i / links]));
    }
  }
  const std::vector<UrlRecord>& records() const { return records_; }

 private:
  static constexpr size_t kUrlBytes = 72;  // at most, nearly always
  struct Range {
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  Range AppendUrl(uint64_t rank) {
    const size_t begin = text_.size();
    const uint64_t word = random_.Next();
    fmt::format_to(std::back_inserter(text_), "https://www.site-{:x}.example/archive/{}/{:08x}/{}.html",
                   Mix64(rank) >> 36, word % 50, static_cast<uint32_t>(word >> 32), made_++);
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(text_.size() - begin)};
  }
  std::string_view View(Range range) const { return std::string_view(text_).substr(range.begin, range.size); }

  const QueueLoadOptions& options_;
  SeededRandom random_;
  uint64_t made_ = 0;
  std::string text_;
  std::vector<Range> urls_;
  std::vector<UrlRecord> records_;
};

struct Opened {
  std::unique_ptr<kv::Database> db;
  std::unique_ptr<HostQueues> queues;
};

Result<Opened> OpenQueues(const QueueLoadOptions& options) {
  kv::DatabaseOptions database;
  database.families = HostQueues::Families();
  database.memory_bytes = options.memory_bytes;
  Opened opened;
  CRV_ASSIGN(opened.db, kv::Database::Open(options.path, database));
  CRV_ASSIGN(opened.queues, HostQueues::Open(*opened.db, 0));
  return opened;
}

void WaitUntilIdle(const kv::Database& db) {
  while (db.Busy()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

WallTime At(int64_t seconds) { return WallTime(std::chrono::seconds(1'800'000'000 + seconds)); }

struct Visited {
  uint64_t host = 0;
  HostState state = {};
  QueueCursor cursor = {};
  std::vector<QueueItem> ahead = {};
  size_t next = 0;  // index in `ahead`
  uint32_t visits = 0;
};

Status ReadAhead(const QueueLoadOptions& options, const HostQueues& queues, Visited& host) {
  CRV_ASSIGN(host.ahead, queues.Read(host.host, host.cursor, options.read_ahead));
  host.next = 0;
  return Status::Ok();
}

// One turn of a host: visits its next URL, or puts it to sleep.
Status VisitHost(const QueueLoadOptions& options, HostQueues& queues, HostQueues::Change& change,
                 Visited& host, int64_t now, bool* sleeps) {
  CRV_TRY(change.Pop(host.host, host.ahead[host.next++]));
  host.visits++;
  host.state.fetched++;
  host.state.bytes += 20'000;
  host.state.next_fetch = At(now + 10);
  CRV_TRY(change.Store(host.host, host.state));
  const bool all_visited = host.next == host.ahead.size();
  if (all_visited && host.visits < options.quantum) CRV_TRY(ReadAhead(options, queues, host));
  *sleeps = host.next == host.ahead.size() || host.visits >= options.quantum;
  if (*sleeps) CRV_TRY(change.Sleep(host.host, host.state.next_fetch));
  return Status::Ok();
}

// Hosts are woken when this share of those in memory has gone to sleep.
constexpr uint64_t kWakeShare = 64;

Status Drain(const QueueLoadOptions& options, HostQueues& queues, uint64_t* dequeued) {
  std::deque<std::unique_ptr<Visited>>
      turns;  // all delays are equal: the order of the time queue is the order of arrival
  int64_t now = 100;
  while (*dequeued < options.dequeues) {
    if (turns.size() + options.awake / kWakeShare <= options.awake) {
      CRV_ASSIGN(auto woken, queues.TakeSleeping(options.awake - turns.size(), At(now)));
      for (HostQueues::Woken& host : woken) {
        auto visited = std::make_unique<Visited>();
        visited->host = host.host;
        visited->cursor = HostQueues::Start(host.state);
        visited->state = std::move(host.state);
        CRV_TRY(ReadAhead(options, queues, *visited));
        turns.push_back(std::move(visited));
      }
    }
    if (turns.empty()) {
      CRV_ASSIGN(const auto next, queues.NextWake());
      if (!next) return Status::Ok();
      now += 10;
      continue;
    }
    HostQueues::Change change = queues.Begin();
    for (uint32_t i = 0; i < options.group && !turns.empty(); i++) {
      std::unique_ptr<Visited> host = std::move(turns.front());
      turns.pop_front();
      bool sleeps = false;
      CRV_TRY(VisitHost(options, queues, change, *host, now, &sleeps));
      ++*dequeued;
      if (!sleeps) turns.push_back(std::move(host));
    }
    CRV_TRY(change.Write({.sync = true}));
    now++;
  }
  return Status::Ok();
}

}  // namespace

Result<QueueLoadReport> RunQueueLoad(const QueueLoadOptions& options) {
  QueueLoadReport report;
  const uint64_t written = IoNumber("\nwrite_bytes: ");
  CRV_ASSIGN(Opened opened, OpenQueues(options));

  double cpu = CpuSeconds();
  double wall = WallSeconds();
  {
    Discovery discovery(options);
    for (uint64_t made = 0; made < options.urls; made += options.slice) {
      const double before = ThreadCpuSeconds();
      discovery.Make(std::min(options.slice, options.urls - made));
      cpu += ThreadCpuSeconds() - before;
      HostQueues::Change change = opened.queues->Begin();
      CRV_ASSIGN(const auto result, change.Enqueue(discovery.records(), At(0)));
      CRV_TRY(change.Write({.sync = true}));
    }
    WaitUntilIdle(*opened.db);
  }
  report.enqueue_cpu_s = CpuSeconds() - cpu;
  report.enqueue_s = WallSeconds() - wall;
  report.disk_bytes = opened.db->DiskBytes();
  report.enqueue_peak_bytes = PeakBytes();

  opened = {};
  cpu = CpuSeconds();
  wall = WallSeconds();
  CRV_ASSIGN(opened, OpenQueues(options));
  CRV_ASSIGN(const auto first, opened.queues->NextWake());
  if (!first) return Status::Corruption("the queues are empty after reopening");
  report.open_s = WallSeconds() - wall;
  report.open_cpu_s = CpuSeconds() - cpu;
  WaitUntilIdle(*opened.db);

  cpu = CpuSeconds();
  wall = WallSeconds();
  CRV_TRY(Drain(options, *opened.queues, &report.dequeued));
  WaitUntilIdle(*opened.db);
  report.dequeue_cpu_s = CpuSeconds() - cpu;
  report.dequeue_s = WallSeconds() - wall;
  report.peak_bytes = PeakBytes();
  report.written_bytes = IoNumber("\nwrite_bytes: ") - written;
  return report;
}

}  // namespace crivello::frontier
