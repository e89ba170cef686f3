// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "frontier/agenda.h"
#include "frontier/budget.h"
#include "frontier/exchange.h"
#include "frontier/host_ranks.h"
#include "frontier/politeness.h"
#include "frontier/queue_block.h"
#include "frontier/tablets.h"
#include "frontier/url_record.h"
#include "kv/database.h"

namespace crivello::frontier {

struct FrontierOptions {
  PolitenessOptions politeness = {};
  BudgetOptions budget = {};
  HostRankUse host_ranks = {};
  // For the hosts in memory, read-ahead of their queues included; the others sleep on the disk.
  uint64_t memory_bytes = 64 << 20;
  // A host that was visited so often since it woke goes to sleep behind those that sleep, if any do.
  uint32_t quantum = 128;
  // Visits of one host that may be taken and not yet committed.
  uint32_t max_uncommitted = 64;
  // Whether robots.txt of an origin is visited before its first page (a caller without robots says no).
  bool robots = true;
  // Pump() makes what it moves durable before it lets go of the sieve's copy; a simulation says no.
  bool sync = true;
  // Pump() waits for the end of a flush that it began: for a simulated clock, which else runs ahead of it.
  bool wait_for_sieve = false;
};

// Something to fetch.  Its holder holds the host and its address: no one else gets a URL of either until
// Fetched() or Skipped().
struct Visit {
  uint64_t ticket = 0;  // names it to the frontier
  uint32_t tablet = 0;  // its slot (tablets.h)
  UrlKind kind = UrlKind::kPage;
  uint8_t priority = 0;
  uint32_t depth = 0;
  uint32_t attempt = 1;      // from 1
  std::string url = {};      // canonical; of robots.txt, or where it was moved to, for kRobots
  std::string host = {};     // of the URL
  std::string address = {};  // to connect to, as Resolved() had it
  std::string origin = {};   // whose robots.txt this is (kRobots), which after a move is not that of the URL
  uint32_t hops = 0;         // moves of robots.txt so far
  WallTime queued{};         // when the URL was found: a row that is newer makes the visit needless
  std::string via = {};      // the page that it was found on; empty for a seed
};

// What the crawler learnt from a robots.txt.
struct RobotsNews {
  WallTime until{};        // ask again after this; in the past: ask again before any page
  Duration crawl_delay{};  // for us; 0: none given
};

// How the frontier stands, and why it is idle when it is.  Hosts, unless it says otherwise.
struct FrontierStats {
  uint64_t ready = 0;          // may be fetched from now
  uint64_t host_delay = 0;     // wait for their own time
  uint64_t address_delay = 0;  // their time has come, that of their address not (or another host has it)
  uint64_t resolving = 0;      // wait for their address
  uint64_t robots = 0;         // their robots.txt is fetched, and RobotsDone() not yet called
  uint64_t taken = 0;          // held by visits that are going on
  uint64_t uncommitted = 0;    // as many of their visits wait to be committed as may
  uint64_t sleeping = 0;       // on the disk, with URLs in their queues
  uint64_t given_up = 0;
  uint64_t known = 0;             // ever
  uint64_t awake = 0;             // in memory
  uint64_t awake_limit = 0;       // as many as the memory budget lets in
  uint64_t queued_urls = 0;       // in the queues, those being visited included
  uint64_t uncommitted_urls = 0;  // visits not yet committed
  uint64_t scheduled = 0;         // URLs in the agendas, due or not
  uint64_t sieve_waiting = 0;     // URLs offered and not yet decided upon
  uint64_t sieve_untaken = 0;     // URLs that came through and are not yet in a queue
  uint64_t over_budget = 0;       // URLs dropped, in this process: per host, directory, depth, links per page
  uint64_t unfit = 0;             // URLs dropped because they are too long, in this process
  uint64_t of_given_up = 0;       // URLs dropped because their host is given up, in this process
  std::optional<MonotonicTime> next = {};  // when something may be fetched, if nothing may now
  std::string next_host = {};              // and from where
  std::optional<WallTime> next_wake = {};  // when the first of the sleeping hosts may be woken
  std::optional<WallTime> next_due = {};   // when the first URL of the agendas is due
};

// What is to be taken out of the queues (Frontier::Sweep).
struct Sweeper {
  std::function<bool(const QueueItem& item)> goes = {};
  // Adds to the batch in which the item leaves its queue; called once for each.
  std::function<Status(const QueueItem& item, kv::Batch& batch)> note = {};
};

// What comes next and when it may be fetched: the joint of sieve, queues, workbench and politeness.
//
//   Offer ────> exchange ─> sieve of the tablet ─> Pump ─> queue of the host (disk) ─> workbench ─> Take
//   Schedule ─> agenda of the tablet, until it is due ──^
//
// Every URL that was offered comes out of Take() once, but for the limits of the budget, hosts that are given
// up, and crashes, after which what was taken and not committed comes out again.  A URL that was scheduled
// comes out once for each time it was, not before that time, and whether or not it came out before.  URLs of
// one host and class come out in the order in which they were offered first.
//
// The life of a visit: Take(), then Fetched() or Skipped() as soon as the connection is done with (the next
// visit of the host may then begin after its delay, while this page is being parsed), then Commit::Done()
// together with the page's row.  A visit of robots.txt is not in any queue: after Fetched() comes
// RobotsDone(), and there is nothing to commit.
//
// Politeness holds over all tablets of the process: no two visits at one host or address at a time, and
// none sooner after the end of another than PolitenessOptions say; also across a restart, since a host that
// was there before is not visited before its delay has passed since Open().
//
// Memory: hosts with URLs sleep on the disk until fetchers starve; then Pump() wakes as many as memory_bytes
// lets in.  What else grows with the crawl is on the disk.
//
// Thread-safe: any number of threads takes, finishes, offers.  Take, Fetched and Skipped hold one lock for
// about a microsecond; Take also reads a block of its host's queue, off the lock, once in some dozen visits.
// Pump() is one thread's at a time and does all other reading.  Time comes from the clock given to Open().
class Frontier {
 public:
  // The tablets and the exchange live longer than the frontier.
  static Result<std::unique_ptr<Frontier>> Open(const Tablets& tablets, Exchange& exchange,
                                                const Clock& clock, const FrontierOptions& options);
  virtual ~Frontier() = default;

  // URLs in.

  // Offers the URLs of one page (or seeds), in their order.  They are durable after SyncOffers(), which
  // belongs before the commit of the page that they were found on.  May wait for a sieve that is busy.  Those
  // of tablets that are not here are put into `elsewhere`; without it they are sent, too.
  virtual Status Offer(std::span<const UrlRecord> urls, std::vector<OutgoingUrl>* elsewhere) = 0;
  Status Offer(std::span<const UrlRecord> urls) { return Offer(urls, nullptr); }
  virtual Status SyncOffers() = 0;
  // Has URLs visited at a time or later; those of the past and of now are queued by the next Pump().  This is
  // how a URL is visited again.  Limits of URLs (per host, depth) do not hold for them, and a host that was
  // given up has another chance when one of its URLs is due.  Durable when it returns.  Unavailable if the
  // tablet of one belongs to another process.
  virtual Status Schedule(std::span<const Appointment> appointments) = 0;

  // Steering.

  // While it is held, Take() and Fetched() give out no visit; all else continues.  Queues, delays and
  // addresses stay as they are.
  virtual void Hold(bool hold) = 0;
  // The limits, which may change at any time.  What was taken so far counts; what was dropped stays dropped.
  virtual void SetBudget(const BudgetOptions& budget) = 0;
  virtual BudgetOptions budget() const = 0;
  // Takes URLs out of the queues of some hosts of a tablet, while visits continue.  A host that is awake
  // cannot be swept: it is sent to sleep, which it does when its visits are committed and Pump() was called,
  // and is among `busy`, to be tried again.  Reads the queue of a host into memory, and rewrites it if
  // something goes.
  struct Swept {
    uint64_t urls = 0;
    std::vector<uint64_t> busy = {};
  };
  virtual Result<Swept> Sweep(uint32_t tablet, std::span<const uint64_t> hosts, const Sweeper& sweeper) = 0;

  // Visits out.

  struct Taken {
    std::optional<Visit> visit = {};
    // Without a visit: when to Pump() and ask again if nothing else happens (a Resolved, a Fetched, a Commit
    // may be earlier); nothing: not before one of these.
    std::optional<MonotonicTime> again = {};
    // The limit of the budget that is reached ("max-pages"): there will be no more visits.
    std::optional<std::string_view> spent = {};
  };
  virtual Result<Taken> Take() = 0;

  struct After {
    // What has become of the URL: kFinish and kGiveUpUrl say that it is done with; kRetry, that
    // Commit::Done() puts it back; kGiveUpHost, that all URLs of the host are dropped.
    Verdict verdict = Verdict::kFinish;
    // Politeness by proportion: the next visit of the host, to be made at once, over the same connection.
    std::optional<Visit> next = {};
  };
  // The request has ended.  Frees the host and its address, to be taken again after their delays.
  virtual Result<After> Fetched(const Visit& visit, const FetchOutcome& outcome) = 0;
  // There was no request (refused by robots, out of scope, the row is newer): it costs no delay.
  virtual void Skipped(const Visit& visit) = 0;

  // There was no request, because none may be made now: the visit is as if it had never been taken, and its
  // host has no other before that time.
  virtual void PutBack(const Visit& visit, MonotonicTime not_before) = 0;

  // The caller has no rules for the origin of this visit of a page (they were forgotten, or kept by a process
  // before): it is put back, and robots.txt visited first.  Costs no delay; ends the visit.
  virtual void NeedsRobots(const Visit& visit) = 0;
  // A visit of robots.txt that was Fetched() taught something; pages of the origin may follow.  `news.until`
  // in the past: nothing, it will be visited again.
  virtual void RobotsDone(const Visit& visit, const RobotsNews& news) = 0;
  // A visit of robots.txt that was Fetched() was sent elsewhere: a visit to `url` (canonical, of any host)
  // will follow, in politeness, with the same origin and one more hop; it ends as any of robots.txt does.
  virtual Status RobotsMoved(const Visit& visit, std::string_view url) = 0;

  // Addresses.

  // Names of hosts to be resolved, each once: until Resolved or ResolveFailed, it waits.
  virtual std::vector<std::string> NeedsAddress(size_t limit) = 0;
  virtual void Resolved(std::string_view host, std::string_view address, WallTime until) = 0;
  struct ResolveFailure {
    std::string why = {};
    bool permanent = false;  // there is no such name; else it is tried again, as after a failed fetch
  };
  virtual void ResolveFailed(std::string_view host, const ResolveFailure& failure) = 0;

  // The loop's duty.

  struct Pumped {
    uint64_t queued = 0;  // URLs that came through a sieve, or became due, into their queues
    uint64_t woken = 0;   // hosts
    bool more = false;    // there is more to do at once
    // When to Take() and to Pump() again, if nothing else happens; nothing: not before that.
    std::optional<MonotonicTime> again = {};
  };
  // Moves what came through the sieves and what is due to the queues, durably; wakes hosts if fetchers
  // starve; flushes the sieves if the crawl would be idle without.  To be called whenever Take() gives
  // nothing, and else some times a second.  If another thread is in it, returns at once.
  virtual Result<Pumped> Pump() = 0;

  // Nothing is queued, due, waiting in a sieve, being visited or to be committed: until something is offered
  // or becomes due, the crawl is over.
  virtual bool Finished() const = 0;

  // Commits.

  // A change to one tablet, in which visits are done with: what the caller puts into batch() (rows, ledger)
  // and the dequeues of these visits are written together or not at all.  Holds the tablet's queues against
  // other commits and Pump() from Begin() until it goes away: gather results first, then begin.
  class Commit {
   public:
    virtual ~Commit() = default;  // without Write(): as if it had never begun
    virtual kv::Batch& batch() = 0;
    // REQUIRES: the visit is of this tablet, no robots.txt, and was Fetched() or Skipped().
    virtual void Done(const Visit& visit) = 0;
    // Puts URLs that were visited before into the queues of their hosts, in the same batch.  As with
    // Schedule(), limits of URLs do not hold for them, and a host that was given up has another chance.
    // Returns how many are queued.  REQUIRES: called at most once, in a commit without Done().
    virtual Result<uint64_t> Requeue(std::span<const UrlRecord> urls) = 0;
    // If it fails, nothing was done: the visits may be put into another commit, once there is room on the
    // disk; after kv::Database::Resume() the frontier is to be opened anew.
    virtual Status Write(kv::Database::WriteOptions options) = 0;
  };
  virtual std::unique_ptr<Commit> Begin(uint32_t tablet) = 0;

  // After a Write() or a Pump() failed for want of room: tries to go on.  Unavailable while that cannot be.
  // REQUIRES: the calling thread has no Commit.
  virtual Status Recover() = 0;
  // Whether a visit that was taken is still to be committed.
  virtual bool IsOpen(const Visit& visit) const = 0;

  virtual FrontierStats Stats() const = 0;
  // What the hosts in memory wait for, at most `limit` of them, those that wait longest last.
  struct HostStanding {
    std::string host = {};
    std::string address = {};
    std::string waits_for =
        {};  // "nothing", "its delay", "its address", "an answer", "resolution", "robots.txt", "a commit"
    std::optional<MonotonicTime> until = {};
    uint64_t queued = 0;
    uint32_t failures = 0;
  };
  virtual std::vector<HostStanding> Standings(size_t limit) const = 0;
  virtual uint64_t memory_bytes() const = 0;
};

}  // namespace crivello::frontier
