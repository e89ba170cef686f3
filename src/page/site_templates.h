// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "base/status.h"
#include "kv/database.h"
#include "text/content/html_document.h"
#include "text/content/site_template.h"

namespace crivello::page {

// What the pages of each host of a tablet have in common (text/content/site_template.h), learnt as they
// arrive. Hosts in use are in memory, within a byte budget, about 1.5 KB each; all are in the tablet's
// database. A template is only a hint: a crash loses what was learnt since it was last written (at 8, 16, 32,
// 64, 96 ... pages, and when the host is evicted), and an unreadable one is learnt again.
//
// Thread-safe; pages of the same host wait for each other.
class SiteTemplates {
 public:
  static constexpr size_t kMemoryBytes = 32 << 20;

  // The database must outlive it.
  SiteTemplates(kv::Database& db, kv::Family family, size_t memory_bytes = kMemoryBytes)
      : db_(db), family_(family), memory_bytes_(memory_bytes) {}

  // Marks the main content of a page (text::MarkMainContent), using what the host's other pages have shown,
  // and returns the language that they agree on (text::SiteTemplate::language).
  enum class Learning : bool { kOff, kOn };
  Result<std::optional<std::string>> Mark(std::string_view host, text::HtmlDocument* page, Learning learning);
  // Records the language of a page that was marked and learnt.
  Status LearnLanguage(std::string_view host, std::string_view code);

  // Writes the templates that have changed.
  Status Save();

  // Forgets what was learnt about all hosts, to learn it again. REQUIRES: no other call at the same time.
  Status Clear();

 private:
  struct Site {
    explicit Site(std::string_view name) : host(name) {}
    const std::string host;
    size_t charged = 0;  // part of the budget; guarded by SiteTemplates::mu_
    Mutex mu;
    bool loaded CRV_GUARDED_BY(mu) = false;
    bool changed CRV_GUARDED_BY(mu) = false;  // since it was last written
    text::SiteTemplate pages CRV_GUARDED_BY(mu);
  };
  using Recent = std::list<std::shared_ptr<Site>>;

  // The host's entry, moved to the front, not yet loaded from disk.
  std::shared_ptr<Site> Use(std::string_view host);
  // Charges an entry's new size to the budget. Writes and evicts others to make room.
  Status Charge(Site& site, size_t template_bytes);
  Status Load(Site& site) CRV_REQUIRES(site.mu);
  Status Write(Site& site) CRV_REQUIRES(site.mu);

  kv::Database& db_;
  const kv::Family family_;
  const size_t memory_bytes_;
  Mutex mu_;
  size_t charged_ CRV_GUARDED_BY(mu_) = 0;  // total of all entries
  Recent recent_ CRV_GUARDED_BY(mu_);       // the most recently used first
  std::unordered_map<std::string_view, Recent::iterator> index_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::page
