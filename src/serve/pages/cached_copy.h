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

// A body as it was archived: codings undone.
struct ArchivedBody {
  std::string type;  // "text/html"
  std::string charset;
  std::string bytes;
};
ArchivedBody ReadArchivedBody(const PageRecord& record);

// An archived page as a page that can do nothing but be read: an element or attribute that is not known to be
// harmless is left out, and with it whatever runs, sends, loads or leads elsewhere by itself.  What is left
// is text, lists, tables, pictures that the page itself holds, and links, which lead to copies of ours where
// there are any (`archived` tells that of URLs, in order) and else to the live page.  In UTF-8, whatever it
// was in.  Linear in the page.
//
// This is the first of three lines: the document is also served with a policy of its own that forbids
// scripts, forms and requests, and is shown in a sandboxed frame.
using ArchivedUrls = std::function<std::vector<bool>(const std::vector<std::string>&)>;
std::string ReadableCopy(const ArchivedBody& body, const web::Url& url, const ArchivedUrls& archived);

// A text as such a page.
std::string ReadableText(std::string_view title, std::string_view text);

// The policy that such pages are served with.
inline constexpr std::string_view kCopyPolicy =
    "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

}  // namespace crivello::serve
