// SPDX-License-Identifier: Apache-2.0
// A WebSub hub on loopback, for tests; included by _test.cc files only.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/signing/hmac.h"
#include "fetch/scripted_server.h"
#include "serve/http/http.h"
#include "serve/http/http_test_client.h"

namespace crivello::engine {

// It answers requests, and does what the test tells it to: it verifies and delivers by requests to a port of
// this machine, whatever the host of the callback is.
class TestHub {
 public:
  // A request to it.
  struct Asked {
    std::string path;
    std::map<std::string, std::string> form;
    std::string head = {};
    std::string at(const std::string& name) const {
      const auto found = form.find(name);
      return found == form.end() ? "" : found->second;
    }
    std::string callback() const { return at("hub.callback"); }
    std::string mode() const { return at("hub.mode"); }
  };

  TestHub() : server_([this](fetch::ScriptedServer::Connection& connection) { Serve(connection); }) {}

  std::string Url(const std::string& path = "/") const { return server_.Url(path); }
  // What it answers, in whole.  To be set before it is asked.
  void AnswerWith(const std::string& path, std::string response) {
    MutexLock lock(mu_);
    responses_[path] = std::move(response);
  }
  std::vector<Asked> asked() const {
    MutexLock lock(mu_);
    return asked_;
  }
  // The nth request, once it has come; `meanwhile` is called now and then.
  Asked Await(size_t nth, const std::function<void()>& meanwhile = {}) const {
    for (int i = 0; i < 6000; ++i) {
      if (meanwhile) meanwhile();
      const std::vector<Asked> all = asked();
      if (all.size() > nth) return all[nth];
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ADD_FAILURE() << "the hub was not asked within a minute";
    return {};
  }

  static serve::TestClient::Answer Verify(const Asked& asked, uint16_t port, const std::string& challenge,
                                          const std::string& lease = "86400") {
    return Call("GET", asked.callback(), port,
                serve::QueryString({{"hub.mode", asked.mode()},
                                    {"hub.topic", asked.at("hub.topic")},
                                    {"hub.challenge", challenge},
                                    {"hub.lease_seconds", lease}}),
                {}, "");
  }
  static serve::TestClient::Answer Deliver(const Asked& asked, uint16_t port, const std::string& body) {
    return Call(
        "POST", asked.callback(), port, "",
        {{"X-Hub-Signature", Sign(asked.at("hub.secret"), body)}, {"Content-Type", "application/rss+xml"}},
        body);
  }
  static serve::TestClient::Answer Call(const std::string& method, const std::string& callback, uint16_t port,
                                        const std::string& query, serve::HttpFields fields,
                                        const std::string& body) {
    const size_t host = callback.find("://") + 3;
    const size_t path = std::min(callback.find('/', host), callback.size());
    fields.emplace_back("Host", callback.substr(host, path - host));
    return serve::TestClient(port).Ask(method, callback.substr(path) + (query.empty() ? "" : "?" + query),
                                       fields, body);
  }
  static std::string Sign(const std::string& secret, const std::string& body) {
    std::string text = "sha256=";
    const auto code = Hmac(MacHash::kSha256, secret, body);
    for (const char c : code.ok() ? *code : std::string()) {
      text += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
    return text;
  }

 private:
  void Serve(fetch::ScriptedServer::Connection& connection) {
    for (std::string head; !(head = connection.ReadHead()).empty();) {
      const size_t start = head.find(' ') + 1;
      const size_t at = head.find("Content-Length: ");
      const size_t length = at == head.npos ? 0 : std::stoul(head.substr(at + 16));
      std::string body;
      while (body.size() < length) {
        const std::string some = connection.ReadSome();
        if (some.empty()) return;
        body += some;
      }
      Asked asked = {.path = head.substr(start, head.find(' ', start) - start), .form = {}, .head = head};
      serve::HttpRequest request;
      serve::ParseTarget("/?" + body, &request);
      for (const auto& [name, value] : request.parameters) asked.form[name] = value;
      std::string response = "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n";
      {
        MutexLock lock(mu_);
        if (const auto found = responses_.find(asked.path); found != responses_.end())
          response = found->second;
        asked_.push_back(std::move(asked));
      }
      connection.Write(response);
    }
  }

  mutable Mutex mu_;
  std::map<std::string, std::string> responses_ CRV_GUARDED_BY(mu_);
  std::vector<Asked> asked_ CRV_GUARDED_BY(mu_);
  fetch::ScriptedServer server_;  // the last: its threads use the rest
};

}  // namespace crivello::engine
