// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/dashboard/shape_source.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The page about the shape of the crawled web: the bow tie, the distribution of links per page, the distances
// between pages, and the best hosts.  Pictures are drawn here, and a table gives the numbers of each.
HttpResponse ShapePage(const WebShape& shape);

}  // namespace crivello::serve
