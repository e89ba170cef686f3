// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "fetch/address.h"
#include "web/url/url.h"

namespace crivello::fetch {

// The limits of one fetch.  What exceeds a limit is cut there and marked; it is never an error of ours.
struct Limits {
  uint32_t head_bytes = 64 << 10;   // status line and fields, with interim responses and trailers
  uint64_t body_bytes = 10u << 20;  // as transferred: still in its content coding
  Duration connect_time = std::chrono::seconds(20);  // TCP and TLS, for each address tried
  Duration total_time = std::chrono::minutes(2);     // of the whole fetch
  // Too slow if any window receives fewer bytes than rate x window after the request was sent.  0: no limit.
  uint32_t min_bytes_per_second = 256;
  Duration rate_window = std::chrono::seconds(20);
};

struct RequestField {
  std::string name;
  std::string value;
};

// Nobody but a program that this one calls gets more than a few fields.
inline constexpr size_t kMaxFormBytes = 64 << 10;

// A GET, or the POST of a form.
struct Request {
  web::Url url;  // http or https; the fragment and any user name in it are not sent
  // Where to connect, tried in this order until one accepts the connection.  May be empty if the host is an
  // IP literal, or a proxy is used.
  std::vector<IpAddress> addresses;
  // Sent in this order after the Fetcher's own, except those with empty values: If-None-Match, Cookie, ...
  std::vector<RequestField> fields;
  // The body of a POST, at most kMaxFormBytes of application/x-www-form-urlencoded; nothing: a GET.
  std::optional<std::string> form = {};
  Limits limits;
  // Whether to keep the connection for the next request to this host.
  bool keep_alive = true;
};

// How a fetch ended.  Only kOk and, truncated, kBodyTooLarge are successes; the others may still have a head
// and a part of the body.
enum class Outcome : uint8_t {
  kOk,            // a complete response, with any status
  kBodyTooLarge,  // cut at the limit
  kClosedEarly,   // the connection ended before the response did
  kTimeout,       // total_time
  kTooSlow,       // the minimum rate
  kHeadTooLarge,
  kMalformed,  // not HTTP: no status line, bad chunks, bad lengths, bad frames
  kNoAnswer,   // connected, then closed or reset without a response
  kConnectTimeout,
  kConnectionRefused,
  kUnreachable,     // no route, or the network refused
  kTls,             // the handshake failed
  kCertificate,     // the certificate was refused
  kAddressRefused,  // by the AddressGuard
  kNoAddress,       // nowhere to connect to: the name was not resolved
  kProxy,           // the proxy failed or refused
  kBadRequest,      // our mistake: not an http(s) URL, or a field with a line break
  kCancelled,
  kInternal,  // out of memory or sockets
};
constexpr int kOutcomes = static_cast<int>(Outcome::kInternal) + 1;
// "ok", "body-too-large", ...: for ledgers and reports; never changes.
std::string_view OutcomeName(Outcome outcome);

// Why a body was truncated: the values of WARC-Truncated.
enum class Truncation : uint8_t { kNone, kLength, kTime, kDisconnect };
std::string_view TruncationName(Truncation truncation);

enum class Certificate : uint8_t {
  kNone,  // no TLS
  kValid,
  kInvalid,  // the fetcher was told to continue; `certificate_message` says what was wrong
};

struct Timings {
  WallTime start{};  // when the loop started it
  MonotonicTime start_monotonic{};
  // Since start; zero if that was not reached, or the connection was reused.
  Duration connected{};  // TCP
  Duration encrypted{};  // TLS
  Duration first_byte{};
  Duration end{};
};

struct Response {
  Outcome outcome = Outcome::kInternal;
  std::string message;   // for people, unless ok
  int status = 0;        // 0: there was no status line
  int http_version = 0;  // 10, 11, 20
  // The final response's status line and fields with the empty line, byte for byte as sent.  For HTTP/2,
  // whose head is not text, libcurl's textual form ("HTTP/2 200 \r\n").
  std::string head;
  // In its content coding, chunks joined.  (Other transfer codings are not decoded: we request none.)
  std::string body;
  Truncation truncation = Truncation::kNone;
  // As sent to the server, byte for byte (for HTTP/2: the HTTP/1.1 form of it).
  std::string request_head;
  IpAddress remote;  // the connected address: the host's, or the proxy's
  uint16_t remote_port = 0;
  bool reused_connection = false;
  Certificate certificate = Certificate::kNone;
  std::string certificate_message;
  uint64_t received_bytes = 0;  // heads and bodies, without TLS and TCP
  Timings timings;

  bool ok() const { return outcome == Outcome::kOk; }
  // Clears everything, and keeps the buffers up to 1 MiB each.
  void Clear();
};

// Data that the caller attaches to a fetch: derive a struct of your own.
struct Payload {
  virtual ~Payload() = default;
};

// A request and its result.  It goes to Fetcher::Submit and comes back to the sink, and can then be reused:
// its strings keep their memory.
struct Fetch {
  uint64_t id = 0;                   // the caller's
  std::unique_ptr<Payload> payload;  // the caller's; fetchers ignore it
  Request request;
  Response response;
};

}  // namespace crivello::fetch
