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

// An answer that was archived, by this program or another: what a row is made of when the crawl that fetched
// it is not there to tell.  Views.
struct ArchivedAnswer {
  const web::Url& url;
  int64_t date = 0;       // seconds since 1970
  std::string_view head;  // of HTTP, as it came
  const web::HttpResponse& http;
  std::string_view body;  // without transfer coding
  bool truncated = false;
};

// Fills the cells of its version, but for where it is archived.  Text and links are those of an answer of
// 2xx; empty else.
Status FillFromAnswer(const ArchivedAnswer& answer, PageDeriver& deriver, SiteTemplates& templates,
                      store::FetchCell* fetch, std::string* text, std::string* links);

}  // namespace crivello::page
