// SPDX-License-Identifier: Apache-2.0
#include "crawl/page_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <unordered_set>
#include <utility>

#include "base/civil_time.h"
#include "base/hash.h"
#include "crawl/decision.h"
#include "crawl/feed_visits.h"
#include "crawl/visit_capture.h"
#include "feeds/discovery.h"
#include "feeds/item_document.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::crawl {
namespace {

using frontier::UrlKind;
using frontier::Verdict;
using store::EventKind;

// A shorter text is too often the same for other reasons (a list, a frame, a login) to tell a copy by.
constexpr uint64_t kLeastCopyWords = 64;
// As many as browsers follow.
constexpr uint32_t kMaxRedirects = 20;

store::Event FilteredBy(policy::FilterPoint point, const policy::Filter::Verdict& verdict) {
  return {.kind = EventKind::kFiltered,
          .number = static_cast<uint64_t>(point),
          .text = std::string(verdict.because)};
}

bool IsPage(int status) { return status >= 200 && status <= 299; }

// Whether a page that brings no answer once more counts as gone.
Result<bool> IsGone(const collection::Tablet& tablet, const std::string& row_key) {
  CRV_ASSIGN(const auto scheduled, tablet.schedule().Find(row_key));
  return scheduled && scheduled->page.failures + 1 >= revisit::Planner::kGoneAfter;
}

page::PageReaderOptions ReaderOptionsOf(const CrawlContext& context) {
  page::PageReaderOptions options = context.options.reader;
  options.room = &context.reading_room;
  return options;
}

}  // namespace

struct PageWorker::Page {
  const frontier::Visit& visit;
  const store::Row* before;  // null if it was never fetched
  bool is_feed;              // it is in the list of feeds
  const fetch::Response& response;
  web::Url url;
  web::HttpResponse http;
  collection::Tablet& tablet;
  std::shared_ptr<const CrawlPolicy> policy;  // of all decisions about it
  page::DerivedPage derived = {};
  Sha1 payload = {};
  std::optional<store::PayloadOrigin> origin = {};  // of the same payload
  std::string location = {};                        // canonical, of a redirect
  dedup::SeenTexts::Seen seen = {};                 // that text, before
  std::optional<NearCopies::Copy> near = {};        // which page it is nearly
  NearCopies::Reading remembered = {};
  bool is_near_copy = false;  // which it stays if it is a copy to the byte
  bool unchanged = false;     // it was fetched before with the same text
  Settled settled = {};

  const page::PageReading& reading() const { return derived.reading; }
  policy::FilterInput filter_input(std::string_view type) const {
    return {.url = &url,
            .depth = visit.depth,
            .status = response.status,
            .type = type,
            .length = reading().kind == page::BodyKind::kNone ? response.body.size() : reading().body_bytes,
            .language = derived.language,
            .text_length = derived.main_bytes,
            .duplicate = seen.anywhere || near.has_value()};
  }
  // To the byte, as when it was fetched before.
  bool same_payload() const {
    return before != nullptr && response.truncation == fetch::Truncation::kNone &&
           before->fetch.payload == payload;
  }
  bool not_modified() const { return response.status == 304 && before != nullptr; }
  bool redirects() const { return IsRedirect(response.status) && !location.empty(); }
  void Tell(store::Event event) {
    event.time = settled.time;
    settled.events.push_back(std::move(event));
  }
};

PageWorker::PageWorker(const CrawlContext& context)
    : context_(context),
      stage_(context.costs, page::Stage::kOther),
      deriver_(ReaderOptionsOf(context), &stage_),
      encoder_({.compression = context.options.compression}) {}

Result<Settled> PageWorker::Process(Fetched fetched) {
  const fetch::Response& response = fetched.fetch->response;
  CRV_ASSIGN(web::Url url, web::CanonicalUrl(fetched.visit.url));
  Page page = {.visit = fetched.visit,
               .before = fetched.before.get(),
               .is_feed = fetched.feed != nullptr,
               .response = response,
               .url = std::move(url),
               .http = web::ParseHttpResponse(response.head),
               .tablet = *context_.store.tablet(fetched.visit.tablet),
               .policy = context_.policy.current()};
  CRV_ASSIGN(page.settled.row_key, web::RowKey(page.url));
  page.settled.allowed_by = context_.store.forgotten().current();
  page.settled.time = ToMicroseconds(response.timings.start);
  if (page.before != nullptr) page.settled.compared = page.before->time;
  page.settled.body_bytes = response.body.size();
  if (page.settled.allowed_by->Find(page.settled.row_key) != nullptr) {
    // It was forgotten while it was fetched, and leaves no trace: `why` asks the list.
    page.settled.visit = std::move(fetched.visit);
    page.settled.visit.via.clear();
    return std::move(page.settled);
  }
  if (response.certificate == fetch::Certificate::kInvalid) {
    page.Tell({.kind = EventKind::kBadCertificate, .text = response.certificate_message});
  }
  // Before its links are offered: where a redirect leads, the cookie that it set may be asked for.
  if (context_.options.cookies) {
    context_.cookies.Store(page.url, page.http.fields, ToSeconds(response.timings.start));
  }

  const bool answered = response.status != 0 && fetched.verdict != Verdict::kRetry;
  if (!response.ok() || fetched.verdict == Verdict::kRetry) {
    const std::string what = response.ok() || response.status != 0
                                 ? fmt::format("answered {}", response.status)
                                 : std::string(response.message);
    page.Tell(
        {.kind = fetched.verdict == Verdict::kRetry || answered ? EventKind::kFailed : EventKind::kGivenUp,
         .number = fetched.visit.attempt,
         .text = response.ok() ? what : fmt::format("{} ({})", fetch::OutcomeName(response.outcome), what)});
  }
  // An answer that broke off is archived as far as it came, unless it is asked for again.
  if (page.not_modified()) {
    CRV_TRY(ArchiveNotModified(page));
  } else if (answered) {
    CRV_TRY(Read(page));
    stage_.Enter(page::Stage::kOther);
    const auto store =
        page.policy->filters[policy::FilterPoint::kStore].Judge(page.filter_input(page.reading().media_type));
    const bool skipped = page.near && context_.options.near_duplicates == NearDuplicates::kSkip;
    if (skipped) {
      page.Tell({.kind = EventKind::kNearCopyOf,
                 .number = static_cast<uint64_t>(page.near->distance),
                 .url = page.near->url,
                 .text = "so it is not kept"});
    } else if (store.accepted) {
      CRV_TRY(FindCopies(page));
      CRV_TRY(Archive(page));
      stage_.Enter(page::Stage::kOther);
      CRV_ASSIGN(const bool stays, RowStays(page));
      if (!stays) CRV_TRY(FillCells(page));
    } else {
      page.Tell(FilteredBy(policy::FilterPoint::kStore, store));
    }
    CRV_TRY(OfferLinks(page));
  }
  if (fetched.verdict != Verdict::kRetry) {
    if (response.status == 0) CRV_TRY(NoteSilence(page));
    TellSchedule(page);
    if (fetched.feed != nullptr) CRV_TRY(PollFeed(page, *std::move(fetched.feed)));
  }
  page.settled.visit = std::move(fetched.visit);
  return std::move(page.settled);
}

Result<std::string> PageWorker::RobotsUsage(const Page& page) {
  CRV_ASSIGN(const auto rules, page.tablet.robots().Find(page.url.origin()));
  if (rules == nullptr) return std::string();
  return rules->robots.UsageOf(page.url.path_and_query()).ToString();
}

Result<bool> PageWorker::AsksTheSame(const Page& page) {
  const store::FetchCell& before = page.before->fetch;
  const web::RobotsDirectives& now = page.reading().robots;
  if (before.noindex != now.noindex || before.noarchive != now.noarchive || before.nofollow != now.nofollow ||
      before.unavailable_after != now.unavailable_after || before.usage != page.reading().usage.ToString()) {
    return false;
  }
  CRV_ASSIGN(const std::string usage, RobotsUsage(page));
  return before.robots_usage == usage;
}

Result<bool> PageWorker::RowStays(Page& page) {
  if (page.before == nullptr || !IsPage(page.before->fetch.status)) return false;
  const int status = page.response.status;
  page.settled.fetch.status = static_cast<uint16_t>(std::clamp(status, 0, 65535));  // for the log
  if (page.same_payload() && page.before->fetch.status == status) {
    CRV_ASSIGN(page.settled.not_modified, AsksTheSame(page));
    return page.settled.not_modified;
  }
  if (status < 500 && status != 429) return false;
  CRV_ASSIGN(const bool gone, IsGone(page.tablet, page.settled.row_key));
  if (!gone) {
    page.Tell({.kind = EventKind::kFailed,
               .number = page.visit.attempt,
               .text = fmt::format("answered {}", status)});
  }
  return !gone;
}

Status PageWorker::NoteSilence(Page& page) {
  if (page.before == nullptr || !IsPage(page.before->fetch.status)) return Status::Ok();
  CRV_ASSIGN(const bool gone, IsGone(page.tablet, page.settled.row_key));
  if (gone) page.settled.has_row = true;  // with a cell that is empty
  return Status::Ok();
}

// Only pages are visited again by themselves.  A near-copy that is not kept has no row, and no schedule.
void PageWorker::TellSchedule(Page& page) {
  using Outcome = revisit::VisitNews::Outcome;
  if (page.visit.kind != UrlKind::kPage) return;
  const int status = page.response.status;
  const bool is_page = IsPage(status) && (page.settled.has_row || page.settled.not_modified);
  revisit::VisitNews news = {
      .outcome = Outcome::kFailed, .time = ToSeconds(page.response.timings.start), .depth = page.visit.depth};
  if (page.not_modified()) {
    news.outcome = Outcome::kUnchanged;
  } else if (is_page) {
    news.outcome = page.unchanged || page.same_payload() ? Outcome::kUnchanged : Outcome::kChanged;
    news.last_modified = page.settled.fetch.last_modified;
  } else if (IsPage(status)) {
    news.outcome = Outcome::kPassedOver;  // a filter keeps it out
  }
  page.settled.news = news;
}

Status PageWorker::Read(Page& page) {
  const int status = page.response.status;
  if (IsRedirect(status)) {
    const auto location = page.http.fields.Find("location");
    if (location && link_url_.Parse(*location, &page.url)) {
      web::Url canonical;
      if (web::Canonicalize(link_url_, &canonical)) page.location = canonical.href();
    }
  }
  // What a server shows with an error or a redirect is no page of the site, and its links lead astray.
  if (status < 200 || status > 299) return Status::Ok();
  const std::string essence =
      web::ParseMediaType(page.http.fields.Find("content-type").value_or("")).Essence();
  if (const auto verdict =
          page.policy->filters[policy::FilterPoint::kParse].Judge(page.filter_input(essence));
      !verdict.accepted) {
    page.Tell(FilteredBy(policy::FilterPoint::kParse, verdict));
    return Status::Ok();
  }
  CRV_ASSIGN(page.derived, deriver_.Derive({.url = page.url,
                                            .fields = page.http.fields,
                                            .body = page.response.body,
                                            .now = ToSeconds(page.response.timings.start),
                                            .as_sitemap = page.visit.kind == UrlKind::kSitemap},
                                           page.tablet.templates()));
  if (!page.reading().conversion.ok()) {
    page.Tell({.kind = EventKind::kNotConverted, .text = page.reading().conversion.message()});
  }
  const dedup::PageDigest& whole = page.derived.whole;
  if (whole.text == 0) return Status::Ok();
  // A page fetched once more is no copy of itself.
  page.unchanged = page.before != nullptr && page.before->fetch.text_digest == page.derived.main.text;
  if (page.unchanged) return Status::Ok();
  FindNearCopy(page);
  page.seen = context_.seen_texts.Look(whole.text, web::HostHash(page.url.hostname()));
  page.settled.text_digest = whole.text;
  return Status::Ok();
}

void PageWorker::FindNearCopy(Page& page) {
  if (context_.near_copies == nullptr || page.derived.signals < dedup::NearCopyTable::kLeastSignals) return;
  page.near = context_.near_copies->Enter(page.derived.main.simhash, page.visit.url, &page.remembered);
  if (!page.near) return;
  // Nobody is to hear of a page that is being forgotten.
  const auto url = web::CanonicalUrl(page.near->url);
  const auto key = url.ok() ? web::RowKey(*url) : url.status();
  if (!key.ok() || page.settled.allowed_by->Find(*key) != nullptr) page.near.reset();
  page.is_near_copy = page.near.has_value();
}

Status PageWorker::FindCopies(Page& page) {
  stage_.Enter(page::Stage::kCompression);
  page.payload = Sha1Of(page.response.body);
  stage_.Enter(page::Stage::kOther);
  if (page.response.body.empty() || page.response.truncation != fetch::Truncation::kNone) return Status::Ok();
  CRV_ASSIGN(page.origin, page.tablet.table().FindPayload(page.payload));
  // A page that is being forgotten keeps no body for another.
  if (page.origin && page.settled.allowed_by->Find(page.origin->key) != nullptr) page.origin.reset();
  return Status::Ok();
}

// The row stands as it is; the archive gets the answer, and the ledger a line.
Status PageWorker::ArchiveNotModified(Page& page) {
  const VisitCapture visit(context_.options, page.visit, page.url.hostname(), page.response);
  const store::RevisitOf revisit = {.why = store::RevisitOf::Why::kNotModified,
                                    .url = page.visit.url,
                                    .date = page.before->time / 1'000'000};
  CRV_TRY(encoder_.Encode(visit.capture(), page.before->fetch.payload, &revisit, &encoded_));
  CRV_TRY(page.tablet.archive()->Append(encoded_).status());
  page.settled.not_modified = true;
  page.Tell({.kind = EventKind::kNotModified});
  context_.counters.revisits.Add();
  return Status::Ok();
}

Status PageWorker::Archive(Page& page) {
  const fetch::Response& response = page.response;
  const VisitCapture visit(context_.options, page.visit, page.url.hostname(), response);
  std::optional<store::RevisitOf> revisit;
  if (page.origin) {
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(page.origin->key));
    revisit = {.url = url.href(), .date = page.origin->time / 1'000'000};
    // An error or a redirect says nothing of the page, so two of them are no copies.
    const bool answers = response.status >= 200 && response.status <= 299;
    if (answers && page.origin->key != page.settled.row_key) {
      page.Tell({.kind = EventKind::kDuplicateOf, .url = url.href()});
      context_.counters.copies.Add();
      page.near.reset();  // more is known than that
    }
    context_.counters.revisits.Add();
  }
  stage_.Enter(page::Stage::kCompression);
  CRV_TRY(encoder_.Encode(visit.capture(), page.payload, revisit ? &*revisit : nullptr, &encoded_));
  stage_.Enter(page::Stage::kArchive);
  CRV_ASSIGN(page.settled.fetch.record, page.tablet.archive()->Append(encoded_));
  page.remembered.Archived(page.visit.tablet, page.settled.fetch.record);
  if (page.near) {
    page.Tell({.kind = EventKind::kNearCopyOf,
               .number = static_cast<uint64_t>(page.near->distance),
               .url = page.near->url});
  }
  page.settled.first_of_payload =
      !page.origin && !response.body.empty() && response.truncation == fetch::Truncation::kNone;
  return Status::Ok();
}

bool PageWorker::MaySchedule(const web::Url& url, uint32_t depth, const Page& page) {
  // Most links of a page lead to the host of the one before.
  if (url.hostname() != scope_host_ || page.policy != scope_policy_) {
    scope_policy_ = page.policy;
    scope_host_ = url.hostname();
    in_scope_ = page.policy->scope.Contains(url);
  }
  const Candidate link = {.moment = Candidate::Moment::kFound,
                          .url = url,
                          .depth = depth,
                          .in_scope = in_scope_,
                          .from = &page.url};
  return Decide(link,
                {.policy = *page.policy, .forgotten = *page.settled.allowed_by, .traps = context_.traps})
      .yes();
}

Status PageWorker::OfferLinks(Page& page) {
  stage_.Enter(page::Stage::kLinks);
  offers_.clear();
  const WallTime now = context_.clock.Wall();
  bool own_host_only = false;
  const bool has_keyword = HasPageKeyword(page);
  const auto offer = [&](std::string_view url, std::string_view anchor, UrlKind kind, uint32_t depth) {
    if (!link_url_.Parse(url) || (own_host_only && link_url_.hostname() != page.url.hostname()) ||
        !MaySchedule(link_url_, depth, page))
      return;
    const uint8_t priority =
        frontier::PriorityOf(context_.options.priority,
                             {.url = url,
                              .from_host = page.url.hostname(),
                              .text = anchor,
                              .depth = depth,
                              .host_rank = frontier::RankOfLink(context_.options.host_ranks.ranks,
                                                                page.url.hostname(), link_url_.hostname()),
                              .page_has_keyword = has_keyword});
    offers_.push_back({.url = url,
                       .kind = kind,
                       .priority = priority,
                       .depth = depth,
                       .found = now,
                       .via = frontier::Via::Of(url, page.visit.url)});
  };
  if (page.redirects()) {
    CRV_ASSIGN(const uint32_t before, RedirectsBefore(page.visit));
    if (before + 1 < kMaxRedirects) {
      offer(page.location, {}, page.visit.kind, page.visit.depth);
      if (page.visit.depth == 0 && link_url_.Parse(page.location) && !page.policy->scope.Contains(link_url_))
        context_.seeds.RedirectedOut(page.visit.url, page.location);
    } else {
      page.Tell({.kind = EventKind::kLinksNotFollowed,
                 .text = fmt::format("{} redirects led here, one after another", before)});
    }
  }

  bool follow = !page.reading().robots.nofollow;
  if (!follow && !page.reading().links.empty()) {
    page.Tell({.kind = EventKind::kLinksNotFollowed, .text = "the page asks for it (nofollow)"});
  }
  // A page of some length that this host has shown under another URL leads where that one leads.
  if (follow && page.seen.on_this_host && page.derived.whole.words >= kLeastCopyWords &&
      !page.reading().links.empty()) {
    page.Tell({.kind = EventKind::kLinksNotFollowed, .text = "the host has a page of the same text"});
    follow = false;
  }
  if (const auto verdict = page.policy->filters[policy::FilterPoint::kFollow].Judge(
          page.filter_input(page.reading().media_type));
      follow && !verdict.accepted) {
    page.Tell(FilteredBy(policy::FilterPoint::kFollow, verdict));
    follow = false;
  }
  // The links of a near-copy within its own host are those that lead to its other pages, which may be copies
  // of nothing.
  if (follow && page.is_near_copy && context_.options.near_duplicates >= NearDuplicates::kNofollow &&
      !page.reading().links.empty()) {
    page.Tell({.kind = EventKind::kLinksNotFollowed,
               .text = "it is a near-copy: only links within its host are followed"});
    own_host_only = true;
  }
  const UrlKind kind = page.reading().links_are_sitemaps ? UrlKind::kSitemap : UrlKind::kPage;
  // An index of sitemaps lists sitemaps and no other index (sitemaps.org): else a site could go on for ever.
  if (follow && kind == UrlKind::kSitemap && IsFromSitemap(page.visit)) {
    page.Tell(
        {.kind = EventKind::kLinksNotFollowed, .text = "an index of sitemaps that another index lists"});
    follow = false;
  }
  // What a site itself lists is as near as the site.
  const uint32_t depth = page.visit.kind == UrlKind::kSitemap ? page.visit.depth : page.visit.depth + 1;
  if (follow && !page.is_feed && context_.options.follow_feeds) CRV_TRY(FollowFeeds(page));
  // Of a feed that is polled only the new items are wanted.
  const bool polled = page.is_feed && page.reading().kind == page::BodyKind::kFeed;
  for (const page::OutLink& link : page.reading().links) {
    if (polled) break;
    if (follow && !link.nofollow) offer(link.url, link.anchor, kind, depth);
  }
  context_.counters.links.Add(page.reading().links.size());
  context_.counters.offered.Add(offers_.size());
  stage_.Enter(page::Stage::kSieve);
  const Status status = Offer(page);
  stage_.Enter(page::Stage::kOther);
  return status;
}

bool PageWorker::HasPageKeyword(const Page& page) const {
  const std::vector<std::string>& words = context_.options.priority.page_keywords;
  if (words.empty()) return false;
  const text::Document& document = page.reading().html.document;
  if (frontier::HasKeyword(words, document.title)) return true;
  return std::any_of(document.blocks.begin(), document.blocks.end(), [&](const text::Block& block) {
    return block.main && frontier::HasKeyword(words, block.text);
  });
}

Status PageWorker::FollowFeeds(Page& page) {
  FoundFeeds found = {
      .as = {.origin = feeds::Origin::kFound, .site = page.visit.url, .depth = page.visit.depth},
      .limited = true};
  for (std::string& url : feeds::NamedFeeds(page.reading().page, page.url)) {
    if (link_url_.Parse(url) && MaySchedule(link_url_, page.visit.depth, page))
      found.urls.push_back(std::move(url));
  }
  return AddFoundFeeds(context_, found);
}

Status PageWorker::PollFeed(Page& page, feeds::FeedRecord record) {
  const bool named_by_person = record.origin == feeds::Origin::kAdded && !record.format;
  const bool fleeting = record.origin != feeds::Origin::kAdded && !record.format;
  const uint32_t depth = record.depth;
  const std::string site = record.site;
  const bool push = record.push;
  const bool good = page.response.status >= 200 && page.response.status <= 299;
  const bool is_html = page.reading().kind == page::BodyKind::kHtml;
  std::optional<web::Feed> feed;
  if (page.response.ok() && good && !is_html) {
    feed = ReadFeed(page.url, page.http.fields, page.response.body, context_.options.reader.max_body_bytes);
  }
  const std::string trouble(page.response.message);
  feeds::PollOutcome outcome =
      feeds::TakeAnswer(std::move(record), {.now = ToSeconds(page.response.timings.start),
                                            .status = page.response.ok() ? page.response.status : 0,
                                            .trouble = trouble,
                                            .fields = &page.http.fields,
                                            .feed = feed ? &*feed : nullptr,
                                            .redirect = page.location,
                                            .url = &page.url});
  context_.counters.feed_polls.Add();
  const auto wanted = [&](const std::string& url) {
    return link_url_.Parse(url) && MaySchedule(link_url_, depth, page);
  };
  FoundFeeds found = {.as = {.origin = feeds::Origin::kFound, .site = site, .push = push, .depth = depth}};
  if (outcome.add_redirect) {
    found.urls = {page.location};
    found.as.origin =
        outcome.record.origin == feeds::Origin::kAdded ? feeds::Origin::kAdded : feeds::Origin::kFound;
    found.as.title = outcome.record.title;
    found.as.seen = outcome.record.seen;
    // A feed that moves to where the crawl may not follow stays in the list, with that trouble.
    if (!fleeting && !wanted(page.location)) outcome.remove = false;
  } else if (named_by_person && good && is_html) {
    // A person named a site: its feeds take the place of its page, or else the usual paths are tried.
    found.as.site = page.visit.url;
    found.urls = feeds::NamedFeeds(page.reading().page, page.url);
    outcome.remove = !found.urls.empty();
    if (found.urls.empty()) {
      found.urls = feeds::UsualFeeds(page.url);
      found.as.origin = feeds::Origin::kGuess;
      outcome.record.trouble = "the page names no feed; the usual paths are tried";
    }
  }
  std::erase_if(found.urls, [&](const std::string& url) { return !wanted(url); });
  CRV_TRY(AddFoundFeeds(context_, found));
  std::erase_if(outcome.new_urls, [&](const std::string& url) { return !wanted(url); });
  CRV_TRY(OfferItems(context_, page.visit, outcome.new_urls));
  CRV_TRY(HintItems(context_, outcome.changed));
  page.settled.feed = {.record = std::move(outcome.record), .remove = outcome.remove};
  if (feed && context_.options.feed_items) CRV_TRY(KeepItems(page, *feed));
  return Status::Ok();
}

// They were on the wire inside of the feed, which is archived, so they have no records of their own.
Status PageWorker::KeepItems(Page& page, const web::Feed& feed) {
  // An answer that is the same as before has its row already; one that a filter does not keep has none.
  const bool stays = page.settled.not_modified && page.before != nullptr;
  if (!page.settled.has_row && !stays) return Status::Ok();
  const store::FetchCell& whole = stays ? page.before->fetch : page.settled.fetch;
  const web::HttpFieldBlock head = web::ParseHttpFields("Content-Type: text/html; charset=utf-8\r\n");
  std::unordered_set<std::string> keys;
  for (const web::FeedItem* const item : feeds::ItemsWithoutPage(feed)) {
    CRV_ASSIGN(const web::Url url, feeds::ItemUrl(page.url, *item));
    Settled::Part part;
    CRV_ASSIGN(part.row_key, web::RowKey(url));
    if (page.settled.allowed_by->Find(part.row_key) != nullptr || !keys.insert(part.row_key).second) continue;
    const std::string html = feeds::ItemHtml(*item);
    part.fetch.payload = Sha1Of(html);
    CRV_ASSIGN(const auto newest, page.tablet.table().Newest(part.row_key));
    if (newest) {
      CRV_ASSIGN(const std::vector<store::Row> rows, page.tablet.table().Get(part.row_key));
      if (!rows.empty() && rows.front().fetch.payload == part.fetch.payload) continue;
    } else {
      CRV_ASSIGN(const bool full, HasReachedLimit(context_, url));
      if (full) continue;
    }
    CRV_ASSIGN(
        const page::DerivedPage derived,
        deriver_.Derive(
            {.url = url, .fields = head.fields, .body = html, .now = ToSeconds(page.response.timings.start)},
            page.tablet.templates(), page::PageDeriver::Learning::kOff));
    part.fetch.status = 200;
    part.fetch.content_type = "text/html";
    part.fetch.body_bytes = html.size();
    part.fetch.id = item->id;
    deriver_.Fill(derived, &part.fetch, &part.text, &part.links);
    // What the feed asks for holds for its parts.
    part.fetch.noindex = part.fetch.noindex || whole.noindex;
    part.fetch.noarchive = part.fetch.noarchive || whole.noarchive;
    part.fetch.nofollow = part.fetch.nofollow || whole.nofollow;
    part.fetch.unavailable_after = whole.unavailable_after;
    part.fetch.usage = whole.usage;
    part.fetch.robots_usage = whole.robots_usage;
    context_.counters.feed_documents.Add();
    page.settled.parts.push_back(std::move(part));
  }
  return Status::Ok();
}

// A redirect's target was found on the page that redirected, and so on back: the ledger says where each was
// found.
Result<uint32_t> PageWorker::RedirectsBefore(const frontier::Visit& visit) const {
  std::string url = visit.url;
  std::string via = visit.via;
  uint32_t redirects = 0;
  while (!via.empty() && redirects < kMaxRedirects) {
    const auto from = web::CanonicalUrl(via);
    if (!from.ok()) break;
    collection::Tablet* const tablet = context_.store.Find(from->hostname());
    if (tablet == nullptr) break;  // another process has it: what it knows is not asked for
    CRV_ASSIGN(const std::string key, web::RowKey(*from));
    CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(key));
    if (rows.empty() || !IsRedirect(rows.front().fetch.status) || rows.front().fetch.location != url) break;
    redirects++;
    url = std::exchange(via, std::string());
    CRV_ASSIGN(const std::vector<store::Event> events, tablet->ledger().Get(key));
    for (const store::Event& event : events) {
      if (event.kind == EventKind::kFound) via = event.url;
    }
  }
  return redirects;
}

bool PageWorker::IsFromSitemap(const frontier::Visit& visit) {
  return visit.kind == UrlKind::kSitemap && !visit.via.empty() && !visit.via.ends_with("/robots.txt");
}

Status PageWorker::Offer(Page& page) {
  if (offers_.empty()) return Status::Ok();
  const collection::Gate::Pass pass(context_.store.gate());
  return context_.frontier.Offer(offers_,
                                 context_.options.others == nullptr ? nullptr : &page.settled.outgoing);
}

Status PageWorker::FillCells(Page& page) {
  const fetch::Response& response = page.response;
  store::FetchCell& cell = page.settled.fetch;
  cell.status = static_cast<uint16_t>(std::clamp(response.status, 0, 65535));
  cell.content_type = page.reading().media_type.empty()
                          ? web::ParseMediaType(page.http.fields.Find("content-type").value_or("")).Essence()
                          : page.reading().media_type;
  cell.body_bytes = response.body.size();
  cell.payload = page.payload;
  cell.head_digest = Hash64(response.head);
  const web::Validators validators = web::FindValidators(page.http.fields, ToSeconds(response.timings.start));
  cell.etag = validators.etag;
  cell.last_modified = validators.last_modified;
  cell.location = page.location;
  cell.milliseconds = static_cast<uint32_t>(response.timings.end / std::chrono::milliseconds(1));
  cell.truncated = response.truncation != fetch::Truncation::kNone;
  cell.revisit = page.origin.has_value();
  cell.near_copy = !cell.revisit && (page.seen.anywhere || page.is_near_copy ||
                                     (page.unchanged && page.before->fetch.near_copy));
  if (cell.near_copy) context_.counters.near_copies.Add();
  deriver_.Fill(page.derived, &cell, &page.settled.text, &page.settled.links);
  page.settled.has_row = true;
  if (!IsPage(response.status)) return Status::Ok();
  CRV_ASSIGN(cell.robots_usage, RobotsUsage(page));
  return Status::Ok();
}

}  // namespace crivello::crawl
