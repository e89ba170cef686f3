// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "charset/encoding.h"
#include "web/url/url.h"

namespace crivello::web {

// Makes URLs of the links of one page as browsers do: relative to its <base>, queries in its encoding.
// Immutable: thread-safe.
class LinkResolver {
 public:
  // `document` is where the page came from, after redirects; empty if that is not known, and then only
  // absolute links resolve.  `base_href` is Page::base.
  LinkResolver(const Url& document, std::string_view base_href, charset::Encoding encoding);

  const Url& base() const { return base_; }

  // False, and `url` empty, if the link gives no URL.  REQUIRES: `href` is no part of `url`.
  [[nodiscard]] bool Resolve(std::string_view href, Url* url) const {
    return url->Parse(href, base_.empty() ? nullptr : &base_, encoding_);
  }

 private:
  Url base_;
  charset::Encoding encoding_;
};

}  // namespace crivello::web
