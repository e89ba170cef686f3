// SPDX-License-Identifier: Apache-2.0
#include "bits/interpolative.h"

#include <cassert>
#include <string>

#include "bits/codes.h"

namespace crivello::bits {
namespace {

bool Fits(size_t count, uint64_t lo, uint64_t hi) { return count == 0 || (lo <= hi && count - 1 <= hi - lo); }

// Calls visit(value, lowest, highest) for each value in code order; when reading, `visit` must set the value.
// The part after the middle is handled by the next iteration of the loop.
template <typename Value, typename Visit>
void Walk(std::span<Value> values, uint64_t lo, uint64_t hi, const Visit& visit) {
  while (!values.empty()) {
    const size_t middle = values.size() / 2;
    const size_t after = values.size() - 1 - middle;
    visit(values[middle], lo + middle, hi - after);
    if (middle > 0) Walk(values.first(middle), lo, values[middle] - 1, visit);
    if (after == 0) return;
    lo = values[middle] + 1;
    values = values.subspan(middle + 1);
  }
}

template <typename Value>
Status CheckIncreasing(std::span<const Value> values, uint64_t lo, uint64_t hi) {
  for (size_t i = 0; i < values.size(); i++) {
    if (values[i] < lo || values[i] > hi || (i > 0 && values[i] <= values[i - 1])) {
      return Status::InvalidArgument("interpolative code: value " + std::to_string(i) + ", " +
                                     std::to_string(values[i]) + ", does not increase in [" +
                                     std::to_string(lo) + ", " + std::to_string(hi) + "]");
    }
  }
  return Status::Ok();
}

template <typename Value>
Status Write(BitWriter& writer, std::span<const Value> values, uint64_t lo, uint64_t hi) {
  CRV_TRY(CheckIncreasing(values, lo, hi));
  Walk(values, lo, hi, [&writer](uint64_t value, uint64_t lowest, uint64_t highest) {
    MinimalBinaryCode(highest - lowest).Write(writer, value - lowest);
  });
  return Status::Ok();
}

template <typename Value>
Status Read(BitReader& reader, uint64_t lo, uint64_t hi, std::span<Value> out) {
  if (!Fits(out.size(), lo, hi)) {
    return Status::InvalidArgument("interpolative code: " + std::to_string(out.size()) + " values in [" +
                                   std::to_string(lo) + ", " + std::to_string(hi) + "]");
  }
  BitReader local = reader;
  // A failed reader returns 0, which gives the lowest value: still in the interval.
  Walk(out, lo, hi, [&local](Value& value, uint64_t lowest, uint64_t highest) {
    value = static_cast<Value>(lowest + MinimalBinaryCode(highest - lowest).Read(local));
  });
  reader = local;
  return reader.Check();
}

}  // namespace

Status WriteInterpolative(BitWriter& writer, std::span<const uint64_t> values, uint64_t lo, uint64_t hi) {
  return Write(writer, values, lo, hi);
}
Status WriteInterpolative(BitWriter& writer, std::span<const uint32_t> values, uint64_t lo, uint64_t hi) {
  return Write(writer, values, lo, hi);
}

uint64_t InterpolativeLength(std::span<const uint64_t> values, uint64_t lo, uint64_t hi) {
  assert(CheckIncreasing(values, lo, hi).ok());
  uint64_t bits = 0;
  Walk(values, lo, hi, [&bits](uint64_t value, uint64_t lowest, uint64_t highest) {
    bits += MinimalBinaryCode(highest - lowest).Length(value - lowest);
  });
  return bits;
}

Status ReadInterpolative(BitReader& reader, uint64_t lo, uint64_t hi, std::span<uint64_t> out) {
  return Read(reader, lo, hi, out);
}
Status ReadInterpolative(BitReader& reader, uint64_t lo, uint64_t hi, std::span<uint32_t> out) {
  return Read(reader, lo, hi, out);
}

}  // namespace crivello::bits
