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

// What one fetch may cost.  Whatever passes a limit is cut there and marked, never an error of ours.
struct Limits {
  uint32_t head_bytes = 64 << 10;   // status line and fields, interim responses and trailers included
  uint64_t body_bytes = 10u << 20;  // as transferred: still in its content coding
  Duration connect_time = std::chrono::seconds(20);  // TCP and TLS, for each address tried
  Duration total_time = std::chrono::minutes(2);     // all of it
  // Fewer bytes than rate x window in any window, once the request is sent: too slow.  0: no such limit.
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
  // Where to connect, tried in this order until one takes the connection.  May stay empty if the host is an
  // IP literal, or a proxy is used.
  std::vector<IpAddress> addresses;
  // Sent in this order after the Fetcher's own, unless the value is empty: If-None-Match, Cookie, ...
  std::vector<RequestField> fields;
  // The body of a POST, at most kMaxFormBytes of application/x-www-form-urlencoded; nothing: a GET.
  std::optional<std::string> form = {};
  Limits limits;
  // Whether the connection is kept for the next request to this host.
  bool keep_alive = true;
};

// How a fetch ended.  Only kOk and, cut short, kBodyTooLarge are successes; the others may still carry a head
// and a part of the body.
enum class Outcome : uint8_t {
  kOk,            // a whole response, of whatever status
  kBodyTooLarge,  // cut at the limit
  kClosedEarly,   // the connection ended before the response did
  kTimeout,       // total_time
  kTooSlow,       // the minimum rate
  kHeadTooLarge,
  kMalformed,  // not HTTP: no status line, bad chunks, bad lengths, bad frames
  kNoAnswer,   // connected, and closed or reset without a byte
  kConnectTimeout,
  kConnectionRefused,
  kUnreachable,     // no route, or the network said no
  kTls,             // no handshake
  kCertificate,     // the certificate was refused
  kAddressRefused,  // by the AddressGuard
  kNoAddress,       // nowhere to connect: the name was not resolved
  kProxy,           // the proxy failed or refused
  kBadRequest,      // ours: no http(s) URL, or a field with a line break in it
  kCancelled,
  kInternal,  // out of memory or sockets
};
constexpr int kOutcomes = static_cast<int>(Outcome::kInternal) + 1;
// "ok", "body-too-large", ...: for ledgers and reports; never changes.
std::string_view OutcomeName(Outcome outcome);

// What a body was cut by: the values of WARC-Truncated.
enum class Truncation : uint8_t { kNone, kLength, kTime, kDisconnect };
std::string_view TruncationName(Truncation truncation);

enum class Certificate : uint8_t {
  kNone,  // no TLS
  kValid,
  kInvalid,  // and the fetcher was told to go on; `certificate_message` says what was wrong
};

struct Timings {
  WallTime start{};  // when the loop took it up
  MonotonicTime start_monotonic{};
  // Since start; zero if it did not come to that, or the connection was there.
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
  // The final response's status line and fields with the empty line, byte for byte as sent; of HTTP/2, whose
  // head is no text, the same in the text that libcurl makes of it ("HTTP/2 200 \r\n").
  std::string head;
  // In its content coding, chunks joined.  (Any other transfer coding is left: we ask for none.)
  std::string body;
  Truncation truncation = Truncation::kNone;
  // As sent to the server, byte for byte (of HTTP/2: the same in HTTP/1.1's text).
  std::string request_head;
  IpAddress remote;  // connected to: the host's, or the proxy's
  uint16_t remote_port = 0;
  bool reused_connection = false;
  Certificate certificate = Certificate::kNone;
  std::string certificate_message;
  uint64_t received_bytes = 0;  // heads and bodies, without TLS and TCP
  Timings timings;

  bool ok() const { return outcome == Outcome::kOk; }
  // Forgets all, and keeps the buffers up to 1 MiB each.
  void Clear();
};

// What the caller attaches to a fetch, to find it there when it comes back: a struct of its own.
struct Payload {
  virtual ~Payload() = default;
};

// A request and what became of it.  It goes to Fetcher::Submit and comes back to the sink, and may then be
// used again: its strings keep their memory.
struct Fetch {
  uint64_t id = 0;                   // the caller's
  std::unique_ptr<Payload> payload;  // the caller's; no fetcher looks at it
  Request request;
  Response response;
};

}  // namespace crivello::fetch
