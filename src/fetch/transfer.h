// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/curl_fetcher.h"

namespace crivello::fetch {

// Shared by all transfers of a loop, which it must outlive.
struct TransferSettings {
  const CurlFetcherOptions* options = nullptr;
  std::vector<std::string> lines;  // the header fields of every request, as "Name: value"
  // Socket hooks: `opened` counts; `close` must close the socket.
  void* hooks = nullptr;
  void (*opened)(void* hooks, curl_socket_t fd, const Request& request) = nullptr;
  int (*close)(void* hooks, curl_socket_t fd) = nullptr;
  // The total size of arriving bodies, and its maximum, beyond which the longer ones wait.
  uint64_t* arriving = nullptr;
  uint64_t max_arriving = UINT64_MAX;
};

// This much of each body is accepted without waiting: most pages are smaller.
inline constexpr uint64_t kFreeBodyBytes = 64 << 10;

// The fetch that it carries out, if any, and a new libcurl easy handle for each try.  If a handle is reused,
// libcurl 7.88 writes to freed fields of the previous response when the next head begins with a folded line.
// This costs nothing: connections belong to the multi handle, and TLS sessions to the share.  Only for the
// thread of its loop.
//
// The life of a fetch: Begin; then, while Arm() is needed, Arm and a run by the multi handle, whose end
// Done() evaluates; then Take.  Stop() ends it early.  The handle must be out of the multi handle before the
// next Arm and before Take, which free it.
class Transfer {
 public:
  explicit Transfer(const TransferSettings& settings) : settings_(settings) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Takes a fetch.  False if it cannot even be attempted: then its outcome is set.
  bool Begin(std::unique_ptr<Fetch> fetch);
  // Creates the handle of the next try.  `share` has the TLS sessions of its host.  If it fails, there is no
  // try: call Stop.
  Status Arm(CURLSH* share);
  // The multi handle has finished this try.  True if another one is needed: call Arm again.
  bool Done(CURLcode code);
  // Ends the fetch with this outcome.
  void Stop(Outcome outcome, std::string message);
  // The time or rate limit that was exceeded, if any: call this regularly.
  Outcome CheckLimits(MonotonicTime now);
  // The fetch, with its response complete.
  std::unique_ptr<Fetch> Take();

  // Whether its body waits until others are delivered; time limits are suspended meanwhile.
  bool waits() const { return waits_since_.has_value(); }
  // Lets it continue: as long as there is room, or to its end.
  enum class Room : bool { kShared, kToTheEnd };
  CURLcode Continue(Room room);  // an error ends it: see Done()

  // The handle of the current try; null if there is none.
  CURL* easy() const { return easy_.get(); }
  const Fetch& fetch() const { return *fetch_; }
  bool https() const { return fetch_->request.url.scheme_type() == web::SchemeType::kHttps; }
  // With CertificatePolicy::kNote: a known problem of the server's certificate, so that it is not verified
  // again.  Call between Begin and Arm.
  void NoteCertificate(std::string message);

  size_t index = 0;        // the loop's
  CURLM* multi = nullptr;  // that is running it

 private:
  struct FreeHandle {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };

  bool WriteRequest();
  // Sets the options common to all fetches; those of this one.
  CURLcode SetCommonOptions();
  CURLcode SetOptions(CURLSH* share);
  Outcome Classify(CURLcode code);
  void Fail(Outcome outcome, std::string message);
  void Fill();
  const Clock& clock() const { return *settings_.options->clock; }
  bool Direct() const { return settings_.options->proxy.empty(); }

  static size_t OnHeaderLine(char* data, size_t size, size_t count, void* self);
  static size_t OnBody(char* data, size_t size, size_t count, void* self);
  static int OnRequestStart(void* self, char*, char*, int, int);
  static curl_socket_t OnOpenSocket(void* self, curlsocktype purpose, curl_sockaddr* address);
  size_t HeaderLine(std::string_view line);
  bool AgreesOnLength(std::string_view line);
  void ForgetBody();
  size_t Body(std::string_view bytes);

  const TransferSettings& settings_;
  std::unique_ptr<Fetch> fetch_;

  std::vector<IpAddress> addresses_;  // allowed by the guard
  size_t tried_ = 0;                  // of those, including the current one
  std::string url_;                   // what libcurl gets: scheme, host and port
  std::string target_;                // of the request line
  std::string connect_to_;
  std::vector<std::string> lines_;  // of this request; the first `line_count_` are in use
  size_t line_count_ = 0;
  std::vector<curl_slist> nodes_;  // the list of all header lines
  curl_slist connect_to_node_{};
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<CURL, FreeHandle> easy_;  // declared after everything it points to

  enum class Head : uint8_t { kBefore, kInside, kDone };
  Head head_ = Head::kBefore;
  uint64_t head_bytes_ = 0;         // of all responses and trailers
  Outcome stopped_ = Outcome::kOk;  // why a callback stopped the transfer
  std::string_view refused_;        // why the guard refused
  int socket_error_ = 0;            // errno of socket(2)
  bool sent_ = false;               // connected: the request is being sent
  bool verify_ = true;
  bool has_priority_ = false;  // its body waits for no other
  std::optional<MonotonicTime> waits_since_;
  Duration waited_{};   // in this fetch
  std::string length_;  // Content-Length of the current head; empty: none yet
  MonotonicTime try_start_{};
  MonotonicTime window_start_{};
  uint64_t window_received_ = 0;
};

}  // namespace crivello::fetch
