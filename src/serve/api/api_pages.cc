// SPDX-License-Identifier: Apache-2.0
#include "base/civil_time.h"
#include "serve/api/api.h"

namespace crivello::serve {
namespace {

using Kind = ParameterSpec::Kind;

Json VersionJson(const PageVersion& version) {
  Json json = {
      {"time", FormatRfc3339(version.time_seconds)}, {"status", version.status}, {"type", version.type}};
  if (!version.location.empty()) json["location"] = version.location;
  if (!version.title.empty()) json["title"] = version.title;
  if (!version.language.empty()) json["language"] = version.language;
  if (!version.usage.empty()) json["usage"] = version.usage;
  if (version.unavailable) json["unavailable"] = true;
  // A site that opted out of cached copies can be found and linked to, but its pages are not shown here.
  if (version.noarchive) {
    json["noarchive"] = true;
    return json;
  }
  json["text"] = version.text;
  json["links"] = Json::array();
  for (const PageLink& link : version.links)
    json["links"].push_back({{"url", link.url}, {"text", link.text}});
  return json;
}

HttpResponse NoPages() {
  return ErrorAnswer(Error::kUnavailable, "this process cannot read the rows of the collection");
}

HttpResponse Document(const ServiceParts& parts, const Arguments& arguments) {
  if (parts.pages == nullptr) return NoPages();
  const std::string_view url = arguments.Text("url");
  const auto versions = parts.pages->Versions(url);
  if (!versions.ok()) return ErrorAnswer(versions.status());
  Json json = {{"url", url}, {"versions", Json::array()}};
  for (const PageVersion& version : *versions) {
    if (json["versions"].size() == arguments.Number("n")) break;
    json["versions"].push_back(VersionJson(version));
  }
  json["versions_total"] = versions->size();
  return JsonAnswer(json);
}

HttpResponse Why(const ServiceParts& parts, const Arguments& arguments) {
  if (parts.pages == nullptr) return NoPages();
  const std::string_view url = arguments.Text("url");
  const auto reasons = parts.pages->Why(url);
  if (!reasons.ok()) return ErrorAnswer(reasons.status());
  Json json = {{"url", url}, {"events", Json::array()}};
  for (const collection::Reason& reason : *reasons) {
    Json event = {{"kind", reason.kind}, {"detail", reason.sentence}};
    if (reason.time != 0) event["time"] = FormatRfc3339(reason.time / 1'000'000);
    json["events"].push_back(std::move(event));
  }
  return JsonAnswer(json);
}

HttpResponse Stats(const ServiceParts& parts) {
  const IndexStats index = parts.index();
  Json json = {{"version", parts.version},
               {"index",
                {{"ready", index.ready},
                 {"snapshot", index.snapshot},
                 {"documents", index.documents},
                 {"segments", index.segments}}}};
  if (parts.pages != nullptr) {
    const auto counts = parts.pages->Stats();
    if (!counts.ok()) return ErrorAnswer(counts.status());
    json["collection"] = {{"pages", counts->pages}, {"hosts", counts->hosts}, {"queued", counts->queued}};
  }
  return JsonAnswer(json);
}

}  // namespace

void AddPageRoutes(const ServiceParts& parts, Router* router) {
  const ParameterSpec url = {
      .name = "url", .description = "URL of the page", .example = "https://example.org/", .required = true};
  router->Add({.method = "GET",
               .path = "/api/v1/document",
               .summary = "The stored versions of a page, newest first",
               .parameters = {url,
                              {.name = "n",
                               .kind = Kind::kNumber,
                               .description = "Maximum number of versions",
                               .example = "1",
                               .standard = "1",
                               .minimum = 1,
                               .maximum = kMaxResults}},
               .reads_rows = true,
               .errors = {Error::kNotFound, Error::kUnavailable},
               .handle = [&parts](const Arguments& arguments) { return Document(parts, arguments); }});
  router->Add({.method = "GET",
               .path = "/api/v1/why",
               .summary = "Every decision about a URL, oldest first",
               .parameters = {url},
               .reads_rows = true,
               .errors = {Error::kUnavailable},
               .handle = [&parts](const Arguments& arguments) { return Why(parts, arguments); }});
  router->Add({.method = "GET",
               .path = "/api/v1/stats",
               .summary = "Size of the index and of the collection",
               .reads_rows = true,
               .handle = [&parts](const Arguments&) { return Stats(parts); }});
}

}  // namespace crivello::serve
