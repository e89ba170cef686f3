// SPDX-License-Identifier: Apache-2.0
#include "policy/exclusions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/atomic_file.h"
#include "base/file_system.h"
#include "policy/seed.h"

namespace crivello::policy {
namespace {

constexpr std::string_view kFileName = "/exclusions.txt";

}  // namespace

std::string_view Exclusion::kind_name() const {
  switch (kind) {
    case Kind::kHost:
      return "host";
    case Kind::kPrefix:
      return "prefix";
    case Kind::kFilter:
      break;
  }
  return "filter";
}

Result<Exclusion> Exclusion::Parse(std::string_view kind, std::string_view text) {
  text = TrimAsciiSpace(text);
  if (text.find('\n') != std::string_view::npos || text.empty()) {
    return Status::InvalidArgument("invalid exclusion: expected one line that is not empty");
  }
  if (kind == "host") {
    CRV_ASSIGN(const web::Url url, SeedUrl(text));
    return Exclusion{Kind::kHost, std::string(url.hostname())};
  }
  if (kind == "prefix") {
    CRV_ASSIGN(const web::Url url, SeedUrl(text));
    if (url.href().find('*') != std::string::npos) {
      return Status::InvalidArgument(url.href() + ": a prefix has no *; a filter can say url_like(…)");
    }
    return Exclusion{Kind::kPrefix, url.href()};
  }
  if (kind != "filter") {
    return Status::InvalidArgument(
        fmt::format("invalid exclusion '{:.60}': expected host, prefix or filter", kind));
  }
  CRV_ASSIGN(const Filter filter, Filter::Parse(FilterPoint::kFetch, text));
  if (filter.accepts_all()) return Status::InvalidArgument("refused: this exclusion matches every URL");
  return Exclusion{Kind::kFilter, filter.text()};
}

Result<Exclusion> Exclusion::ParseLine(std::string_view line) {
  const size_t space = std::min(line.find(' '), line.size());
  return Parse(line.substr(0, space), line.substr(space));
}

std::string Exclusion::Line() const { return fmt::format("{} {}", kind_name(), text); }

Result<Filter> Exclusion::ToFilter() const {
  switch (kind) {
    case Kind::kHost:
      return Filter::Parse(FilterPoint::kFetch, fmt::format("host({})", DoubleQuoted(text)));
    case Kind::kPrefix:
      return Filter::Parse(FilterPoint::kFetch, fmt::format("url_like({})", DoubleQuoted(text + "*")));
    case Kind::kFilter:
      break;
  }
  return Filter::Parse(FilterPoint::kFetch, text);
}

Result<std::vector<Exclusion>> ReadExclusions(const std::string& collection) {
  std::vector<Exclusion> exclusions;
  const Result<std::string> text = ReadFile(collection + std::string(kFileName));
  if (text.status().code() == StatusCode::kNotFound) return exclusions;
  CRV_TRY(text.status());
  std::string_view rest = *text;
  for (uint64_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.front() == '#') continue;
    auto exclusion = Exclusion::ParseLine(line);
    if (!exclusion.ok()) {
      return Status::InvalidArgument(
          fmt::format("{}{}:{}: {}", collection, kFileName, number, exclusion.status().message()));
    }
    exclusions.push_back(*std::move(exclusion));
  }
  return exclusions;
}

Status WriteExclusions(const std::string& collection, const std::vector<Exclusion>& exclusions) {
  std::string text;
  for (const Exclusion& exclusion : exclusions) text += exclusion.Line() + "\n";
  return WriteFileAtomically(collection + std::string(kFileName), AsBytes(text));
}

Status AddExclusions(const std::vector<Exclusion>& exclusions, Filters* filters) {
  if (exclusions.empty()) return Status::Ok();
  std::string any;
  for (const Exclusion& exclusion : exclusions) {
    CRV_ASSIGN(const Filter filter, exclusion.ToFilter());
    any += fmt::format("{}({})", any.empty() ? "" : " or ", filter.text());
  }
  // Everything that can be tested about a URL at one point can be tested at the other.
  CRV_TRY(filters->Add(fmt::format("schedule=not ({})", any)));
  return filters->Add(fmt::format("fetch=not ({})", any));
}

}  // namespace crivello::policy
