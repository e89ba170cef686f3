// SPDX-License-Identifier: Apache-2.0
// Any bytes decoded as a sketch are rejected, or encode to the same bytes again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "text/content/site_template.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto site = SiteTemplate::Decode(bytes);
  if (!site.ok()) return 0;
  if (site->Encode() != bytes) std::abort();
  Document page;
  page.blocks.resize(1);
  page.blocks[0].text = bytes;
  site->Learn(page);
  if (site->pages() > SiteTemplate::kMaxPages || !SiteTemplate::Decode(site->Encode()).ok()) std::abort();
  return 0;
}
