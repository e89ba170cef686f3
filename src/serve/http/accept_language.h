// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crivello::serve {

// The languages of an Accept-Language header (RFC 9110, 12.5.4), the best first: at most five, without "*"
// and those that are refused by q=0.  What cannot be read is passed over.
std::vector<std::string> AcceptedLanguages(std::string_view header);

}  // namespace crivello::serve
