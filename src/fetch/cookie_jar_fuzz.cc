// SPDX-License-Identifier: Apache-2.0
// Set-Cookie lines from a server, and jars from a file: what is stored can be sent, saved and read again.
#include <cstdlib>

#include "fetch/cookie_jar.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using crivello::fetch::CookieJar;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  constexpr int64_t kNow = 1'700'000'000;
  crivello::web::Url url;
  if (!url.Parse("https://www.example.co.uk/a/b")) std::abort();

  if (const auto parsed = CookieJar::Parse(input, 500); parsed.ok()) {
    const auto again = CookieJar::Parse(parsed->Serialize(INT64_MIN), 500);
    if (!again.ok() || again->Header(url, kNow) != parsed->Header(url, kNow)) std::abort();
  }
  CookieJar jar(500);
  for (size_t at = 0; at <= input.size();) {
    const size_t end = std::min(input.find('\n', at), input.size());
    jar.Store(url, input.substr(at, end - at), kNow);
    at = end + 1;
  }
  const std::string header = jar.Header(url, kNow);
  if (header.size() > 600 || header.find_first_of("\r\n") != header.npos) std::abort();
  const auto again = CookieJar::Parse(jar.Serialize(kNow), 500);
  if (!again.ok() || again->Header(url, kNow) != header) std::abort();
  return 0;
}
