// SPDX-License-Identifier: Apache-2.0
#include "web/url/language_path.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "web/url/public_suffix.h"

namespace crivello::web {
namespace {

// What sites write for a language instead of its code: mostly the code of a country.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"jp", "ja"}, {"cz", "cs"}, {"dk", "da"}, {"gr", "el"}, {"se", "sv"}, {"kr", "ko"}, {"ua", "uk"},
    {"cn", "zh"}, {"tw", "zh"}, {"br", "pt"}, {"no", "nb"}, {"no", "nn"}, {"nb", "no"}, {"nn", "no"}};
constexpr std::array<std::string_view, 5> kParameters = {"lang", "language", "locale", "hl", "setlang"};

// Whether a piece of a URL is the code of this language, such as "pt", "pt-br" or "zh_TW".
bool Names(std::string_view piece, std::string_view language) {
  if (piece.size() < 2 || piece.size() > 7) return false;
  const std::string_view primary = piece.substr(0, piece.find_first_of("-_"));
  if (primary.size() < piece.size()) {
    const std::string_view rest = piece.substr(primary.size() + 1);
    const bool is_region = (rest.size() == 2 || rest.size() == 4) &&
                           std::all_of(rest.begin(), rest.end(), [](char c) { return IsAsciiAlpha(c); });
    if (!is_region) return false;
  }
  const std::string_view own = language.substr(0, language.find('-'));
  if (EqualsIgnoringCase(primary, own)) return true;
  return std::any_of(std::begin(kOtherNames), std::end(kOtherNames), [&](const auto& other) {
    return EqualsIgnoringCase(primary, other.first) && own == other.second;
  });
}

// Removes the pieces between separators that name the language, and joins the rest again.
std::string WithoutPieces(std::string_view text, char separator, std::string_view language) {
  std::string out;
  bool first = true;
  while (true) {
    const size_t end = std::min(text.find(separator), text.size());
    const std::string_view piece = text.substr(0, end);
    if (language.empty() || !Names(piece, language)) {
      if (!first) out += separator;
      out += piece;
      first = false;
    }
    if (end == text.size()) return out;
    text.remove_prefix(end + 1);
  }
}

std::string HostWithoutLanguage(std::string_view host, std::string_view language) {
  const std::string_view domain = PublicSuffixList::BuiltIn().RegistrableDomain(host);
  std::string out;
  if (!domain.empty() && domain.size() < host.size()) {
    out = WithoutPieces(host.substr(0, host.size() - domain.size() - 1), '.', language);
    if (!out.empty()) out += '.';
    out += domain;
  } else {
    out = host;
  }
  if (out.starts_with("www.")) out.erase(0, 4);
  return out;
}

std::string QueryWithoutLanguage(std::string_view query, std::string_view language) {
  std::string out;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const size_t equal = std::min(pair.find('='), pair.size());
    const bool is_parameter =
        std::find(kParameters.begin(), kParameters.end(), pair.substr(0, equal)) != kParameters.end();
    if (is_parameter && equal < pair.size() && Names(pair.substr(equal + 1), language)) continue;
    if (!out.empty()) out += '&';
    out += pair;
  }
  return out;
}

}  // namespace

bool IsHomePage(const Url& url) {
  const std::string_view path = url.pathname();
  if (!url.search().empty()) return false;
  if (path.empty() || path == "/") return true;
  return path.find('/', 1) == std::string_view::npos &&
         (path.starts_with("/index.") || path.starts_with("/home.") || path.starts_with("/default."));
}

std::string PathWithoutLanguage(const Url& url, std::string_view language) {
  std::string out = HostWithoutLanguage(url.hostname(), language);
  const std::string_view path = url.pathname();
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  out += WithoutPieces(path.substr(0, name), '/', language);
  const std::string file = WithoutPieces(path.substr(name), '.', language);
  if (!file.starts_with("index.")) out += file;
  std::string_view search = url.search();
  if (search.starts_with('?')) search.remove_prefix(1);
  const std::string query = language.empty() ? std::string(search) : QueryWithoutLanguage(search, language);
  return query.empty() ? out : out + "?" + query;
}

}  // namespace crivello::web
