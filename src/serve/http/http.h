// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace crivello::serve {

class EventSubscription;

using HttpFields = std::vector<std::pair<std::string, std::string>>;

// A parsed request.  Everything in it is as the client sent it; nothing of it can be trusted.
struct HttpRequest {
  std::string method = "GET";
  std::string path = {};       // percent-decoded, begins with '/'
  HttpFields parameters = {};  // of the query string, decoded like form fields, in order
  HttpFields headers = {};     // names in lower case
  std::string body = {};
  bool from_loopback = false;  // the connection comes from this machine

  // The first one of this name.
  std::optional<std::string_view> Parameter(std::string_view name) const;
  std::optional<std::string_view> Header(std::string_view name) const;
};

struct HttpResponse {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  HttpFields headers = {};
  // If set, events from it follow the body until it ends or the client disconnects:
  // event_stream.h.
  std::shared_ptr<EventSubscription> events = nullptr;
};

// Answers requests.  Called from any thread, several at a time.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  virtual HttpResponse Handle(const HttpRequest& request) = 0;
  // Whether the answer needs rows of the collection, which may take long or wait for another process.  Such
  // requests have a queue of their own, so that no other requests wait for them.
  virtual bool ReadsRows(const HttpRequest& /*request*/) const { return false; }
};

// Splits a request target ("/path?a=b&c") into a path and parameters.
void ParseTarget(std::string_view target, HttpRequest* request);
// The reverse: a query string ("a=b&c=") that ParseTarget() turns into these parameters.
std::string QueryString(const HttpFields& parameters);

}  // namespace crivello::serve
