// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/status.h"
#include "crawl/crawl_context.h"
#include "web/page/robots.h"

namespace crivello::crawl {

// Reads what was fetched for a robots.txt: sends the visit on to where the file was moved, or settles it with
// what the answer means for its origin (RFC 9309; collection::JudgeRobots), and offers the sitemaps that the
// file names.  A few microseconds for a file of common size.
//
// Thread-safe: it has no state of its own.
class RobotsReader {
 public:
  explicit RobotsReader(const CrawlContext& context) : context_(context) {}

  // What is to be committed; without Settled::robots if the file was moved and the visit continues elsewhere.
  // An error is one of the disk.  REQUIRES: a visit of a robots.txt.
  Result<Settled> Read(Fetched fetched) const;

 private:
  Status OfferSitemaps(const frontier::Visit& visit, const web::Robots& robots,
                       std::vector<frontier::OutgoingUrl>* outgoing) const;

  const CrawlContext& context_;
};

}  // namespace crivello::crawl
