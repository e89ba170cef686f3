// SPDX-License-Identifier: Apache-2.0
#include "store/surt.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "web/url/idna.h"
#include "web/url/ip_address.h"
#include "web/url/percent.h"

namespace crivello::store {
namespace {

// Session ids are removed only from URLs up to this length, because the search is not linear.
constexpr size_t kMaxSessionBytes = 8 << 10;

void MakeLower(std::string* text) { std::transform(text->begin(), text->end(), text->begin(), AsciiLower); }
bool AllAlnum(std::string_view text) { return std::all_of(text.begin(), text.end(), IsAsciiAlnum); }

// Undoes escapes until none are left: "%2525" becomes "%". An escape is complete when its last digit is
// appended, so checking the end of the output after each byte finds all of them, in linear time.
std::string Unescape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    while (out.size() >= 3) {
      const int byte = web::EscapeAt(out, out.size() - 3);
      if (byte < 0) break;
      out.resize(out.size() - 3);
      out += static_cast<char>(byte);
    }
  }
  return out;
}

// Escapes everything except printable ASCII, and also " ", "#", "%".
std::string Escape(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte > 0x20 && byte < 0x7f && c != '#' && c != '%') {
      out += c;
    } else {
      out.append({'%', kHex[byte >> 4], kHex[byte & 15]});
    }
  }
  return out;
}

struct Parts {
  std::string_view scheme, host, path;
  std::optional<std::string_view> query;
  std::optional<unsigned> port;
};

// The length of a leading "scheme:", or 0.
size_t SchemeBytes(std::string_view url) {
  if (url.empty() || !IsAsciiAlpha(url[0])) return 0;
  size_t at = 1;
  while (at < url.size() && (IsAsciiAlnum(url[at]) || url[at] == '+' || url[at] == '-' || url[at] == '.'))
    at++;
  return at < url.size() && url[at] == ':' ? at + 1 : 0;
}

bool StartsHttp(std::string_view url) { return url.starts_with("http://") || url.starts_with("https://"); }

// By the regular expression of RFC 3986, appendix B.
Parts Split(std::string_view url) {
  Parts parts;
  const size_t scheme = SchemeBytes(url);
  parts.scheme = url.substr(0, scheme - 1);
  url = url.substr(scheme);
  url = url.substr(0, url.find('#'));
  if (const size_t mark = url.find('?'); mark != std::string_view::npos) {
    parts.query = url.substr(mark + 1);
    url = url.substr(0, mark);
  }
  if (url.starts_with("//")) {
    url.remove_prefix(2);
    const size_t end = std::min(url.find('/'), url.size());
    parts.host = url.substr(0, end);
    url.remove_prefix(end);
  }
  // "http:////host/path"
  if (parts.host.empty() && parts.scheme.starts_with("http")) {
    url.remove_prefix(std::min(url.find_first_not_of('/'), url.size()));
    const size_t end = std::min(url.find('/'), url.size());
    parts.host = url.substr(0, end);
    url.remove_prefix(end);
  }
  parts.path = url;

  std::string_view& host = parts.host;
  if (const size_t at = host.rfind('@'); at != std::string_view::npos) host.remove_prefix(at + 1);
  if (host.starts_with('[')) {
    const std::string_view after = host.substr(std::min(host.find(']'), host.size() - 1) + 1);
    host = host.substr(1, host.size() - after.size() - 1);
    if (host.ends_with(']')) host.remove_suffix(1);
    url = after;
  } else {
    const size_t colon = std::min(host.find(':'), host.size());
    url = host.substr(colon);
    host = host.substr(0, colon);
  }
  unsigned port = 0;
  if (url.size() >= 2 && url.size() <= 6 && AllAsciiDigits(url.substr(1))) {
    std::from_chars(url.data() + 1, url.data() + url.size(), port);
    if (port > 0 && port <= 0xffff) parts.port = port;
  }
  return parts;
}

std::string CanonicalHost(std::string_view raw) {
  std::string host = Unescape(raw);
  if (std::any_of(host.begin(), host.end(), [](char c) { return static_cast<uint8_t>(c) >= 0x80; })) {
    std::string ascii;
    if (web::AppendDomainToAscii(host, &ascii)) host = std::move(ascii);
  }
  std::string joined;
  for (size_t i = 0; i < host.size(); i++) {  // each pair of dots becomes one
    joined += host[i];
    if (host[i] == '.' && i + 1 < host.size() && host[i + 1] == '.') i++;
  }
  const size_t first = std::min(joined.find_first_not_of('.'), joined.size());
  host = joined.substr(first, joined.find_last_not_of('.') + 1 - first);
  MakeLower(&host);
  if (host.find_first_not_of("0123456789.") ==
      std::string_view::npos) {  // normalises "3279880203" and "0303.0177.0.013"
    if (const auto ip = web::ParseIpv4(host)) {
      host.clear();
      web::AppendIpv4(*ip, &host);
      return host;
    }
  }
  host = Escape(host);
  if (host.starts_with("www")) {
    const size_t dot = std::min(host.find_first_not_of("0123456789", 3), host.size());
    if (dot < host.size() && host[dot] == '.') host.erase(0, dot + 1);
  }
  return host;
}

std::string NormalPath(std::string_view path) {
  std::vector<std::string_view> kept;
  for (size_t at = path.find('/'); at != std::string_view::npos;) {
    const size_t end = path.find('/', at + 1);
    const std::string_view segment =
        path.substr(at + 1, end == std::string_view::npos ? std::string_view::npos : end - at - 1);
    if (segment == ".." && !kept.empty()) {
      kept.pop_back();
    } else if (segment != ".") {
      kept.push_back(segment);
    }
    at = end;
  }
  std::string out = "/";
  for (size_t i = 0; i < kept.size(); i++) {
    out += kept[i];
    if (i + 1 < kept.size() && !kept[i].empty()) out += '/';
  }
  return out;
}

// "(S(24 letters))" or "(24 letters)": a session of ASP.NET, as a segment of the path.
bool IsAspSession(std::string_view segment) {
  constexpr size_t kId = 24;
  if (segment.size() < kId + 2 || segment.front() != '(' || segment.back() != ')') return false;
  segment = segment.substr(1, segment.size() - 2);
  if (segment.size() == kId) return AllAlnum(segment);
  for (; !segment.empty(); segment.remove_prefix(kId + 3)) {
    if (segment.size() < kId + 3 || !IsAsciiAlpha(segment[0]) || segment[1] != '(' ||
        segment[kId + 2] != ')' || !AllAlnum(segment.substr(2, kId)))
      return false;
  }
  return true;
}

// Drops the last such segment that precedes a ".aspx".
void DropPathSession(std::string* path) {
  for (size_t end = path->rfind('/'); end != std::string_view::npos && end > 0;) {
    const size_t start = path->rfind('/', end - 1);
    if (start == std::string_view::npos) return;
    if (IsAspSession(std::string_view(*path).substr(start + 1, end - start - 1)) &&
        path->find(".aspx", end + 2) < path->find('?', end + 1)) {
      path->erase(start, end - start);
      return;
    }
    end = start;
  }
}

// The length of the session id at the start of `text` (in lower case) that begins with `name`, or 0.
size_t SessionBytes(std::string_view text, std::string_view name) {
  constexpr std::string_view kAsp = "aspsessionid", kCold = "cfid=", kToken = "cftoken=";
  if (!text.starts_with(name)) return 0;
  size_t end = name.size();
  if (name == kCold) {
    const size_t token = text.find('&', end);
    if (token == std::string_view::npos || token == end || !text.substr(token + 1).starts_with(kToken))
      return 0;
    const size_t value = token + 1 + kToken.size();
    end = std::min(text.find('&', value), text.size());
    return end > value ? end : 0;
  }
  if (name == kAsp) {
    const std::string_view id = text.substr(end, 8 + 1 + 24);
    if (id.size() < 33 || id[8] != '=') return 0;
    const std::string_view letters[] = {id.substr(0, 8), id.substr(9)};
    for (const std::string_view part : letters) {
      if (!std::all_of(part.begin(), part.end(), IsAsciiAlpha)) return 0;
    }
    end += id.size();
  } else {
    constexpr size_t kId = 32;
    if (text.size() < end + kId || !AllAlnum(text.substr(end, kId))) return 0;
    end += kId;
  }
  return end == text.size() || text[end] == '&' ? end : 0;
}

// Drops the last session id of each kind; `query` is in lower case.
void DropQuerySessions(std::string* query) {
  for (const std::string_view name : {"jsessionid=", "phpsessid=", "sid=", "aspsessionid", "cfid="}) {
    for (size_t at = query->rfind(name); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : query->rfind(name, at - 1)) {
      const size_t bytes = SessionBytes(std::string_view(*query).substr(at), name);
      if (bytes == 0) continue;
      query->erase(at, bytes + (at + bytes < query->size() ? 1 : 0));
      break;
    }
  }
}

// Sorts by name, then value; a bare name precedes the same name with "=".
std::string SortedQuery(std::string_view query) {
  struct Argument {
    std::string_view name, rest;  // rest with its "="
    auto operator<=>(const Argument&) const = default;
  };
  std::vector<Argument> arguments;
  for (size_t at = 0; at <= query.size();) {
    const std::string_view text = query.substr(at, query.find('&', at) - at);
    const size_t equals = std::min(text.find('='), text.size());
    arguments.push_back({text.substr(0, equals), text.substr(equals)});
    at += text.size() + 1;
  }
  std::sort(arguments.begin(), arguments.end());
  std::string out;
  for (const Argument& argument : arguments) {
    if (&argument != arguments.data()) out += '&';
    out.append(argument.name).append(argument.rest);
  }
  return out;
}

std::string ReversedHost(std::string_view host) {
  std::string out;
  for (size_t end = host.size();;) {
    const size_t dot = end == 0 ? std::string_view::npos : host.rfind('.', end - 1);
    const size_t start = dot == std::string_view::npos ? 0 : dot + 1;
    out += host.substr(start, end - start);
    if (dot == std::string_view::npos) return out;
    out += ',';
    end = dot;
  }
}

}  // namespace

std::string SurtKey(std::string_view raw) {
  std::string url(raw);
  std::erase_if(url, [](char c) { return c == '\t' || c == '\r' || c == '\n'; });
  const size_t first = std::min(url.find_first_not_of(" \v\f"), url.size());
  url = url.substr(first, url.find_last_not_of(" \v\f") + 1 - first);
  if (url.empty()) return "-";
  if (url.starts_with("filedesc")) return Escape(url);
  if (SchemeBytes(url) == 0) url.insert(0, "http://");
  std::transform(url.begin(), url.begin() + static_cast<ptrdiff_t>(SchemeBytes(url)), url.begin(),
                 AsciiLower);
  std::string_view text = url;
  while (StartsHttp(text) && StartsHttp(text.substr(text.find("//") + 2))) {
    text.remove_prefix(text.find("//") + 2);
  }

  const Parts parts = Split(text);
  const std::string host = CanonicalHost(parts.host);
  std::string path = Unescape(parts.path);
  if (!host.empty()) path = NormalPath(path);
  path = Escape(path);
  MakeLower(&path);
  std::string query = Escape(Unescape(parts.query.value_or("")));
  MakeLower(&query);
  if (text.size() <= kMaxSessionBytes) {
    DropPathSession(&path);
    DropQuerySessions(&query);
  }
  if (path.size() > 1 && path.ends_with('/')) path.pop_back();

  std::string key;
  if (host.empty()) {
    key.append(parts.scheme).append(":");
  } else {
    key = ReversedHost(host);
    const unsigned usual = parts.scheme == "http" ? 80 : parts.scheme == "https" ? 443 : 0;
    if (parts.port && *parts.port != usual) key += ":" + std::to_string(*parts.port);
    key += ')';
  }
  key += path;
  if (!query.empty()) key.append(path.empty() ? "/?" : "?").append(SortedQuery(query));
  return key;
}

}  // namespace crivello::store
