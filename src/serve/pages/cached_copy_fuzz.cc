// SPDX-License-Identifier: Apache-2.0
// Arbitrary archived bytes: the copy can do nothing but be read.
#include <cstdio>
#include <cstdlib>

#include "charset/utf8.h"
#include "serve/pages/cached_copy.h"
#include "serve/pages/markup_test_support.h"
#include "web/url/canonical.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;         // NOLINT: a program of one function
  using namespace crivello::serve;  // NOLINT
  static const web::Url url = web::CanonicalUrl("https://example.org/a/b").value();
  PageRecord record;
  record.response.assign(reinterpret_cast<const char*>(data), size);
  const ArchivedBody body = ReadArchivedBody(record);
  const ArchivedUrls some = [](const std::vector<std::string>& urls) {
    std::vector<bool> archived;
    for (const std::string& one : urls) archived.push_back(one.size() % 2 == 0);
    return archived;
  };
  const std::string copy = ReadableCopy(body, url, some);
  for (const std::string& harm : HarmfulMarkup(copy)) {
    std::fprintf(stderr, "%s\nin %s\n", harm.c_str(), copy.c_str());
    std::abort();
  }
  if (!charset::IsValidUtf8(copy)) std::abort();
  if (!HarmfulMarkup(ReadableText(body.type, body.bytes)).empty()) std::abort();
  return 0;
}
