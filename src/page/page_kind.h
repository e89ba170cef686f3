// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/cells.h"
#include "text/formats/document.h"
#include "web/url/url.h"

namespace crivello::page {

// The kind of a page; the first of these that applies:
//   error    its title or first heading says that the page does not exist, and there is little else
//   listing  its title says that it lists a folder, or links make up six tenths of its content without menus
//   home     the first page of its host
//   article  at least kArticleBytes of text outside links
//   other    less than that
// Linear in the number of blocks.
inline constexpr size_t kArticleBytes = 250;
store::PageKind KindOfPage(const web::Url& url, const text::Document& document);

}  // namespace crivello::page
