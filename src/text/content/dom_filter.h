// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "text/content/html_document.h"

namespace crivello::text {

// Main content by the elements of the page (after Gupta et al., WWW 2003; the candidates of Readability, the
// names of trafilatura). For each block, the reason why it is cut, or kNone.
//
//   1. Parts that are surroundings by their names, tags or appearance are cut, unless they hold most of the
//      page's text: a name is only a hint, and <body class="with-sidebar"> is one, too.
//   2. From the body, descend into the child that holds nearly all of the remaining text, preferring a child
//      that calls itself the article's text.  What stays outside is cut, except neighbours that read alike.
//   3. Inside, lists of links, and lines at the edges without a sentence, are cut.
//
// A page of links, of one line, of code or of a table has no paragraphs: then everything that 1 does not cut
// stays. Linear in parts and blocks.
std::vector<CutReason> FilterByDom(const HtmlDocument& page);

}  // namespace crivello::text
