// SPDX-License-Identifier: Apache-2.0
#include "serve/web_service.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "base/file_system.h"
#include "serve/http/listen_address.h"
#include "web/url/url.h"

namespace crivello::serve {

Result<std::unique_ptr<WebService>> WebService::Start(const WebServiceOptions& options,
                                                      const Sources& sources) {
  CRV_ASSIGN(const ListenAddress address, ParseListen("--listen", options.listen));
  std::unique_ptr<WebService> web(new WebService());
  ServiceParts parts;
  static_cast<Sources&>(parts) = sources;
  parts.http = &web->counters_;
  parts.public_url = options.public_url;
  parts.version = options.version;
  parts.sign_key = options.sign_key;
  auto cross_origin = CrossOrigin::Of(options.cors);
  if (!cross_origin.ok()) return Status::InvalidArgument("--cors: " + cross_origin.status().message());
  parts.cross_origin = *std::move(cross_origin);
  if (!options.keys_file.empty()) {
    CRV_ASSIGN(const std::string text, ReadFile(options.keys_file));
    auto keys = ApiKeys::FromText(text);
    if (!keys.ok()) return Status::InvalidArgument(options.keys_file + ": " + keys.status().message());
    // Serving everybody because the key file is empty would not be what the operator asked for.
    if (!keys->HasSearchKey() && !keys->HasAdminKey()) {
      return Status::InvalidArgument(options.keys_file +
                                     ": the file has no key; add one, or leave out --keys");
    }
    parts.keys = *std::move(keys);
  }
  SearchSiteOptions site;
  site.cached_copies = !options.no_cached;
  site.profiles = sources.profiles;
  if (CrawlControl* const crawl = sources.crawl; crawl != nullptr) {
    site.standstill = [crawl] { return StandstillOf(crawl->state(), crawl->status()); };
  }
  web->site_ = std::make_unique<SearchSite>(*sources.searcher, *sources.pages, std::move(site));
  parts.site = web->site_.get();
  sources.searcher->PrepareSuggestions();
  if (sources.crawl != nullptr) web->monitor_ = std::make_unique<CrawlMonitor>(sources);
  parts.monitor = web->monitor_.get();
  web->dashboard_ = std::make_unique<DashboardSite>(sources, web->monitor_.get());
  parts.dashboard = web->dashboard_.get();
  web->service_ = std::make_unique<Service>(std::move(parts));

  HttpServerOptions http;
  http.address = address.host;
  http.port = address.port;
  http.names = options.names;
  // Clients that are told this URL address the server by its host.
  if (web::Url url; url.Parse(options.public_url)) http.names.emplace_back(url.hostname());
  http.threads = options.threads;
  http.counters = &web->counters_;
  if (!options.access_log.empty()) {
    web->access_log_ = std::fopen(options.access_log.c_str(), "ae");
    if (web->access_log_ == nullptr) return Status::FromErrno("open", options.access_log, errno);
  }
  http.access_log = [file = web->access_log_, log = options.log](const AccessLine& line) {
    if (log) log(line);
    if (file == nullptr) return;
    const std::string text = FormatAccessLine(line) + "\n";
    std::fwrite(text.data(), 1, text.size(), file);  // a full disk loses log lines, never the server
    std::fflush(file);
  };
  auto server = HttpServer::Open(http, *web->service_);
  if (!server.ok())
    return Status::IoError(server.status().message() + "; choose another address or port with --listen");
  web->server_ = *std::move(server);
  return web;
}

WebService::~WebService() {
  server_ = nullptr;
  if (access_log_ != nullptr) std::fclose(access_log_);
}

}  // namespace crivello::serve
