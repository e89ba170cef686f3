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

// What all transfers of a loop share.  Outlives them.
struct TransferSettings {
  const CurlFetcherOptions* options = nullptr;
  std::vector<std::string> lines;  // the fields of every request, as "Name: value"
  // Socket hooks: `opened` counts; `close` must close the socket.
  void* hooks = nullptr;
  void (*opened)(void* hooks, curl_socket_t fd, const Request& request) = nullptr;
  int (*close)(void* hooks, curl_socket_t fd) = nullptr;
  // Bytes of the bodies that are arriving, of which so many may be there before the longer ones wait.
  uint64_t* arriving = nullptr;
  uint64_t max_arriving = UINT64_MAX;
};

// So much of each body is taken without waiting: pages are smaller, as a rule.
inline constexpr uint64_t kFreeBodyBytes = 64 << 10;

// The fetch that it carries out, if any, and a libcurl easy handle for each try: one that is used again
// has libcurl 7.88 write to the freed fields of the response before, if the next head begins with a folded
// line.  Nothing is lost: connections are the multi handle's, TLS sessions the share's.  For the thread of
// its loop only.
//
// The life of a fetch: Begin; then, while Arm() is asked for, Arm and a run by the multi handle, whose
// end Done() judges; then Take.  Stop() ends it early.  The handle is out of the multi handle before the next
// Arm and before Take, which free it.
class Transfer {
 public:
  explicit Transfer(const TransferSettings& settings) : settings_(settings) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  // Takes a fetch.  False if it cannot even be tried: then it has its outcome.
  bool Begin(std::unique_ptr<Fetch> fetch);
  // Makes the handle of the next try.  `share` carries the TLS sessions of its host.  If it fails, there is
  // no try: Stop.
  Status Arm(CURLSH* share);
  // The multi handle is done with this try.  True if there is to be another one: Arm again.
  bool Done(CURLcode code);
  // Ends the fetch with this outcome.
  void Stop(Outcome outcome, std::string message);
  // Its time or rate limit, if one has been passed: call now and then.
  Outcome CheckLimits(MonotonicTime now);
  // The fetch, its response complete.
  std::unique_ptr<Fetch> Take();

  // Whether its body waits until others have been delivered; time does not count meanwhile.
  bool waits() const { return waits_since_.has_value(); }
  // Lets it continue: as far as there is room, or to its end.
  enum class Room : bool { kShared, kToTheEnd };
  CURLcode Continue(Room room);  // an error ends it: see Done()

  // Of the present try; null if there is none.
  CURL* easy() const { return easy_.get(); }
  const Fetch& fetch() const { return *fetch_; }
  bool https() const { return fetch_->request.url.scheme_type() == web::SchemeType::kHttps; }
  // With CertificatePolicy::kNote: what is known to be wrong with the server's, so that it is not tried
  // again. Between Begin and Arm.
  void NoteCertificate(std::string message);

  size_t index = 0;        // the loop's
  CURLM* multi = nullptr;  // that runs it

 private:
  struct FreeHandle {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };

  bool WriteRequest();
  // Sets the options that are the same for all fetches; those of this one.
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

  std::vector<IpAddress> addresses_;  // that the guard allows
  size_t tried_ = 0;                  // of those, with the present one
  std::string url_;                   // what libcurl is told: scheme, host and port
  std::string target_;                // of the request line
  std::string connect_to_;
  std::vector<std::string> lines_;  // of this request; the first `line_count_` are in use
  size_t line_count_ = 0;
  std::vector<curl_slist> nodes_;  // the list of all header lines
  curl_slist connect_to_node_{};
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::unique_ptr<CURL, FreeHandle> easy_;  // after all that it points to

  enum class Head : uint8_t { kBefore, kInside, kDone };
  Head head_ = Head::kBefore;
  uint64_t head_bytes_ = 0;         // of all responses and trailers
  Outcome stopped_ = Outcome::kOk;  // why a callback ended the transfer
  std::string_view refused_;        // why the guard did
  int socket_error_ = 0;            // errno of socket(2)
  bool sent_ = false;               // connected: the request is on its way
  bool verify_ = true;
  bool has_priority_ = false;  // its body waits for no other
  std::optional<MonotonicTime> waits_since_;
  Duration waited_{};   // in this fetch
  std::string length_;  // Content-Length of the present head; empty: none yet
  MonotonicTime try_start_{};
  MonotonicTime window_start_{};
  uint64_t window_received_ = 0;
};

}  // namespace crivello::fetch
