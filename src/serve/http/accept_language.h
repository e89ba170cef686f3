// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crivello::serve {

// The languages of an Accept-Language header (RFC 9110, 12.5.4), the preferred first: at most five, without
// "*" and without those refused by q=0.  Skips what it cannot parse.
std::vector<std::string> AcceptedLanguages(std::string_view header);

}  // namespace crivello::serve
