// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"

namespace crivello::feeds {

// IndexNow (indexnow.org/documentation): a site submits URLs of its pages that have changed.  A file on the
// site, which holds a key, proves that the site itself submits them.  A submission is a hint: its pages are
// fetched like any others.

struct IndexNow {
  std::string host = {};  // may be empty if there is one URL
  std::string key = {};
  std::string key_location = {};  // empty: /KEY.txt of the host
  std::vector<std::string> urls = {};

  static constexpr size_t kMaxUrls = 10'000;
  static constexpr size_t kMaxUrlBytes = 2048;
};

// A valid submission: canonical URLs of one origin, each within the folder of the key file.
struct CheckedIndexNow {
  std::string host;
  std::string key;
  std::string key_url;
  std::vector<std::string> urls;
};
// InvalidArgument says which rule it breaks.  Linear; no I/O.
Result<CheckedIndexNow> CheckIndexNow(const IndexNow& submission);

// What a desk needs from the crawl.  Thread-safe.
class IndexNowCrawl {
 public:
  virtual ~IndexNowCrawl() = default;
  // Whether scope and filters want the URL.
  virtual bool Wants(const std::string& url) = 0;
  // Fetches a key file politely, through the queue of its host.
  virtual Status Fetch(const std::string& url) = 0;
  // The body of a key file that was fetched since then: empty if the answer was not a success.  Nothing if it
  // has not been fetched yet.
  virtual Result<std::optional<std::string>> Fetched(const std::string& url, WallTime since) = 0;
  // Hands on URLs of pages that the site says have changed.
  virtual Status Hint(const std::vector<std::string>& urls) = 0;
};

struct IndexNowOptions {
  size_t waiting = 256;             // submissions whose key file is being fetched
  uint64_t waiting_urls = 100'000;  // in these submissions
  size_t waiting_per_host = 4;
  uint64_t urls_per_host = 10'000;  // taken in a window of time
  Duration window = std::chrono::hours(1);
  size_t keys = 10'000;  // key files remembered, right or wrong
  Duration right = std::chrono::hours(24);
  Duration wrong = std::chrono::hours(1);
  Duration patience = std::chrono::minutes(30);  // how long to wait for a key file
};

// Accepts submissions, verifies their keys, and hands on their URLs.  The options bound its memory.
// Thread-safe.  The crawl and the clock must outlive it.
class IndexNowDesk {
 public:
  IndexNowDesk(IndexNowCrawl& crawl, const Clock& clock, const IndexNowOptions& options = {})
      : crawl_(crawl), clock_(clock), options_(options) {}

  enum class Verdict : uint8_t {
    kAccepted,    // its URLs were handed on, or will be when the key is proven
    kMalformed,   // breaks a rule
    kOutOfScope,  // the crawl wants none of its URLs; nothing was fetched
    kWrongKey,    // the key file was read, and holds another key or none
    kTooMany,     // come back later
  };
  struct Answer {
    Verdict verdict = Verdict::kAccepted;
    std::string message = {};
  };
  Answer Take(const IndexNow& submission) CRV_EXCLUDES(mu_);

  // Checks which key files have arrived.  Call it about once a second.  Errors come from the disk.
  Status Look() CRV_EXCLUDES(mu_);

  struct Stats {
    uint64_t accepted = 0;  // submissions, by their result
    uint64_t malformed = 0;
    uint64_t out_of_scope = 0;
    uint64_t wrong_key = 0;
    uint64_t too_many = 0;
    uint64_t urls = 0;     // handed on
    uint64_t waiting = 0;  // submissions that wait now
  };
  Stats stats() const CRV_EXCLUDES(mu_);

 private:
  struct Waiting {
    CheckedIndexNow submission;
    WallTime since{};
    MonotonicTime until{};
  };
  struct KnownKey {
    std::string url;
    std::string content;  // of the file; empty: there is none
    MonotonicTime read{};
  };
  struct Window {
    MonotonicTime began{};
    uint64_t urls = 0;
  };
  const KnownKey* Find(const std::string& key_url) CRV_REQUIRES(mu_);
  void Remember(const std::string& key_url, std::string content) CRV_REQUIRES(mu_);
  bool MayTake(const CheckedIndexNow& submission) CRV_REQUIRES(mu_);

  IndexNowCrawl& crawl_;
  const Clock& clock_;
  const IndexNowOptions options_;
  mutable Mutex mu_;
  std::list<Waiting> waiting_ CRV_GUARDED_BY(mu_);
  uint64_t waiting_urls_ CRV_GUARDED_BY(mu_) = 0;
  std::list<KnownKey> keys_ CRV_GUARDED_BY(mu_);  // the most recently read first
  std::unordered_map<std::string, std::list<KnownKey>::iterator> key_index_ CRV_GUARDED_BY(mu_);
  std::map<std::string, Window, std::less<>> windows_ CRV_GUARDED_BY(mu_);  // by host
  Stats stats_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::feeds
