// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/file_format.h"
#include "base/mutex.h"
#include "base/status.h"
#include "base/wakeup.h"
#include "web/url/row_key.h"
#include "web/url/url.h"

namespace crivello::collection {

// What must be forgotten: a page, a host, a domain with all its hosts, or all URLs with a prefix.
struct ForgetTarget {
  // The numbers are stored on disk (docs/formats/forgotten.md): never renumber or reuse one.
  enum class Kind : uint8_t { kUrl = 0, kHost = 1, kDomain = 2, kPrefix = 3 };
  Kind kind = Kind::kUrl;
  std::string text = {};  // the canonical URL, for a prefix without its *; or the name of host or domain

  // Parses what people write: "https://example.org/page", "example.org" (the host), "*.example.org" (the
  // domain), "https://example.org/private/*" (a prefix).  InvalidArgument says what is wrong.
  static Result<ForgetTarget> Parse(std::string_view text);
  std::string ToString() const;  // which Parse() reads
  // The range of its rows.  It always has an end.
  web::RowKeyRange Range() const;

  friend bool operator==(const ForgetTarget&, const ForgetTarget&) = default;
};

struct ForgottenEntry {
  ForgetTarget target = {};
  std::string reason = {};
  int64_t begun = 0;     // seconds since 1970
  int64_t done = 0;      // 0: it was begun and must be completed
  uint64_t rows = 0;     // deleted
  uint64_t records = 0;  // erased from the archive

  friend bool operator==(const ForgottenEntry&, const ForgottenEntry&) = default;
};

// What a collection must never hold again.  Immutable; any number of threads may read.
class ForgottenSet {
 public:
  static constexpr FileKind kFileKind = {.name = "forgotten", .version = 1};

  ForgottenSet() = default;
  explicit ForgottenSet(std::vector<ForgottenEntry> entries);

  bool empty() const { return entries_.empty(); }
  const std::vector<ForgottenEntry>& entries() const { return entries_; }
  bool unfinished() const;
  // The first entry that covers this row; null if there is none.  A few comparisons for each entry.
  const ForgottenEntry* Find(std::string_view row_key) const;
  const ForgottenEntry* Find(const web::Url& url) const;  // canonical
  // Whether all pages of a host must be forgotten.
  bool ContainsHost(std::string_view host) const;

  std::string Encode() const;
  static Result<ForgottenSet> Decode(std::string_view payload);
  static Result<ForgottenSet> FromImage(Bytes payload) { return Decode(AsText(payload)); }
  Description Describe() const;

 private:
  std::vector<ForgottenEntry> entries_;
  std::vector<web::RowKeyRange> ranges_;  // of the entries
};

// The file `forgotten` of a collection (docs/formats/forgotten.md) and its contents.  Thread-safe.
class ForgottenList {
 public:
  // Without a file, an empty one.
  static Result<std::unique_ptr<ForgottenList>> Open(const std::string& directory);

  // Every writer of pages takes this version, checks it, and holds it until its page is durable.  So when
  // Replace() returns, every page that an older version let through has arrived.
  std::shared_ptr<const ForgottenSet> current() const CRV_EXCLUDES(mu_);

  // Writes the list durably, and returns when nothing holds the replaced version any more.
  Status Replace(std::vector<ForgottenEntry> entries) CRV_EXCLUDES(mu_);

 private:
  // A version of the list, which reports when its last holder has released it.
  struct Version {
    explicit Version(ForgottenSet contents);
    std::shared_ptr<Wakeup> released;
    std::shared_ptr<const ForgottenSet> set;
  };

  explicit ForgottenList(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  mutable Mutex mu_;
  Version current_ CRV_GUARDED_BY(mu_) = Version({});
};

}  // namespace crivello::collection
