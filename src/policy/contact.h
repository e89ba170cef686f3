// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::policy {

// How webmasters can reach the operator of a crawl, stated in the User-Agent header: "mailto:you@your.site"
// or an http(s) URL.  "mailto:" is optional.  InvalidArgument, with the text, if it is neither.
Result<std::string> ParseContact(std::string_view text);

}  // namespace crivello::policy
