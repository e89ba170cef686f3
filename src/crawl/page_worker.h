// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "crawl/crawl_context.h"
#include "page/page_deriver.h"
#include "store/capture.h"
#include "web/feed/feed.h"

namespace crivello::crawl {

// Processes an answer: parses the page, archives it, offers its links, and prepares the commit of the visit.
// One thread at a time; a crawl has one worker for each of its parsing threads.
class PageWorker {
 public:
  explicit PageWorker(const CrawlContext& context);

  // Returns what must be committed.  Errors come from the disk.  REQUIRES: not a robots.txt
  // (robots_reader.h).
  Result<Settled> Process(Fetched fetched);

 private:
  struct Page;  // one visit on its way through the steps

  Status Read(Page& page);
  void FindNearCopy(Page& page);
  Status FindCopies(Page& page);
  Status Archive(Page& page);
  Status ArchiveNotModified(Page& page);
  Status OfferLinks(Page& page);
  // For a page that is a feed: reads its items, and schedules visits of their pages.
  Status PollFeed(Page& page, feeds::FeedRecord record);
  // The items of a feed that are documents themselves (feeds/item_document.h).
  Status KeepItems(Page& page, const web::Feed& feed);
  // Adds the feeds that a page names to the list.
  Status FollowFeeds(Page& page);
  // How many redirects, each of which led to the next, come before this visit: kMaxRedirects at most.
  Result<uint32_t> RedirectsBefore(const frontier::Visit& visit) const;
  // Whether it is a sitemap that another sitemap lists.
  Result<bool> IsFromSitemap(const Page& page) const;
  Status HintChanges(const Page& page);
  bool HasPageKeyword(const Page& page) const;  // of PriorityOptions::page_keywords
  Status Offer(Page& page);                     // offers_
  Status FillCells(Page& page);
  // Whether the row of the page stays unchanged, because the answer has the same bytes, or the server has an
  // error that may be temporary.
  static Result<bool> RowStays(Page& page);
  // Whether the page and its robots.txt ask for the same as when it was last fetched.
  static Result<bool> AsksTheSame(const Page& page);
  // What robots.txt states of its use.
  static Result<std::string> RobotsUsage(const Page& page);
  // A page that gets no answer, visit after visit, leaves the index: it gets a version without a page.
  static Status NoteSilence(Page& page);
  static void TellSchedule(Page& page);
  // Whether a link may be offered (decision.h).
  bool MaySchedule(const web::Url& url, uint32_t depth, const Page& page);

  const CrawlContext& context_;
  page::StageClock stage_;
  page::PageDeriver deriver_;
  store::CaptureEncoder encoder_;
  store::EncodedCapture encoded_;  // scratch
  std::vector<frontier::UrlRecord> offers_;
  web::Url link_url_;
  std::string scope_host_;  // the last host whose scope was checked, the policy used, and the result
  std::shared_ptr<const CrawlPolicy> scope_policy_;
  bool in_scope_ = false;
};

}  // namespace crivello::crawl
