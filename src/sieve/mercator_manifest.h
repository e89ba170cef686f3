// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/description.h"
#include "base/image.h"

namespace crivello::sieve {

// What holds in the folder of a Mercator sieve; replaced as a whole, each replacement a step of the sieve
// that is done.  Files that it does not name are what a crash left, or batches not yet decided. Format:
// docs/formats/sieve-manifest.md.
struct MercatorManifest {
  static constexpr FileKind kFileKind = {.name = "sieve-manifest", .version = 1};

  struct Run {
    uint64_t id = 0;  // file z-ID
    uint64_t keys = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  // A decided batch some of whose keys are not yet released.
  struct Batch {
    uint64_t id = 0;      // files a-ID, marks-ID
    uint64_t keys = 0;    // offered in it
    uint64_t passed = 0;  // of those, came through: at least one
    friend bool operator==(const Batch&, const Batch&) = default;
  };

  std::vector<Run> runs;       // with no key in common; ids rise
  std::vector<Batch> batches;  // in order of emission; ids rise
  uint64_t released = 0;       // keys of the first of them that were released: not all
  uint64_t next_batch = 0;     // the first batch that is not decided

  uint64_t known() const;

  ImageWriter Encode() const;
  // Corruption if it is no manifest or contradicts itself.
  static Result<MercatorManifest> FromImage(Bytes image);
  Description Describe() const;

  friend bool operator==(const MercatorManifest&, const MercatorManifest&) = default;
};

// Which keys of a decided batch came through: a bit each, in order of arrival.  File of kind "sieve-marks".
struct MercatorMarks {
  static constexpr FileKind kFileKind = {.name = "sieve-marks", .version = 1};

  explicit MercatorMarks(uint64_t n = 0) : keys(n), bits(n / 64 + 1) {}
  void Set(uint64_t i) { bits[i / 64] |= uint64_t{1} << (i % 64); }
  bool Get(uint64_t i) const { return (bits[i / 64] >> (i % 64)) & 1; }

  ImageWriter Encode() const;
  static Result<MercatorMarks> FromImage(Bytes image);

  uint64_t keys;
  std::vector<uint64_t> bits;
};

}  // namespace crivello::sieve
