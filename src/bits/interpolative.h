// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "bits/bit_stream.h"

namespace crivello::bits {

// Binary interpolative coding (Moffat, Stuiver: Binary interpolative coding for effective index compression,
// 2000) of a strictly increasing sequence n_0 ... n_{s-1} in [lo, hi]: n_{s/2} in the minimal binary code of
// the interval that its neighbours leave it, [lo + s/2, hi - (s - 1 - s/2)], then the part before it in
// [lo, n_{s/2} - 1], then the part after it in [n_{s/2} + 1, hi].  No code for single numbers: s, lo and hi
// are not written and must be known.  A run that fills its interval costs no bits.  At most
// log2 binomial(hi - lo + 1, s) + O(s) bits, whatever the distribution; the fewer the more clustered.
//
// Time linear in s; recursion of depth at most 1 + log2 s.  Any bits read as some increasing sequence in
// [lo, hi], or as Corruption when they end too early.

// InvalidArgument, and nothing is written, unless `values` strictly increase in [lo, hi].
Status WriteInterpolative(BitWriter& writer, std::span<const uint64_t> values, uint64_t lo, uint64_t hi);

// The number of bits of the above.  REQUIRES: what WriteInterpolative checks.
uint64_t InterpolativeLength(std::span<const uint64_t> values, uint64_t lo, uint64_t hi);

// Reads out.size() values.  InvalidArgument, and nothing is read, if [lo, hi] has fewer.
Status ReadInterpolative(BitReader& reader, uint64_t lo, uint64_t hi, std::span<uint64_t> out);

// The same bits for values of 32 bits, as documents and positions are.  REQUIRES: hi < 2^32.
Status WriteInterpolative(BitWriter& writer, std::span<const uint32_t> values, uint64_t lo, uint64_t hi);
Status ReadInterpolative(BitReader& reader, uint64_t lo, uint64_t hi, std::span<uint32_t> out);

}  // namespace crivello::bits
