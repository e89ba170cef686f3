// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "serve/http/http.h"

namespace crivello::serve {

// The style, scripts and images of the pages, built into the program.  Each path contains a hash of the
// content ("/assets/style.7f3a….css"), so browsers may cache them forever.

// The path of an asset by its name, "style.css".  REQUIRES: it exists.
std::string_view AssetPath(std::string_view name);
// 404 if there is no asset at this path.
HttpResponse ServeAsset(std::string_view path);

}  // namespace crivello::serve
