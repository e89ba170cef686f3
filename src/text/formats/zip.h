// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::text {

struct ZipLimits {
  size_t max_entries = 4096;
  size_t max_entry_bytes = size_t{64} << 20;
  size_t max_unpacked_bytes = size_t{128} << 20;
  uint64_t max_ratio = 200;  // unpacked to packed size, over all entries; the first megabyte is free
};

// Unpacks the wanted entries of a zip archive, by libarchive. Only wanted entries are unpacked and counted.
// An archive that exceeds a limit gives an error that names the limit. Names are not interpreted: they are
// keys, never paths. Thread-safe.
Result<std::map<std::string, std::string>> ReadZip(std::string_view bytes, const ZipLimits& limits,
                                                   const std::function<bool(std::string_view name)>& wanted);

}  // namespace crivello::text
