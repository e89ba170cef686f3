// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"
#include "bits/bit_stream.h"

namespace crivello::bits {

// Binary interpolative coding (Moffat, Stuiver: Binary interpolative coding for effective index compression,
// 2000) of a strictly increasing sequence n_0 ... n_{s-1} in [lo, hi]. First n_{s/2} in the minimal binary
// code of the interval that is possible for it, [lo + s/2, hi - (s - 1 - s/2)], then the part before it in
// [lo, n_{s/2} - 1], then the part after it in [n_{s/2} + 1, hi]. Not a code for single numbers: s, lo and hi
// are not written and must be known. A run that fills its interval costs no bits. At most log2 binomial(hi -
// lo + 1, s) + O(s) bits for any distribution; fewer if it is clustered.
//
// Time linear in s; recursion depth at most 1 + log2 s. Any bits decode to an increasing sequence in [lo,
// hi], or to Corruption if they end too early.

// InvalidArgument, with nothing written, unless `values` strictly increase within [lo, hi].
Status WriteInterpolative(BitWriter& writer, std::span<const uint64_t> values, uint64_t lo, uint64_t hi);

// The number of bits written by WriteInterpolative. REQUIRES: its conditions hold.
uint64_t InterpolativeLength(std::span<const uint64_t> values, uint64_t lo, uint64_t hi);

// Reads out.size() values. InvalidArgument, with nothing read, if [lo, hi] has fewer.
Status ReadInterpolative(BitReader& reader, uint64_t lo, uint64_t hi, std::span<uint64_t> out);

// The same for 32-bit values, such as documents and positions. REQUIRES: hi < 2^32.
Status WriteInterpolative(BitWriter& writer, std::span<const uint32_t> values, uint64_t lo, uint64_t hi);
Status ReadInterpolative(BitReader& reader, uint64_t lo, uint64_t hi, std::span<uint32_t> out);

}  // namespace crivello::bits
