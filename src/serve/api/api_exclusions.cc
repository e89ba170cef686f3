// SPDX-License-Identifier: Apache-2.0
#include "serve/api/api.h"

namespace crivello::serve {
namespace {

HttpResponse NoExclusions() { return ErrorAnswer(Error::kNoCrawl, KindOf(Error::kNoCrawl).meaning); }

Json ExclusionJson(const std::vector<policy::Exclusion>& exclusions) {
  Json list = Json::array();
  for (const policy::Exclusion& exclusion : exclusions) {
    list.push_back({{"kind", exclusion.kind_name()}, {"value", exclusion.text}});
  }
  return list;
}

HttpResponse PreviewExclusion(CrawlControl& crawl, std::string_view kind, std::string_view value) {
  const auto exclusion = policy::Exclusion::Parse(kind, value);
  if (!exclusion.ok()) return ErrorAnswer(exclusion.status());
  const auto preview = crawl.Preview(*exclusion);
  if (!preview.ok()) return ErrorAnswer(preview.status());
  return JsonAnswer({{"kind", exclusion->kind_name()},
                     {"value", exclusion->text},
                     {"queued", preview->queued},
                     {"queued_hosts", preview->queued_hosts},
                     {"queued_examples", preview->queued_examples},
                     {"unsifted", preview->unsifted},
                     {"rows", preview->rows},
                     {"row_examples", preview->row_examples},
                     {"seeds", preview->seeds}});
}

// Parses a body {"kind": …, "value": …}.
Result<policy::Exclusion> ExclusionOf(const HttpRequest& request) {
  const Json json = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  const auto text = [&json](const char* name) -> const std::string* {
    return json.is_object() && json.contains(name) ? json[name].get_ptr<const std::string*>() : nullptr;
  };
  if (text("kind") == nullptr || text("value") == nullptr) {
    return Status::InvalidArgument(R"(body: expected {"kind": "host", "value": "example.org"})");
  }
  return policy::Exclusion::Parse(*text("kind"), *text("value"));
}

HttpResponse Exclude(CrawlControl& crawl, const HttpRequest& request) {
  const auto exclusion = ExclusionOf(request);
  if (!exclusion.ok()) return ErrorAnswer(exclusion.status());
  const auto dropped = crawl.Exclude(*exclusion);
  if (!dropped.ok()) return ErrorAnswer(dropped.status());
  Json json = {{"dropped", nullptr}, {"exclusions", ExclusionJson(crawl.exclusions())}};
  if (*dropped) json["dropped"] = **dropped;
  return JsonAnswer(json);
}

HttpResponse Include(CrawlControl& crawl, const HttpRequest& request) {
  const auto exclusion = ExclusionOf(request);
  if (!exclusion.ok()) return ErrorAnswer(exclusion.status());
  if (const Status status = crawl.Include(*exclusion); !status.ok()) return ErrorAnswer(status);
  return JsonAnswer({{"exclusions", ExclusionJson(crawl.exclusions())}});
}

}  // namespace

void AddExclusionRoutes(const ServiceParts& parts, Router* router) {
  constexpr std::string_view kExample = R"({"kind": "host", "value": "ads.example"})";
  router->Add({.method = "GET",
               .path = "/api/v1/crawl/exclusions",
               .summary = "List the exclusions",
               .needs = Role::kAdmin,
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments&) {
                 if (parts.crawl == nullptr) return NoExclusions();
                 return JsonAnswer({{"exclusions", ExclusionJson(parts.crawl->exclusions())}});
               }});
  router->Add(
      {.method = "GET",
       .path = "/api/v1/crawl/exclusions/preview",
       .summary =
           "Preview what an exclusion would drop from the queues, and which fetched pages match and stay",
       .needs = Role::kAdmin,
       .parameters = {{.name = "kind",
                       .kind = ParameterSpec::Kind::kChoice,
                       .description = "Kind of the value",
                       .example = "host",
                       .standard = "host",
                       .choices = {"host", "prefix", "filter"}},
                      {.name = "value",
                       .description = "A host, a URL prefix, or a filter in the language of crawl --filter",
                       .example = "host(ads.example)",
                       .required = true}},
       .errors = {Error::kNoCrawl},
       .handle = [&parts](const Arguments& arguments) {
         if (parts.crawl == nullptr) return NoExclusions();
         return PreviewExclusion(*parts.crawl, arguments.Text("kind"), arguments.Text("value"));
       }});
  router->Add({.method = "POST",
               .path = "/api/v1/crawl/exclusions",
               .summary = "Add an exclusion and drop matching URLs from the queues",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = kExample,
               .errors = {Error::kNoCrawl, Error::kInvalidParameter},
               .handle = [&parts](const Arguments& arguments) {
                 return parts.crawl == nullptr ? NoExclusions() : Exclude(*parts.crawl, arguments.request());
               }});
  router->Add({.method = "POST",
               .path = "/api/v1/crawl/exclusions/remove",
               .summary = "Remove an exclusion; what it dropped stays dropped",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = kExample,
               .errors = {Error::kNoCrawl, Error::kInvalidParameter, Error::kNotFound},
               .handle = [&parts](const Arguments& arguments) {
                 return parts.crawl == nullptr ? NoExclusions() : Include(*parts.crawl, arguments.request());
               }});
}

}  // namespace crivello::serve
