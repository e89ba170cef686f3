// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as an IndexNow submission: every accepted URL is within the folder of its key.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "serve/push/index_now_site.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  const auto submission = serve::ParseIndexNow(
      {.method = "POST", .body = std::string(reinterpret_cast<const char*>(data), size)});
  if (!submission.ok()) return 0;
  const auto checked = feeds::CheckIndexNow(*submission);
  if (!checked.ok()) return 0;
  const std::string folder =
      checked->key_url.substr(0, checked->key_url.find('?'))
          .substr(0, checked->key_url.substr(0, checked->key_url.find('?')).rfind('/') + 1);
  for (const std::string& url : checked->urls) {
    if (!url.starts_with(folder)) std::abort();
  }
  return 0;
}
