// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"

namespace crivello::index {

// Copies the last commit of an index to `to`, a folder that must not exist: its segments, deletions and
// ranks, by hard links where possible, then its manifest.  Others may write the index meanwhile: if a commit
// removes files during the copy, it starts again.  Returns up to which change of its table the copy reaches;
// nullopt, and no folder, if there is no index.
Result<std::optional<uint64_t>> CopyIndex(const std::string& index, const std::string& to);

// The same number, for the current index.
Result<std::optional<uint64_t>> IndexSequence(const std::string& index);

}  // namespace crivello::index
