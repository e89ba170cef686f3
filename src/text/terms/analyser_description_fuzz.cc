// SPDX-License-Identifier: Apache-2.0
// Any text gives an error, or a description whose own text parses to the same one.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/terms/analyser_description.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using crivello::text::AnalyserDescription;
  const auto parsed = AnalyserDescription::Parse({reinterpret_cast<const char*>(data), size});
  if (!parsed.ok()) return 0;
  const auto again = AnalyserDescription::Parse(parsed->ToString());
  if (!again.ok() || !(*again == *parsed)) std::abort();
  return 0;
}
