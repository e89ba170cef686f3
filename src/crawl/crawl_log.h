// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "crawl/crawl_context.h"

namespace crivello::crawl {

// A line of text for each fetch, with the columns of Heritrix's crawl.log, so that its readers work on it:
//
//   2026-01-02T03:04:05.678Z   200       1234 https://a.test/ L https://a.test/from text/html -
//   20260102030405678+45 sha1:... - -
//
// time, status, bytes of the body, URL, discovery path (an L for each step from the seed, redirects included;
// "-" for a seed), the page that it was found on, type, thread, start and duration in milliseconds, digest of
// the body, tag, annotations.  A fetch without an answer has a negative status, as there: -2 no connection,
// -1 no address, -9998 refused by robots.txt.  Columns never hold spaces.
std::string CrawlLogLine(const Settled& settled);

// Appends to a file.  One thread at a time.
class CrawlLog {
 public:
  static Result<std::unique_ptr<CrawlLog>> Open(const std::string& path);
  ~CrawlLog();
  // Writes the lines of committed visits.  If the disk is full, lines are lost, but never pages.
  void Write(const std::vector<Settled>& group);

 private:
  explicit CrawlLog(std::FILE* file) : file_(file) {}
  std::FILE* const file_;
};

}  // namespace crivello::crawl
