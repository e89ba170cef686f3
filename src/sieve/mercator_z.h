// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/file_system.h"
#include "sieve/mercator_files.h"
#include "sieve/mercator_manifest.h"
#include "sieve/signature_sort.h"
#include "sieve/z_file.h"

namespace crivello::sieve {

// The Z of a Mercator sieve, in runs, and what decides on a batch.  A decision has two halves, so that the
// manifest can be committed between them: Decide() writes files that nobody knows yet, Accept() makes their
// runs the ones in use and removes those that they replace.  Without Accept(), the same Decide() can be tried
// again.  One thread at a time.
class MercatorZ {
 public:
  // A run is merged with those after it when it has less than this many times their keys.
  static constexpr uint64_t kGrowth = 4;

  MercatorZ(const MercatorFiles& files, FileSystem& fs) : files_(files), fs_(fs) {}

  // Corruption if a run is not what the manifest says.
  Status Open(const std::vector<MercatorManifest::Run>& runs);

  struct Decision {
    std::vector<MercatorManifest::Run> runs;  // all, as they will be
    uint64_t passed = 0;
  };
  // Which keys of the batch are new: writes marks-ID, and z-ID with the new ones and the runs merged with
  // them; neither if none is new.  The signatures in `batch` are used up.
  Result<Decision> Decide(uint64_t id, std::span<uint64_t> batch, const std::function<bool()>& stop);
  void Accept();

  uint64_t size_bytes() const;

 private:
  struct Run {
    uint64_t id = 0;
    std::unique_ptr<const ZFile> file;
  };
  Result<Run> OpenRun(uint64_t id) const;
  // Drops the keys that a run has from what was sorted.
  Status DropKnown(const ZFile& run);
  Status WriteRun(uint64_t id, const std::function<bool()>& stop);

  const MercatorFiles& files_;
  FileSystem& fs_;
  std::vector<Run> runs_;
  SignatureSort sort_;
  Run new_run_;      // of the last decision, if it has one
  size_t kept_ = 0;  // runs that are not merged into it
};

}  // namespace crivello::sieve
