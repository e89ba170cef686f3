// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/status.h"
#include "crawl/crawl_context.h"
#include "store/capture.h"
#include "web/page/robots.h"

namespace crivello::crawl {

// Processes the answer to a request for robots.txt.  It follows a redirect of the file, or decides what the
// answer means for its origin (RFC 9309; collection::JudgeRobots), and offers the sitemaps that the file
// names.  The answer is archived with the tablet of the host that gave it, unless that is in another process,
// CrawlOptions::archive_robots is off, or the URL is forgotten.  Some tens of microseconds for a file of
// common size.
//
// One thread at a time; a crawl has one for each of its parsing threads.
class RobotsReader {
 public:
  explicit RobotsReader(const CrawlContext& context)
      : context_(context), encoder_({.compression = context.options.compression}) {}

  // Returns what must be committed, without Settled::robots if the file was moved and the visit continues
  // elsewhere. Errors come from the disk.  REQUIRES: a visit of a robots.txt.
  Result<Settled> Read(Fetched fetched);

 private:
  Status Archive(const web::Url& url, const fetch::Response& response, Settled* settled);
  Status OfferSitemaps(const frontier::Visit& visit, const web::Robots& robots,
                       std::vector<frontier::OutgoingUrl>* outgoing) const;

  const CrawlContext& context_;
  store::CaptureEncoder encoder_;
  store::EncodedCapture encoded_;  // scratch
};

}  // namespace crivello::crawl
