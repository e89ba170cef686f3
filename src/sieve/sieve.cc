// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve.h"

#include <fmt/format.h>

namespace crivello::sieve {

Status CheckKeys(std::span<const Key> keys) {
  for (const Key& key : keys) {
    if (key.bytes.size() > kMaxKeyBytes) {
      return Status::InvalidArgument(
          fmt::format("a key of {} bytes, at most {} fit", key.bytes.size(), kMaxKeyBytes));
    }
  }
  return Status::Ok();
}

}  // namespace crivello::sieve
