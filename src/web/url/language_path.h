// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "web/url/url.h"

namespace crivello::web {

// Whether a URL is that of the first page of its host: the root, or an index file directly below it.
bool IsHomePage(const Url& url);

// Host, path and query of a URL without what names a language: "example.org/a.html" of
// https://de.example.org/a.html, https://example.org/de/a.html, https://example.org/a.de.html and
// https://example.org/a.html?lang=de.  Translations of one page on hosts or in folders of their own so have
// the same name.  Only what names the language of the page itself is left out: /it/ is a folder of Italian
// pages if its pages are in Italian.  "www." and the name of an index file are left out too.
//
// `language` is the page's as a BCP 47 code; if it is empty nothing is taken for a language.
std::string PathWithoutLanguage(const Url& url, std::string_view language);

}  // namespace crivello::web
