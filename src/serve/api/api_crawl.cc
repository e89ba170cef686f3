// SPDX-License-Identifier: Apache-2.0
#include "serve/api/api.h"

namespace crivello::serve {
namespace {

constexpr size_t kMaxImportErrors = 20;

HttpResponse NoCrawl() { return ErrorAnswer(Error::kNoCrawl, KindOf(Error::kNoCrawl).meaning); }

HttpResponse StatusAnswer(const CrawlControl& crawl) {
  const CrawlStatus status = crawl.status();
  const CrawlStatus::Hosts& hosts = status.hosts;
  const CrawlControl::State state = crawl.state();
  Json troubles = Json::array();
  for (const CrawlStatus::Seeds::Trouble& trouble : status.seeds.troubles) {
    troubles.push_back({{"url", trouble.url}, {"reason", trouble.reason}});
  }
  return JsonAnswer({{"state", NameOf(state)},
                     {"standstill", StandstillOf(state, status)},
                     {"pages", status.pages},
                     {"ok", status.ok},
                     {"bytes", status.bytes},
                     {"links", status.links},
                     {"failures", status.failures},
                     {"refused", status.refused},
                     {"filtered", status.filtered},
                     {"in_flight", status.in_flight},
                     {"queued", status.queued},
                     {"scheduled", status.scheduled},
                     {"hosts",
                      {{"known", hosts.known},
                       {"ready", hosts.ready},
                       {"delayed", hosts.delayed},
                       {"sleeping", hosts.sleeping},
                       {"given_up", hosts.given_up}}},
                     {"seeds", crawl.seeds()},
                     {"seeds_failed", status.seeds.failed},
                     {"seed_troubles", std::move(troubles)}});
}

HttpResponse AfterChange(const Status& status, const CrawlControl& crawl) {
  return status.ok() ? StatusAnswer(crawl) : ErrorAnswer(status);
}

HttpResponse AddSeeds(CrawlControl& crawl, const HttpRequest& request) {
  const Json json = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  const auto wrong = [] {
    return ErrorAnswer(Error::kInvalidParameter, "body: expected {\"urls\": [\"https://example.org/\", …]}");
  };
  if (!json.is_object() || !json.contains("urls") || !json["urls"].is_array()) return wrong();
  std::vector<std::string> urls;
  for (const Json& url : json["urls"]) {
    if (!url.is_string()) return wrong();
    urls.push_back(url.get<std::string>());
  }
  return AfterChange(crawl.AddSeeds(urls), crawl);
}

HttpResponse Events(CrawlMonitor& monitor) {
  HttpResponse answer;
  answer.events = monitor.events().Subscribe();
  if (answer.events == nullptr)
    return ErrorAnswer(Error::kOverloaded, "too many clients are subscribed to the crawl already");
  answer.type = "text/event-stream";
  answer.headers = {{"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
  return answer;
}

HttpResponse History(const CrawlMonitor& monitor, int64_t seconds) {
  Json samples = Json::array();
  for (const CrawlSample& sample : monitor.Last(seconds)) {
    samples.push_back({{"time", sample.time},
                       {"pages", sample.pages},
                       {"rows", sample.rows},
                       {"bytes", sample.bytes},
                       {"failures", sample.failures},
                       {"queued", sample.queued},
                       {"documents", sample.documents},
                       {"resident", sample.resident}});
  }
  return JsonAnswer({{"samples", std::move(samples)}});
}

// The result of importing the lines of a body, up to one that stops it.
struct Imported {
  uint64_t accepted = 0;
  uint64_t refused = 0;
  Json errors = Json::array();
  uint64_t line = 0;  // the last one looked at
  Status stopped = {};
};

Imported AddLines(DocumentSink& sink, std::string_view body) {
  Imported done;
  while (!body.empty()) {
    const size_t end = body.find('\n');
    const std::string_view line = body.substr(0, end);
    body = end == std::string_view::npos ? std::string_view() : body.substr(end + 1);
    done.line++;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Status status = sink.Add(line);
    if (status.ok()) {
      done.accepted++;
    } else if (status.code() == StatusCode::kInvalidArgument) {
      done.refused++;
      if (done.errors.size() < kMaxImportErrors) {
        done.errors.push_back({{"line", done.line}, {"message", status.message()}});
      }
    } else {
      done.stopped = status;
      break;
    }
  }
  return done;
}

HttpResponse Import(DocumentSink& sink, const HttpRequest& request) {
  Imported done = AddLines(sink, request.body);
  // Documents added before an error are kept, but counted only if they are durable.
  if (const Status status = sink.Commit(); !status.ok()) return ErrorAnswer(status);
  Json json = Json::object();
  Error error = Error::kInternal;
  if (!done.stopped.ok()) {
    error = done.stopped.code() == StatusCode::kUnavailable ? Error::kTooManyRequests : Error::kInternal;
    json = ErrorJson(error, done.stopped.message());
    json["next_line"] = done.line;
  }
  json["accepted"] = done.accepted;
  json["refused"] = done.refused;
  json["errors"] = std::move(done.errors);
  return done.stopped.ok() ? JsonAnswer(json) : ErrorAnswerOf(error, json);
}

HttpResponse Remove(DocumentSink& sink, const Arguments& arguments) {
  const std::string url(arguments.Text("url")), id(arguments.Text("id"));
  if (url.empty() && id.empty()) {
    return ErrorAnswer(Error::kInvalidParameter, "name the document by url= or id=");
  }
  uint64_t deleted = 0;
  for (const DocumentName& name : {DocumentName{.url = url}, DocumentName{.id = id}}) {
    if (name.url.empty() && name.id.empty()) continue;
    const Result<uint64_t> removed = sink.Remove(name);
    if (!removed.ok()) return ErrorAnswer(removed.status());
    deleted += *removed;
  }
  return JsonAnswer({{"deleted", deleted}});
}

}  // namespace

void AddCrawlRoutes(const ServiceParts& parts, Router* router) {
  router->Add({.method = "GET",
               .path = "/api/v1/events",
               .summary = "Server-sent events: the state of the crawl, every second",
               .needs = Role::kAdmin,
               .answer_types = {"text/event-stream"},
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments&) {
                 return parts.monitor == nullptr ? NoCrawl() : Events(*parts.monitor);
               }});
  router->Add({.method = "GET",
               .path = "/api/v1/crawl/history",
               .summary = "History of the crawl: the last ten minutes in steps of a second, or up to six "
                          "hours in steps of ten seconds",
               .needs = Role::kAdmin,
               .parameters = {{.name = "seconds",
                               .kind = ParameterSpec::Kind::kNumber,
                               .description = "How many seconds to look back",
                               .example = "600",
                               .standard = "600",
                               .minimum = 1,
                               .maximum = static_cast<uint64_t>(CrawlHistory::kFarSpan)}},
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments& arguments) {
                 if (parts.monitor == nullptr) return NoCrawl();
                 return History(*parts.monitor, static_cast<int64_t>(arguments.Number("seconds")));
               }});
  router->Add({.method = "GET",
               .path = "/api/v1/crawl",
               .summary = "State of the crawl of this process",
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments&) {
                 return parts.crawl == nullptr ? NoCrawl() : StatusAnswer(*parts.crawl);
               }});
  router->Add({.method = "POST",
               .path = "/api/v1/crawl/seeds",
               .summary = "Add seeds; a finished crawl continues with them",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = R"({"urls": ["https://example.org/"]})",
               .errors = {Error::kNoCrawl, Error::kInvalidParameter},
               .handle = [&parts](const Arguments& arguments) {
                 return parts.crawl == nullptr ? NoCrawl() : AddSeeds(*parts.crawl, arguments.request());
               }});
  router->Add({.method = "POST",
               .path = "/api/v1/crawl/pause",
               .summary = "Pause the crawl until it is resumed, even across restarts of the program",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = "{}",
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments&) {
                 return parts.crawl == nullptr ? NoCrawl() : AfterChange(parts.crawl->Pause(), *parts.crawl);
               }});
  router->Add({.method = "POST",
               .path = "/api/v1/crawl/resume",
               .summary = "Resume the crawl with all its queues",
               .needs = Role::kAdmin,
               .body_types = {"application/json"},
               .body_example = "{}",
               .errors = {Error::kNoCrawl},
               .handle = [&parts](const Arguments&) {
                 return parts.crawl == nullptr ? NoCrawl() : AfterChange(parts.crawl->Resume(), *parts.crawl);
               }});
  router->Add(
      {.method = "DELETE",
       .path = "/api/v1/documents",
       .summary =
           "Delete a document by URL, or all that were imported with an id; a later import or crawl may "
           "bring it back",
       .needs = Role::kAdmin,
       .parameters = {{.name = "url",
                       .description = "URL of the document",
                       .example = "https://example.org/"},
                      {.name = "id", .description = "The id it was imported with", .example = "doc-17"}},
       .reads_rows = true,
       .errors = {Error::kNoSink, Error::kInvalidParameter},
       .handle = [&parts](const Arguments& arguments) {
         if (parts.sink == nullptr) return ErrorAnswer(Error::kNoSink, KindOf(Error::kNoSink).meaning);
         return Remove(*parts.sink, arguments);
       }});
  router->Add(
      {.method = "POST",
       .path = "/api/v1/import",
       .summary = "Import documents, one JSON object per line: "
                  R"({"id"?, "url"?, "title"?, "text"|"html", "date"?, "language"?})",
       .needs = Role::kAdmin,
       .body_types = {"application/x-ndjson", "application/jsonl", "application/json"},
       .body_example =
           R"({"url": "https://example.org/", "title": "Sieves", "text": "Let each key through once."})",
       .errors = {Error::kNoSink, Error::kTooManyRequests},
       .handle = [&parts](const Arguments& arguments) {
         if (parts.sink == nullptr) return ErrorAnswer(Error::kNoSink, KindOf(Error::kNoSink).meaning);
         return Import(*parts.sink, arguments.request());
       }});
}

}  // namespace crivello::serve
