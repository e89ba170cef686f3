// SPDX-License-Identifier: Apache-2.0
#include "policy/contact.h"

#include <fmt/format.h>

#include "web/url/canonical.h"

namespace crivello::policy {
namespace {

constexpr std::string_view kMailto = "mailto:";
constexpr size_t kMostContactBytes = 254;  // of a mail address (RFC 5321), and enough for a URL

bool IsIn(char c, std::string_view others) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         others.find(c) != std::string_view::npos;
}

// The dot-atom of RFC 5322, and a name of DNS; no quoted local parts.
bool IsMailAddress(std::string_view text) {
  const size_t at = text.find('@');
  if (at == 0 || at == std::string_view::npos || at + 1 == text.size()) return false;
  const auto is_dotted = [](std::string_view part, std::string_view others) {
    if (part.front() == '.' || part.back() == '.' || part.find("..") != std::string_view::npos) return false;
    for (const char c : part) {
      if (!IsIn(c, others)) return false;
    }
    return true;
  };
  return is_dotted(text.substr(0, at), "!#$%&'*+/=?^_`{|}~.-") && is_dotted(text.substr(at + 1), ".-");
}

}  // namespace

Result<std::string> ParseContact(std::string_view text) {
  if (text.size() <= kMostContactBytes) {
    const bool has_mailto = text.starts_with(kMailto);
    const std::string_view address = has_mailto ? text.substr(kMailto.size()) : text;
    if (IsMailAddress(address)) return fmt::format("{}{}", kMailto, address);
    const bool is_web = text.starts_with("http://") || text.starts_with("https://");
    if (const auto url = web::CanonicalUrl(text); is_web && url.ok()) return std::string(url->href());
  }
  return Status::InvalidArgument(fmt::format(
      "invalid contact '{}': expected an e-mail address (you@your.site) or an http:// or https:// URL",
      text));
}

}  // namespace crivello::policy
