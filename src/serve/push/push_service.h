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
  std::string listen = {};      // ADDRESS:PORT; port 0: any free port
  std::string public_url = {};  // how sites reach it: requests must address it by the host of this URL
};

// A listener for strangers, with a server of its own, so their requests cannot hold up a search.
class PushService {
 public:
  // InvalidArgument for invalid options; IoError if the address is taken.  The desk must outlive it.
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
