// SPDX-License-Identifier: Apache-2.0
#include "page/site_templates.h"

#include <optional>
#include <utility>
#include <vector>

#include "text/content/main_content.h"

namespace crivello::page {
namespace {

// A template is as large as a page's row, so it is not written for each page.
constexpr uint32_t kWriteEvery = 32;
constexpr uint32_t kLeastPages = 8;
constexpr uint64_t kTemplateBatchBytes = 1 << 20;
// For the list, the index and the allocator's overhead.
constexpr size_t kTemplateEntryBytes = 320;

bool IsTimeToWrite(uint32_t pages) {
  if (pages >= kWriteEvery) return pages % kWriteEvery == 0;
  return pages >= kLeastPages && (pages & (pages - 1)) == 0;
}

}  // namespace

Result<std::optional<std::string>> SiteTemplates::Mark(std::string_view host, text::HtmlDocument* page,
                                                       Learning learning) {
  const std::shared_ptr<Site> site = Use(host);
  std::optional<std::string> language;
  size_t bytes = 0;
  {
    MutexLock lock(site->mu);
    CRV_TRY(Load(*site));
    text::MarkMainContent(page, &site->pages);
    if (learning == Learning::kOn) {
      site->pages.Learn(page->document);
      site->changed = true;
      if (IsTimeToWrite(site->pages.pages())) CRV_TRY(Write(*site));
    }
    language = site->pages.language();
    bytes = site->pages.memory_bytes();
  }
  CRV_TRY(Charge(*site, bytes));
  return language;
}

Status SiteTemplates::LearnLanguage(std::string_view host, std::string_view code) {
  const std::shared_ptr<Site> site = Use(host);
  MutexLock lock(site->mu);
  CRV_TRY(Load(*site));
  site->pages.LearnLanguage(code);
  site->changed = true;
  return Status::Ok();
}

Status SiteTemplates::Save() {
  std::vector<std::shared_ptr<Site>> sites;
  {
    MutexLock lock(mu_);
    sites.assign(recent_.begin(), recent_.end());
  }
  kv::Batch batch;
  for (const std::shared_ptr<Site>& site : sites) {
    MutexLock lock(site->mu);
    if (!site->changed) continue;
    batch.Put(family_, site->host, site->pages.Encode());
    site->changed = false;
    if (batch.size_bytes() < kTemplateBatchBytes) continue;
    CRV_TRY(db_.Write(batch, {.sync = false}));
    batch.Clear();
  }
  return db_.Write(batch, {.sync = false});
}

Status SiteTemplates::Clear() {
  {
    MutexLock lock(mu_);
    index_.clear();
    recent_.clear();
    charged_ = 0;
  }
  kv::Batch batch;
  for (kv::Cursor cursor = db_.Scan(family_); cursor.valid(); cursor.Next()) {
    batch.Delete(family_, cursor.key());
    if (batch.size_bytes() < kTemplateBatchBytes) continue;
    CRV_TRY(db_.Write(batch, {.sync = false}));
    batch.Clear();
  }
  return db_.Write(batch, {.sync = false});
}

std::shared_ptr<SiteTemplates::Site> SiteTemplates::Use(std::string_view host) {
  MutexLock lock(mu_);
  if (const auto found = index_.find(host); found != index_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return recent_.front();
  }
  const std::shared_ptr<Site>& site = recent_.emplace_front(std::make_shared<Site>(host));
  index_.emplace(site->host, recent_.begin());
  return site;
}

Status SiteTemplates::Charge(Site& site, size_t template_bytes) {
  std::vector<std::shared_ptr<Site>> evicted;
  {
    MutexLock lock(mu_);
    // An entry that another thread has evicted meanwhile does not count any more.
    const auto found = index_.find(site.host);
    if (found == index_.end() || found->second->get() != &site) return Status::Ok();
    const size_t bytes = kTemplateEntryBytes + site.host.size() + template_bytes;
    charged_ += bytes - site.charged;
    site.charged = bytes;
    while (charged_ > memory_bytes_ && recent_.size() > 1) {
      charged_ -= recent_.back()->charged;
      index_.erase(recent_.back()->host);
      evicted.push_back(std::move(recent_.back()));
      recent_.pop_back();
    }
  }
  for (const std::shared_ptr<Site>& old : evicted) {
    MutexLock lock(old->mu);
    CRV_TRY(Write(*old));
  }
  return Status::Ok();
}

Status SiteTemplates::Load(Site& site) {
  if (site.loaded) return Status::Ok();
  CRV_ASSIGN(const std::optional<std::string> bytes, db_.Get(family_, site.host));
  if (bytes) {
    Result<text::SiteTemplate> pages = text::SiteTemplate::Decode(*bytes);
    if (pages.ok()) site.pages = *std::move(pages);
  }
  site.loaded = true;
  return Status::Ok();
}

Status SiteTemplates::Write(Site& site) {
  if (!site.changed || db_.read_only()) return Status::Ok();
  kv::Batch batch;
  batch.Put(family_, site.host, site.pages.Encode());
  CRV_TRY(db_.Write(batch, {.sync = false}));
  site.changed = false;
  return Status::Ok();
}

}  // namespace crivello::page
