// SPDX-License-Identifier: Apache-2.0
// Any bytes as a value of the bucket: what is read is written back the same.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cluster/membership/cluster_records.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::cluster;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto member = DecodeMember(bytes); member.ok() && EncodeMember(*member) != bytes) std::abort();
  if (const auto lease = DecodeLease(bytes); lease.ok() && EncodeLease(*lease) != bytes) std::abort();
  if (const auto bucket = DecodeIncarnation(bytes); bucket.ok() && EncodeIncarnation(*bucket) != bytes)
    std::abort();
  return 0;
}
