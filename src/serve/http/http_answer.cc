// SPDX-License-Identifier: Apache-2.0
#include "serve/http/http_answer.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <array>
#include <memory>
#include <utility>

#include "base/ascii.h"
#include "base/hash.h"
#include "web/http/http_date.h"

namespace crivello::serve {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kEveryAnswerHas = {{
    {"Cache-Control", "no-cache"},
    {"Content-Security-Policy", kContentSecurityPolicy},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
}};

const std::string* Find(const HttpFields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (EqualsIgnoringCase(key, name)) return &value;
  }
  return nullptr;
}

// Takes the next part of a list divided by `separator`, trimmed.
std::string_view TakePart(std::string_view* list, char separator) {
  const size_t end = list->find(separator);
  const std::string_view part = TrimAsciiSpace(list->substr(0, end));
  *list = end == std::string_view::npos ? std::string_view() : list->substr(end + 1);
  return part;
}

bool IsZero(std::string_view quality) { return quality.find_first_not_of("0.") == std::string_view::npos; }

std::string_view WithoutWeakness(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  return tag;
}

bool IsCompressedAlready(std::string_view type) {
  for (const std::string_view one : {"image/", "audio/", "video/", "font/", "application/zip",
                                     "application/gzip", "application/pdf", "application/zstd"}) {
    if (StartsWithIgnoringCase(type, one)) return !StartsWithIgnoringCase(type, "image/svg");
  }
  return false;
}

// Empty if compression would not make it smaller.
std::string Gzip(std::string_view bytes) {
  struct Free {
    void operator()(libdeflate_compressor* c) const { libdeflate_free_compressor(c); }
  };
  // Creating one costs more than compressing a page with it.
  thread_local const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(4));
  if (compressor == nullptr) return "";
  std::string out(bytes.size(), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

std::string_view ReasonOf(unsigned status) {
  constexpr std::array<std::pair<unsigned, std::string_view>, 25> kReasons = {{
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {204, "No Content"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {409, "Conflict"},
      {410, "Gone"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {421, "Misdirected Request"},
      {422, "Unprocessable Content"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {503, "Service Unavailable"},
  }};
  for (const auto& [code, reason] : kReasons) {
    if (code == status) return reason;
  }
  return "";
}

void AppendField(std::string_view name, std::string_view value, std::string* head) {
  const auto append = [head](std::string_view text) {
    for (const char c : text) {
      if (c != '\r' && c != '\n' && c != '\0') *head += c;
    }
  };
  append(name);
  *head += ": ";
  append(value);
  *head += "\r\n";
}

}  // namespace

bool AcceptsGzip(std::string_view accept_encoding) {
  bool any = false;
  while (!accept_encoding.empty()) {
    std::string_view one = TakePart(&accept_encoding, ',');
    const std::string_view coding = TakePart(&one, ';');
    const bool refused = StartsWithIgnoringCase(one, "q=") && IsZero(one.substr(2));
    if (EqualsIgnoringCase(coding, "gzip") || EqualsIgnoringCase(coding, "x-gzip")) return !refused;
    if (coding == "*") any = !refused;
  }
  return any;
}

bool MatchesTag(std::string_view if_none_match, std::string_view tag) {
  while (!if_none_match.empty()) {
    const std::string_view one = TakePart(&if_none_match, ',');
    if (one == "*" || WithoutWeakness(one) == WithoutWeakness(tag)) return true;
  }
  return false;
}

void FinishAnswer(const HttpRequest& request, HttpResponse* answer) {
  for (const auto& [name, value] : kEveryAnswerHas) {
    if (Find(answer->headers, name) == nullptr) answer->headers.emplace_back(name, value);
  }
  if (answer->events != nullptr) return;
  if (answer->status == 200 && request.method == "GET") {
    if (Find(answer->headers, "ETag") == nullptr) {
      // Weak, because it is the same for compressed and uncompressed bodies.
      const Signature128 digest = Hash128(answer->body);
      answer->headers.emplace_back("ETag", fmt::format("W/\"{:016x}{:016x}\"", digest.high, digest.low));
    }
    if (const auto known = request.Header("if-none-match");
        known && MatchesTag(*known, *Find(answer->headers, "ETag"))) {
      answer->status = 304;
      answer->body.clear();
      return;
    }
  }
  if (answer->body.size() < kMinGzipBytes || IsCompressedAlready(answer->type) ||
      Find(answer->headers, "Content-Encoding") != nullptr) {
    return;
  }
  answer->headers.emplace_back("Vary", "Accept-Encoding");
  if (!AcceptsGzip(request.Header("accept-encoding").value_or(""))) return;
  std::string compressed = Gzip(answer->body);
  if (compressed.empty()) return;
  answer->body = std::move(compressed);
  answer->headers.emplace_back("Content-Encoding", "gzip");
}

std::string HeadOf(const HttpResponse& answer, const HeadOptions& options) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", answer.status, ReasonOf(answer.status));
  AppendField("Date", web::FormatHttpDate(options.time_seconds), &head);
  AppendField("Connection", options.keep_alive ? "keep-alive" : "close", &head);
  // RFC 9110, 8.6 and 15.4.5: these have no body, and so no content type.
  if (answer.status != 204 && answer.status != 304) {
    AppendField("Content-Type", answer.type, &head);
    // An answer that stays open ends with the connection.
    if (answer.events == nullptr) {
      AppendField("Content-Length", std::to_string(answer.body.size()), &head);
    }
  }
  for (const auto& [name, value] : answer.headers) AppendField(name, value, &head);
  head += "\r\n";
  return head;
}

}  // namespace crivello::serve
