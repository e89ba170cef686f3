// SPDX-License-Identifier: Apache-2.0
#include "serve/service.h"

#include <fmt/format.h>

#include <cassert>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "charset/utf8.h"
#include "serve/api/api.h"
#include "serve/api/openapi.h"
#include "serve/api/result_formats.h"
#include "serve/dashboard/dashboard_site.h"
#include "serve/http/assets.h"
#include "serve/pages/page_frame.h"
#include "web/http/bot_identity.h"

namespace crivello::serve {
namespace {

using Type = MetricsText::Type;

HttpResponse Refused(Error error, bool for_browsers) {
  const ErrorKind& kind = KindOf(error);
  // Shown when someone cancels the browser's dialog for the key.
  HttpResponse answer =
      for_browsers ? MessagePage(kind.status, "A key is needed",
                                 fmt::format("Sorry: {}. In a browser, reload the page and enter the "
                                             "key as the password.",
                                             kind.meaning))
                   : ErrorAnswer(error, kind.meaning);
  if (error == Error::kUnauthorized) {
    answer.headers.emplace_back("WWW-Authenticate",
                                for_browsers ? "Basic realm=\"Crivello\", charset=\"UTF-8\"" : "Bearer");
  }
  return answer;
}

bool TakesBody(const Route& route, const HttpRequest& request) {
  if (route.body_types.empty() || request.body.empty()) return true;
  const std::string_view type = request.Header("content-type").value_or("");
  const std::string_view essence = TrimAsciiSpace(type.substr(0, type.find(';')));
  for (const std::string_view one : route.body_types) {
    if (EqualsIgnoringCase(essence, one)) return true;
  }
  return false;
}

bool IsHost(std::string_view host) {
  for (const char c : host) {
    if (!IsAsciiAlnum(c) && std::string_view(".-:[]_").find(c) == std::string_view::npos) return false;
  }
  return !host.empty();
}

}  // namespace

std::string BaseUrl(const ServiceParts& parts, const HttpRequest& request) {
  if (!parts.public_url.empty()) return parts.public_url;
  const std::string_view host = request.Header("host").value_or("");
  return "http://" + std::string(IsHost(host) ? host : "localhost") + "/";
}

Service::Service(ServiceParts parts) : parts_(std::move(parts)) {
  assert(parts_.searcher != nullptr && parts_.index);
  AddSearchRoutes(parts_, &router_);
  AddPageRoutes(parts_, &router_);
  AddCrawlRoutes(parts_, &router_);
  AddOrderRoutes(parts_, &router_);
  AddExclusionRoutes(parts_, &router_);
  AddForgottenRoutes(parts_, &router_);
  AddOwnRoutes();
}

HttpResponse Service::Handle(const HttpRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  std::string_view route = "none";
  HttpResponse answer = Dispatch(request, &route);
  if (MayBeShared(request.path)) parts_.cross_origin.Share(request, &answer);
  metrics_.Record(route, answer.status, std::chrono::steady_clock::now() - start);
  return answer;
}

bool Service::ReadsRows(const HttpRequest& request) const {
  const Router::Found found = router_.Find(request.method, request.path);
  if (found.route != nullptr) return found.route->reads_rows;
  if (parts_.dashboard != nullptr && DashboardSite::Has(request.path)) {
    return parts_.dashboard->ReadsRows(request);
  }
  return parts_.site != nullptr && parts_.site->ReadsRows(request);
}

// The search endpoints: pages of other sites may be allowed to read them.
bool Service::MayBeShared(std::string_view path) const {
  if (!path.starts_with("/api/")) return false;
  const Router::Found found = router_.Find("GET", path);
  return found.route != nullptr && found.route->needs <= Role::kSearch;
}

HttpResponse Service::Dispatch(const HttpRequest& request, std::string_view* route_name) {
  const auto origin = request.Header("origin");
  if (CrossOrigin::IsPreflight(request) && MayBeShared(request.path) && parts_.cross_origin.Allows(*origin)) {
    *route_name = "preflight";
    return parts_.cross_origin.AnswerPreflight();
  }
  const Router::Found found = router_.Find(request.method, request.path);
  if (found.route == nullptr && !found.allow.empty()) {
    HttpResponse answer =
        ErrorAnswer(Error::kMethodNotAllowed, request.path + " does not support " + request.method);
    answer.headers.emplace_back("Allow", found.allow);
    return answer;
  }
  if (found.route == nullptr) {
    if (parts_.dashboard != nullptr && DashboardSite::Has(request.path)) {
      *route_name = "dashboard";
      if (const auto error = Refusal(parts_.keys, Role::kAdmin, request)) return Refused(*error, true);
      return parts_.dashboard->Handle(request);
    }
    if (parts_.site == nullptr || request.path.starts_with("/api/")) {
      return ErrorAnswer(Error::kNotFound, "no endpoint at " + request.path);
    }
    *route_name = "site";
    if (const auto error = Refusal(parts_.keys, Role::kSearch, request)) return Refused(*error, true);
    return parts_.site->Handle(request);
  }
  const Route& route = *found.route;
  *route_name = route.path;
  if (const auto error = Refusal(parts_.keys, route.needs, request)) return Refused(*error, false);
  if (route.method != "GET" && MayBeForged(parts_.keys, request)) {
    const std::string_view type = request.Header("content-type").value_or("");
    if (route.body_types.empty() || TakesBody(route, request)) return Refused(Error::kCrossSite, false);
    return ErrorAnswer(
        Error::kCrossSite,
        fmt::format("this endpoint needs the header 'Content-Type: {}', {}", route.body_types.front(),
                    type.empty() ? "which is missing" : fmt::format("got '{}'", charset::CutUtf8(type, 60))));
  }
  if (!TakesBody(route, request)) {
    return ErrorAnswer(
        Error::kUnsupportedMediaType,
        fmt::format("this endpoint needs the header 'Content-Type: {}', got '{}'", route.body_types.front(),
                    charset::CutUtf8(request.Header("content-type").value_or(""), 60)));
  }
  const Result<Arguments> arguments = Arguments::Read(route, request);
  if (!arguments.ok()) return ErrorAnswer(arguments.status());
  return route.handle(*arguments);
}

void Service::AddOwnRoutes() {
  router_.Add({.method = "GET",
               .path = "/api/v1/openapi.json",
               .summary = "This OpenAPI document",
               .needs = Role::kAnyone,
               .handle = [this](const Arguments&) {
                 return JsonAnswer(OpenApi(router_, {.version = parts_.version}));
               }});
  router_.Add({.method = "GET",
               .path = "/health/livez",
               .summary = "Liveness: the server answers",
               .needs = Role::kAnyone,
               .answer_types = {"text/plain"},
               .handle = [](const Arguments&) { return HttpResponse{.body = "ok\n"}; }});
  router_.Add({.method = "GET",
               .path = "/health/readyz",
               .summary = "Readiness: there is an index to search",
               .needs = Role::kAnyone,
               .answer_types = {"text/plain"},
               .errors = {Error::kUnavailable},
               .handle = [this](const Arguments&) {
                 if (parts_.index().ready) return HttpResponse{.body = "ok\n"};
                 return ErrorAnswer(
                     Error::kUnavailable,
                     "no index is open yet: nothing has been indexed, or the index is still being opened");
               }});
  router_.Add({.method = "GET",
               .path = "/metrics",
               .summary = "Metrics in the Prometheus text format",
               .needs = Role::kAdmin,
               .answer_types = {"text/plain"},
               .handle = [this](const Arguments&) { return Metrics(); }});
  router_.Add({.method = "GET",
               .path = "/robots.txt",
               .summary = "Rules for crawlers: the first page alone, since results have no end",
               .needs = Role::kAnyone,
               .answer_types = {"text/plain"},
               .handle = [](const Arguments&) {
                 return HttpResponse{.body = "User-agent: *\nAllow: /$\nDisallow: /\n"};
               }});
  if (parts_.sign_key != nullptr) {
    router_.Add({.method = "GET",
                 .path = web::kKeyDirectoryPath,
                 .summary = "The public key that the crawler signs requests with, as a JSON Web Key Set",
                 .needs = Role::kAnyone,
                 .answer_types = {web::kKeyDirectoryType},
                 .handle = [this](const Arguments& arguments) { return KeyDirectory(arguments.request()); }});
  }
  router_.Add({.method = "GET",
               .path = "/embed.js",
               .summary = "A script that puts a search box into a page of another site (docs/embed.md)",
               .needs = Role::kAnyone,
               .answer_types = {"text/javascript"},
               .handle = [](const Arguments&) {
                 HttpResponse answer = ServeAsset(AssetPath("embed.js"));
                 answer.headers = {{"Cache-Control", "public, max-age=3600"},
                                   {"Cross-Origin-Resource-Policy", "cross-origin"}};
                 return answer;
               }});
  router_.Add({.method = "GET",
               .path = "/opensearch.xml",
               .summary = "The OpenSearch description, with which browsers add this search engine",
               .answer_types = {"application/opensearchdescription+xml"},
               .handle = [this](const Arguments& arguments) {
                 return HttpResponse{.type = "application/opensearchdescription+xml",
                                     .body = OpenSearchDescription(BaseUrl(parts_, arguments.request()))};
               }});
}

// Signed for the authority in the request, so nobody else can pass it off as theirs.
HttpResponse Service::KeyDirectory(const HttpRequest& request) const {
  HttpResponse answer = {.type = std::string(web::kKeyDirectoryType),
                         .body = web::KeyDirectoryOf(*parts_.sign_key)};
  web::Url url;
  if (!url.Parse(BaseUrl(parts_, request)))
    return ErrorAnswer(Error::kBadRequest, "the Host header does not name a host");
  const auto fields =
      web::SignKeyDirectory(*parts_.sign_key, answer.body, url.host(), ToSeconds(SystemClock().Wall()));
  if (!fields.ok()) return ErrorAnswer(fields.status());
  answer.headers = {{"Cache-Control", "public, max-age=86400"}};
  for (const web::SignedField& field : *fields) answer.headers.emplace_back(field.name, field.value);
  return answer;
}

HttpResponse Service::Metrics() const {
  MetricsText text;
  metrics_.AppendTo(&text);
  if (parts_.http != nullptr) AppendHttp(*parts_.http, &text);
  const IndexStats index = parts_.index();
  text.One("crivello_index_ready", Type::kGauge, "1 if a snapshot of the index is open", index.ready ? 1 : 0);
  text.One("crivello_index_documents", Type::kGauge, "Searchable documents",
           static_cast<double>(index.documents));
  text.One("crivello_index_segments", Type::kGauge, "Segments of the index",
           static_cast<double>(index.segments));
  text.One("crivello_index_snapshot", Type::kGauge, "Generation of the index snapshot",
           static_cast<double>(index.snapshot));
  if (parts_.disk) AppendDisk(parts_.disk(), &text);
  if (parts_.crawl != nullptr) AppendCrawl(parts_.crawl->status(), &text);
  return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = std::move(text).Finish()};
}

}  // namespace crivello::serve
