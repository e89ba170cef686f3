// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace crivello::policy {

// The token by which robots.txt and meta elements name us.
inline constexpr std::string_view kAgentToken = "crivello";

}  // namespace crivello::policy
