// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/content/html_document.h"
#include "text/content/site_template.h"

namespace crivello::text {

// Methods to separate a page's main content from its surroundings.
enum class ContentMethod : uint8_t {
  kSlope,     // the low-slope sections of the tag curve (slope.h)
  kDom,       // by the elements (dom_filter.h)
  kTemplate,  // by what the site does not repeat (site_template.h)
  kDefault,   // all of them combined
};
inline constexpr ContentMethod kContentMethods[] = {ContentMethod::kSlope, ContentMethod::kDom,
                                                    ContentMethod::kTemplate, ContentMethod::kDefault};
std::string_view ContentMethodName(ContentMethod method);

// For each block of the page, the reason why it is cut; kNone for main content. `site` may be null: then
// nothing is known to repeat. Linear.
//
// The default keeps what the elements leave, minus what the site repeats. If the elements leave almost
// nothing of what the curve considers text, the curve decides. A page that shows any text always keeps some
// of it.
std::vector<CutReason> FindMainContent(const HtmlDocument& page, ContentMethod method,
                                       const SiteTemplate* site = nullptr);

// Sets `main` and `cut` of the blocks by the default method.
void MarkMainContent(HtmlDocument* page, const SiteTemplate* site = nullptr);

}  // namespace crivello::text
