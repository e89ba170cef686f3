// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "html/html_tree.h"

namespace crivello::text {

// What an element's tag, role, class, id and microdata suggest about its content, as bits. Authors name
// elements for their own style sheets, so a hint is evidence, not proof: users of a hint also check the
// element's text.
enum Hints : uint32_t {
  kNoHint = 0,
  kHintBody = 1 << 0,        // the text of an article, by an unambiguous name
  kHintContent = 1 << 1,     // content of some kind
  kHintNavigation = 1 << 2,  // menus, breadcrumbs, pagers
  kHintFooter = 1 << 3,
  kHintHeader = 1 << 4,
  kHintComments = 1 << 5,
  kHintShare = 1 << 6,
  kHintRelated = 1 << 7,  // links to other pages, with teasers
  kHintPromo = 1 << 8,    // newsletters, advertisements, cookies, paywalls
  kHintAside = 1 << 9,    // sidebars, widgets
  kHintByline = 1 << 10,  // author, date, tags
  kHintCaption = 1 << 11,
  kHintForm = 1 << 12,
  kHintUnseen = 1 << 13,   // for screen readers, printers, pop-ups
  kHintArticle = 1 << 14,  // <article> or an equivalent
  kHintMain = 1 << 15,     // <main>
  kHintSection = 1 << 16,  // a section of a longer text, as written by documentation generators
};
inline constexpr uint32_t kCutHints = kHintNavigation | kHintFooter | kHintComments | kHintShare |
                                      kHintRelated | kHintPromo | kHintAside | kHintByline | kHintCaption |
                                      kHintForm | kHintUnseen;

// Reads the hints of a page's elements. Many elements share few names, so each distinct attribute value is
// parsed only once; the attribute values must stay in place. One thread at a time.
class HintReader {
 public:
  uint32_t Read(const html::Node& element);

  // The hints of a class or id alone: words separated by non-alphanumeric characters and by camelCase.
  static uint32_t OfNames(std::string_view names);

 private:
  uint32_t Cached(std::string_view names);

  std::unordered_map<std::string_view, uint32_t> seen_;
};

}  // namespace crivello::text
