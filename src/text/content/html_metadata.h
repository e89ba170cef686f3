// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "html/html_tree.h"
#include "text/formats/document.h"

namespace crivello::text {

// Fills in a document's title, author, site, description, language and publication date from the page's
// metadata: <title>, meta elements (Open Graph, Dublin Core and the like), JSON-LD, microdata, <time>, the
// first headings and, as a last resort for the date, the URL. Linear, no recursion.
void ReadHtmlMetadata(const html::HtmlTree& tree, std::string_view url, Document* document);

// Removes the site's name from the end or start of a title: "Rain - The Daily" becomes "Rain" if the site is
// "The Daily", or if the page has the heading "Rain".
std::string TitleWithoutSite(std::string_view title, std::string_view site, std::string_view heading);

// The value of the first `"name": "string"` in JSON, unescaped, or "". Accepts malformed JSON, because pages
// contain trailing commas and raw newlines. If the value is an object or list, returns the first "name" or
// string in it.
std::string JsonValue(std::string_view json, std::string_view name);

}  // namespace crivello::text
