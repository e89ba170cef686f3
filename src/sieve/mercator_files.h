// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "sieve/mercator_manifest.h"

namespace crivello::sieve {

// The folder of a Mercator sieve: file names, and recovery after a crash. Immutable.
class MercatorFiles {
 public:
  explicit MercatorFiles(std::string folder) : folder_(std::move(folder)) {}

  std::string Manifest() const { return folder_ + "/manifest"; }
  std::string Run(uint64_t id) const;    // Z
  std::string Keys(uint64_t id) const;   // A
  std::string Marks(uint64_t id) const;  // which keys of A came through

  struct Recovered {
    MercatorManifest manifest;
    uint64_t undecided = 0;  // logs of undecided batches: at most two
  };
  // Creates the folder if it is missing, reads the manifest, and removes files that it does not name and that
  // are not undecided.
  Result<Recovered> Recover(FileSystem& fs) const;

  // The size on disk of all A and marks; `last` is the batch being filled.
  uint64_t KeyBytes(const MercatorManifest& manifest, uint64_t last) const;

 private:
  std::string folder_;
};

// A visitor of log records that appends the signatures of their keys.
std::function<Status(Bytes)> SignaturesInto(const std::string& path, std::vector<uint64_t>& signatures);

}  // namespace crivello::sieve
