// SPDX-License-Identifier: Apache-2.0
// Checks arbitrary URLs against the rules: each gets a verdict, and the memory stays within its bounds.

#include <cstdint>
#include <cstdlib>

#include "policy/traps.h"
#include "web/url/canonical.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  policy::TrapMemory memory({.max_dates = 2, .max_facets = 2}, 4096);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  for (int lines = 0; lines < 64 && !rest.empty(); lines++) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    web::Url base, url;
    if (!base.Parse("http://example.org/a/")) std::abort();
    const auto canonical = web::CanonicalUrl(line, &base);
    if (!canonical.ok()) continue;
    const auto rule = policy::CheckUrl(*canonical, {.this_year = 2026});
    if (rule && policy::TrapRuleName(*rule).empty()) std::abort();
    memory.Visit(*canonical);
    if (memory.MemoryBytes() > 4096 + policy::TrapMemory::kMaxHostBytes) std::abort();
  }
  return 0;
}
