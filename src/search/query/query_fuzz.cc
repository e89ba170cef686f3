// SPDX-License-Identifier: Apache-2.0
// Any bytes as a query: the parser takes them, and what it prints reads as the same tree.
#include <cstdlib>

#include "search/query/query.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::search;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParsedQuery parsed = ParseQuery(text);
  const std::string printed = parsed.query.ToString();
  const ParsedQuery again = ParseQuery(printed);
  if (!again.truncated && !(again.query == parsed.query)) std::abort();
  if (!again.truncated && again.query.ToString() != printed) std::abort();
  const auto strict = ParseQueryStrictly(text);
  if (strict.ok() && !(*strict == parsed.query) && strict->kind != Query::Kind::kNothing) std::abort();
  return 0;
}
