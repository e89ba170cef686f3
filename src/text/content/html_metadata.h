// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "html/html_tree.h"
#include "text/formats/document.h"

namespace crivello::text {

// Fills title, author, site, description, language and date of publication of a document from what a page
// says of itself: <title>, meta elements (Open Graph, Dublin Core, and their kin), JSON-LD, microdata,
// <time>, the first headings, and as a last resort the URL for the date.  Linear, no recursion.
void ReadHtmlMetadata(const html::HtmlTree& tree, std::string_view url, Document* document);

// A title without the name of the site at its end or start, where there is one: "Rain - The Daily" of the
// site "The Daily", or of a page with the heading "Rain".
std::string TitleWithoutSite(std::string_view title, std::string_view site, std::string_view heading);

// The value of the first `"name": "string"` in JSON, unescaped, or "".  Takes JSON that is none, too: pages
// hold trailing commas and raw newlines.  Of a value that is an object or list, the first "name" or string in
// it.
std::string JsonValue(std::string_view json, std::string_view name);

}  // namespace crivello::text
