// SPDX-License-Identifier: Apache-2.0
#include "policy/seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "web/url/canonical.h"

namespace crivello::policy {

namespace {

Result<web::Url> ParseTyped(std::string_view text, std::string_view what) {
  // "example.org:8080/x" parses as a URL with scheme "example.org", so a scheme must be followed by slashes.
  const bool has_scheme = text.find("://") != std::string_view::npos;
  const bool has_user = text.substr(0, text.find('/')).find('@') != std::string_view::npos;  // "mailto:a@b"
  Result<web::Url> url = web::CanonicalUrl(has_scheme ? std::string(text) : "https://" + std::string(text));
  if (!url.ok() || (has_user && !has_scheme))
    return Status::InvalidArgument(
        fmt::format("invalid {} '{}': expected an http:// or https:// URL", what, text));
  return url;
}

}  // namespace

Result<web::Url> UrlAsTyped(std::string_view text) { return ParseTyped(text, "URL"); }

Result<web::Url> SeedUrl(std::string_view text) { return ParseTyped(text, "seed"); }

Result<std::vector<std::string>> ReadSeedLines(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  std::vector<std::string> seeds;
  for (size_t at = 0, number = 1; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
    line.remove_suffix(line.size() - std::min(line.find_last_not_of(kSpace) + 1, line.size()));
    if (line.empty() || line.front() == '#') continue;
    const Result<web::Url> url = SeedUrl(line);
    if (!url.ok()) return url.status().WithContext(fmt::format("line {}", number));
    seeds.push_back(url->href());
  }
  return seeds;
}

}  // namespace crivello::policy
