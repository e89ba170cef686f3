// SPDX-License-Identifier: Apache-2.0
// The first two bytes are a number of integers: decodes that many from the rest, plain and summed, which must
// agree. Then encodes the rest, which must decode to the same, in no more space than by the rule of 90%.
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "bits/pfor.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello;
  using namespace crivello::bits;
  if (size < 2) return 0;
  const std::span rest(data + 2, size - 2);
  std::vector<uint32_t> plain(data[0] + 256u * data[1]), sums(plain.size());
  const auto a = PForDecode(std::as_bytes(rest), plain);
  const auto b = PForDecodeDeltas(std::as_bytes(rest), 0, sums);
  if (a.ok() != b.ok()) std::abort();
  if (a.ok()) {
    std::partial_sum(plain.begin(), plain.end(), plain.begin());
    if (*a != *b || *a > rest.size() || plain != sums) std::abort();
  }

  std::vector<uint32_t> values(rest.size() / 4), got(values.size());
  if (!values.empty()) std::memcpy(values.data(), rest.data(), 4 * values.size());
  size_t least = 0;
  for (const PForRule rule : {PForRule::kCost, PForRule::kNinetyPercent}) {
    std::vector<uint8_t> code;
    PForEncode(values, &code, rule);
    if (code.size() < least) std::abort();
    least = code.size();
    const auto read = PForDecode(std::as_bytes(std::span(code)), got);
    if (!read.ok() || *read != code.size() || got != values) std::abort();
  }
  return 0;
}
