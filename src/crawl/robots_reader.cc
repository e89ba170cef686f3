// SPDX-License-Identifier: Apache-2.0
#include "crawl/robots_reader.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/civil_time.h"
#include "crawl/decision.h"
#include "crawl/visit_capture.h"
#include "policy/agent.h"
#include "web/http/decompress.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"

namespace crivello::crawl {

Result<Settled> RobotsReader::Read(Fetched fetched) {
  const fetch::Response& response = fetched.fetch->response;
  Settled settled;
  settled.visit = std::move(fetched.visit);
  settled.body_bytes = response.body.size();
  const frontier::Visit& visit = settled.visit;
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(visit.url));
  const web::HttpResponse http = web::ParseHttpResponse(response.head);
  context_.counters.robots.Add();
  if (context_.options.archive_robots && response.status != 0) CRV_TRY(Archive(url, response, &settled));

  std::optional<std::string> gone;  // why the host that it was moved to cannot be asked
  if (IsRedirect(response.status) && visit.hops < web::kRobotsMaxRedirects) {
    const auto location = http.fields.Find("location");
    const auto target = location ? web::CanonicalUrl(*location, &url) : Status::NotFound("no location");
    if (target.ok()) {
      const Status moved = context_.frontier.RobotsMoved(visit, target->href());
      if (moved.ok()) return settled;
      if (moved.code() != StatusCode::kUnavailable) return moved;
      gone = moved.message();
    }
  }
  CRV_ASSIGN(const web::Url origin, web::CanonicalUrl(visit.origin));
  CRV_ASSIGN(collection::Tablet* const tablet, context_.store.TabletOfHost(origin.hostname()));
  collection::RobotsKeeper& keeper = tablet->robots();
  CRV_ASSIGN(const std::optional<collection::RobotsRecord> before, keeper.Load(visit.origin));
  const bool answered = !gone && (response.ok() || response.outcome == fetch::Outcome::kBodyTooLarge);
  const web::DecodedContent content = web::DecodeContent(
      response.body, http.fields.Joined("content-encoding"), {.max_bytes = web::kRobotsMaxBytes});
  const int64_t now = ToSeconds(context_.clock.Wall());
  settled.robots = {.origin = visit.origin,
                    .record = collection::JudgeRobots({.status = answered ? response.status : 0,
                                                       .text = content.body(),
                                                       .fresh_seconds = web::FreshSeconds(http.fields, now)},
                                                      before ? &*before : nullptr, now)};
  collection::RobotsRecord& record = settled.robots->record;
  if (record.unreachable()) {
    record.text = gone       ? *gone
                  : answered ? fmt::format("answered {}", response.status)
                             : fmt::format("{}: {}", fetch::OutcomeName(response.outcome), response.message);
  }
  if (record.access == web::RobotsAccess::kParse) {
    CRV_TRY(OfferSitemaps(visit, web::Robots::Parse(record.text, policy::kAgentToken), &settled.outgoing));
  }
  return settled;
}

Status RobotsReader::Archive(const web::Url& url, const fetch::Response& response, Settled* settled) {
  collection::Tablet* const tablet = context_.store.Find(url.hostname());
  if (tablet == nullptr) return Status::Ok();
  auto forgotten = context_.store.forgotten().current();
  if (forgotten->Find(url) != nullptr) return Status::Ok();
  settled->allowed_by = std::move(forgotten);
  const VisitCapture visit(context_.options, settled->visit, url.hostname(), response);
  CRV_TRY(encoder_.Encode(visit.capture(), Sha1Of(response.body), nullptr, &encoded_));
  return tablet->archive()->Append(encoded_).status();
}

Status RobotsReader::OfferSitemaps(const frontier::Visit& visit, const web::Robots& robots,
                                   std::vector<frontier::OutgoingUrl>* outgoing) const {
  if (!context_.options.sitemaps || robots.sitemaps().empty()) return Status::Ok();
  const auto policy = context_.policy.current();
  const auto forgotten = context_.store.forgotten().current();
  const Grounds grounds = {.policy = *policy, .forgotten = *forgotten, .traps = context_.traps};
  std::vector<std::string> urls;
  for (const std::string& text : robots.sitemaps()) {
    const auto url = web::CanonicalUrl(text);
    if (!url.ok()) continue;
    const Candidate candidate = {.moment = Candidate::Moment::kFound,
                                 .kind = frontier::UrlKind::kSitemap,
                                 .url = *url,
                                 .depth = visit.depth,
                                 .in_scope = policy->scope.Contains(*url)};
    if (Decide(candidate, grounds).yes()) urls.push_back(url->href());
  }
  std::vector<frontier::UrlRecord> offers;  // which refer to `urls`
  for (const std::string& url : urls) {
    offers.push_back({.url = url,
                      .kind = frontier::UrlKind::kSitemap,
                      .depth = visit.depth,
                      .found = context_.clock.Wall(),
                      .via = frontier::Via::Of(url, visit.url)});
  }
  if (offers.empty()) return Status::Ok();
  const collection::Gate::Pass pass(context_.store.gate());
  return context_.frontier.Offer(offers, context_.options.others == nullptr ? nullptr : outgoing);
}

}  // namespace crivello::crawl
