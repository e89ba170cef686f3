// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units/quantity.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace crivello::cli {

// Add options whose values are quantities (base/units/quantity.h).
CLI::Option* AddSizeOption(CLI::App& app, const std::string& name, uint64_t& bytes, const std::string& about);
CLI::Option* AddDurationOption(CLI::App& app, const std::string& name, Duration& duration,
                               const std::string& about);
CLI::Option* AddCountOption(CLI::App& app, const std::string& name, uint64_t& count,
                            const std::string& about);
// A list that replaces the default.
CLI::Option* AddCountListOption(CLI::App& app, const std::string& name, std::vector<uint64_t>& counts,
                                const std::string& about);

}  // namespace crivello::cli
