// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace crivello::sieve {

// Sorts signatures indirectly and stably: afterwards signatures()[i] is the i-th in order, and positions()[i]
// is where it was before; equal ones keep their order. A radix sort from the top bits down, out of place. The
// first pass scatters into 1024 parts, which then fit into the cache, so a key costs two or three scatterings
// and an insertion among a few neighbours. It starts at the highest differing bit, so neither a common prefix
// (a tablet's) nor few hosts make it slow.
//
// 12 bytes per key, and 4 more if one part is large; the given keys are overwritten as scratch. Memory is
// kept between calls. One thread at a time.
class SignatureSort {
 public:
  // REQUIRES: keys.size() < 2^32.
  void Sort(std::span<uint64_t> keys);
  // Keeps the first of equal signatures, with its position.
  void Deduplicate();

  std::vector<uint64_t>& signatures() { return signatures_; }
  std::vector<uint32_t>& positions() { return positions_; }

 private:
  struct Part {
    uint64_t* signatures;
    uint32_t* positions;
    size_t size;
  };
  // Sorts a part in place, with a scratch of the same size.
  static void SortPart(Part part, Part scratch);

  std::vector<uint64_t> signatures_;
  std::vector<uint32_t> positions_;
  std::vector<uint64_t> small_signatures_;  // scratch that fits into the cache
  std::vector<uint32_t> small_positions_;
  std::vector<uint32_t> large_positions_;
};

}  // namespace crivello::sieve
