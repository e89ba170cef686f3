// SPDX-License-Identifier: Apache-2.0
// What a page allows: the directives of X-Robots-Tag fields and of <meta name=robots>.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace crivello::web {

struct RobotsDirectives {
  bool noindex = false;
  bool nofollow = false;
  bool noarchive = false;
  bool nosnippet = false;
  bool noimageindex = false;
  bool notranslate = false;
  bool indexifembedded = false;
  std::optional<int64_t> unavailable_after;  // seconds since 1970
  std::optional<int64_t> max_snippet;        // characters; -1: no limit
  std::optional<int64_t> max_video_preview;  // seconds; -1: no limit
  enum class ImagePreview : uint8_t { kUnset, kNone, kStandard, kLarge };
  ImagePreview max_image_preview = ImagePreview::kUnset;
};

// Adds the directives of a field or meta element to `directives`; of conflicting ones the stricter wins.
// "noindex, nofollow" applies to all agents; "otherbot: noindex" only to the agent of that product name, up
// to the next name or the end. `agent` is ours, in any case; `now` resolves two-digit years. Linear.
void AddRobotsDirectives(std::string_view value, std::string_view agent, int64_t now,
                         RobotsDirectives& directives);

}  // namespace crivello::web
