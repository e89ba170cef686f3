// SPDX-License-Identifier: Apache-2.0
#include "cli/config/serve_flags.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <utility>

#include "base/file_system.h"
#include "cli/app.h"
#include "cli/json.h"
#include "cli/version.h"
#include "index/segments/snapshot.h"

namespace crivello::cli {
namespace {

struct Address {
  std::string host;
  uint16_t port = 0;
};

// "ADDRESS:PORT", "[ADDRESS]:PORT" for IPv6.
Result<Address> ParseListen(const std::string& text) {
  const auto wrong = [&text] {
    return Status::InvalidArgument("--listen " + text +
                                   ": an address and a port are wanted, as in 127.0.0.1:8765");
  };
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return wrong();
  Address address;
  address.host = text.substr(0, colon);
  if (address.host.front() == '[' && address.host.back() == ']') {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, address.port);
  if (error != std::errc() || stopped != end || colon + 1 == text.size()) return wrong();
  return address;
}

// What went wrong here is for the operator; the rest is for who looks closely.
void LogRequest(const serve::AccessLine& line, Logger* log) {
  const LogLevel level = line.status == 500 ? LogLevel::kWarning : LogLevel::kDebug;
  if (!log->Wants(level)) return;
  const double milliseconds = std::chrono::duration<double, std::milli>(line.duration).count();
  log->Write(level, "http.request", fmt::format("{} {} {}", line.method, line.path, line.status),
             {{"client", line.client},
              {"method", line.method},
              {"path", line.path},
              {"status", uint64_t{line.status}},
              {"bytes", line.bytes},
              {"milliseconds", milliseconds}});
}

}  // namespace

void AddServeFlags(CLI::App& command, ServeFlags& flags) {
  command.add_option("--listen", flags.listen, "Where to answer; port 0 takes any that is free")
      ->type_name("ADDRESS:PORT")
      ->capture_default_str()
      ->group("Server");
  command
      .add_option("--name", flags.names,
                  "A host name by which it may be called, beside those of this machine")
      ->type_name("HOST")
      ->group("Server");
  command.add_option("--keys", flags.keys_file, "A file of API keys (docs/api.md)")
      ->type_name("FILE")
      ->group("Server");
  command.add_option("--public-url", flags.public_url, "How others reach it, if through a proxy")
      ->type_name("URL")
      ->group("Server");
  command
      .add_option("--access-log", flags.access_log,
                  "Append a line for each request: no query, a shortened address")
      ->type_name("FILE")
      ->group("Server");
  command.add_flag("--no-cached", flags.no_cached, "Show no copies of pages")->group("Server");
  command.add_option("--serve-threads", flags.threads, "Requests answered at one time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str()
      ->group("Server");
}

serve::IndexFacts FactsOf(const index::Snapshot& snapshot) {
  serve::IndexFacts facts = {.ready = true,
                             .snapshot = snapshot.generation(),
                             .documents = snapshot.live_documents(),
                             .segments = snapshot.segments().size()};
  for (const index::SegmentView& part : snapshot.segments()) {
    facts.parts.push_back(
        {.documents = part.segment->documents(), .deleted = part.live == nullptr ? 0 : part.live->deleted()});
  }
  return facts;
}

Result<std::unique_ptr<WebService>> WebService::Start(const ServeFlags& flags, const Served& served) {
  CRV_ASSIGN(const Address address, ParseListen(flags.listen));
  std::unique_ptr<WebService> web(new WebService());
  serve::ServiceParts parts;
  parts.searcher = served.searcher;
  parts.index = served.index;
  parts.pages = served.pages;
  parts.crawl = served.crawl;
  parts.sink = served.sink;
  parts.forget = served.forget;
  parts.http = &web->counters_;
  parts.public_url = flags.public_url;
  parts.version = kVersion;
  if (!flags.keys_file.empty()) {
    CRV_ASSIGN(const std::string text, ReadFile(flags.keys_file));
    auto keys = serve::ApiKeys::FromText(text);
    if (!keys.ok()) return Status::InvalidArgument(flags.keys_file + ": " + keys.status().message());
    parts.keys = *std::move(keys);
  }
  web->site_ = std::make_unique<serve::SearchSite>(
      *served.searcher, *served.pages, serve::SearchSiteOptions{.cached_copies = !flags.no_cached});
  parts.site = web->site_.get();
  if (served.crawl != nullptr) {
    web->monitor_ = std::make_unique<serve::CrawlMonitor>(
        serve::CrawlMonitor::Parts{.crawl = served.crawl,
                                   .index = served.index,
                                   .pages = served.pages,
                                   .memory_budget = served.memory_budget});
    parts.monitor = web->monitor_.get();
  }
  web->dashboard_ =
      std::make_unique<serve::DashboardSite>(serve::DashboardSite::Parts{.index = served.index,
                                                                         .pages = served.pages,
                                                                         .crawl = served.crawl,
                                                                         .monitor = web->monitor_.get(),
                                                                         .hosts = served.hosts,
                                                                         .forget = served.forget});
  parts.dashboard = web->dashboard_.get();
  web->service_ = std::make_unique<serve::Service>(std::move(parts));

  serve::HttpServerOptions options;
  options.address = address.host;
  options.port = address.port;
  options.names = flags.names;
  options.threads = flags.threads;
  options.counters = &web->counters_;
  if (!flags.access_log.empty()) {
    web->access_log_ = std::fopen(flags.access_log.c_str(), "ae");
    if (web->access_log_ == nullptr) return Status::FromErrno("open", flags.access_log, errno);
  }
  options.access_log = [file = web->access_log_, log = served.log](const serve::AccessLine& line) {
    LogRequest(line, log);
    if (file == nullptr) return;
    fmt::print(file, "{}\n", serve::FormatAccessLine(line));
    std::fflush(file);
  };
  auto server = serve::HttpServer::Open(options, *web->service_);
  if (!server.ok()) return Status::IoError(server.status().message() + "; --listen takes another");
  web->server_ = *std::move(server);
  return web;
}

WebService::~WebService() {
  server_ = nullptr;
  if (access_log_ != nullptr) std::fclose(access_log_);
}

void PrintOpened(const Session& session, const std::string& url) {
  if (!session.json) return;
  PrintJson(session, {{"event", "open"}, {"url", url}});
  std::fflush(session.out);
}

}  // namespace crivello::cli
