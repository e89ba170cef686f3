// SPDX-License-Identifier: Apache-2.0
#include "serve/push/push_service.h"

#include <fmt/format.h>

#include <chrono>

#include "serve/http/listen_address.h"
#include "web/url/url.h"

namespace crivello::serve {
namespace {

// 10,000 URLs of 200 bytes each, and the rest of the request.
constexpr uint64_t kSubmissionBytes = 4 << 20;

}  // namespace

Result<std::unique_ptr<PushService>> PushService::Start(const PushServiceOptions& options,
                                                        feeds::IndexNowDesk& desk) {
  CRV_ASSIGN(const ListenAddress address, ParseListen("--push-listen", options.listen));
  web::Url url;
  if (!url.Parse(options.public_url) || !url.is_http()) {
    return Status::InvalidArgument(
        "--push-listen needs --public-url, the URL under which sites reach it, such as "
        "https://push.example/");
  }
  std::unique_ptr<PushService> service(new PushService(desk));
  HttpServerOptions http;
  http.address = address.host;
  http.port = address.port;
  http.names = {std::string(url.hostname())};
  http.threads = 2;
  http.queue = 32;
  http.connections = 256;
  http.body_bytes = kSubmissionBytes;
  http.bodies_bytes = 4 * kSubmissionBytes;
  http.idle_timeout = std::chrono::seconds(10);
  http.body_timeout = std::chrono::seconds(20);
  http.write_timeout = std::chrono::seconds(10);
  auto server = HttpServer::Open(http, service->site_);
  if (!server.ok()) {
    return Status::IoError(
        fmt::format("{}; choose another address or port with --push-listen", server.status().message()));
  }
  service->server_ = *std::move(server);
  return service;
}

}  // namespace crivello::serve
