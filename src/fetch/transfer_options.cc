// SPDX-License-Identifier: Apache-2.0
// The options of a libcurl handle, set before a try.
#include <algorithm>

#include "fetch/transfer.h"

namespace crivello::fetch {
namespace {

// The size of libcurl's reads, allocated for each running transfer.  Between 16 and 128 KiB a page of 20 KB
// costs the same CPU time, within the noise.
constexpr long kReadBytes = 32 << 10;

long Milliseconds(Duration duration) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
  return static_cast<long>(std::clamp<int64_t>(ms, 1, 1 << 30));
}

// Sets options of a handle until one fails.
class OptionSetter {
 public:
  explicit OptionSetter(CURL* easy) : easy_(easy) {}
  template <typename T>
  void operator()(CURLoption option, T value) {
    if (code_ == CURLE_OK) code_ = curl_easy_setopt(easy_, option, value);
  }
  CURLcode code() const { return code_; }

 private:
  CURL* easy_;
  CURLcode code_ = CURLE_OK;
};

}  // namespace

CURLcode Transfer::SetCommonOptions() {
  const CurlFetcherOptions& options = *settings_.options;
  OptionSetter set(easy_.get());
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  set(CURLOPT_ERRORBUFFER, error_.data());
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP09_ALLOWED, 0L);
  set(CURLOPT_HTTP_CONTENT_DECODING, 0L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_HTTP_VERSION,
      static_cast<long>(options.http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
  set(CURLOPT_BUFFERSIZE, kReadBytes);
  // Each request brings its address; libcurl's DNS cache would only be scanned and discarded.
  set(CURLOPT_DNS_CACHE_TIMEOUT, 0L);
  set(CURLOPT_MAXAGE_CONN, std::max(1L, Milliseconds(options.idle_time) / 1000));
  set(CURLOPT_PROXY, options.proxy.c_str());
  set(CURLOPT_NOPROXY, "");
  // Without a folder of authorities libcurl caches those of the file in memory, instead of reading all of
  // them for each handshake.
  set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
  if (!options.authorities.empty()) set(CURLOPT_CAINFO, options.authorities.c_str());
  set(CURLOPT_HEADERFUNCTION, &Transfer::OnHeaderLine);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Transfer::OnBody);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_PREREQFUNCTION, &Transfer::OnRequestStart);
  set(CURLOPT_PREREQDATA, static_cast<void*>(this));
  set(CURLOPT_OPENSOCKETFUNCTION, &Transfer::OnOpenSocket);
  set(CURLOPT_OPENSOCKETDATA, static_cast<void*>(this));
  set(CURLOPT_CLOSESOCKETFUNCTION, settings_.close);
  set(CURLOPT_CLOSESOCKETDATA, settings_.hooks);
  return set.code();
}

CURLcode Transfer::SetOptions(CURLSH* share) {
  const Request& request = fetch_->request;
  const Duration spent = try_start_ - fetch_->response.timings.start_monotonic;
  OptionSetter set(easy_.get());
  set(CURLOPT_URL, url_.c_str());
  set(CURLOPT_REQUEST_TARGET, target_.c_str());
  if (!nodes_.empty()) set(CURLOPT_HTTPHEADER, nodes_.data());
  if (request.form) {
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.form->size()));
    set(CURLOPT_POSTFIELDS, request.form->c_str());  // which libcurl only reads
  }
  if (Direct()) set(CURLOPT_CONNECT_TO, &connect_to_node_);
  set(CURLOPT_CONNECTTIMEOUT_MS,
      Milliseconds(std::min(request.limits.total_time - spent, request.limits.connect_time)));
  if (!request.keep_alive) set(CURLOPT_FORBID_REUSE, 1L);
  if (!https()) return set.code();
  set(CURLOPT_SHARE, share);
  if (!verify_) {
    set(CURLOPT_SSL_VERIFYPEER, 0L);
    set(CURLOPT_SSL_VERIFYHOST, 0L);
  }
  return set.code();
}

}  // namespace crivello::fetch
