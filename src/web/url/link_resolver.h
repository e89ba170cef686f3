// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "charset/encoding.h"
#include "web/url/url.h"

namespace crivello::web {

// Resolves the links of one page as browsers do: relative to its <base>, with queries in its encoding.
// Immutable: thread-safe.
class LinkResolver {
 public:
  // `document` is the URL that the page came from, after redirects. If it is empty (not known), only absolute
  // links resolve. `base_href` is Page::base.
  LinkResolver(const Url& document, std::string_view base_href, charset::Encoding encoding);

  const Url& base() const { return base_; }

  // False, with `url` empty, if the link is not a valid URL. REQUIRES: `href` does not point into `url`.
  [[nodiscard]] bool Resolve(std::string_view href, Url* url) const {
    return url->Parse(href, base_.empty() ? nullptr : &base_, encoding_);
  }

 private:
  Url base_;
  charset::Encoding encoding_;
};

}  // namespace crivello::web
