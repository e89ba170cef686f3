// SPDX-License-Identifier: Apache-2.0
#include "jobs/duplicates/page_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

constexpr size_t kDigestDigits = 16;

struct TabletRows {
  collection::Tablet* tablet;
  store::RowCursor row;
};

}  // namespace

Status ForEachComparedPage(collection::Collection& store,
                           const std::function<bool(std::string_view)>& excluded, const std::stop_token& stop,
                           const std::function<Status(const ComparedPage&)>& visit) {
  std::vector<TabletRows> tablets;
  std::vector<size_t> heap;  // those on a row; the one with the least key first
  for (collection::Tablet* const tablet : store.tablets()) {
    tablets.push_back({tablet, tablet->table().Scan()});
  }
  const auto later = [&tablets](size_t a, size_t b) { return tablets[a].row.key() > tablets[b].row.key(); };
  for (size_t i = 0; i < tablets.size(); i++) {
    if (tablets[i].row.valid()) heap.push_back(i);
  }
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    if (stop.stop_requested()) return Status::Unavailable("the job that finds duplicates was stopped");
    std::pop_heap(heap.begin(), heap.end(), later);
    TabletRows& next = tablets[heap.back()];
    if (!excluded || !excluded(next.row.key())) {
      CRV_ASSIGN(const store::FetchCell fetch, next.row.fetch());
      if (fetch.status >= 200 && fetch.status <= 299 && fetch.text_digest != 0) {
        CRV_TRY(
            visit({.key = next.row.key(), .time = next.row.time(), .fetch = fetch, .tablet = *next.tablet}));
      }
    }
    next.row.NextRow();
    if (next.row.valid()) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      CRV_TRY(next.row.status());
      heap.pop_back();
    }
  }
  for (const TabletRows& tablet : tablets) CRV_TRY(tablet.row.status());
  return Status::Ok();
}

std::string NameOfPage(std::string_view row_key, uint64_t text_digest) {
  return fmt::format("{} {:016x}", row_key, text_digest);
}

Result<PageName> ParsePageName(std::string_view name) {
  PageName page;
  const size_t space = name.find(' ');
  if (space != std::string_view::npos && name.size() - space - 1 == kDigestDigits) {
    page.row_key = name.substr(0, space);
    const char* const end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + space + 1, end, page.text_digest, 16);
    if (parsed.ec == std::errc() && parsed.ptr == end && !page.row_key.empty()) return page;
  }
  return Status::Corruption("corrupt list of fingerprinted pages: a name is not a row key with a digest");
}

Result<dedup::WordBag> WordsOfPage(collection::Collection& store, const PageName& page) {
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(page.row_key));
  CRV_ASSIGN(collection::Tablet* const tablet, store.TabletOfHost(url.hostname()));
  CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(page.row_key, {.text = true}));
  if (rows.empty() || rows.front().fetch.text_digest != page.text_digest || !rows.front().text) {
    return dedup::WordBag();
  }
  return dedup::WordBag(dedup::Words((*rows.front().text)->MainText()));
}

Result<PageVerifier::Bag> PageVerifier::BagOf(uint32_t document) {
  {
    const MutexLock lock(mu_);
    if (const auto found = places_.find(document); found != places_.end()) {
      kept_.splice(kept_.begin(), kept_, found->second);
      return found->second->bag;
    }
  }
  const std::string name = name_of_(document);
  CRV_ASSIGN(const PageName page, ParsePageName(name));
  CRV_ASSIGN(dedup::WordBag words, WordsOfPage(store_, page));
  const auto bag = std::make_shared<const dedup::WordBag>(std::move(words));
  const MutexLock lock(mu_);
  if (places_.contains(document)) return bag;  // another thread has read it, too
  kept_.push_front({document, bag});
  places_[document] = kept_.begin();
  kept_bytes_ += BytesOf(*bag);
  while (kept_bytes_ > memory_bytes_ && kept_.size() > 1) {
    kept_bytes_ -= BytesOf(*kept_.back().bag);
    places_.erase(kept_.back().document);
    kept_.pop_back();
  }
  return bag;
}

Result<double> PageVerifier::Similarity(uint32_t a, uint32_t b) {
  CRV_ASSIGN(const Bag first, BagOf(a));
  return SimilarityTo(*first, b);
}

Result<double> PageVerifier::SimilarityTo(const dedup::WordBag& text, uint32_t document) {
  CRV_ASSIGN(const Bag other, BagOf(document));
  if (text.size() == 0 || other->size() == 0) return 0.0;
  return dedup::WordShare(text, *other);
}

}  // namespace crivello::jobs
