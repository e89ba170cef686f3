// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/api/page_source.h"
#include "web/http/http_message.h"
#include "web/url/url.h"

namespace crivello::serve {

// An archived body with its content codings decoded.
struct ArchivedBody {
  std::string type;  // "text/html"
  std::string charset;
  std::string bytes;
};
ArchivedBody ReadArchivedBody(const PageRecord& record);

// Turns an archived page into one that can only be read: it drops every element or attribute that is not
// known to be harmless, and so everything that runs, sends, loads or leads elsewhere by itself.  What remains
// is text, lists, tables, pictures embedded in the page, and links.  Links lead to our copies where they
// exist (`archived` says so for URLs, in order), and otherwise to the live page.  The output is UTF-8.
// Linear in the page.
//
// This is the first of three defences: the document is also served with its own policy, which forbids
// scripts, forms and requests, and is shown in a sandboxed frame.
using ArchivedUrls = std::function<std::vector<bool>(const std::vector<std::string>&)>;
std::string ReadableCopy(const ArchivedBody& body, const web::Url& url, const ArchivedUrls& archived);

// A plain text as such a page.
std::string ReadableText(std::string_view title, std::string_view text);

// The Content-Security-Policy of these pages.
inline constexpr std::string_view kCopyPolicy =
    "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

}  // namespace crivello::serve
