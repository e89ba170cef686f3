// SPDX-License-Identifier: Apache-2.0
#include "demo/built_in_web.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/hash.h"
#include "demo/calendar.h"
#include "demo/embedded_files.h"
#include "web/http/http_date.h"

namespace crivello::demo {
namespace {

constexpr std::string_view kCalendarHost = "courrier-du-lac.test";
constexpr std::string_view kBusyHost = "baeckerei-lindner.test";
constexpr std::string_view kMirroredHost = "manual.tessera.test";
constexpr std::string_view kMirrorHost = "tessera-mirror.test";
constexpr std::string_view kRedirects = "_redirects";
constexpr std::string_view kIndex = "index.html";
constexpr std::string_view kDateMark = "<meta name=\"date\" content=\"";
constexpr int64_t kDefaultDate = 1790812800;  // 2026-10-01

// HTML without a charset: each page declares its own, and one declares ISO-8859-1.
std::string ContentType(std::string_view path) {
  if (path.ends_with(".html")) return "text/html";
  if (path.ends_with(".rss")) return "application/rss+xml";
  if (path.ends_with(".xml")) return "application/xml";
  if (path.ends_with(".pdf")) return "application/pdf";
  if (path.ends_with(".docx"))
    return "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  return "text/plain; charset=utf-8";
}

// A date derived from the page, so that Last-Modified is the same in every build.
int64_t DateOf(std::string_view page) {
  const size_t mark = page.find(kDateMark);
  if (mark == std::string_view::npos) return kDefaultDate;
  const std::string_view date = page.substr(mark + kDateMark.size(), 10);
  return web::ParseHttpDate(date, kDefaultDate).value_or(kDefaultDate);
}

Answer Found(std::string content_type, std::string body, int64_t date) {
  Answer answer = {.status = 200, .content_type = std::move(content_type), .body = std::move(body)};
  answer.etag = fmt::format("\"{:016x}\"", Hash64(answer.body));
  answer.last_modified = date;
  return answer;
}

Answer NotFound() {
  return {.body = "<!DOCTYPE html><title>Not found</title><h1>Not found</h1><p>There is no such page.\n"};
}

std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (size_t at; (at = text.find(from)) != std::string_view::npos; text.remove_prefix(at + from.size())) {
    result.append(text.substr(0, at)).append(to);
  }
  return result.append(text);
}

// Returns the part of `text` before `mark`; `text` becomes the part after it.
std::string_view TakeUntil(std::string_view& text, char mark) {
  const size_t end = text.find(mark);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return taken;
}

}  // namespace

const std::vector<HostAddress>& BuiltInWeb::hosts() {
  static const std::vector<HostAddress> hosts = {
      {"webring.test", "127.0.0.1"},           {"how-search-works.test", "127.0.0.2"},
      {"manual.tessera.test", "127.0.0.2"},    {"biblioteca-valdombra.test", "127.0.0.3"},
      {"baeckerei-lindner.test", "127.0.0.4"}, {"high-huts.test", "127.0.0.3"},
      {"courrier-du-lac.test", "127.0.0.4"},   {"cuaderno-de-versos.test", "127.0.0.1"},
      {"pocket-almanac.test", "127.0.0.5"},    {"letters-and-signs.test", "127.0.0.5"},
      {std::string(kMirrorHost), "127.0.0.1"},
  };
  return hosts;
}

std::string BuiltInWeb::HostsFile() {
  std::string file;
  for (const HostAddress& host : hosts()) file += host.address + " " + host.name + "\n";
  return file;
}

BuiltInWeb::BuiltInWeb(uint16_t port) : port_(port) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    std::string_view path = file.path;
    const std::string_view host = TakeUntil(path, '/');
    if (path == kRedirects) {
      AddRedirects(host, file.bytes);
      continue;
    }
    AddFile(host, path, file.bytes);
    if (host == kMirroredHost) AddFile(kMirrorHost, path, Replaced(file.bytes, kMirroredHost, kMirrorHost));
  }
}

void BuiltInWeb::AddFile(std::string_view host, std::string_view path, std::string_view bytes) {
  const std::string content_type = ContentType(path);
  if (path.ends_with(kIndex)) path.remove_suffix(kIndex.size());
  answers_.emplace(fmt::format("{}/{}", host, path), Found(content_type, WithPort(bytes), DateOf(bytes)));
}

void BuiltInWeb::AddRedirects(std::string_view host, std::string_view lines) {
  while (!lines.empty()) {
    std::string_view line = TakeUntil(lines, '\n');
    std::string key(host);
    key += TakeUntil(line, ' ');
    Answer answer;
    const std::string_view status = TakeUntil(line, ' ');
    std::from_chars(status.data(), status.data() + status.size(), answer.status);
    answer.location = WithPort(line);
    answer.body = "<!DOCTYPE html><title>Moved</title><p>This page has moved.\n";
    answers_.emplace(std::move(key), std::move(answer));
  }
}

std::string BuiltInWeb::WithPort(std::string_view source) const {
  constexpr std::string_view kHostEnd = ".test";
  constexpr std::string_view kMark = ":PORT";
  std::string text;
  for (;;) {
    const size_t mark = source.find(kMark);
    const bool of_host = source.substr(0, mark).ends_with(kHostEnd);
    text += source.substr(0, mark);
    if (mark == std::string_view::npos) return text;
    text += !of_host ? std::string(kMark) : port_ == 80 ? "" : fmt::format(":{}", port_);
    source.remove_prefix(mark + kMark.size());
  }
}

std::string BuiltInWeb::Origin(std::string_view host) const {
  return port_ == 80 ? fmt::format("http://{}", host) : fmt::format("http://{}:{}", host, port_);
}

std::vector<std::string> BuiltInWeb::Seeds() const {
  std::vector<std::string> seeds;
  for (const HostAddress& host : hosts()) seeds.push_back(Origin(host.name) + "/");
  return seeds;
}

Answer BuiltInWeb::Get(std::string_view host, std::string_view path_and_query) const {
  const auto found = answers_.find(std::string(host).append(path_and_query));
  if (found != answers_.end()) return found->second;
  if (host == kCalendarHost && path_and_query.starts_with(kCalendarPath)) {
    auto page = CalendarPage(path_and_query);
    if (page) return Found("text/html", *std::move(page), kDefaultDate);
  }
  return NotFound();
}

bool BuiltInWeb::IsTrap(std::string_view url) const {
  return url.starts_with(Origin(kCalendarHost).append(kCalendarPath));
}

bool BuiltInWeb::IsBusyAtFirst(std::string_view host) { return host == kBusyHost; }

}  // namespace crivello::demo
