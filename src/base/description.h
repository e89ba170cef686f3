// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace crivello {

// The description that a structure gives of itself (`crivello inspect`): names in kebab-case, like options,
// in reading order.
struct Field {
  std::string name;
  std::variant<uint64_t, double, std::string> value;
};
using Description = std::vector<Field>;

}  // namespace crivello
