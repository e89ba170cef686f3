// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "feeds/index_now.h"
#include "feeds/websub_desk.h"
#include "serve/http/http_server.h"
#include "serve/push/index_now_site.h"
#include "serve/push/websub_site.h"

namespace crivello::serve {

struct PushServiceOptions {
  std::string listen = {};      // ADDRESS:PORT; port 0: any free port
  std::string public_url = {};  // how sites reach it: requests must address it by the host of this URL
};
// InvalidArgument if the options are wrong.
Status CheckPushOptions(const PushServiceOptions& options);

// What takes what strangers send; all of it outlives the service.
struct PushDesks {
  feeds::IndexNowDesk& index_now;
  feeds::WebSubDesk& websub;
};

// A listener for strangers, with a server of its own, so their requests cannot hold up a search.
// Its routes are /indexnow and /websub/ID; the API and the pages are not there.
class PushService {
 public:
  // InvalidArgument for invalid options; IoError if the address is taken.
  static Result<std::unique_ptr<PushService>> Start(const PushServiceOptions& options,
                                                    const PushDesks& desks);
  std::string url() const { return server_->url(); }
  void Stop() { server_->Stop(); }

 private:
  class Sites final : public HttpHandler {
   public:
    explicit Sites(const PushDesks& desks) : index_now_(desks.index_now), websub_(desks.websub) {}
    HttpResponse Handle(const HttpRequest& request) override {
      return WebSubSite::Has(request.path) ? websub_.Handle(request) : index_now_.Handle(request);
    }

   private:
    IndexNowSite index_now_;
    WebSubSite websub_;
  };
  explicit PushService(const PushDesks& desks) : sites_(desks) {}

  Sites sites_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace crivello::serve
