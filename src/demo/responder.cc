// SPDX-License-Identifier: Apache-2.0
#include "demo/responder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/civil_time.h"
#include "web/http/http_date.h"
#include "web/http/http_headers.h"
#include "web/http/http_message.h"
#include "web/page/links.h"
#include "web/page/robots.h"
#include "web/url/url.h"

namespace crivello::demo {
namespace {

constexpr int kRetryAfterSeconds = 1;

std::string_view Reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 421:
      return "Misdirected Request";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

// Whether the client has the current page already (RFC 9110, section 13.2.2).
bool IsNotModified(const web::HttpFields& fields, const Answer& answer, int64_t now) {
  if (answer.status != 200) return false;
  if (fields.Count("If-None-Match") > 0) {
    const std::string joined = fields.Joined("If-None-Match");
    std::string_view list = joined;
    const auto ours = web::ParseEntityTag(answer.etag);
    while (!list.empty()) {
      const size_t comma = std::min(list.find(','), list.size());
      const std::string_view item = list.substr(0, comma);
      list.remove_prefix(std::min(comma + 1, list.size()));
      const auto theirs = web::ParseEntityTag(item);
      if (theirs && (theirs->opaque == "*" || web::WeaklyEqual(*ours, *theirs))) return true;
    }
    return false;
  }
  const auto since = fields.Find("If-Modified-Since");
  const auto time = since ? web::ParseHttpDate(*since, now) : std::nullopt;
  return time && *time >= answer.last_modified;
}

std::string Render(const Answer& answer, const Exchange& exchange, int64_t now) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\nDate: {}\r\nServer: crivello-demo\r\n", answer.status,
                                 Reason(answer.status), web::FormatHttpDate(now));
  if (!answer.etag.empty()) {
    text += fmt::format("ETag: {}\r\nLast-Modified: {}\r\n", answer.etag,
                        web::FormatHttpDate(answer.last_modified));
  }
  if (!answer.location.empty()) text += fmt::format("Location: {}\r\n", answer.location);
  if (answer.status == 405) text += "Allow: GET, HEAD\r\n";
  if (answer.status == 503) text += fmt::format("Retry-After: {}\r\n", kRetryAfterSeconds);
  if (exchange.close) text += "Connection: close\r\n";
  if (answer.status == 304) return text += "\r\n";
  text +=
      fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n\r\n", answer.content_type, answer.body.size());
  if (exchange.method != "HEAD") text += answer.body;
  return text;
}

Answer Failure(int status) {
  return {.status = status,
          .body = fmt::format("<!DOCTYPE html><title>{0}</title><h1>{0}</h1>\n", Reason(status))};
}

// The host and path of a request: from the target if that is a complete URL, else from Host.
bool SplitTarget(std::string_view host, Exchange& exchange) {
  web::Url url;
  const std::string whole =
      exchange.target.starts_with('/') ? fmt::format("http://{}", host) : exchange.target;
  if (!url.Parse(whole) || !url.is_http()) return false;
  exchange.host = url.hostname();
  if (!exchange.target.starts_with('/')) exchange.target = url.path_and_query();
  return true;
}

// The error status of an invalid request, or 0.
int Fault(const web::HttpRequest& request, Exchange& exchange) {
  if (request.version.major != 1) return 505;
  const web::HttpFields& fields = request.fields;
  const bool needs_host = request.version.minor >= 1;
  if (fields.Count("Host") > 1 || (needs_host && fields.Count("Host") == 0)) return 400;
  if (fields.malformed() > 0 || fields.cut()) return 400;
  const bool has_length = fields.Count("Content-Length") > 0 && web::FindContentLength(fields) != uint64_t{0};
  if (has_length || fields.Count("Transfer-Encoding") > 0) return 400;
  if (!SplitTarget(fields.Find("Host").value_or(""), exchange)) return 400;
  return 0;
}

}  // namespace

Answer Responder::Find(std::string_view host, std::string_view target) {
  const auto& hosts = BuiltInWeb::hosts();
  const bool known = std::any_of(hosts.begin(), hosts.end(),
                                 [&](const HostAddress& known_host) { return known_host.name == host; });
  if (!known) return Failure(421);
  if (BuiltInWeb::IsBusyAtFirst(host) && target != web::kRobotsPath && were_busy_.emplace(host).second) {
    return Failure(503);
  }
  return web_.Get(host, target);
}

Exchange Responder::Respond(std::string_view bytes) {
  // Some clients send an extra line break after a request.
  const size_t start = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
  const std::string_view input = bytes.substr(start).substr(0, kMaxHeadBytes);
  const web::HttpRequest request =
      web::ParseHttpRequest(input, {.max_fields = 100, .max_head_bytes = kMaxHeadBytes});
  Exchange exchange;
  const bool too_long = !request.complete_head && bytes.size() >= kMaxHeadBytes;
  if (!request.complete_head && !too_long) return exchange;

  const int64_t now = ToSeconds(clock_.Wall());
  exchange.consumed = too_long ? bytes.size() : start + request.head_bytes;
  exchange.method = request.method;
  exchange.target = request.target;
  const int fault = too_long ? 431 : Fault(request, exchange);
  exchange.close = fault != 0 || request.version.minor == 0 ||
                   web::HasWord(request.fields.Find("Connection").value_or(""), "close");
  Answer answer;
  if (fault != 0) {
    answer = Failure(fault);
  } else if (request.method != "GET" && request.method != "HEAD") {
    answer = Failure(405);
  } else {
    answer = Find(exchange.host, exchange.target);
    if (IsNotModified(request.fields, answer, now)) answer.status = 304;
  }
  exchange.status = answer.status;
  exchange.response = Render(answer, exchange, now);
  return exchange;
}

}  // namespace crivello::demo
