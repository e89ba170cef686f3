// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"
#include "base/civil_time.h"
#include "serve/api/api.h"

namespace crivello::serve {
namespace {

// The reason is kept for as long as the collection, and people read it.
constexpr size_t kMaxReason = 1000;

HttpResponse NotHere() {
  return ErrorAnswer(
      Error::kNoCrawl, KindOf(Error::kNoCrawl).meaning,
      "run 'crivello forget' on the machine of the collection, or start the server with 'crivello up'");
}

Json ForgottenJson(const ForgetControl::State& state) {
  Json list = Json::array();
  for (const collection::ForgottenEntry& entry : state.entries) {
    Json one = {
        {"target", entry.target.ToString()}, {"reason", entry.reason}, {"begun", FormatRfc3339(entry.begun)}};
    if (entry.done != 0) {
      one["done"] = FormatRfc3339(entry.done);
      one["pages"] = entry.rows;
      one["records"] = entry.records;
    }
    list.push_back(std::move(one));
  }
  Json json = {{"running", state.running}, {"forgotten", std::move(list)}};
  if (!state.ended.ok()) json["failed"] = state.ended.message();
  return json;
}

HttpResponse PreviewForgetting(ForgetControl& forget, std::string_view text) {
  const auto target = collection::ForgetTarget::Parse(text);
  if (!target.ok()) return ErrorAnswer(target.status());
  const auto preview = forget.Preview(*target);
  if (!preview.ok()) return ErrorAnswer(preview.status());
  return JsonAnswer({{"target", target->ToString()},
                     {"pages", preview->rows},
                     {"versions", preview->versions},
                     {"bytes", preview->bytes},
                     {"examples", preview->examples}});
}

// Handles a body {"target": …, "reason": …}.
HttpResponse Begin(ForgetControl& forget, const HttpRequest& request) {
  const Json json = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  const auto text = [&json](const char* name) -> std::string_view {
    const auto* found =
        json.is_object() && json.contains(name) ? json[name].get_ptr<const std::string*>() : nullptr;
    return found == nullptr ? std::string_view() : TrimAsciiSpace(*found);
  };
  if (text("target").empty()) {
    return ErrorAnswer(Error::kInvalidParameter,
                       R"(body: expected {"target": "https://example.org/page", "reason": "…"})");
  }
  const std::string reason(text("reason"));
  if (reason.empty() || reason.size() > kMaxReason) {
    return ErrorAnswer(Error::kInvalidParameter,
                       reason.empty() ? "reason: missing; give the reason, which is stored with the deletion"
                                      : "reason: longer than 1000 bytes; shorten it");
  }
  const auto target = collection::ForgetTarget::Parse(text("target"));
  if (!target.ok()) return ErrorAnswer(target.status());
  const Status begun = forget.Begin(*target, reason);
  if (begun.code() == StatusCode::kUnavailable) return ErrorAnswer(Error::kBusy, begun.message());
  if (!begun.ok()) return ErrorAnswer(begun);
  HttpResponse answer = JsonAnswer(ForgottenJson(forget.state()));
  answer.status = 202;
  return answer;
}

}  // namespace

void AddForgottenRoutes(const ServiceParts& parts, Router* router) {
  router->Add({.method = "GET",
               .path = "/api/v1/forgotten",
               .summary = "List what was deleted permanently, why, and whether the deletion is complete",
               .needs = Role::kAdmin,
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments&) {
                 return parts.forget == nullptr ? NotHere()
                                                : JsonAnswer(ForgottenJson(parts.forget->state()));
               }});
  router->Add({.method = "GET",
               .path = "/api/v1/forgotten/preview",
               .summary = "Preview which pages would be deleted",
               .needs = Role::kAdmin,
               .parameters = {{.name = "target",
                               .description = "A URL, a host, *.domain, or a URL prefix followed by *",
                               .example = "https://example.org/people/*",
                               .required = true}},
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments& arguments) {
                 return parts.forget == nullptr ? NotHere()
                                                : PreviewForgetting(*parts.forget, arguments.Text("target"));
               }});
  router->Add({.method = "POST",
               .path = "/api/v1/forgotten",
               .summary = "Start to delete pages from every file, and keep them out from now on",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = R"({"target": "https://example.org/people/*", "reason": "letter of 3 May"})",
               .answer_status = 202,
               .errors = {Error::kNoCrawl, Error::kBusy, Error::kInvalidParameter},
               .handle = [&parts](const Arguments& arguments) {
                 return parts.forget == nullptr ? NotHere() : Begin(*parts.forget, arguments.request());
               }});
}

}  // namespace crivello::serve
