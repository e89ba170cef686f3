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

// The Z of a Mercator sieve, in runs, and the code that decides a batch. A decision has two halves, so that
// the manifest can be committed in between: Decide() writes new files that nobody uses yet; Accept() puts
// their runs into use and removes the runs that they replace. Without Accept(), the same Decide() can be
// repeated. One thread at a time.
class MercatorZ {
 public:
  // A run is merged with the later runs when it has fewer keys than this many times theirs.
  static constexpr uint64_t kGrowth = 4;

  MercatorZ(const MercatorFiles& files, FileSystem& fs) : files_(files), fs_(fs) {}

  // Corruption if a run is not what the manifest says.
  Status Open(const std::vector<MercatorManifest::Run>& runs);

  struct Decision {
    std::vector<MercatorManifest::Run> runs;  // all runs after the decision
    uint64_t passed = 0;
  };
  // Decides which keys of the batch are new. Writes marks-ID, and z-ID with the new keys and the runs merged
  // with them; neither if no key is new. The signatures in `batch` are overwritten.
  Result<Decision> Decide(uint64_t id, std::span<uint64_t> batch, const std::function<bool()>& stop);
  void Accept();

  uint64_t size_bytes() const;

 private:
  struct Run {
    uint64_t id = 0;
    std::unique_ptr<const ZFile> file;
  };
  Result<Run> OpenRun(uint64_t id) const;
  // Drops the keys that `run` has from the sorted batch.
  Status DropKnown(const ZFile& run);
  Status WriteRun(uint64_t id, const std::function<bool()>& stop);

  const MercatorFiles& files_;
  FileSystem& fs_;
  std::vector<Run> runs_;
  SignatureSort sort_;
  Run new_run_;      // of the last decision, if it made one
  size_t kept_ = 0;  // number of runs that are not merged into it
};

}  // namespace crivello::sieve
