// SPDX-License-Identifier: Apache-2.0
#include "serve/http/request_head.h"

#include <algorithm>

#include "base/ascii.h"

namespace crivello::serve {
namespace {

Status CheckFraming(const HttpFields& headers, unsigned version) {
  size_t encodings = 0;
  bool has_length = false;
  for (const auto& [name, value] : headers) {
    has_length |= name == "content-length";
    if (name != "transfer-encoding") continue;
    encodings++;
    if (!EqualsIgnoringCase(TrimAsciiSpace(value), "chunked")) {
      return Status::InvalidArgument("unsupported Transfer-Encoding: only 'chunked' is accepted");
    }
  }
  if (encodings > 1) return Status::InvalidArgument("more than one Transfer-Encoding header");
  if (encodings == 1 && has_length) {
    return Status::InvalidArgument("both Transfer-Encoding and Content-Length");
  }
  if (encodings == 1 && version < 11) return Status::InvalidArgument("Transfer-Encoding in HTTP/1.0");
  return Status::Ok();
}

}  // namespace

Result<RequestHead> ReadRequestHead(std::string_view method, std::string_view target, HttpFields headers,
                                    unsigned version) {
  CRV_TRY(CheckFraming(headers, version));
  RequestHead head;
  head.request.method = method;
  head.request.headers = std::move(headers);
  size_t hosts = 0;
  for (const auto& [name, value] : head.request.headers) {
    if (name != "host") continue;
    hosts++;
    head.host = value;
  }
  if (hosts > 1 || (hosts == 0 && version >= 11)) {
    return Status::InvalidArgument("there is not exactly one Host header");
  }
  if (StartsWithIgnoringCase(target, "http://")) {
    target.remove_prefix(7);
    const size_t end = std::min(target.find_first_of("/?"), target.size());
    head.host = std::string(target.substr(0, end));
    target.remove_prefix(end);
  } else if (!target.starts_with('/')) {
    return Status::InvalidArgument("the request target is not a path");
  }
  ParseTarget(target, &head.request);
  return head;
}

}  // namespace crivello::serve
