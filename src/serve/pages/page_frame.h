// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "search/searcher.h"
#include "serve/http/http.h"
#include "serve/pages/facets.h"
#include "serve/pages/html_writer.h"
#include "serve/pages/search_form.h"

namespace crivello::serve {

// The frame around every page: the head, the bar with the search form, the footer.
struct PageFrame {
  std::string title;                       // of the window
  const SearchForm* form = nullptr;        // what the form shows; null: an empty one
  const Facets::Values* facets = nullptr;  // the choices of its filters; null: no filters
  std::string feed = {};                   // the same results as RSS, if available
  std::string_view script = {};            // an asset in addition to that of all pages
};

// Begins a page, up to and including <main>, with the given class.
HtmlWriter BeginPage(const PageFrame& frame, std::string_view main_class);
// The home page has no bar: its form is in the middle.
HtmlWriter BeginHomePage();
HttpResponse EndPage(HtmlWriter html, unsigned status = 200);

// The form's input and button.
void WriteSearchBox(HtmlWriter& html, const SearchForm& form, bool focus);

// A page that says what went wrong, with the status that fits.
HttpResponse ErrorPage(const Status& status);
HttpResponse MessagePage(unsigned status, std::string_view heading, std::string_view text);

// A text with the words of the query highlighted.
void WriteHighlighted(HtmlWriter& html, const search::HighlightedText& text);
// A URL as people read it: its host, then its folders.
void WriteCrumbs(HtmlWriter& html, std::string_view url);
// The target of the link to a page: the page, or its cached copy if it was imported without a URL.
std::string LiveTarget(std::string_view url);
// "URL", as a link to the live page.
void WriteLiveLink(HtmlWriter& html, std::string_view url, std::string_view text);

}  // namespace crivello::serve
