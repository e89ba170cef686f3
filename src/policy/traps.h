// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file_system.h"
#include "base/image.h"
#include "base/mutex.h"
#include "base/status.h"
#include "web/url/url.h"

namespace crivello::policy {

// Traps are webs without end that a server makes up as it is asked: a calendar with a next month, a shop
// under ever new session ids, relative links that grow, lists that can be narrowed in every way.  Nothing
// tells them from large sites for sure; each rule here is a shape of URL that real pages do not have, or have
// so seldom that a cap does little harm.  Rules are named, so that `why` can tell which one it was.
//
// Two kinds: CheckUrl() looks at the URL alone, and is asked of every link before it is queued, so its
// verdict is recomputed rather than stored.  TrapMemory::Visit() remembers a little of each host, and is
// asked once of each URL that is about to be fetched; the sieve has seen to it that each comes once.
enum class TrapRule : uint8_t {
  kLongUrl,             // longer than max_url_bytes
  kDeepPath,            // more than max_segments
  kRepeatedSegments,    // a stretch of the path three times in a row, or a segment five times in all
  kManyParameters,      // more than max_parameters
  kRepeatedParameters,  // the same parameter, with the same value, three times
  kFarDate,             // a page of a calendar, later than next year
  kCalendar,            // more than max_dates pages of a calendar
  kSessionId,           // the same URL under another session id
  kFacets,              // a path with more than max_facets sets of parameters
};
constexpr size_t kTrapRules = 9;
// "repeated-segments"
std::string_view TrapRuleName(TrapRule rule);

struct TrapOptions {
  uint32_t max_url_bytes = 2048;
  uint32_t max_segments = 24;
  uint32_t max_parameters = 24;
  int this_year = 0;  // 0: dates are not judged by CheckUrl()
  uint32_t max_dates = 400;
  uint32_t max_facets = 48;
};

// The first rule that a canonical URL breaks.  Pure; linear in the URL, as only the first 64 segments and
// parameters are compared with each other; no allocation.
std::optional<TrapRule> CheckUrl(const web::Url& url, const TrapOptions& options);

// What was visited of hosts that look like traps: pages that are dates, pages with session ids, sets of
// parameters.  Most hosts have none of these and take no memory.  One that has takes at most kMaxHostBytes;
// all together at most `budget_bytes`, past which the host that was asked about longest ago is forgotten, and
// may be visited as much again.  A crawl saves it now and then: a crash costs the visits counted since, which
// may be made once more.  Thread-safe.  Format: docs/formats/trap-memory.md.
class TrapMemory {
 public:
  static constexpr FileKind kFileKind = {.name = "trap-memory", .version = 1};
  static constexpr size_t kMaxHostBytes = 16 << 10;

  explicit TrapMemory(TrapOptions options, uint64_t budget_bytes = 16 << 20);

  // Counts a visit; a rule if it must not be made.  Constant time but for the URL's length.
  std::optional<TrapRule> Visit(const web::Url& url) CRV_EXCLUDES(mu_);

  uint64_t MemoryBytes() const CRV_EXCLUDES(mu_);

  // Replaces the file; nothing waits for the disk meanwhile.
  Status Save(const std::string& path, FileSystem& fs = PosixFileSystem()) const CRV_EXCLUDES(mu_);
  // Makes it what the payload of such a file says.  Corruption if it is damaged: it stays as it was.
  Status Restore(Bytes image) CRV_EXCLUDES(mu_);
  // The same from a file; NotFound if there is none.
  Status Load(const std::string& path) CRV_EXCLUDES(mu_);

 private:
  struct Host {
    uint64_t name = 0;
    // Sorted, of hashes: (calendar, pages visited), URL without session id, (path, set of parameters).
    std::vector<std::pair<uint32_t, uint32_t>> calendars;
    std::vector<uint32_t> sessions;
    std::vector<std::pair<uint32_t, uint32_t>> facets;
    uint64_t bytes = 0;  // as counted in bytes_
  };

  // Reckons the bytes of the host in front anew, and forgets others until the budget is kept.
  void KeepBudget() CRV_REQUIRES(mu_);
  bool VisitDate(uint32_t calendar, Host* host) const;
  bool VisitSession(uint32_t url, Host* host) const;
  bool VisitFacets(uint32_t path, uint32_t names, Host* host) const;

  const TrapOptions options_;
  const uint64_t budget_bytes_;
  mutable Mutex mu_;
  std::list<Host> hosts_ CRV_GUARDED_BY(mu_);  // the one asked about last in front
  std::unordered_map<uint64_t, std::list<Host>::iterator> by_name_ CRV_GUARDED_BY(mu_);
  uint64_t bytes_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace crivello::policy
