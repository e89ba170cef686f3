// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "html/html_tree.h"

namespace crivello::text {

// What an element's attributes and inline style say about its appearance. Style sheets are not read.
struct ElementStyle {
  bool hidden = false;            // hidden, display: none, visibility: hidden, font-size: 0
  bool pinned = false;            // position: fixed or sticky: it stays on the screen while the text scrolls
  std::optional<uint32_t> color;  // 0xrrggbb
  std::optional<uint32_t> background;  // 0xrrggbb
};

// Linear in the attributes; an element without attributes costs nothing.
ElementStyle ReadStyle(const html::Node& element);

// A colour in the common notations of attributes and CSS: #rgb, #rrggbb, rgb(1, 2, 3), and the names that are
// used to hide text.
std::optional<uint32_t> ParseColor(std::string_view text);

}  // namespace crivello::text
