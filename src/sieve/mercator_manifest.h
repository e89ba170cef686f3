// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/description.h"
#include "base/image.h"

namespace crivello::sieve {

// The content of a Mercator sieve's folder. It is replaced as a whole when the sieve completes a step. Files
// that it does not name were left by a crash, or are batches not yet decided. Format:
// docs/formats/sieve-manifest.md.
struct MercatorManifest {
  static constexpr FileKind kFileKind = {.name = "sieve-manifest", .version = 1};

  struct Run {
    uint64_t id = 0;  // file z-ID
    uint64_t keys = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };
  // A decided batch with some keys not yet released.
  struct Batch {
    uint64_t id = 0;      // files a-ID, marks-ID
    uint64_t keys = 0;    // number of keys offered in it
    uint64_t passed = 0;  // how many of those came through: at least one
    friend bool operator==(const Batch&, const Batch&) = default;
  };

  std::vector<Run> runs;       // without common keys; ids increase
  std::vector<Batch> batches;  // in order of emission; ids increase
  uint64_t released = 0;       // how many keys of the first batch were released: not all
  uint64_t next_batch = 0;     // the first undecided batch

  uint64_t known() const;

  ImageWriter Encode() const;
  // Corruption if it is not a manifest or contradicts itself.
  static Result<MercatorManifest> FromImage(Bytes image);
  Description Describe() const;

  friend bool operator==(const MercatorManifest&, const MercatorManifest&) = default;
};

// Which keys of a decided batch came through: one bit each, in order of arrival. File of kind "sieve-marks".
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
