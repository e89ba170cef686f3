// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "web/url/url.h"

namespace crivello::web {

// Whether a URL is the home page of its host: the root, or an index file directly below it.
bool IsHomePage(const Url& url);

// Host, path and query of a URL without the parts that name a language: "example.org/a.html" for
// https://de.example.org/a.html, https://example.org/de/a.html, https://example.org/a.de.html and
// https://example.org/a.html?lang=de. So translations of a page on separate hosts or in separate folders get
// the same name. Only what names the page's own language is removed: /it/ is removed only if the page is in
// Italian. "www." and the name of an index file are removed too.
//
// `language` is the page's BCP 47 code; if it is empty, nothing is treated as a language.
std::string PathWithoutLanguage(const Url& url, std::string_view language);

}  // namespace crivello::web
