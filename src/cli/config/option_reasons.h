// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace crivello::cli {

// Why an option of a table (config.h) has its default; empty if its description says enough.
std::string_view ReasonOf(std::string_view table, std::string_view option);

// Table and option for each that has a reason.
std::vector<std::pair<std::string_view, std::string_view>> OptionsWithReasons();

}  // namespace crivello::cli
