// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/dashboard/shape_source.h"
#include "serve/http/http.h"

namespace crivello::serve {

// The page of the shape of the crawled web: the bow tie, how many links pages have, how far they are from one
// another, and the best hosts.  Pictures are drawn here, and each has its numbers as a table.
HttpResponse ShapePage(const WebShape& shape);

}  // namespace crivello::serve
