// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "kv/database.h"
#include "store/table.h"

namespace crivello::store {

// What was decided about a URL, when, and why: the answer to `why`.
//
// The ledger keeps only what cannot be recomputed. A verdict that depends only on URL and configuration
// (scope, a URL filter, a trap rule without memory) is recomputed on demand, so the ledger does not grow with
// every link. The result of a fetch is in the row (EventOfRow). That leaves a line or two for a queued URL:
// where it was found, and why it was not fetched if it was not.
//
// The numbers are stored on disk (docs/formats/ledger.md): never renumber or reuse one; a new kind takes the
// next number.
enum class EventKind : uint8_t {
  kSeed = 1,               // named by the user
  kFound = 2,              // on the page `url`; number: its depth, in links from a seed
  kInSitemap = 3,          // url: the sitemap
  kRedirectedHere = 4,     // from `url`
  kFetched = 5,            // number: HTTP status.  From rows; not stored
  kNotModified = 6,        // the server says that it has not changed
  kRedirected = 7,         // url: where to; number: HTTP status.  From rows; not stored
  kFailed = 8,             // text: what happened; number: the attempt; until: when it is retried
  kGivenUp = 9,            // text: the reason
  kRefusedByRobots = 10,   // number: the line of robots.txt, 0 if there is none; text: the rule
  kTrap = 11,              // text: the name of the rule
  kFiltered = 12,          // text: the filter; number: the point, as policy::FilterPoint
  kDuplicateOf = 13,       // url: the page with the same payload
  kNearCopyOf = 14,        // url: the similar page; number: differing bits; text: consequence
  kAlreadyFetched = 15,    // at dequeue, the row was newer than the queued URL
  kBudget = 16,            // text: which budget was used up
  kHostGivenUp = 17,       // text: the reason; all its queued URLs are dropped
  kLinksNotFollowed = 18,  // text: the reason
  kBadCertificate = 19,    // text: the server's certificate error; the page was fetched anyway
  kNotConverted = 20,      // text: why its format gave no text; the page is archived
};
constexpr uint8_t kMaxEventKind = 20;
// Like "refused-by-robots", for scripts.
std::string_view EventKindName(EventKind kind);

struct Event {
  VersionTime time = 0;  // microseconds since 1970
  EventKind kind = EventKind::kSeed;
  uint64_t number = 0;
  VersionTime until = 0;
  std::string url = {};
  std::string text = {};

  friend bool operator==(const Event&, const Event&) = default;
};

// One sentence, without the time: "refused by line 12 of robots.txt (Disallow: /private)". Text from outside
// is included unescaped: the caller must escape it for display.
std::string Explain(const Event& event);
// What a row says about its page: fetched or redirected.
Event EventOfRow(const Row& row);

std::string EncodeEvent(const Event& event);  // without its time
Result<Event> DecodeEvent(VersionTime time, std::string_view bytes);

// The ledger of a tablet, in its database. No state of its own; thread-safe. Format: docs/formats/ledger.md.
class Ledger {
 public:
  static kv::Family AddTo(std::vector<kv::FamilyOptions>* families);
  // The database must outlive the ledger.
  Ledger(kv::Database& database, kv::Family family) : database_(database), family_(family) {}

  // Two events of a URL with the same time and kind count as one: the last one put wins. InvalidArgument if
  // the key contains a NUL.
  Status Put(std::string_view row_key, const Event& event, kv::Batch* batch) const;
  // In chronological order.
  Result<std::vector<Event>> Get(std::string_view row_key) const;
  void Delete(std::string_view row_key, kv::Batch* batch) const;
  // The events of all URLs of a range, whose end must be bounded.
  void DeleteRange(const web::RowKeyRange& range, kv::Batch* batch) const {
    batch->DeleteRange(family_, range.begin, range.end);
  }
  // Visits every event, in order of row key and time.
  Status ForEach(const std::function<void(std::string_view row_key, const Event& event)>& visit) const;
  // Reads every event and reports the damaged ones.
  Status Check(const std::function<void(std::string sentence)>& note) const;

  kv::Family family() const { return family_; }

 private:
  kv::Database& database_;
  const kv::Family family_;
};

}  // namespace crivello::store
