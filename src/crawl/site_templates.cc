// SPDX-License-Identifier: Apache-2.0
#include "crawl/site_templates.h"

#include <optional>
#include <utility>
#include <vector>

#include "text/main_content.h"

namespace crivello::crawl {
namespace {

// A template has some 10 KB on the disk: more than a page's row, so it is not written with each.
constexpr uint32_t kWriteEvery = 32;
constexpr uint32_t kLeastPages = 4;

bool IsTimeToWrite(uint32_t pages) {
  if (pages >= kWriteEvery) return pages % kWriteEvery == 0;
  return pages >= kLeastPages && (pages & (pages - 1)) == 0;
}

}  // namespace

Status SiteTemplates::Mark(std::string_view host, text::HtmlDocument* page) {
  CRV_ASSIGN(const std::shared_ptr<Site> site, Use(host));
  MutexLock lock(site->mu);
  CRV_TRY(Load(*site));
  text::MarkMainContent(page, &site->pages);
  return Status::Ok();
}

Status SiteTemplates::MarkAndLearn(std::string_view host, text::HtmlDocument* page) {
  CRV_ASSIGN(const std::shared_ptr<Site> site, Use(host));
  MutexLock lock(site->mu);
  CRV_TRY(Load(*site));
  text::MarkMainContent(page, &site->pages);
  site->pages.Learn(page->document);
  site->changed = true;
  return IsTimeToWrite(site->pages.pages()) ? Write(*site) : Status::Ok();
}

Status SiteTemplates::Save() {
  std::vector<std::shared_ptr<Site>> sites;
  {
    MutexLock lock(mu_);
    sites.assign(recent_.begin(), recent_.end());
  }
  for (const std::shared_ptr<Site>& site : sites) {
    MutexLock lock(site->mu);
    CRV_TRY(Write(*site));
  }
  return Status::Ok();
}

Result<std::shared_ptr<SiteTemplates::Site>> SiteTemplates::Use(std::string_view host) {
  std::shared_ptr<Site> used, evicted;
  {
    MutexLock lock(mu_);
    if (const auto found = index_.find(host); found != index_.end()) {
      recent_.splice(recent_.begin(), recent_, found->second);
      return recent_.front();
    }
    if (recent_.size() >= max_hosts_) {
      evicted = std::move(recent_.back());
      index_.erase(evicted->host);
      recent_.pop_back();
    }
    used = recent_.emplace_front(std::make_shared<Site>(host));
    index_.emplace(used->host, recent_.begin());
  }
  if (evicted != nullptr) {
    MutexLock lock(evicted->mu);
    CRV_TRY(Write(*evicted));
  }
  return used;
}

Status SiteTemplates::Load(Site& site) {
  if (site.loaded) return Status::Ok();
  CRV_ASSIGN(const std::optional<std::string> bytes, db_.Get(family_, site.host));
  if (bytes) {
    CRV_ASSIGN(site.pages, text::SiteTemplate::Decode(*bytes));
  }
  site.loaded = true;
  return Status::Ok();
}

Status SiteTemplates::Write(Site& site) {
  if (!site.changed) return Status::Ok();
  kv::Batch batch;
  batch.Put(family_, site.host, site.pages.Encode());
  CRV_TRY(db_.Write(batch, {.sync = false}));
  site.changed = false;
  return Status::Ok();
}

}  // namespace crivello::crawl
