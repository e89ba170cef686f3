// SPDX-License-Identifier: Apache-2.0
#include "web/url/row_key.h"

#include <algorithm>
#include <charconv>

#include "web/url/ip_address.h"
#include "web/url/percent.h"

namespace crivello::web {
namespace {

bool IsEscaped(int c) { return c >= ')' && c <= ','; }

void AppendReversedHost(std::string_view host, std::string* key) {
  if (IsIpLiteral(host)) {
    key->append(host);
    return;
  }
  for (size_t end = host.size();;) {
    const size_t dot = end == 0 ? host.npos : host.rfind('.', end - 1);
    const size_t start = dot == host.npos ? 0 : dot + 1;
    for (const char c : host.substr(start, end - start)) {
      if (IsEscaped(c)) {
        AppendEscape(static_cast<uint8_t>(c), key);
      } else {
        key->push_back(c);
      }
    }
    if (dot == host.npos) return;
    key->push_back(',');
    end = dot;
  }
}

std::string HostOf(std::string_view reversed) {
  // Labels contain no dot, so this is an IP literal.
  if (reversed.starts_with('[') || reversed.find('.') != reversed.npos) return std::string(reversed);
  std::string host;
  for (size_t end = reversed.size();;) {
    const size_t comma = end == 0 ? reversed.npos : reversed.rfind(',', end - 1);
    const size_t start = comma == reversed.npos ? 0 : comma + 1;
    AppendPercentDecoded(reversed.substr(start, end - start), &host);
    if (comma == reversed.npos) return host;
    host.push_back('.');
    end = comma;
  }
}

Status NotAKey(std::string_view key) {
  return Status::Corruption("invalid row key: \"" + std::string(key.substr(0, 200)) + "\"");
}

}  // namespace

Status AppendRowKey(const Url& url, std::string* key) {
  if (!url.is_http() || url.has_credentials() || url.fragment()) {
    return Status::InvalidArgument("cannot make a row key for \"" + url.href().substr(0, 200) +
                                   "\": expected an http or https URL without credentials and fragment");
  }
  AppendReversedHost(url.hostname(), key);
  key->push_back(')');
  key->append(url.protocol());
  char port[8];
  key->append(port, std::to_chars(port, port + sizeof port, url.effective_port()).ptr);
  key->append(url.path_and_query());
  return Status::Ok();
}

Result<std::string> RowKey(const Url& url) {
  std::string key;
  CRV_TRY(AppendRowKey(url, &key));
  return key;
}

Result<Url> UrlOfRowKey(std::string_view key) {
  const size_t host_end = key.find(')');
  if (host_end == key.npos) return NotAKey(key);
  const std::string_view rest = key.substr(host_end + 1);
  const size_t colon = rest.find(':');
  if (colon == rest.npos) return NotAKey(key);
  std::string href(rest.substr(0, colon));
  href.append("://").append(HostOf(key.substr(0, host_end))).append(rest.substr(colon));
  Url url;
  if (!url.Parse(href)) return NotAKey(key);
  std::string again;
  if (!AppendRowKey(url, &again).ok() || again != key) return NotAKey(key);
  return url;
}

RowKeyRange RowKeysWithPrefix(std::string_view prefix) {
  RowKeyRange range{.begin = std::string(prefix), .end = std::string(prefix)};
  while (!range.end.empty() && static_cast<uint8_t>(range.end.back()) == 0xff) range.end.pop_back();
  if (!range.end.empty()) range.end.back() = static_cast<char>(range.end.back() + 1);
  return range;
}

RowKeyRange RowKeysOfHost(std::string_view host) {
  std::string prefix;
  AppendReversedHost(host, &prefix);
  prefix.push_back(')');
  return RowKeysWithPrefix(prefix);
}

RowKeyRange RowKeysOfDomain(std::string_view domain) {
  if (IsIpLiteral(domain)) return RowKeysOfHost(domain);
  RowKeyRange range;
  AppendReversedHost(domain, &range.begin);
  range.end = range.begin;
  range.begin.push_back(')');
  range.end.push_back(static_cast<char>(',' + 1));
  return range;
}

}  // namespace crivello::web
