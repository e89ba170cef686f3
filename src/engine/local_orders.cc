// SPDX-License-Identifier: Apache-2.0
// Commands of other processes to the crawl of this one.
#include "engine/local_service.h"
#include "policy/exclusions.h"

namespace crivello::engine {
namespace {

using What = wire::OrderRequest::What;

std::string_view NameOf(serve::CrawlControl::State state) {
  switch (state) {
    case serve::CrawlControl::State::kRunning:
      return "running";
    case serve::CrawlControl::State::kPaused:
      return "paused";
    case serve::CrawlControl::State::kFinished:
      return "finished";
  }
  return "";
}

serve::CrawlLimits With(serve::CrawlLimits limits, const wire::OrderedLimits& ordered) {
  limits.pages = ordered.pages.value_or(limits.pages);
  limits.bytes = ordered.bytes.value_or(limits.bytes);
  limits.seconds = ordered.seconds.value_or(limits.seconds);
  limits.per_host = ordered.per_host.value_or(limits.per_host);
  limits.per_directory = ordered.per_directory.value_or(limits.per_directory);
  limits.depth = ordered.depth.value_or(limits.depth);
  return limits;
}

Status Carry(const wire::OrderRequest& order, serve::CrawlControl& crawl, wire::Obeyed* obeyed) {
  switch (order.what) {
    case What::kNothing:
      return Status::Ok();
    case What::kPause:
      return crawl.Pause();
    case What::kResume:
      return crawl.Resume();
    case What::kSeeds:
      return crawl.AddSeeds(order.urls);
    case What::kFetch: {
      const WallTime not_before{std::chrono::seconds(order.not_before)};
      return crawl.Offer({.urls = order.urls, .priority = order.priority, .not_before = not_before});
    }
    case What::kLimits:
      return crawl.SetLimits(With(crawl.limits(), order.limits));
    case What::kExclude: {
      CRV_ASSIGN(const auto exclusion, policy::Exclusion::Parse(order.kind, order.value));
      CRV_ASSIGN(obeyed->dropped, crawl.Exclude(exclusion));
      return Status::Ok();
    }
    case What::kInclude: {
      CRV_ASSIGN(const auto exclusion, policy::Exclusion::Parse(order.kind, order.value));
      return crawl.Include(exclusion);
    }
  }
  return Status::InvalidArgument("unknown order");
}

}  // namespace

Result<wire::Obeyed> LocalService::Ask(const wire::OrderRequest& request, Listener& /*listener*/) {
  serve::CrawlControl* const crawl = crawl_;
  if (crawl == nullptr) {
    return Status::InvalidArgument("no crawl that takes orders is running on '" + store_.directory() +
                                   "'; start one with 'crivello up'");
  }
  wire::Obeyed obeyed;
  CRV_TRY(Carry(request, *crawl, &obeyed));
  const serve::CrawlStatus status = crawl->status();
  const serve::CrawlLimits limits = crawl->limits();
  obeyed.state = NameOf(crawl->state());
  obeyed.queued = status.queued;
  obeyed.scheduled = status.scheduled;
  for (const policy::Exclusion& exclusion : crawl->exclusions()) obeyed.excluded.push_back(exclusion.Line());
  obeyed.limits = {.pages = limits.pages,
                   .bytes = limits.bytes,
                   .seconds = limits.seconds,
                   .per_host = limits.per_host,
                   .per_directory = limits.per_directory,
                   .depth = limits.depth};
  return obeyed;
}

}  // namespace crivello::engine
