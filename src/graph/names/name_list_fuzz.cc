// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the image of a list of names: opening, finding and iterating stay within them and end.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "graph/names/name_list.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  std::vector<uint64_t> words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  const auto list = graph::NameList::FromImage(std::as_bytes(std::span(words)));
  if (!list.ok()) return 0;
  list->Describe();
  const bool sound = list->Check().ok();
  const uint64_t some = std::min<uint64_t>(list->size(), 200);
  for (uint64_t node = 0; node < some; node++) {
    const std::string name = list->Name(static_cast<graph::Node>(node));
    if (sound && !name.empty() && list->Find(name) != static_cast<graph::Node>(node)) std::abort();
  }
  uint64_t walked = 0;
  for (auto cursor = list->Begin(); cursor.valid() && walked < 1000; cursor.Next(), walked++) {
    if (cursor.node() >= list->size()) std::abort();
  }
  for (const char* const name : {"a", "it,unimi)https:443/", "\xff"}) {
    const auto node = list->Find(name);
    if (sound && node && list->Name(*node) != name) std::abort();
  }
  return 0;
}
