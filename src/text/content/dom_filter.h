// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "text/content/html_document.h"

namespace crivello::text {

// Main content by the elements of the page (after Gupta et al., WWW 2003; the candidates of Readability, the
// names of trafilatura): for each block why it is cut, or kNone.
//
//   1. Parts whose names, tags or looks say that they are surroundings are cut, unless they hold the better
//      part of the page's text: a name is a hint, and <body class="with-sidebar"> is one, too.
//   2. From the body, descend into the child that holds nearly all text that is left; what names itself the
//      text of the article is preferred.  What stays outside is cut, but for neighbours that read the same.
//   3. Inside, lists of links and lines without a sentence at the edges go.
//
// A page of links, of one line, of code or of a table has no paragraphs: then whatever is not cut by 1 stays.
// Linear in parts and blocks.
std::vector<CutReason> FilterByDom(const HtmlDocument& page);

}  // namespace crivello::text
