// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/fetcher.h"

namespace crivello::fetch {

// What all transfers of a loop share.  Outlives them.
struct TransferSettings {
  const Fetcher::Options* options = nullptr;
  std::vector<std::string> lines;  // the fields of every request, as "Name: value"
  // Socket hooks: `opened` counts; `close` must close the socket.
  void* hooks = nullptr;
  void (*opened)(void* hooks, curl_socket_t fd, const Request& request) = nullptr;
  int (*close)(void* hooks, curl_socket_t fd) = nullptr;
};

// One libcurl easy handle and the exchange that it carries out, if any.  What is the same for all exchanges
// is set once; between two exchanges the handle keeps its options.  For the thread of its loop only.
//
// The life of an exchange: Begin; then, while Arm() is asked for, Arm and a run by the multi handle, whose
// end Done() judges; then Take.  Stop() ends it early.
class Transfer {
 public:
  // Null if libcurl is out of memory.
  static std::unique_ptr<Transfer> Create(const TransferSettings& settings);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer();

  // Takes an exchange.  False if it cannot even be tried: then it has its outcome.
  bool Begin(std::unique_ptr<Exchange> exchange);
  // Sets the handle up for the next try.  `share` carries the TLS sessions of its host.
  void Arm(CURLSH* share);
  // The multi handle is done with this try.  True if there is to be another one: Arm again.
  bool Done(CURLcode code);
  // Ends the exchange with this outcome.
  void Stop(Outcome outcome, std::string message);
  // Its time or rate limit, if one has been passed: call now and then.
  Outcome CheckLimits(MonotonicTime now);
  // The exchange, its response complete but for a connection that is still in the multi handle.
  std::unique_ptr<Exchange> Take() { return std::move(exchange_); }

  CURL* easy() const { return easy_; }
  const Exchange& exchange() const { return *exchange_; }
  bool https() const { return exchange_->request.url.scheme_type() == web::SchemeType::kHttps; }
  // With Certificates::kNote: what is known to be wrong with the server's, so that it is not tried again.
  // Between Begin and Arm.
  void NoteCertificate(std::string message);

  size_t index = 0;        // the loop's
  CURLM* multi = nullptr;  // that runs it

 private:
  Transfer(CURL* easy, const TransferSettings& settings);
  bool SetUp();
  bool WriteRequest();
  Outcome Classify(CURLcode code);
  void Fail(Outcome outcome, std::string message);
  void Fill();
  bool Direct() const { return settings_.options->proxy.empty(); }

  static size_t OnHeaderLine(char* data, size_t size, size_t count, void* self);
  static size_t OnBody(char* data, size_t size, size_t count, void* self);
  static int OnRequestStart(void* self, char*, char*, int, int);
  static curl_socket_t OnOpenSocket(void* self, curlsocktype purpose, curl_sockaddr* address);
  size_t HeaderLine(std::string_view line);
  size_t Body(std::string_view bytes);

  CURL* const easy_;
  const TransferSettings& settings_;
  std::unique_ptr<Exchange> exchange_;

  std::vector<IpAddress> addresses_;  // that the guard allows
  size_t tried_ = 0;                  // of those, with the present one
  std::string url_;                   // what libcurl is told: scheme, host and port
  std::string connect_to_;
  std::vector<std::string> lines_;  // of this request; the first `line_count_` are in use
  size_t line_count_ = 0;
  std::vector<curl_slist> nodes_;  // the list of all header lines
  curl_slist connect_to_node_{};
  std::array<char, CURL_ERROR_SIZE> error_{};

  enum class Head : uint8_t { kBefore, kInside, kDone };
  Head head_ = Head::kBefore;
  uint64_t head_bytes_ = 0;         // of all responses and trailers
  Outcome stopped_ = Outcome::kOk;  // why a callback ended the transfer
  std::string_view refused_;        // why the guard did
  int socket_error_ = 0;            // errno of socket(2)
  bool sent_ = false;               // connected: the request is on its way
  bool verify_ = true;
  bool verify_set_ = true;  // as the handle has it
  bool reuse_set_ = true;
  MonotonicTime try_start_{};
  MonotonicTime window_start_{};
  uint64_t window_received_ = 0;
};

}  // namespace crivello::fetch
