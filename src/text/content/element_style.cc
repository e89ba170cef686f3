// SPDX-License-Identifier: Apache-2.0
#include "text/content/element_style.h"

#include <algorithm>

#include "base/ascii.h"

namespace crivello::text {
namespace {

// Takes the text before `end` off the rest, together with `end`.
std::string_view TakeUntil(std::string_view& rest, char end) {
  const size_t at = std::min(rest.find(end), rest.size());
  const std::string_view taken = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return taken;
}

// "0", "0px", "0.0em": a length of zero.
bool IsZero(std::string_view value) {
  bool digit = false;
  for (const char c : value) {
    if (c == '0') {
      digit = true;
    } else if (c != '.') {
      return digit && !IsAsciiDigit(c);
    }
  }
  return digit;
}

void ReadDeclarations(std::string_view css, ElementStyle* style) {
  while (!css.empty()) {
    std::string_view declaration = TakeUntil(css, ';');
    const std::string_view name = TrimAsciiSpace(TakeUntil(declaration, ':'));
    const std::string_view value = TrimAsciiSpace(declaration);
    if (EqualsIgnoringCase(name, "display")) {
      style->hidden |= StartsWithIgnoringCase(value, "none");
    } else if (EqualsIgnoringCase(name, "visibility")) {
      style->hidden |= StartsWithIgnoringCase(value, "hidden");
    } else if (EqualsIgnoringCase(name, "font-size")) {
      style->hidden |= IsZero(value);
    } else if (EqualsIgnoringCase(name, "position")) {
      style->pinned = StartsWithIgnoringCase(value, "fixed") || StartsWithIgnoringCase(value, "sticky");
    } else if (EqualsIgnoringCase(name, "color")) {
      style->color = ParseColor(value);
    } else if (EqualsIgnoringCase(name, "background-color") || EqualsIgnoringCase(name, "background")) {
      style->background = ParseColor(value);
    }
  }
}

}  // namespace

std::optional<uint32_t> ParseColor(std::string_view text) {
  text = TrimAsciiSpace(text);
  if (text.starts_with('#')) {
    uint32_t value = 0;
    size_t digits = 0;
    for (size_t i = 1; i < text.size() && HexValue(text[i]) >= 0; ++i, ++digits) {
      value = value << 4 | static_cast<uint32_t>(HexValue(text[i]));
    }
    if (digits == 6) return value;
    if (digits != 3) return std::nullopt;
    return (value >> 8 & 15) * 0x110000 | (value >> 4 & 15) * 0x1100 | (value & 15) * 0x11;
  }
  if (StartsWithIgnoringCase(text, "rgb(")) {
    uint32_t value = 0;
    text.remove_prefix(4);
    for (int i = 0; i < 3; ++i) {
      const std::string_view part = TrimAsciiSpace(TakeUntil(text, i < 2 ? ',' : ')'));
      if (part.empty() || part.size() > 3 || !std::all_of(part.begin(), part.end(), IsAsciiDigit))
        return std::nullopt;
      uint32_t channel = 0;
      for (const char c : part) channel = channel * 10 + static_cast<uint32_t>(c - '0');
      value = value << 8 | std::min(channel, 255u);
    }
    return value;
  }
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view name = text.substr(0, end);
  if (EqualsIgnoringCase(name, "white")) return 0xffffff;
  if (EqualsIgnoringCase(name, "black")) return 0x000000;
  if (EqualsIgnoringCase(name, "red")) return 0xff0000;
  if (EqualsIgnoringCase(name, "blue")) return 0x0000ff;
  if (EqualsIgnoringCase(name, "yellow")) return 0xffff00;
  if (EqualsIgnoringCase(name, "green")) return 0x008000;
  if (EqualsIgnoringCase(name, "gray") || EqualsIgnoringCase(name, "grey")) return 0x808080;
  return std::nullopt;
}

ElementStyle ReadStyle(const html::Node& element) {
  ElementStyle style;
  for (const html::TreeAttribute& attribute : element.attributes()) {
    if (attribute.name == "style") {
      ReadDeclarations(attribute.value, &style);
    } else if (attribute.name == "hidden") {
      style.hidden |= !EqualsIgnoringCase(attribute.value, "until-found");
    } else if (attribute.name == "bgcolor") {
      style.background = ParseColor(attribute.value);
    } else if (attribute.name == "color" || attribute.name == "text") {
      style.color = ParseColor(attribute.value);
    }
  }
  return style;
}

}  // namespace crivello::text
