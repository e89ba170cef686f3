// SPDX-License-Identifier: Apache-2.0
#include "crawl/offer_again.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "crawl/decision.h"
#include "frontier/priority.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

// Written together.
constexpr size_t kUrlsAtOnce = 5000;

// The links of one page, and what of them the crawl wants.
class PageLinks {
 public:
  explicit PageLinks(const CrawlContext& context) : context_(context), policy_(context.policy.current()) {}

  // The links of a row, to whatever tablets, or to that one alone: `outgoing` takes those that are not here.
  struct To {
    const web::TabletMap* map = nullptr;  // null: all
    uint32_t slot = 0;
    std::vector<frontier::OutgoingUrl>* outgoing = nullptr;
  };
  Status Offer(const store::Table& table, const store::RowCursor& row, const To& to) {
    CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
    CRV_ASSIGN(const web::Url page, web::UrlOfRowKey(row.key()));
    CRV_ASSIGN(const auto links, table.Links(row.key(), row.time()));
    const auto forgotten = context_.store.forgotten().current();
    const std::string page_url(page.href());
    std::vector<frontier::UrlRecord> records;
    const auto add = [&](std::string_view text, std::string_view anchor) {
      if (!url_.Parse(text)) return;
      if (to.map != nullptr && to.map->SlotOf(web::HostHash(url_.hostname())) != to.slot) return;
      const Candidate link = {.moment = Candidate::Moment::kFound,
                              .url = url_,
                              .depth = kDepth,
                              .in_scope = policy_->scope.Contains(url_),
                              .from = &page};
      if (!Decide(link, {.policy = *policy_, .forgotten = *forgotten, .traps = context_.traps}).yes()) return;
      const uint8_t priority = frontier::PriorityOf(
          context_.options.priority, {.url = text,
                                      .from_host = page.hostname(),
                                      .text = anchor,
                                      .depth = kDepth,
                                      .host_rank = frontier::RankOfLink(context_.options.host_ranks.ranks,
                                                                        page.hostname(), url_.hostname())});
      records.push_back({.url = text,
                         .priority = priority,
                         .depth = kDepth,
                         .found = context_.clock.Wall(),
                         .via = frontier::Via::Of(text, page_url)});
    };
    if (IsRedirect(fetch.status) && !fetch.location.empty()) add(fetch.location, {});
    if (links && !fetch.nofollow) {
      for (const store::OutLink& link : *links) {
        if (!link.nofollow) add(link.url, link.text);
      }
    }
    if (records.empty()) return Status::Ok();
    const collection::Gate::Pass pass(context_.store.gate());
    return context_.frontier.Offer(records, to.outgoing);
  }

 private:
  static constexpr uint32_t kDepth = 1;

  const CrawlContext& context_;
  const std::shared_ptr<const CrawlPolicy> policy_;
  web::Url url_;  // scratch
};

}  // namespace

namespace {

// A write to the database of a tablet whose batch OtherTablets has filled.
Status WriteOutgoing(const CrawlContext& context, uint32_t from, kv::Batch& batch) {
  collection::Tablet& tablet = *context.store.tablet(from);
  Status written;
  {
    const collection::Gate::Pass pass(context.store.gate());
    written = tablet.db().Write(batch, {.sync = true});
    if (written.ok()) written = tablet.Acknowledge();
  }
  context.options.others->Written(from, written.ok());
  return written;
}

Status OfferElsewhere(const CrawlContext& context, const OtherTablets::Again& again) {
  collection::Tablet* const tablet = context.store.tablet(again.from);
  if (tablet == nullptr) return Status::Ok();
  PageLinks links(context);
  std::vector<frontier::OutgoingUrl> outgoing;
  const auto flush = [&]() -> Status {
    kv::Batch batch;
    CRV_TRY(context.options.others->Put(again.from, outgoing, &batch));
    outgoing.clear();
    return WriteOutgoing(context, again.from, batch);
  };
  store::RowCursor row = tablet->table().Scan();
  for (; row.valid(); row.NextRow()) {
    CRV_TRY(links.Offer(tablet->table(), row,
                        {.map = &context.store.map(), .slot = again.to, .outgoing = &outgoing}));
    if (outgoing.size() >= kUrlsAtOnce) CRV_TRY(flush());
  }
  CRV_TRY(row.status());
  if (!outgoing.empty()) CRV_TRY(flush());
  {
    // Should the tablet have come here meanwhile.
    const collection::Gate::Pass pass(context.store.gate());
    CRV_TRY(context.frontier.SyncOffers());
  }
  kv::Batch batch;
  CRV_TRY(context.options.others->OfferedAgain(again, &batch));
  return WriteOutgoing(context, again.from, batch);
}

}  // namespace

Status OfferAgainElsewhere(const CrawlContext& context) {
  if (context.options.others == nullptr) return Status::Ok();
  for (const OtherTablets::Again& again : context.options.others->OfferAgain()) {
    CRV_TRY(OfferElsewhere(context, again));
  }
  return Status::Ok();
}

Status OfferAgain(const CrawlContext& context) {
  const std::string asked = collection::Collection::OfferAgainPath(context.store.directory());
  std::error_code error;
  if (!std::filesystem::exists(asked, error)) return Status::Ok();
  PageLinks links(context);
  for (collection::Tablet* const tablet : context.store.tablets()) {
    store::RowCursor row = tablet->table().Scan();
    for (; row.valid(); row.NextRow()) CRV_TRY(links.Offer(tablet->table(), row, {}));
    CRV_TRY(row.status());
  }
  {
    const collection::Gate::Pass pass(context.store.gate());
    CRV_TRY(context.frontier.SyncOffers());
  }
  return PosixFileSystem().Remove(asked);
}

}  // namespace crivello::crawl
