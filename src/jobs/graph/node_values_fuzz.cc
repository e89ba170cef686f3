// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as lines of names and values: an accepted value is finite and not negative, and unchanged
// after a round trip.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "jobs/graph/node_values.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const auto parsed = jobs::ParseNodeValue(line);
    if (!parsed.ok()) continue;
    if (!std::isfinite(parsed->value) || parsed->value < 0 || parsed->name.empty()) std::abort();
    if (line.find(parsed->name) == std::string_view::npos) std::abort();
    const std::string written = fmt::format("{}\t{}", parsed->name, parsed->value);
    const auto again = jobs::ParseNodeValue(written);
    if (!again.ok() || again->name != parsed->name || again->value != parsed->value) std::abort();
  }
  return 0;
}
