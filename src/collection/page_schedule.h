// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "kv/database.h"
#include "revisit/planner.h"
#include "web/url/row_key.h"

namespace crivello::collection {

// Counts of the schedule of a tablet.
struct ScheduleStats {
  uint64_t pages = 0;
  uint64_t blocks = 0;
  uint64_t queued = 0;   // pages that are in the queue of their host
  uint64_t failing = 0;  // pages whose last visit brought no page
  double planned = 0;    // visits a day, by the intervals of all pages
  uint64_t firsts = 0;   // visits so far of pages that were new
  uint64_t revisits = 0;
  uint64_t changes = 0;  // of the revisits, those that found a change
  friend bool operator==(const ScheduleStats&, const ScheduleStats&) = default;
};

// When the pages of a tablet are visited again, and what their visits have shown: blocks of the pages of one
// host (revisit/host_schedule.h) and a calendar of the hours in which blocks are due, in two families of the
// tablet's database.  No page has a key of its own.
//
// A block holds the pages of a host up to the name in its key, and is divided in two when it has more than
// kMostPages.  So a visit costs no more for a host with a million pages than for one with a hundred.
//
// A host whose pages fill more than one block, or that cannot bear the visits that its pages are worth, has a
// record of its own with the sums over its pages, the price of a visit to it, and how often hints about its
// pages were right (revisit/planner.h).
//
// A visit reads, decodes and writes one block, which takes about 50 microseconds.  A Change does so once for
// all visits of a commit, and finds the block without the database if row keys come in order.  The memory
// does not grow with the number of pages.
//
// Thread-safe.  Format: docs/formats/schedule.md.
class PageSchedule {
 public:
  static constexpr size_t kMostPages = 128;

  struct Families {
    kv::Family blocks = 0;
    kv::Family calendar = 0;
    static Families AddTo(std::vector<kv::FamilyOptions>* families);
  };

  // The database must outlive it.  Reads one record.
  static Result<std::unique_ptr<PageSchedule>> Open(kv::Database& db, const Families& families);

  // A page, for reports.
  struct Page {
    revisit::ScheduledPage page = {};
    revisit::PageBelief belief = {};  // by the block's prior, or a wide one
  };

  // Changes that the caller writes in one batch together with the rows that they belong to.  Only one Change
  // exists at a time: the next Begin() waits.  Its owner must not use the schedule in any other way
  // meanwhile.  A caller that also changes the queues begins that change first.
  class Change {
   public:
    Change(Change&&) noexcept = default;

    // Records a visit.  A page enters the schedule with its first successful visit.
    Status Visit(std::string_view row_key, const revisit::VisitNews& news, revisit::Planner& planner);

    // The state of a host, according to its queue.
    struct HostView {
      bool silent = false;      // it was given up: one page of each block is tried, and the others back off
      double most_per_day = 0;  // revisits that it can bear; 0: any number
      size_t room = SIZE_MAX;   // pages that may be taken now
      // Pages without room wait for `wait_hours`, and each further one for `each_hours` more.
      double wait_hours = 1;
      double each_hours = 0;
    };
    using LookAtHost = std::function<Result<HostView>(std::string_view row_key)>;

    // Returns pages that are due, the earliest hours first, at most `limit` and one block more, and marks
    // them as queued.  Reviews blocks that are due for it.  Calls `look` once for each host.
    struct Due {
      std::string row_key = {};
      uint32_t depth = 0;
      bool sitemap = false;
      bool gone = false;  // must not be queued: its host is silent, and it counts as gone from now on
    };
    Result<std::vector<Due>> TakeDue(uint32_t hour, size_t limit, revisit::Planner& planner,
                                     const LookAtHost& look);

    // Records a hint that a page has changed.  False if the page is not in the schedule.
    Result<bool> Hint(std::string_view row_key, revisit::HintSource source, uint32_t hour,
                      revisit::Planner& planner);

    // Enters a page that has been in the table since `time`; does nothing if it is in the schedule.
    Status Enter(std::string_view row_key, int64_t time, revisit::Planner& planner);
    // Records whether every page of the table is in the schedule now.
    void SetComplete(bool complete) { complete_ = complete; }

    // Removes all pages of a range.
    Status Forget(const web::RowKeyRange& range);

    bool empty() const { return blocks_.empty(); }
    // Adds the changes to a batch.  The caller calls Done() once the batch is written.  Without Done(),
    // nothing has changed.
    Status Fill(kv::Batch* batch, const revisit::Planner* planner);
    void Done(revisit::Planner* planner);

   private:
    friend class PageSchedule;
    struct Block {
      revisit::HostSchedule schedule = {};
      std::optional<uint32_t> calendar = {};  // the hour under which the calendar has it
      bool changed = false;
      // Row keys from this one up to the block's key belong to it: no stored block has its key between them.
      std::optional<std::string> from = {};
    };
    using Blocks = std::map<std::string, Block, std::less<>>;  // by key
    struct Host {
      revisit::HostLoad load = {};
      bool stored = false;  // it has a record; otherwise `load` is valid only if it was measured
      bool measured = false;
      bool changed = false;
      std::optional<HostView> view = {};
      uint32_t waiting = 0;  // pages for which there was no room
    };
    // Lends a block its host's trust in hints while the planner works on the block.
    class HintLoan {
     public:
      HintLoan(Host* host, revisit::HostSchedule* schedule);
      ~HintLoan();
      HintLoan(const HintLoan&) = delete;
      HintLoan& operator=(const HintLoan&) = delete;

     private:
      Host* const host_;
      revisit::HostSchedule* const schedule_;
    };
    // Moves a block's trust in hints to its host, which has a record.
    static void TakeHints(Host* host, revisit::HostSchedule* schedule);
    // The contribution of a page to the sums.
    struct Counted {
      bool queued = false;
      bool failing = false;
      double planned = 0;
    };
    static Counted CountedOf(const revisit::ScheduledPage& page);

    explicit Change(PageSchedule& schedule);
    // The block in which the page is or would be; creates it if there is none.
    Result<Blocks::iterator> Find(std::string_view row_key);
    Result<Blocks::iterator> Load(std::string key, std::string_view bytes);
    // The host of a row key, with its record if it has one.
    Result<Host*> HostOf(std::string_view row_key);
    // Sums up the pages of all blocks of a host that has no record: one seek for each block.
    Status Measure(std::string_view host_key, Host* host);
    void Count(const Counted& page, int sign, Host* host);
    void Recount(const Counted& before, const revisit::ScheduledPage& now, Host* host);
    // Takes a page that is due, or puts it off.
    Status TakePage(uint32_t hour, revisit::Planner& planner, const std::string& host_key, Host* host,
                    revisit::HostSchedule* schedule, revisit::ScheduledPage* page, bool* asked,
                    std::vector<Due>* due);
    Status Divide(Blocks::iterator block, Host* host);
    void FillHosts(kv::Batch* batch);

    PageSchedule* schedule_;
    std::unique_lock<Mutex> lock_;
    ScheduleStats before_;
    ScheduleStats stats_;
    bool complete_ = false;
    Blocks blocks_;
    std::map<std::string, Host, std::less<>> hosts_;  // by what their row keys begin with
    std::vector<std::string> gone_;                   // entries of the calendar
    std::string first_seen_;                          // in the calendar: there is none before
    std::string first_written_;
  };
  Change Begin() { return Change(*this); }

  // One page, as it was last written.
  Result<std::optional<Page>> Find(std::string_view row_key) const;
  // Calls `visit` for each block, in the order of row keys, until it returns false.  Corruption, naming it,
  // if a block cannot be read.
  struct BlockView {
    std::string_view host_key = {};  // what row keys of its host begin with
    const revisit::HostSchedule& schedule;
  };
  Status ForEachBlock(const std::function<bool(const BlockView& block)>& visit,
                      std::string_view from = {}) const;

  // The hour in which something is due; nothing if nothing is scheduled.
  Result<std::optional<uint32_t>> FirstDueHour() const CRV_EXCLUDES(mu_);
  ScheduleStats stats() const CRV_EXCLUDES(mu_);
  // Whether every page of the table has been entered: not if the table is older than the schedule, or pages
  // were imported since.
  bool complete() const CRV_EXCLUDES(mu_);
  // What the planner had learnt when the tablet was last written.
  revisit::Planner::Memory memory() const CRV_EXCLUDES(mu_);

  // What is stored of a host, by what its row keys begin with ("it,unimi)"); nothing if it has no record.
  Result<std::optional<revisit::HostLoad>> FindHost(std::string_view host_key) const;

  // Reads everything, as of one moment, and reports what is damaged or inconsistent.
  Status Check(const std::function<void(std::string sentence)>& note) const;

  const Families& families() const { return families_; }

 private:
  PageSchedule(kv::Database& db, const Families& families) : db_(db), families_(families) {}

  kv::Database& db_;
  const Families families_;

  mutable Mutex change_mu_;  // held by a Change
  mutable Mutex mu_;
  ScheduleStats stats_ CRV_GUARDED_BY(mu_);
  bool complete_ CRV_GUARDED_BY(mu_) = false;
  revisit::Planner::Memory memory_ CRV_GUARDED_BY(mu_);
  // The calendar has no entry before this key, so scans skip the deleted ones.
  std::string calendar_from_ CRV_GUARDED_BY(mu_);
};

// The record of the counts: docs/formats/schedule.md.  Here for tests and fuzzers.
struct ScheduleRecord {
  ScheduleStats stats = {};
  bool complete = false;
  revisit::Planner::Memory memory = {};
};
std::string EncodeScheduleRecord(const ScheduleRecord& record);
std::optional<ScheduleRecord> DecodeScheduleRecord(std::string_view bytes);
// The record of a host, without its limit.
std::string EncodeHostLoad(const revisit::HostLoad& load);
std::optional<revisit::HostLoad> DecodeHostLoad(std::string_view bytes);

}  // namespace crivello::collection
