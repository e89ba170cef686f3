// SPDX-License-Identifier: Apache-2.0
// Any bytes as the list of forgotten pages and as a target on the command line: what was read is written back
// unchanged.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collection/forgotten.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::collection;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto set = ForgottenSet::Decode(bytes); set.ok()) {
    if (ForgottenSet::Decode(set->Encode())->entries() != set->entries()) std::abort();
    set->Find("org,example)https:443/");
    set->ContainsHost("example.org");
  }
  if (const auto target = ForgetTarget::Parse(bytes); target.ok()) {
    const auto again = ForgetTarget::Parse(target->ToString());
    if (!again.ok() || *again != *target) std::abort();
    const auto range = target->Range();
    if (range.end.empty() || range.begin >= range.end) std::abort();
  }
  return 0;
}
