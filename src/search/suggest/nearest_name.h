// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace crivello::search {

// "; is it 'delay'?" for the known name that differs from the one written in the fewest letters; nothing if
// none is near.
std::string DidYouMean(std::string_view written, const std::vector<std::string>& known);

}  // namespace crivello::search
