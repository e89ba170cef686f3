// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/file_header.h"
#include "base/file_system.h"
#include "base/status.h"
#include "sieve/arrival_queue.h"

namespace crivello::sieve {

// The parts of an offline sieve: which Z is valid, where the undecided keys of A begin, what is in F and how
// much of it was released. Files that it does not name are left over. A value.
struct OfflineManifest {
  static constexpr FileKind kFileKind = {"sieve-offline", 1};
  static constexpr std::string_view kSeenPrefix = "z-";

  uint64_t seen_generation = 0;  // Z is the file z-N; 0: nothing was seen yet
  uint64_t known = 0;            // number of signatures in it
  uint64_t first_batch = 1;      // A consists of the logs a-N.log from this N on
  uint64_t queue_end = 1;        // the segments of F are f-N, from released.segment to before this
  uint64_t queued = 0;           // unreleased keys in F
  ArrivalQueue::Position released = {};

  static std::string Path(const std::string& folder) { return folder + "/manifest"; }
  // The path of Z; empty if there is none.
  std::string SeenPath(const std::string& folder) const;

  // A missing file means a sieve that has seen nothing. Corruption names the file.
  static Result<OfflineManifest> Read(const std::string& path);
  Status Write(const std::string& path, FileSystem& fs) const;

  friend bool operator==(const OfflineManifest&, const OfflineManifest&) = default;
};

}  // namespace crivello::sieve
