// SPDX-License-Identifier: Apache-2.0
#include "web/url/link_resolver.h"

namespace crivello::web {

LinkResolver::LinkResolver(const Url& document, std::string_view base_href, charset::Encoding encoding)
    : base_(document), encoding_(encoding) {
  Url base;
  if (base_href.empty() || !base.Parse(base_href, document.empty() ? nullptr : &document, encoding)) return;
  // The standard does not allow these as base URLs.
  if (base.scheme() != "data" && base.scheme() != "javascript") base_ = std::move(base);
}

}  // namespace crivello::web
