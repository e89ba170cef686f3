// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "web/feed_internal.h"

namespace crivello::web {
namespace {

// The length of "scheme:", 0 if there is none.
size_t SchemeSize(std::string_view s) {
  for (size_t i = 0; i < s.size(); i++) {
    const char c = s[i];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c == ':') return i == 0 ? 0 : i + 1;
    if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) return 0;
  }
  return 0;
}

// RFC 3986, section 5.2.4.
std::string RemoveDotSegments(std::string_view path) {
  std::string out;
  const bool absolute = path.starts_with("/");
  if (absolute) path.remove_prefix(1);
  // `out` ends with '/' or is empty before each segment.
  while (true) {
    const size_t slash = path.find('/');
    const bool last = slash == std::string_view::npos;
    const std::string_view segment = path.substr(0, slash);
    if (segment == "..") {
      if (!out.empty()) out.pop_back();
      out.resize(out.rfind('/') + 1);  // npos + 1 is 0
    } else if (segment != ".") {
      out.append(segment);
      if (!last) out.push_back('/');
    }
    if (last) break;
    path.remove_prefix(slash + 1);
  }
  return absolute ? "/" + out : out;
}

}  // namespace

std::string JoinReference(std::string_view base, std::string_view reference) {
  const std::string clean = internal::CleanUrl(reference);
  const std::string_view ref = clean;
  if (base.empty() || SchemeSize(ref) > 0) return clean;
  base = base.substr(0, base.find('#'));
  if (ref.empty()) return std::string(base);
  const size_t scheme = SchemeSize(base);
  const std::string_view after_scheme = base.substr(scheme);
  if (ref.starts_with("//")) return std::string(base.substr(0, scheme)) + clean;
  size_t authority = 0;
  if (after_scheme.starts_with("//"))
    authority = std::min(after_scheme.size(), after_scheme.find_first_of("/?", 2));
  const std::string root(base.substr(0, scheme + authority));
  std::string_view path = after_scheme.substr(authority);
  const std::string_view base_query =
      path.find('?') == std::string_view::npos ? "" : path.substr(path.find('?'));
  path = path.substr(0, path.find('?'));
  if (ref.starts_with("#")) return root + std::string(path) + std::string(base_query) + clean;
  if (ref.starts_with("?")) return root + std::string(path) + clean;
  const size_t suffix = std::min(ref.size(), ref.find_first_of("?#"));
  std::string merged(ref.substr(0, suffix));
  if (!ref.starts_with("/")) {
    const size_t slash = path.rfind('/');
    merged.insert(0, slash == std::string_view::npos ? std::string_view("/") : path.substr(0, slash + 1));
  }
  return root + RemoveDotSegments(merged) + clean.substr(suffix);
}

}  // namespace crivello::web
