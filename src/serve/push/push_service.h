// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "feeds/index_now.h"
#include "serve/http/http_server.h"
#include "serve/push/index_now_site.h"

namespace crivello::serve {

struct PushServiceOptions {
  std::string listen = {};      // ADDRESS:PORT; port 0: any that is free
  std::string public_url = {};  // how sites reach it: its host is the name that requests must use
};

// The listener that strangers may reach, with a server of its own: what they send cannot hold up a search.
class PushService {
 public:
  // InvalidArgument for options that are wrong; IoError if the address is taken.  The desk outlives it.
  static Result<std::unique_ptr<PushService>> Start(const PushServiceOptions& options,
                                                    feeds::IndexNowDesk& desk);
  std::string url() const { return server_->url(); }
  void Stop() { server_->Stop(); }

 private:
  explicit PushService(feeds::IndexNowDesk& desk) : site_(desk) {}

  IndexNowSite site_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace crivello::serve
