// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"

namespace crivello::index {

// Puts what was last committed of an index into `to`, a folder that is not there: its segments, deletions and
// ranks, by hard links if they can be made, then its manifest.  Others may write the index meanwhile: what a
// commit takes away under the copy makes it begin again.  Tells up to which change of its table it reaches;
// nothing, and no folder, if there is no index.
Result<std::optional<uint64_t>> CopyIndex(const std::string& index, const std::string& to);

// The same number, of what is there now.
Result<std::optional<uint64_t>> IndexSequence(const std::string& index);

}  // namespace crivello::index
