// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "feeds/index_now.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The submission in a request: GET with url, key and keyLocation, or POST with JSON (docs/feeds.md).
// InvalidArgument if it is neither.
Result<feeds::IndexNow> ParseIndexNow(const HttpRequest& request);

// The only part that strangers may call: /indexnow and nothing else.  It has a listener of its own, which the
// public web may reach and which serves neither the API nor the pages.  Thread-safe; the desk outlives it.
class IndexNowSite final : public HttpHandler {
 public:
  explicit IndexNowSite(feeds::IndexNowDesk& desk) : desk_(desk) {}
  HttpResponse Handle(const HttpRequest& request) override;

 private:
  feeds::IndexNowDesk& desk_;
};

}  // namespace crivello::serve
