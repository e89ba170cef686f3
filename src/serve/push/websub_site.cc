// SPDX-License-Identifier: Apache-2.0
#include "serve/push/websub_site.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "feeds/subscription.h"

namespace crivello::serve {
namespace {

using HubVerdict = feeds::WebSubDesk::Verdict;

// 30,000 years.
constexpr size_t kMostLeaseDigits = 12;

HttpResponse SayToHub(unsigned status, std::string text) {
  return {.status = status,
          .body = std::move(text),
          .headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}}};
}

HttpResponse AnswerTo(HubVerdict verdict) {
  switch (verdict) {
    case HubVerdict::kEcho:
    case HubVerdict::kTaken:
      break;
    case HubVerdict::kUnknown:
      return SayToHub(404, "Nothing of the kind was asked for.\n");
    case HubVerdict::kGone:
      return SayToHub(410, "There is no such subscription.\n");
    case HubVerdict::kForged:
      return SayToHub(403, "X-Hub-Signature: expected an HMAC of the body by SHA-256 or better.\n");
    case HubVerdict::kBusy: {
      HttpResponse answer = SayToHub(503, "Try again later.\n");
      answer.headers.emplace_back("Retry-After", "60");
      return answer;
    }
  }
  return SayToHub(202, "Thank you.\n");
}

bool IsId(std::string_view id) {
  return id.size() == feeds::Subscription::kIdBytes && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                  c == '_';
         });
}

}  // namespace

Result<feeds::HubQuestion> ParseHubQuestion(const HttpRequest& request) {
  using Mode = feeds::HubQuestion::Mode;
  const std::string_view mode = request.Parameter("hub.mode").value_or("");
  feeds::HubQuestion question;
  if (mode == "subscribe") {
    question.mode = Mode::kSubscribe;
  } else if (mode == "unsubscribe") {
    question.mode = Mode::kUnsubscribe;
  } else if (mode == "denied") {
    question.mode = Mode::kDenied;
  } else {
    return Status::InvalidArgument("hub.mode: expected subscribe, unsubscribe or denied");
  }
  question.topic = request.Parameter("hub.topic").value_or("");
  if (question.topic.empty()) return Status::InvalidArgument("hub.topic: expected the URL of a feed");
  question.reason = request.Parameter("hub.reason").value_or("");
  if (question.mode == Mode::kDenied) return question;
  question.challenge = request.Parameter("hub.challenge").value_or("");
  if (question.challenge.empty() || question.challenge.size() > feeds::kMostChallengeBytes) {
    return Status::InvalidArgument(
        fmt::format("hub.challenge: expected 1 to {} bytes", feeds::kMostChallengeBytes));
  }
  if (const auto lease = request.Parameter("hub.lease_seconds"); lease && !lease->empty()) {
    const bool number =
        lease->size() <= kMostLeaseDigits &&
        std::all_of(lease->begin(), lease->end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number) return Status::InvalidArgument("hub.lease_seconds: expected a number of seconds");
    int64_t seconds = 0;
    for (const char c : *lease) seconds = 10 * seconds + (c - '0');
    question.lease_s = seconds;
  }
  return question;
}

HttpResponse WebSubSite::Handle(const HttpRequest& request) {
  const std::string_view id = std::string_view(request.path).substr(std::string_view("/websub/").size());
  if (!Has(request.path) || !IsId(id)) return SayToHub(404, "Not found.\n");
  if (request.method == "POST") {
    return AnswerTo(desk_.Deliver(id, request.Header("x-hub-signature").value_or(""), request.body));
  }
  if (request.method != "GET") {
    HttpResponse answer = SayToHub(405, "Method not allowed: use GET or POST.\n");
    answer.headers.emplace_back("Allow", "GET, HEAD, POST");
    return answer;
  }
  const auto question = ParseHubQuestion(request);
  if (!question.ok()) return SayToHub(400, std::string(question.status().message()) + "\n");
  const HubVerdict verdict = desk_.Verify(id, *question);
  if (verdict == HubVerdict::kEcho) return SayToHub(200, question->challenge);
  return AnswerTo(verdict);
}

}  // namespace crivello::serve
