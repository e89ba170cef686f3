// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/description.h"
#include "base/image.h"
#include "succinct/compact_array.h"
#include "succinct/static_function.h"
#include "succinct/static_function_builder.h"

namespace crivello::succinct {

// A term map gives each term of a sorted list its rank, without storing the terms: an order-preserving
// minimal perfect hash, implemented as a static function from term to rank. 1.08 log2(n) bits per term.
//
// With signatures of r bits, for r more bits per term, it also detects terms that are not in the list. A
// table stores the signature of each term by rank; a foreign term matches the signature that it finds with
// probability 2^-r. Without signatures (r = 0), a foreign term gets an arbitrary rank, or none.

struct TermMapOptions {
  // Bits of a signature, 0 to kMaxSignatureBits.
  unsigned signature_bits = 0;
  StaticFunctionOptions function = {};  // bits is ignored
};

// Builds a TermMap, in memory like StaticFunctionBuilder. One thread at a time.
class TermMapBuilder {
 public:
  explicit TermMapBuilder(TermMapOptions options = {});

  // Adds the next term. InvalidArgument unless it is greater, comparing bytes, than the previous one.
  Status Add(std::string_view term);
  uint64_t size() const { return function_.size(); }
  Result<ImageWriter> Build() const;
  Status WriteFile(const std::string& path, FileSystem& fs = PosixFileSystem()) const;

 private:
  TermMapOptions options_;
  StaticFunctionBuilder function_;
  CompactArrayBuilder signatures_;
  std::string last_;
};

// A view of its image, which must outlive it; immutable; any number of threads may read. Rank() costs a
// lookup in the function and, with signatures, one more cache miss. FromImage() checks lengths, so nothing
// outside the image is ever read. Format: docs/formats/term-map.md.
class TermMap {
 public:
  static constexpr FileKind kFileKind = {.name = "term-map", .version = 1};
  static constexpr int64_t kAbsent = -1;

  static Result<TermMap> FromImage(Bytes image);

  uint64_t size() const { return function_.size(); }
  unsigned signature_bits() const { return signature_bits_; }

  // The rank of a term. If it is not in the list: nullopt, or with probability 2^-r the rank of some term.
  std::optional<uint64_t> Rank(std::string_view term) const {
    const Signature128 signature = function_.Sign(term);
    return Checked(function_.Get(signature), signature);
  }
  // Sets out[i] to the rank of terms[i] or kAbsent; the cache misses of many terms overlap. REQUIRES:
  // out.size() >= terms.size().
  void RankBatch(std::span<const std::string_view> terms, std::span<int64_t> out) const;

  Description Describe() const;

 private:
  explicit TermMap(StaticFunction function) : function_(std::move(function)) {}

  std::optional<uint64_t> Checked(uint64_t rank, Signature128 signature) const {
    if (rank >= size()) return std::nullopt;
    if (signature_bits_ != 0 && signatures_[rank] != FreeSignature(signature, signature_bits_))
      return std::nullopt;
    return rank;
  }

  StaticFunction function_;
  unsigned signature_bits_ = 0;
  CompactArray signatures_;
  uint64_t image_bytes_ = 0;
};

}  // namespace crivello::succinct
