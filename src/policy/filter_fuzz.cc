// SPDX-License-Identifier: Apache-2.0
// Arbitrary text as a filter, at each point: if it parses, its printed form parses to the same, and
// evaluation is safe; if not, the error names a column.

#include <cstdint>
#include <cstdlib>

#include "policy/filter.h"

namespace {

using namespace crivello;
using namespace crivello::policy;

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // The first line is a URL, the rest the filter.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t line = bytes.find('\n');
  web::Url url, from;
  if (line == std::string_view::npos || !url.Parse(bytes.substr(0, line))) {
    Require(url.Parse("http://www.example.org/a/b.html?c=d"));
  }
  Require(from.Parse("http://example.org/"));
  const std::string_view text = line == std::string_view::npos ? bytes : bytes.substr(line + 1);
  const FilterInput input = {.url = &url,
                             .from = size % 2 == 0 ? nullptr : &from,
                             .depth = 2,
                             .status = 200,
                             .type = "text/html",
                             .length = 1000,
                             .language = "it-IT",
                             .text_length = 100,
                             .duplicate = size % 3 == 0};
  for (size_t i = 0; i < kFilterPoints; i++) {
    const auto point = static_cast<FilterPoint>(i);
    const auto filter = Filter::Parse(point, text);
    if (!filter.ok()) {
      Require(filter.status().code() == StatusCode::kInvalidArgument);
      continue;
    }
    const auto again = Filter::Parse(point, filter->text());
    Require(again.ok() && again->text() == filter->text());
    const auto verdict = filter->Judge(input);
    Require(again->Judge(input).accepted == verdict.accepted &&
            again->Judge(input).because == verdict.because);
  }
  return 0;
}
