// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::policy {

// How webmasters reach whoever runs a crawl, as the User-Agent header names it: "mailto:you@your.site" or an
// http(s) URL.  People may leave "mailto:" out.  InvalidArgument, with the text, if it is neither.
Result<std::string> ParseContact(std::string_view text);

}  // namespace crivello::policy
