// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_robots_tag.h"

#include <algorithm>

#include "web/http/date_parse.h"
#include "web/http/http_date.h"
#include "web/http/http_syntax.h"

namespace crivello::web {
namespace {

using internal::TrimHttpSpace;

// The smaller of two limits, where -1 means no limit.
void Restrict(std::optional<int64_t>& limit, std::string_view text) {
  int64_t value = -1;
  if (text != "-1") {
    const auto number = internal::ParseDigits(text);
    if (!number) return;
    value = static_cast<int64_t>(std::min<uint64_t>(*number, INT32_MAX));
  }
  if (!limit || *limit == -1 || (value != -1 && value < *limit)) limit = value;
}

void Restrict(RobotsDirectives::ImagePreview& preview, std::string_view text) {
  using ImagePreview = RobotsDirectives::ImagePreview;
  ImagePreview value = ImagePreview::kUnset;
  if (EqualsIgnoringCase(text, "none")) value = ImagePreview::kNone;
  if (EqualsIgnoringCase(text, "standard")) value = ImagePreview::kStandard;
  if (EqualsIgnoringCase(text, "large")) value = ImagePreview::kLarge;
  if (value == ImagePreview::kUnset) return;
  preview = preview == ImagePreview::kUnset ? value : std::min(preview, value);
}

bool AddPlain(std::string_view name, RobotsDirectives& d) {
  const auto is = [&](std::string_view directive) { return EqualsIgnoringCase(name, directive); };
  if (is("noindex")) return d.noindex = true;
  if (is("nofollow")) return d.nofollow = true;
  if (is("none")) return d.noindex = d.nofollow = true;
  if (is("noarchive") || is("nocache")) return d.noarchive = true;
  if (is("nosnippet")) return d.nosnippet = true;
  if (is("noimageindex")) return d.noimageindex = true;
  if (is("notranslate")) return d.notranslate = true;
  if (is("indexifembedded")) return d.indexifembedded = true;
  return is("all") || is("index") || is("follow");
}

bool HasArgument(std::string_view name) {
  for (const std::string_view directive :
       {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}) {
    if (EqualsIgnoringCase(name, directive)) return true;
  }
  return false;
}

void AddWithArgument(std::string_view name, std::string_view argument, int64_t now, RobotsDirectives& d) {
  if (EqualsIgnoringCase(name, "max-snippet")) return Restrict(d.max_snippet, argument);
  if (EqualsIgnoringCase(name, "max-video-preview")) return Restrict(d.max_video_preview, argument);
  if (EqualsIgnoringCase(name, "max-image-preview")) return Restrict(d.max_image_preview, argument);
  auto date = ParseHttpDate(argument, now);
  if (!date) date = ParseDate(argument);  // also accepts 2030-06-25, or a missing weekday
  if (date) {
    d.unavailable_after = d.unavailable_after ? std::min(*d.unavailable_after, *date) : *date;
  }
}

}  // namespace

void AddRobotsDirectives(std::string_view value, std::string_view agent, int64_t now,
                         RobotsDirectives& directives) {
  bool ours = true;
  for (size_t at = 0; at < value.size();) {
    std::string_view item = value.substr(at, value.find(',', at) - at);
    at += item.size() + 1;
    size_t colon = item.find(':');
    std::string_view name = TrimHttpSpace(item.substr(0, colon));
    if (colon != std::string_view::npos && !HasArgument(name)) {
      // "agent: directive"
      ours = EqualsIgnoringCase(name, agent);
      item = item.substr(colon + 1);
      colon = item.find(':');
      name = TrimHttpSpace(item.substr(0, colon));
    }
    if (colon == std::string_view::npos) {
      if (ours) AddPlain(name, directives);
      continue;
    }
    std::string_view argument = item.substr(colon + 1);
    if (EqualsIgnoringCase(name, "unavailable_after") && at < value.size() &&
        argument.find_first_of("0123456789") == std::string_view::npos) {
      // "Sunday, 06-Nov-94 08:49:37 GMT": the comma after the weekday does not separate directives.
      const size_t begin = static_cast<size_t>(argument.data() - value.data());
      at = std::min(value.find(',', at), value.size() - 1) + 1;
      argument = value.substr(begin, at - begin);
      while (!argument.empty() && (argument.back() == ',' || argument.back() == ' '))
        argument.remove_suffix(1);
    }
    if (ours) AddWithArgument(name, TrimHttpSpace(argument), now, directives);
  }
}

}  // namespace crivello::web
