// SPDX-License-Identifier: Apache-2.0
#include "policy/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "policy/filter_predicates.h"
#include "web/url/public_suffix.h"

namespace crivello::policy {
namespace {

bool EndsWithAnyCase(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && EqualsIgnoringCase(text.substr(text.size() - suffix.size()), suffix);
}

// std::string_view::find is quadratic for a needle like "aaaa...ab"; memmem is linear.
size_t Find(std::string_view text, std::string_view needle) {
  if (needle.empty()) return 0;
  const void* at = ::memmem(text.data(), text.size(), needle.data(), needle.size());
  return at == nullptr ? std::string_view::npos
                       : static_cast<size_t>(static_cast<const char*>(at) - text.data());
}

bool IsInDomain(std::string_view host, std::string_view domain) {
  if (!host.ends_with(domain)) return false;
  return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

// A URL in Heritrix's sort order, from the host on: "org,example,www,)/path?query".
std::string SurtOf(const web::Url& url) {
  std::string surt;
  const std::string_view host = url.hostname();
  const bool is_address =
      host.starts_with('[') || host.find_first_not_of("0123456789.") == std::string_view::npos;
  if (is_address) {
    surt = std::string(host) + ",";  // not reversed
  } else {
    for (size_t end = host.size(); end != std::string_view::npos;) {
      const size_t dot = end == 0 ? std::string_view::npos : host.rfind('.', end - 1);
      const size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
      surt.append(host.substr(begin, end - begin)) += ',';
      end = dot;
    }
  }
  surt += ')';
  surt.append(url.pathname());
  if (url.query()) surt.append("?").append(*url.query());
  return surt;
}

// A prefix copied from Heritrix, with or without scheme and parenthesis in front.
std::string_view SurtPrefix(std::string_view word) {
  for (const std::string_view start : {"http://", "https://", "("}) {
    if (word.starts_with(start)) word.remove_prefix(start.size());
  }
  return word;
}

bool HasParameter(std::string_view query, std::string_view name) {
  for (size_t at = 0; at <= query.size();) {
    const size_t end = std::min(query.find('&', at), query.size());
    const std::string_view parameter = query.substr(at, end - at);
    if (parameter.substr(0, parameter.find('=')) == name) return true;
    at = end + 1;
  }
  return false;
}

// "/a/b/" has two.
uint64_t SegmentsIn(std::string_view path) {
  uint64_t segments = 0;
  for (size_t i = 0; i + 1 < path.size(); i++) segments += path[i] == '/' && path[i + 1] != '/' ? 1 : 0;
  return segments;
}

bool IsType(std::string_view type, std::string_view word) {
  if (word.ends_with("/*")) return type.starts_with(word.substr(0, word.size() - 1));
  return type == word;
}

bool IsLanguage(std::string_view language, std::string_view word) {
  return StartsWithIgnoringCase(language, word) &&
         (language.size() == word.size() || language[word.size()] == '-');
}

}  // namespace

std::string_view FilterPointName(FilterPoint point) {
  constexpr std::array<std::string_view, kFilterPoints> kNames = {"schedule", "fetch", "parse", "follow",
                                                                  "store"};
  return kNames[static_cast<size_t>(point)];
}

bool IsLike(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return text == pattern;
  // The text before the first star and after the last is anchored; each piece between is matched at its first
  // occurrence, which leaves the most for the others.
  const size_t last = pattern.rfind('*');
  const std::string_view tail = pattern.substr(last + 1);
  if (!text.starts_with(pattern.substr(0, star))) return false;
  text.remove_prefix(star);
  if (!text.ends_with(tail)) return false;
  text.remove_suffix(tail.size());
  for (size_t at = star + 1; at <= last;) {
    const size_t end = pattern.find('*', at);
    const std::string_view piece = pattern.substr(at, end - at);
    const size_t found = Find(text, piece);
    if (found == std::string_view::npos) return false;
    text.remove_prefix(found + piece.size());
    at = end + 1;
  }
  return true;
}

bool Filter::Holds(const Test& test, const FilterInput& input) const {
  const web::Url& url = *input.url;
  const auto in_range = [&](uint64_t value) { return value >= test.low && value <= test.high; };
  switch (test.op) {
    case Op::kHost:
      return AnyWord(test, [&](std::string_view word) { return url.hostname() == word; });
    case Op::kHostEndsWith:
      return AnyWord(test, [&](std::string_view word) { return url.hostname().ends_with(word); });
    case Op::kDomain:
      return AnyWord(test, [&](std::string_view word) { return IsInDomain(url.hostname(), word); });
    case Op::kScheme:
      return AnyWord(test, [&](std::string_view word) { return url.scheme() == word; });
    case Op::kPort:
      return in_range(url.effective_port());
    case Op::kPathStartsWith:
      return AnyWord(test, [&](std::string_view word) { return url.pathname().starts_with(word); });
    case Op::kPathContains:
      return AnyWord(
          test, [&](std::string_view word) { return Find(url.pathname(), word) != std::string_view::npos; });
    case Op::kPathEndsWith:
      return AnyWord(test, [&](std::string_view word) { return EndsWithAnyCase(url.pathname(), word); });
    case Op::kUrlLike:
      return AnyWord(test, [&](std::string_view word) { return IsLike(word, url.href()); });
    case Op::kQuery:
      return url.query().has_value();
    case Op::kParameter:
      return url.query().has_value() &&
             AnyWord(test, [&](std::string_view word) { return HasParameter(*url.query(), word); });
    case Op::kDepth:
      return in_range(input.depth);
    case Op::kUrlLength:
      return in_range(url.href().size());
    case Op::kSegments:
      return in_range(SegmentsIn(url.pathname()));
    case Op::kSameHost:
      return input.from == nullptr || input.from->hostname() == url.hostname();
    case Op::kSameDomain: {
      if (input.from == nullptr || input.from->hostname() == url.hostname()) return true;
      const auto& suffixes = web::PublicSuffixList::BuiltIn();
      const std::string_view domain = suffixes.RegistrableDomain(url.hostname());
      return !domain.empty() && domain == suffixes.RegistrableDomain(input.from->hostname());
    }
    case Op::kStatus:
      return input.status >= 0 && in_range(static_cast<uint64_t>(input.status));
    case Op::kType:
      return AnyWord(test, [&](std::string_view word) { return IsType(input.type, word); });
    case Op::kLength:
      return in_range(input.length);
    case Op::kLanguage:
      return AnyWord(test, [&](std::string_view word) { return IsLanguage(input.language, word); });
    case Op::kTextLength:
      return in_range(input.text_length);
    case Op::kDuplicate:
      return input.duplicate;
    case Op::kSurt: {
      const std::string surt = SurtOf(url);
      return AnyWord(test, [&](std::string_view word) { return surt.starts_with(SurtPrefix(word)); });
    }
  }
  return false;
}

Filter::Verdict Filter::Judge(const FilterInput& input) const {
  std::string_view because;
  int32_t at = start_;
  while (at >= 0) {
    const Test& test = tests_[static_cast<size_t>(at)];
    because = std::string_view(text_).substr(test.text_at, test.text_bytes);
    at = Holds(test, input) ? test.if_true : test.if_false;
  }
  return {.accepted = at == kAccept, .because = because};
}

Status Filters::Add(std::string_view option) {
  const size_t equals = option.find('=');
  for (size_t i = 0; i < kFilterPoints && equals != std::string_view::npos; i++) {
    const auto point = static_cast<FilterPoint>(i);
    if (option.substr(0, equals) != FilterPointName(point)) continue;
    CRV_ASSIGN(Filter filter, Filter::Parse(point, option.substr(equals + 1)));
    if (!at[i].accepts_all()) {
      const std::string both = fmt::format("({}) and ({})", at[i].text(), filter.text());
      CRV_ASSIGN(filter, Filter::Parse(point, both));
    }
    at[i] = std::move(filter);
    return Status::Ok();
  }
  return Status::InvalidArgument(fmt::format(
      "a filter is POINT=EXPRESSION, with schedule, fetch, parse, follow or store for POINT; found: {:.60}",
      option));
}

}  // namespace crivello::policy
