// SPDX-License-Identifier: Apache-2.0
#include "serve/http/request_head.h"

#include <algorithm>

#include "base/ascii.h"

namespace crivello::serve {

std::optional<RequestHead> ReadRequestHead(std::string_view method, std::string_view target,
                                           HttpFields headers, bool needs_host) {
  RequestHead head;
  head.request.method = method;
  head.request.headers = std::move(headers);
  size_t hosts = 0;
  for (const auto& [name, value] : head.request.headers) {
    if (name != "host") continue;
    hosts++;
    head.host = value;
  }
  if (hosts > 1 || (hosts == 0 && needs_host)) return std::nullopt;
  if (StartsWithIgnoringCase(target, "http://")) {
    target.remove_prefix(7);
    const size_t end = std::min(target.find_first_of("/?"), target.size());
    head.host = std::string(target.substr(0, end));
    target.remove_prefix(end);
  } else if (!target.starts_with('/')) {
    return std::nullopt;
  }
  ParseTarget(target, &head.request);
  return head;
}

}  // namespace crivello::serve
