// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::cluster {

// A claim to a tablet.  Format: docs/formats/epoch.md.
struct Claim {
  uint64_t epoch = 0;
  uint64_t nonce = 0;  // of this attempt: after a reply was lost it tells whether the claim is ours
  std::string owner;   // the name of the agent: 1 to 255 printable ASCII characters without spaces

  friend bool operator==(const Claim&, const Claim&) = default;
};

constexpr uint64_t kMaxEpoch = 999'999'999'999;

// The line in an epoch file, and back; Corruption, naming `path`, if it is not one.
// REQUIRES: ValidOwner(claim.owner) and claim.epoch <= kMaxEpoch.
std::string EncodeClaim(const Claim& claim);
Result<Claim> DecodeClaim(const std::string& path, std::string_view bytes);
bool ValidOwner(std::string_view name);

// "EPOCH-000000000012", and the folder of an epoch, "e000000000012".
std::string EpochFileName(uint64_t epoch);
std::string EpochFolderName(uint64_t epoch);
// Nothing if it is not such a name.
std::optional<uint64_t> ParseEpochFileName(std::string_view name);
std::optional<uint64_t> ParseEpochFolderName(std::string_view name);

// The highest epoch that was claimed, by the names in the folder of a tablet; 0 if none was.
uint64_t HighestEpoch(std::span<const std::string> names);

}  // namespace crivello::cluster
