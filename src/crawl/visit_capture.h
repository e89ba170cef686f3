// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "crawl/crawl_context.h"
#include "store/capture.h"

namespace crivello::crawl {

// A visit as the archive stores it, without the request fields that the operator configured for that host
// (CrawlOptions::host_settings), such as passwords.  It refers to the visit and the response, which must
// outlive it.
class VisitCapture {
 public:
  // `host` is that of the URL of the visit.
  VisitCapture(const CrawlOptions& options, const frontier::Visit& visit, std::string_view host,
               const fetch::Response& response);
  VisitCapture(const VisitCapture&) = delete;
  VisitCapture& operator=(const VisitCapture&) = delete;

  const store::Capture& capture() const { return capture_; }

 private:
  std::string ip_;
  std::string request_head_;  // if it differs from what was sent
  store::Capture capture_;
};

}  // namespace crivello::crawl
