// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as a robots.txt: parses it and checks paths made of its own lines. The deciding rule must
// be a line of the file.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "web/page/robots.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::web;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool decode : {false, true}) {
    const Robots robots = Robots::Parse(text, "crivello", {.decode_unreserved = decode});
    size_t start = 0;
    for (int asked = 0; asked < 50 && start < text.size(); asked++) {
      const size_t end = std::min(text.find('\n', start), text.size());
      const std::string_view path = RobotsPathOf(text.substr(start, end - start));
      const auto verdict = robots.Check(path);
      if ((verdict.line == 0) != verdict.rule.empty()) std::abort();
      if (verdict.line == 0 && !verdict.allowed) std::abort();
      if (verdict.line != 0 && text.find(verdict.rule) == text.npos) std::abort();
      const UsagePreferences usage = robots.UsageOf(path);
      if (UsagePreferences::Parse(usage.ToString()) != usage) std::abort();
      start = end + 1;
    }
  }
  return 0;
}
