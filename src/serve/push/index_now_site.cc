// SPDX-License-Identifier: Apache-2.0
#include "serve/push/index_now_site.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace crivello::serve {
namespace {

using Verdict = feeds::IndexNowDesk::Verdict;

unsigned StatusOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAccepted:
      return 202;
    case Verdict::kMalformed:
    case Verdict::kOutOfScope:
      return 422;
    case Verdict::kWrongKey:
      return 403;
    case Verdict::kTooMany:
      break;
  }
  return 429;
}

HttpResponse Say(unsigned status, const std::string& sentence) {
  return {.status = status, .body = sentence + "\n", .headers = {{"Cache-Control", "no-store"}}};
}

Status TakeText(const nlohmann::json& object, const char* name, std::string* text) {
  const auto member = object.find(name);
  if (member == object.end()) return Status::Ok();
  if (!member->is_string()) return Status::InvalidArgument(fmt::format("{}: expected a string", name));
  *text = member->get<std::string>();
  return Status::Ok();
}

}  // namespace

Result<feeds::IndexNow> ParseIndexNow(const HttpRequest& request) {
  feeds::IndexNow submission;
  if (request.method == "GET") {
    submission.key = request.Parameter("key").value_or("");
    submission.key_location = request.Parameter("keyLocation").value_or("");
    if (const auto url = request.Parameter("url")) submission.urls.emplace_back(*url);
    return submission;
  }
  const auto object = nlohmann::json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object())
    return Status::InvalidArgument("expected a JSON object with host, key and urlList");
  CRV_TRY(TakeText(object, "host", &submission.host));
  CRV_TRY(TakeText(object, "key", &submission.key));
  CRV_TRY(TakeText(object, "keyLocation", &submission.key_location));
  const auto urls = object.find("urlList");
  if (urls == object.end() || !urls->is_array())
    return Status::InvalidArgument("urlList: expected a list of URLs");
  if (urls->size() > feeds::IndexNow::kMaxUrls) {
    return Status::InvalidArgument(fmt::format("urlList: expected at most {} URLs, received {}",
                                               feeds::IndexNow::kMaxUrls, urls->size()));
  }
  for (const nlohmann::json& url : *urls) {
    if (!url.is_string()) return Status::InvalidArgument("urlList: expected strings");
    submission.urls.push_back(url.get<std::string>());
  }
  return submission;
}

HttpResponse IndexNowSite::Handle(const HttpRequest& request) {
  if (request.path != "/indexnow") return Say(404, "Not found.");
  if (request.method != "GET" && request.method != "POST") {
    HttpResponse answer = Say(405, "Method not allowed: use GET or POST.");
    answer.headers.emplace_back("Allow", "GET, HEAD, POST");
    return answer;
  }
  auto submission = ParseIndexNow(request);
  if (!submission.ok()) return Say(400, std::string(submission.status().message()));
  const feeds::IndexNowDesk::Answer answer = desk_.Take(*submission);
  HttpResponse response = Say(StatusOf(answer.verdict), answer.message);
  if (answer.verdict == Verdict::kTooMany) response.headers.emplace_back("Retry-After", "3600");
  return response;
}

}  // namespace crivello::serve
