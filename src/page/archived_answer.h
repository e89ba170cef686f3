// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "page/page_deriver.h"
#include "page/site_templates.h"
#include "store/cells.h"
#include "web/http/http_message.h"
#include "web/url/url.h"

namespace crivello::page {

// An archived response, from this program or another: the source of a row if the crawl that fetched it is not
// available. Views.
struct ArchivedAnswer {
  const web::Url& url;
  int64_t date = 0;       // seconds since 1970
  std::string_view head;  // HTTP head, as received
  const web::HttpResponse& http;
  std::string_view body;  // without transfer coding
  bool truncated = false;
};

// Fills in the cells of the response's version, except its archive location. Text and links are only set for
// a 2xx response, else empty.
Status FillFromAnswer(const ArchivedAnswer& answer, PageDeriver& deriver, SiteTemplates& templates,
                      store::FetchCell* fetch, std::string* text, std::string* links);

}  // namespace crivello::page
