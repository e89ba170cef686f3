// SPDX-License-Identifier: Apache-2.0
#include "page/archived_answer.h"

#include <algorithm>

#include "base/digest.h"
#include "base/hash.h"
#include "web/http/http_headers.h"
#include "web/url/canonical.h"

namespace crivello::page {

Status FillFromAnswer(const ArchivedAnswer& answer, PageDeriver& deriver, SiteTemplates& templates,
                      store::FetchCell* fetch, std::string* text, std::string* links) {
  const web::HttpResponse& http = answer.http;
  fetch->status = static_cast<uint16_t>(std::clamp(http.version.major == 0 ? 200 : http.status, 0, 65535));
  fetch->content_type = web::ParseMediaType(http.fields.Find("content-type").value_or("")).Essence();
  fetch->body_bytes = answer.body.size();
  fetch->payload = Sha1Of(answer.body);
  fetch->head_digest = Hash64(answer.head);
  const web::Validators validators = web::FindValidators(http.fields, answer.date);
  fetch->etag = validators.etag;
  fetch->last_modified = validators.last_modified;
  fetch->truncated = answer.truncated;
  text->clear();
  links->clear();
  if (fetch->status >= 200 && fetch->status <= 299) {
    CRV_ASSIGN(
        const DerivedPage page,
        deriver.Derive({.url = answer.url, .fields = http.fields, .body = answer.body, .now = answer.date},
                       templates));
    if (!page.reading.media_type.empty()) fetch->content_type = page.reading.media_type;
    deriver.Fill(page, fetch, text, links);
  } else if (const auto location = http.fields.Find("location")) {
    const auto target = web::CanonicalUrl(*location, &answer.url);
    if (target.ok()) fetch->location = target->href();
  }
  return Status::Ok();
}

}  // namespace crivello::page
