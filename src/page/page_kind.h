// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/cells.h"
#include "text/formats/document.h"
#include "web/url/url.h"

namespace crivello::page {

// What sort of page it is:
//   error    its title or its first heading says that there is no such page, and there is little else
//   listing  its title says that it lists a folder; or six tenths of its content, menus left out, are links
//   home     the first page of its host
//   article  at least kArticleBytes of text outside of links
//   other    less than that
// in this order.  Linear in the number of blocks.
inline constexpr size_t kArticleBytes = 250;
store::PageKind KindOfPage(const web::Url& url, const text::Document& document);

}  // namespace crivello::page
