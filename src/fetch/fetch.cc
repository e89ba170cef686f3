// SPDX-License-Identifier: Apache-2.0
#include "fetch/fetch.h"

namespace crivello::fetch {

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOk:
      return "ok";
    case Outcome::kBodyTooLarge:
      return "body-too-large";
    case Outcome::kClosedEarly:
      return "closed-early";
    case Outcome::kTimeout:
      return "timeout";
    case Outcome::kTooSlow:
      return "too-slow";
    case Outcome::kHeadTooLarge:
      return "head-too-large";
    case Outcome::kMalformed:
      return "malformed";
    case Outcome::kNoAnswer:
      return "no-answer";
    case Outcome::kConnectTimeout:
      return "connect-timeout";
    case Outcome::kConnectionRefused:
      return "connection-refused";
    case Outcome::kUnreachable:
      return "unreachable";
    case Outcome::kTls:
      return "tls";
    case Outcome::kCertificate:
      return "certificate";
    case Outcome::kAddressRefused:
      return "address-refused";
    case Outcome::kNoAddress:
      return "no-address";
    case Outcome::kProxy:
      return "proxy";
    case Outcome::kBadRequest:
      return "bad-request";
    case Outcome::kCancelled:
      return "cancelled";
    case Outcome::kInternal:
      return "internal";
  }
  return "unknown";
}

std::string_view TruncationName(Truncation truncation) {
  switch (truncation) {
    case Truncation::kNone:
      return "";
    case Truncation::kLength:
      return "length";
    case Truncation::kTime:
      return "time";
    case Truncation::kDisconnect:
      return "disconnect";
  }
  return "";
}

void Response::Clear() {
  Response empty;
  // Swap and clear strings instead of assigning, so that they keep their memory, unless it is exceptionally
  // large.
  constexpr size_t kMaxKeptBytes = 1 << 20;
  const auto keep = [](std::string& from, std::string& to) {
    if (from.capacity() > kMaxKeptBytes) std::string().swap(from);
    from.clear();
    from.swap(to);
  };
  keep(message, empty.message);
  keep(head, empty.head);
  keep(body, empty.body);
  keep(request_head, empty.request_head);
  keep(certificate_message, empty.certificate_message);
  *this = std::move(empty);
}

}  // namespace crivello::fetch
