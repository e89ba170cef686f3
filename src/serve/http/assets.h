// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "serve/http/http.h"

namespace crivello::serve {

// What the pages are dressed with: style, scripts, images, built into the program.  Their paths tell their
// content ("/assets/style.7f3a….css"), so browsers may keep them for good.

// The path of an asset by its name, "style.css".  REQUIRES: there is one.
std::string_view AssetPath(std::string_view name);
// 404 if there is none of that path.
HttpResponse ServeAsset(std::string_view path);

}  // namespace crivello::serve
