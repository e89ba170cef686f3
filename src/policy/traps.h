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

// Traps are endless sets of URLs that a server generates on request: a calendar with a next month, a shop
// with ever new session ids, relative links that grow, lists with countless filters.  Nothing distinguishes
// them reliably from large sites.  Each rule here describes a shape of URL that real pages do not have, or so
// rarely that a cap does little harm.  Rules have names, so that `why` can report which one applied.
//
// There are two kinds.  CheckUrl() uses only the URL, and is called for every link before it is queued, so
// its verdict is recomputed rather than stored.  TrapMemory::Visit() remembers a little about each host, and
// is called once for each URL that is about to be fetched; the sieve ensures that each comes once.
enum class TrapRule : uint8_t {
  kLongUrl,             // longer than max_url_bytes
  kDeepPath,            // more than max_segments
  kRepeatedSegments,    // a sequence of segments three times in a row, or one segment five times in total
  kManyParameters,      // more than max_parameters
  kRepeatedParameters,  // the same parameter, with the same value, three times
  kFarDate,             // a calendar page later than next year
  kCalendar,            // more than max_dates pages of a calendar
  kSessionId,           // the same URL with another session id
  kFacets,              // a path with more than max_facets sets of parameters
};
constexpr size_t kTrapRules = 9;
// "repeated-segments"
std::string_view TrapRuleName(TrapRule rule);

struct TrapOptions {
  uint32_t max_url_bytes = 2048;
  uint32_t max_segments = 24;
  uint32_t max_parameters = 24;
  int this_year = 0;  // 0: CheckUrl() does not check dates
  uint32_t max_dates = 400;
  uint32_t max_facets = 48;
};

// The first rule that a canonical URL violates.  Pure; linear in the URL, because only the first 64 segments
// and parameters are compared with each other; no allocation.
std::optional<TrapRule> CheckUrl(const web::Url& url, const TrapOptions& options);

// The visits of hosts that look like traps: pages that are dates, pages with session ids, sets of parameters.
// Most hosts have none of these and take no memory.  A host takes at most kMaxHostBytes, and all together at
// most `budget_bytes`; beyond that, the least recently used host is forgotten, and may be visited as often
// again.  A crawl saves the memory now and then: after a crash, the visits counted since may be repeated.
// Thread-safe.  Format: docs/formats/trap-memory.md.
class TrapMemory {
 public:
  static constexpr FileKind kFileKind = {.name = "trap-memory", .version = 1};
  static constexpr size_t kMaxHostBytes = 16 << 10;

  explicit TrapMemory(TrapOptions options, uint64_t budget_bytes = 16 << 20);

  // Counts a visit; returns a rule if it must not be made.  Constant time except for the URL's length.
  std::optional<TrapRule> Visit(const web::Url& url) CRV_EXCLUDES(mu_);

  uint64_t MemoryBytes() const CRV_EXCLUDES(mu_);

  // Replaces the file; other calls do not wait for the disk meanwhile.
  Status Save(const std::string& path, FileSystem& fs = PosixFileSystem()) const CRV_EXCLUDES(mu_);
  // Loads the payload of such a file.  Corruption if it is damaged; the memory is then unchanged.
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
    uint64_t bytes = 0;  // as included in bytes_
  };

  // Recomputes the size of the front host, and forgets others until the budget is met.
  void KeepBudget() CRV_REQUIRES(mu_);
  bool VisitDate(uint32_t calendar, Host* host) const;
  bool VisitSession(uint32_t url, Host* host) const;
  bool VisitFacets(uint32_t path, uint32_t names, Host* host) const;

  const TrapOptions options_;
  const uint64_t budget_bytes_;
  mutable Mutex mu_;
  std::list<Host> hosts_ CRV_GUARDED_BY(mu_);  // the most recently used one in front
  std::unordered_map<uint64_t, std::list<Host>::iterator> by_name_ CRV_GUARDED_BY(mu_);
  uint64_t bytes_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace crivello::policy
