// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/content/html_document.h"
#include "text/content/site_template.h"

namespace crivello::text {

// The ways to tell what a page is about from its surroundings.
enum class ContentMethod : uint8_t {
  kSlope,     // the low-slope sections of the tag curve (slope.h)
  kDom,       // the elements (dom_filter.h)
  kTemplate,  // what the site does not repeat (site_template.h)
  kDefault,   // all of them
};
inline constexpr ContentMethod kContentMethods[] = {ContentMethod::kSlope, ContentMethod::kDom,
                                                    ContentMethod::kTemplate, ContentMethod::kDefault};
std::string_view ContentMethodName(ContentMethod method);

// For each block of the page why it is cut, kNone for what is main.  `site` may be null: then nothing is
// known to repeat.  Linear.
//
// The default takes what the elements leave, without what the site repeats.  Where the elements leave next to
// nothing of what the curve takes for text, it goes by the curve; and a page always keeps something, if it
// shows any text.
std::vector<CutReason> FindMainContent(const HtmlDocument& page, ContentMethod method,
                                       const SiteTemplate* site = nullptr);

// Sets `main` and `cut` of the blocks by the default method.
void MarkMainContent(HtmlDocument* page, const SiteTemplate* site = nullptr);

}  // namespace crivello::text
