// SPDX-License-Identifier: Apache-2.0
// Messages about what a crawl did and what remains to be done.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "wire/message.h"

namespace crivello::wire {

// One decision about a URL, or a consequence of the current state.
struct Reason {
  int64_t time = 0;       // microseconds since 1970; 0: current state
  std::string kind = {};  // for scripts
  std::string sentence = {};

  static void Fields(auto& visit, auto& self) { visit(self.time, self.kind, self.sentence); }
  friend bool operator==(const Reason&, const Reason&) = default;
};

struct Reasons {
  static constexpr const char* kName = "reasons";
  std::string url = {};  // canonical
  std::vector<Reason> reasons = {};

  static void Fields(auto& visit, auto& self) { visit(self.url, self.reasons); }
  friend bool operator==(const Reasons&, const Reasons&) = default;
};

// All decisions about a URL.
struct WhyRequest {
  static constexpr const char* kName = "why";
  static constexpr MessageType kType = MessageType::kWhy;
  static constexpr bool kRepeatable = true;
  using Answer = Reasons;

  std::string url = {};  // as typed

  static void Fields(auto& visit, auto& self) { visit(self.url); }
  friend bool operator==(const WhyRequest&, const WhyRequest&) = default;
};

// The results of a crawl for one host.
struct HostReport {
  std::string host = {};
  uint64_t pages = 0;                     // rows
  std::array<uint64_t, 6> statuses = {};  // of those, by first digit; 0: others
  uint64_t bytes = 0;                     // of their bodies, as sent
  uint64_t revisits = 0;                  // of those, with a body archived before under another URL
  uint64_t copies = 0;                    // of those, answers 2xx
  uint64_t near_copies = 0;               // rows that were nearly equal to another page when fetched
  uint64_t truncated = 0;
  uint64_t queued = 0;
  uint64_t failed = 0;   // requests without an answer
  uint64_t refused = 0;  // URLs that were not requested: robots.txt, filters, scope
  bool given_up = false;
  std::string last_error = {};
  std::string mirror_of = {};  // the host of which most of its pages are copies; empty if there is none
  uint64_t mirrored = 0;       // how many

  static void Fields(auto& visit, auto& self) {
    visit(self.host, self.pages, self.statuses, self.bytes, self.revisits, self.copies, self.near_copies,
          self.truncated, self.queued, self.failed, self.refused, self.given_up, self.last_error,
          self.mirror_of, self.mirrored);
  }
  friend bool operator==(const HostReport&, const HostReport&) = default;
};

struct HostReports {
  static constexpr const char* kName = "reports of hosts";
  std::vector<HostReport> hosts = {};  // in order of name

  static void Fields(auto& visit, auto& self) { visit(self.hosts); }
  friend bool operator==(const HostReports&, const HostReports&) = default;
};

// All hosts that have rows or that the frontier knows.  Reads every row.
struct HostReportsRequest {
  static constexpr const char* kName = "host reports";
  static constexpr MessageType kType = MessageType::kHostReports;
  static constexpr bool kRepeatable = true;
  using Answer = HostReports;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const HostReportsRequest&, const HostReportsRequest&) = default;
};

// The results for a seed.
struct SeedReport {
  std::string url = {};
  int32_t status = 0;         // 0: no response was stored
  std::string location = {};  // where it redirects to
  std::string sentence = {};  // the last decision about it

  static void Fields(auto& visit, auto& self) { visit(self.url, self.status, self.location, self.sentence); }
  friend bool operator==(const SeedReport&, const SeedReport&) = default;
};

struct SeedReports {
  static constexpr const char* kName = "reports of seeds";
  std::vector<SeedReport> seeds = {};

  static void Fields(auto& visit, auto& self) { visit(self.seeds); }
  friend bool operator==(const SeedReports&, const SeedReports&) = default;
};

struct SeedReportsRequest {
  static constexpr const char* kName = "seed reports";
  static constexpr MessageType kType = MessageType::kSeedReports;
  static constexpr bool kRepeatable = true;
  using Answer = SeedReports;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const SeedReportsRequest&, const SeedReportsRequest&) = default;
};

struct CollectionStats {
  static constexpr const char* kName = "counts";
  uint64_t pages = 0;  // rows
  uint64_t hosts = 0;
  uint64_t queued = 0;

  static void Fields(auto& visit, auto& self) { visit(self.pages, self.hosts, self.queued); }
  friend bool operator==(const CollectionStats&, const CollectionStats&) = default;
};

// The size of a collection.  Reads every row.
struct CountsRequest {
  static constexpr const char* kName = "counts request";
  static constexpr MessageType kType = MessageType::kCounts;
  static constexpr bool kRepeatable = true;
  using Answer = CollectionStats;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const CountsRequest&, const CountsRequest&) = default;
};

struct QueuedHost {
  std::string host = {};
  uint64_t queued = 0;
  uint64_t fetched = 0;
  uint64_t failed = 0;
  uint64_t failures_in_a_row = 0;
  bool given_up = false;
  std::string last_error = {};
  int64_t not_before = 0;  // seconds since 1970; in the past: it may be fetched from now
  std::string address = {};

  static void Fields(auto& visit, auto& self) {
    visit(self.host, self.queued, self.fetched, self.failed, self.failures_in_a_row, self.given_up,
          self.last_error, self.not_before, self.address);
  }
  friend bool operator==(const QueuedHost&, const QueuedHost&) = default;
};

struct Queues {
  static constexpr const char* kName = "queues";
  uint64_t hosts = 0;     // known
  uint64_t waiting = 0;   // of those, with URLs
  uint64_t given_up = 0;  // of those known
  uint64_t queued = 0;    // URLs
  uint64_t enqueued = 0;  // URLs, in total
  uint64_t in_sieve = 0;  // URLs that are in no queue yet
  uint64_t known_urls = 0;
  std::vector<QueuedHost> top = {};  // those with the most URLs

  static void Fields(auto& visit, auto& self) {
    visit(self.hosts, self.waiting, self.given_up, self.queued, self.enqueued, self.in_sieve, self.known_urls,
          self.top);
  }
  friend bool operator==(const Queues&, const Queues&) = default;
};

// The contents of the queues.  Reads the state of every host.
struct QueuesRequest {
  static constexpr const char* kName = "frontier";
  static constexpr MessageType kType = MessageType::kQueues;
  static constexpr bool kRepeatable = true;
  using Answer = Queues;

  uint64_t limit = 20;  // hosts

  static void Fields(auto& visit, auto& self) { visit(self.limit); }
  friend bool operator==(const QueuesRequest&, const QueuesRequest&) = default;
};

struct SurveyedHost {
  HostReport report = {};
  std::string robots = {};                         // what its robots.txt says to us, summarised
  int64_t crawl_delay_ms = 0;                      // requested by robots.txt; 0: none
  int64_t next_fetch = 0;                          // seconds since 1970: not before
  uint32_t failures = 0;                           // in a row
  std::map<std::string, uint64_t> languages = {};  // pages sampled, by language
  uint64_t sampled = 0;

  static void Fields(auto& visit, auto& self) {
    visit(self.report, self.robots, self.crawl_delay_ms, self.next_fetch, self.failures, self.languages,
          self.sampled);
  }
  friend bool operator==(const SurveyedHost&, const SurveyedHost&) = default;
};

// The links between two hosts, given by their indices in `hosts`.
struct SurveyedLink {
  uint32_t from = 0;
  uint32_t to = 0;
  uint64_t count = 0;

  static void Fields(auto& visit, auto& self) { visit(self.from, self.to, self.count); }
  friend bool operator==(const SurveyedLink&, const SurveyedLink&) = default;
};

// A page that could not be fetched, or was skipped.
struct SurveyedTrouble {
  std::string url = {};
  int64_t time = 0;  // microseconds since 1970
  std::string kind = {};
  std::string sentence = {};

  static void Fields(auto& visit, auto& self) { visit(self.url, self.time, self.kind, self.sentence); }
  friend bool operator==(const SurveyedTrouble&, const SurveyedTrouble&) = default;
};

struct Survey {
  static constexpr const char* kName = "survey of hosts";
  std::vector<SurveyedHost> hosts = {};        // in order of name
  std::vector<SurveyedLink> links = {};        // between indices in `hosts`
  std::vector<SurveyedTrouble> troubles = {};  // the latest first
  std::map<std::string, uint64_t> trouble_counts = {};

  static void Fields(auto& visit, auto& self) {
    visit(self.hosts, self.links, self.troubles, self.trouble_counts);
  }
  friend bool operator==(const Survey&, const Survey&) = default;
};

// An overview of the hosts of a collection.  Reads every row.
struct SurveyRequest {
  static constexpr const char* kName = "survey";
  static constexpr MessageType kType = MessageType::kSurvey;
  static constexpr bool kRepeatable = true;
  using Answer = Survey;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const SurveyRequest&, const SurveyRequest&) = default;
};

// When a page is revisited.
struct NextVisit {
  static constexpr const char* kName = "next visit";
  std::string url = {};  // canonical
  bool scheduled = false;
  int64_t next = 0;       // seconds since 1970
  int64_t last = 0;       // seconds since 1970
  uint64_t interval = 0;  // seconds
  uint64_t visits = 0;
  uint64_t changes = 0;
  uint32_t failures = 0;
  std::string reason = {};

  static void Fields(auto& visit, auto& self) {
    visit(self.url, self.scheduled, self.next, self.last, self.interval, self.visits, self.changes,
          self.failures, self.reason);
  }
  friend bool operator==(const NextVisit&, const NextVisit&) = default;
};

struct ScheduleRequest {
  static constexpr const char* kName = "schedule";
  static constexpr MessageType kType = MessageType::kSchedule;
  static constexpr bool kRepeatable = true;
  using Answer = NextVisit;

  std::string url = {};  // as typed

  static void Fields(auto& visit, auto& self) { visit(self.url); }
  friend bool operator==(const ScheduleRequest&, const ScheduleRequest&) = default;
};

// How current the pages are.
struct ScheduleSummary {
  static constexpr const char* kName = "schedule of all pages";
  uint64_t pages = 0;
  uint64_t queued = 0;   // of these, in the queues of their hosts
  uint64_t failing = 0;  // of these, the last visit got no page
  uint64_t blocks = 0;
  uint64_t firsts = 0;  // visits of new pages
  uint64_t revisits = 0;
  uint64_t changes = 0;               // found by revisits
  int64_t next = 0;                   // seconds since 1970; 0: nothing is scheduled
  uint64_t visits_per_1000_days = 0;  // planned
  uint64_t fresh_per_million = 0;     // of the copies, an estimate
  uint64_t age_seconds = 0;           // average time since the last visit

  static void Fields(auto& visit, auto& self) {
    visit(self.pages, self.queued, self.failing, self.blocks, self.firsts, self.revisits, self.changes,
          self.next, self.visits_per_1000_days, self.fresh_per_million, self.age_seconds);
  }
  friend bool operator==(const ScheduleSummary&, const ScheduleSummary&) = default;
};

// Reads the whole schedule.
struct ScheduleSummaryRequest {
  static constexpr const char* kName = "schedule summary";
  static constexpr MessageType kType = MessageType::kScheduleSummary;
  static constexpr bool kRepeatable = true;
  using Answer = ScheduleSummary;

  static void Fields(auto& visit, auto& /*self*/) { visit(); }
  friend bool operator==(const ScheduleSummaryRequest&, const ScheduleSummaryRequest&) = default;
};

}  // namespace crivello::wire
