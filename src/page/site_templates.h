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

// What the pages of each host of a tablet have in common (text/content/site_template.h), learnt as they come.
// The hosts in use are in memory, within a budget of bytes, some 1.5 KB each; all of them lie in the tablet's
// database.  A template is a hint: what was learnt since it was last written (it is at 8, 16, 32, 64, 96 ...
// pages, and when the host leaves the memory) a crash loses, and one that cannot be read is learnt anew.
//
// Thread-safe; pages of one host wait for each other.
class SiteTemplates {
 public:
  static constexpr size_t kMemoryBytes = 32 << 20;

  // The database outlives it.
  SiteTemplates(kv::Database& db, kv::Family family, size_t memory_bytes = kMemoryBytes)
      : db_(db), family_(family), memory_bytes_(memory_bytes) {}

  // Marks the main content of a page (text::MarkMainContent) by what the host's other pages have shown, and
  // tells the language that they agree on (text::SiteTemplate::language).
  enum class Learning : bool { kOff, kOn };
  Result<std::optional<std::string>> Mark(std::string_view host, text::HtmlDocument* page, Learning learning);
  // Of a page that was marked and learnt.
  Status LearnLanguage(std::string_view host, std::string_view code);

  // Writes those that have changed.
  Status Save();

  // Forgets what was learnt, of all hosts, to learn it from all pages.  REQUIRES: no other call meanwhile.
  Status Clear();

 private:
  struct Site {
    explicit Site(std::string_view name) : host(name) {}
    const std::string host;
    size_t charged = 0;  // of the budget; guarded by SiteTemplates::mu_
    Mutex mu;
    bool loaded CRV_GUARDED_BY(mu) = false;
    bool changed CRV_GUARDED_BY(mu) = false;  // since it was written
    text::SiteTemplate pages CRV_GUARDED_BY(mu);
  };
  using Recent = std::list<std::shared_ptr<Site>>;

  // Its entry, as yet without what lies on the disk, now the most recent.
  std::shared_ptr<Site> Use(std::string_view host);
  // Counts what an entry has grown to.  Those that must make room for it are written.
  Status Charge(Site& site, size_t template_bytes);
  Status Load(Site& site) CRV_REQUIRES(site.mu);
  Status Write(Site& site) CRV_REQUIRES(site.mu);

  kv::Database& db_;
  const kv::Family family_;
  const size_t memory_bytes_;
  Mutex mu_;
  size_t charged_ CRV_GUARDED_BY(mu_) = 0;  // of all
  Recent recent_ CRV_GUARDED_BY(mu_);       // the most recently used first
  std::unordered_map<std::string_view, Recent::iterator> index_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::page
