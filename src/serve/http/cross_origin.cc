// SPDX-License-Identifier: Apache-2.0
#include "serve/http/cross_origin.h"

#include <algorithm>

#include "web/url/url.h"

namespace crivello::serve {

Result<CrossOrigin> CrossOrigin::Of(const std::vector<std::string>& origins) {
  CrossOrigin allowed;
  for (const std::string& origin : origins) {
    if (origin == "*") {
      allowed.all_ = true;
      continue;
    }
    web::Url url;
    // An origin is a URL without path, query and user; browsers send it in this form.
    const bool good = url.Parse(origin) && url.is_http() && url.href() == origin + "/" &&
                      origin.find('@') == std::string::npos;
    if (!good) {
      return Status::InvalidArgument("invalid origin '" + origin +
                                     "': expected scheme and host, such as https://www.example.org, or *");
    }
    allowed.origins_.push_back(origin);
  }
  return allowed;
}

bool CrossOrigin::Allows(std::string_view origin) const {
  return all_ || std::find(origins_.begin(), origins_.end(), origin) != origins_.end();
}

void CrossOrigin::Share(const HttpRequest& request, HttpResponse* answer) const {
  if (!all_ && origins_.empty()) return;
  // A cache must not give one page the answer for another.
  if (!all_) answer->headers.emplace_back("Vary", "Origin");
  const auto origin = request.Header("origin");
  if (!origin || !Allows(*origin)) return;
  answer->headers.emplace_back("Access-Control-Allow-Origin", all_ ? "*" : std::string(*origin));
  answer->headers.emplace_back("Cross-Origin-Resource-Policy", "cross-origin");
}

bool CrossOrigin::IsPreflight(const HttpRequest& request) {
  return request.method == "OPTIONS" && request.Header("origin") &&
         request.Header("access-control-request-method");
}

HttpResponse CrossOrigin::AnswerPreflight() {
  HttpResponse answer = {.status = 204, .body = {}};
  answer.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD");
  answer.headers.emplace_back("Access-Control-Allow-Headers", "Authorization, X-API-Key");
  answer.headers.emplace_back("Access-Control-Max-Age", "86400");
  return answer;
}

}  // namespace crivello::serve
