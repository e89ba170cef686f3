// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_names.h"

#include <fmt/format.h>

#include "web/url/canonical.h"
#include "web/url/ip_address.h"
#include "web/url/public_suffix.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
std::string_view GraphLevelName(GraphLevel level) {
  switch (level) {
    case GraphLevel::kPage:
      return "page";
    case GraphLevel::kHost:
      return "host";
    case GraphLevel::kDomain:
      return "domain";
  }
  return "";
}

Result<GraphLevel> ParseGraphLevel(std::string_view name) {
  for (const GraphLevel level : kGraphLevels) {
    if (name == GraphLevelName(level)) return level;
  }
  return Status::InvalidArgument(
      fmt::format("'{}' is not a level of a graph: expected page, host or domain", name));
}

std::string_view GraphFileName(GraphLevel level) {
  switch (level) {
    case GraphLevel::kPage:
      return "pages";
    case GraphLevel::kHost:
      return "hosts";
    case GraphLevel::kDomain:
      return "domains";
  }
  return "";
}

std::string ReverseHost(std::string_view host) {
  if (web::IsIpLiteral(host)) return std::string(host);
  std::string reversed;
  reversed.reserve(host.size());
  for (;;) {
    const size_t dot = host.rfind('.');
    if (dot == std::string_view::npos) break;
    reversed += host.substr(dot + 1);
    reversed += '.';
    host = host.substr(0, dot);
  }
  reversed += host;
  return reversed;
}

std::string DisplayName(std::string_view form, std::string_view name) {
  if (form == kHostForm) return ReverseHost(name);
  if (form == kRowKeyForm) {
    const auto url = web::UrlOfRowKey(name);
    if (url.ok()) return std::string(url->href());
  }
  return std::string(name);
}

Result<std::string> NameOfText(std::string_view form, std::string_view text) {
  if (form == kHostForm) {
    if (text.find("://") == std::string_view::npos) return ReverseHost(text);
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    return ReverseHost(url.hostname());
  }
  if (form != kRowKeyForm) return std::string(text);
  CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
  return web::RowKey(url);
}

Result<std::string> HostNameOfRow(GraphLevel level, std::string_view row_key) {
  CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(row_key));
  std::string_view host = url.hostname();
  if (level == GraphLevel::kDomain) {
    const std::string_view domain = web::PublicSuffixList::BuiltIn().RegistrableDomain(host);
    if (!domain.empty()) host = domain;
  }
  return ReverseHost(host);
}

}  // namespace crivello::jobs
