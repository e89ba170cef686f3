// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/collection.h"

namespace crivello::jobs {

// A host with many pages that are copies of another host's.
struct MirrorHosts {
  std::string host;  // the one that represents fewer clusters; among equals the later name
  std::string original;
  uint64_t shared = 0;  // clusters with pages of both hosts
  uint64_t pages = 0;   // of `host`, that can be compared
  uint64_t original_pages = 0;
  double share() const;  // of the pages of the smaller host
};

struct MirrorOptions {
  uint64_t least_shared = 3;
  double least_share = 0.5;
  // A cluster on more hosts than this says nothing about any two of them: a licence, a parked page.
  size_t most_hosts = 32;
};

// Pairs of hosts that share most of their pages, from the dup cells of all tablets; the largest share first.
// Reads all cells and the fetch cells of all rows.
Result<std::vector<MirrorHosts>> FindMirrors(collection::Collection& store,
                                             const MirrorOptions& options = {});

}  // namespace crivello::jobs
