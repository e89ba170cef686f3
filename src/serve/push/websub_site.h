// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/status.h"
#include "feeds/websub_desk.h"
#include "serve/http/http.h"

namespace crivello::serve {

// What a hub asks by GET, in the parameters hub.mode, hub.topic, hub.challenge, hub.lease_seconds and
// hub.reason.  InvalidArgument if it is no such question.
Result<feeds::HubQuestion> ParseHubQuestion(const HttpRequest& request);

// What hubs call: /websub/ID, where GET verifies or denies and POST delivers (docs/feeds.md).  Thread-safe;
// the desk outlives it.
class WebSubSite final : public HttpHandler {
 public:
  explicit WebSubSite(feeds::WebSubDesk& desk) : desk_(desk) {}
  // Whether a path is one of its own.
  static bool Has(const std::string& path) { return path.starts_with("/websub/"); }
  HttpResponse Handle(const HttpRequest& request) override;

 private:
  feeds::WebSubDesk& desk_;
};

}  // namespace crivello::serve
