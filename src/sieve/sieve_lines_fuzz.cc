// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "sieve/sieve_lines.h"

// Whatever parses survives a round trip.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::sieve;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  (void)ParseUrlLine(line).ok();
  if (const auto signature = ParseSignatureLine(line); signature.ok()) {
    std::string text;
    AppendSignatureLine(*signature, &text);
    if (text != std::string(line) + "\n") std::abort();
  }
  if (const auto parsed = ParseSieveLine(line); parsed.ok()) {
    std::string text;
    AppendSieveLine(*parsed, &text);
    text.pop_back();
    const auto again = ParseSieveLine(text);
    if (!again.ok() || again->signature != parsed->signature || again->ordinal != parsed->ordinal ||
        again->url != parsed->url) {
      std::abort();
    }
  }
  return 0;
}
