// SPDX-License-Identifier: Apache-2.0
// For any bytes, events are balanced and within the depth, and texts do not exceed their bound.

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "web/feed/xml_scanner.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::web;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  XmlScanner scanner(input, {.max_depth = 8, .max_attributes = 4});
  std::vector<std::string_view> open;
  size_t text = 0;
  using Event = XmlScanner::Event;
  for (Event event = scanner.Next(); event != Event::kDone; event = scanner.Next()) {
    if (event == Event::kText) {
      if (scanner.text().empty()) std::abort();
      text += scanner.text().size();
    } else if (event == Event::kStart) {
      open.push_back(scanner.local_name());
      if (scanner.depth() != open.size() || open.size() > 8) std::abort();
      (void)scanner.namespace_uri();
      (void)scanner.Attribute("a");
      (void)scanner.Attribute("lang", "http://www.w3.org/XML/1998/namespace");
    } else {
      if (open.empty() || open.back() != scanner.local_name() || scanner.depth() != open.size()) std::abort();
      open.pop_back();
    }
  }
  // A short reference such as &thetasym; never grows; neither does &#1; or the like.
  if (!open.empty() || text > 2 * size + (64 << 10)) std::abort();
  if (XmlDeclaredEncoding(input).size() > size) std::abort();
  return 0;
}
