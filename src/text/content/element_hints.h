// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "html/html_tree.h"

namespace crivello::text {

// What an element's tag, role, class, id and microdata say of its content, as bits.  Authors name their
// elements for their own style sheets, so a hint is evidence, never proof: who uses one asks what text the
// element holds, too.
enum Hints : uint32_t {
  kNoHint = 0,
  kHintBody = 1 << 0,        // the text of an article, by a name that means just that
  kHintContent = 1 << 1,     // content of some sort
  kHintNavigation = 1 << 2,  // menus, breadcrumbs, pagers
  kHintFooter = 1 << 3,
  kHintHeader = 1 << 4,
  kHintComments = 1 << 5,
  kHintShare = 1 << 6,
  kHintRelated = 1 << 7,  // other pages, and why to read them
  kHintPromo = 1 << 8,    // newsletters, advertisements, cookies, paywalls
  kHintAside = 1 << 9,    // sidebars, widgets
  kHintByline = 1 << 10,  // author, date, tags
  kHintCaption = 1 << 11,
  kHintForm = 1 << 12,
  kHintUnseen = 1 << 13,   // for screen readers, printers, pop-ups
  kHintArticle = 1 << 14,  // <article> and what says the same
  kHintMain = 1 << 15,     // <main>
  kHintSection = 1 << 16,  // one of the sections of a longer text, as generators of documentation write them
};
inline constexpr uint32_t kCutHints = kHintNavigation | kHintFooter | kHintComments | kHintShare |
                                      kHintRelated | kHintPromo | kHintAside | kHintByline | kHintCaption |
                                      kHintForm | kHintUnseen;

// The hints of a page's elements.  A page repeats few names over many elements, so each value of an attribute
// is read once; it must stay where it is.  One thread at a time.
class HintReader {
 public:
  uint32_t Read(const html::Node& element);

  // Of a class or id alone: words parted by anything that is no letter or digit, and by camelCase.
  static uint32_t OfNames(std::string_view names);

 private:
  uint32_t Cached(std::string_view names);

  std::unordered_map<std::string_view, uint32_t> seen_;
};

}  // namespace crivello::text
