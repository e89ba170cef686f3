// SPDX-License-Identifier: Apache-2.0
#include "bits/rans_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>
#include <string>

#include "base/hash.h"
#include "bits/block_codec_bits.h"

namespace crivello::bits {
namespace {

using internal::BytesOf;
using internal::FieldsAt;
using internal::FieldWriter;
using internal::LowBits;

constexpr size_t kSymbolCountBits = 12;
static_assert(RansModel::kMaxSymbols == size_t{1} << kSymbolCountBits);
constexpr int kMaxWidth = RansModel::kMaxPrecision + 1;  // maximum width of a frequency

// Maps the next frequency's width to its rank among the possible ones, likeliest first, and back. Widths are
// usually close to the last nonzero one, and zeros come in runs.
class WidthRanks {
 public:
  int Rank(int width) const {
    if (width == 0) return zero_rank();
    const int difference = width - width_;
    const int near = difference > 0 ? 2 * difference : -2 * difference - (difference < 0);
    return near + (near >= zero_rank());
  }
  // -1 if there is none.
  int Width(int rank) const {
    if (rank == zero_rank()) return 0;
    const int near = rank - (rank > zero_rank());
    const int width = width_ + (near % 2 == 0 ? near / 2 : -(near / 2) - 1);
    return width >= 1 && width <= kMaxWidth ? width : -1;
  }
  void Saw(int width) {
    after_zero_ = width == 0;
    if (width != 0) width_ = width;
  }

 private:
  int zero_rank() const { return after_zero_ ? 0 : 3; }

  int width_ = 1;
  bool after_zero_ = false;
};
constexpr int kMaxRank = 2 * kMaxWidth;
static_assert(kMaxRank + 1 <= static_cast<int>(internal::kMaxFieldBits));

}  // namespace

Result<RansModel> RansModel::Create(int precision, std::vector<uint32_t> frequencies) {
  if (precision < 0 || precision > kMaxPrecision) {
    return Status::InvalidArgument("rans: precision " + std::to_string(precision));
  }
  if (frequencies.empty() || frequencies.size() > kMaxSymbols) {
    return Status::InvalidArgument("rans: a model of " + std::to_string(frequencies.size()) + " symbols");
  }
  std::vector<uint32_t> cumulative = {0};
  cumulative.reserve(frequencies.size() + 1);
  uint64_t sum = 0;
  for (const uint32_t frequency : frequencies) {
    sum += frequency;
    cumulative.push_back(static_cast<uint32_t>(sum));
  }
  if (sum != uint64_t{1} << precision) {
    return Status::InvalidArgument("rans: frequencies sum to " + std::to_string(sum) + ", not to 2^" +
                                   std::to_string(precision));
  }
  return RansModel(precision, std::move(cumulative));
}

Result<RansModel> RansModel::FromCounts(int precision, std::span<const uint64_t> counts) {
  uint64_t total = 0;
  for (const uint64_t count : counts) total += count;
  const auto slots = int64_t{1} << precision;
  const auto occurring = static_cast<int64_t>(counts.size()) - std::count(counts.begin(), counts.end(), 0u);
  if (occurring == 0 || occurring > slots) {
    return Status::InvalidArgument("rans: " + std::to_string(occurring) + " symbols for " +
                                   std::to_string(slots) + " slots");
  }
  // Rounded shares; then the missing or excess slots are distributed one by one, where they gain most or cost
  // least.
  std::vector<uint32_t> frequencies(counts.size());
  int64_t left = slots;
  for (size_t s = 0; s < counts.size(); s++) {
    if (counts[s] == 0) continue;
    const double share = static_cast<double>(counts[s]) / static_cast<double>(total);
    frequencies[s] = static_cast<uint32_t>(std::max(1.0, std::round(share * static_cast<double>(slots))));
    left -= frequencies[s];
  }
  const bool grow = left > 0;
  const auto gain = [&](size_t s) {  // in bits, for one slot more or less
    const double f = frequencies[s];
    return static_cast<double>(counts[s]) * std::log2(grow ? (f + 1) / f : (f - 1) / f);
  };
  std::priority_queue<std::pair<double, size_t>> by_gain;
  const auto offer = [&](size_t s) {
    if (frequencies[s] > (grow ? 0u : 1u)) by_gain.emplace(gain(s), s);
  };
  if (left != 0) {
    for (size_t s = 0; s < counts.size(); s++) offer(s);
  }
  for (; left != 0; left += grow ? -1 : 1) {
    const size_t s = by_gain.top().second;
    by_gain.pop();
    frequencies[s] += grow ? 1u : ~0u;
    offer(s);
  }
  return Create(precision, std::move(frequencies));
}

void RansModel::AppendTo(std::vector<uint8_t>* out) const {
  FieldWriter fields(out);
  fields.Append(symbols() - 1, kSymbolCountBits);
  WidthRanks ranks;
  for (size_t s = 0; s < symbols(); s++) {
    const auto width = static_cast<int>(std::bit_width(frequency(s)));
    const int rank = ranks.Rank(width);
    fields.Append(uint64_t{1} << rank, static_cast<size_t>(rank) + 1);
    ranks.Saw(width);
    if (width == 0) continue;
    const auto below = static_cast<size_t>(width - 1);
    fields.Append(LowBits(frequency(s), below), below);
  }
  fields.Finish();
}

Result<RansModel> RansModel::Read(int precision, Bytes in, size_t* bytes) {
  const std::span fields(reinterpret_cast<const uint8_t*>(in.data()), in.size());
  std::vector<uint32_t> frequencies(LowBits(FieldsAt(fields, 0), kSymbolCountBits) + 1);
  size_t bit = kSymbolCountBits;
  WidthRanks ranks;
  for (uint32_t& frequency : frequencies) {
    const int rank = std::countr_zero(FieldsAt(fields, bit));
    const int width = rank > kMaxRank ? -1 : ranks.Width(rank);
    if (width < 0)
      return Status::Corruption("rans: corrupt: impossible frequency at bit " + std::to_string(bit));
    bit += static_cast<size_t>(rank) + 1;
    ranks.Saw(width);
    if (width == 0) continue;
    const auto below = static_cast<size_t>(width - 1);
    frequency = static_cast<uint32_t>(uint64_t{1} << below | LowBits(FieldsAt(fields, bit), below));
    bit += below;
  }
  *bytes = BytesOf(bit);
  if (*bytes > in.size()) return Status::Corruption("rans: truncated in the model");
  auto model = Create(precision, std::move(frequencies));
  if (!model.ok()) return Status::Corruption(model.status().message());
  return model;
}

size_t RansModel::SymbolOf(uint32_t slot) const {
  // The last symbol that starts at or before the slot; it has some slots, because the next one starts later.
  const auto after = std::upper_bound(cumulative_.begin(), cumulative_.end(), slot);
  return static_cast<size_t>(after - cumulative_.begin()) - 1;
}

double RansModel::CostInBits(std::span<const uint64_t> counts) const {
  double bits = 0;
  for (size_t s = 0; s < counts.size(); s++) {
    if (counts[s] == 0) continue;
    bits += static_cast<double>(counts[s]) * (precision_ - std::log2(static_cast<double>(frequency(s))));
  }
  return bits;
}

Result<uint64_t> RansPush(const RansModel& model, uint64_t state, size_t symbol) {
  if (symbol >= model.symbols() || model.frequency(symbol) == 0) {
    return Status::InvalidArgument("rans: symbol " + std::to_string(symbol) + " has no probability");
  }
  const uint64_t f = model.frequency(symbol);
  const Uint128 pushed =
      (static_cast<Uint128>(state / f) << model.precision()) + model.cumulative(symbol) + state % f;
  if (pushed >> 64 != 0) return Status::InvalidArgument("rans: the number exceeds 64 bits");
  return static_cast<uint64_t>(pushed);
}

RansPopped RansPop(const RansModel& model, uint64_t state) {
  const auto slot = static_cast<uint32_t>(LowBits(state, static_cast<size_t>(model.precision())));
  const size_t symbol = model.SymbolOf(slot);
  return {(state >> model.precision()) * model.frequency(symbol) + slot - model.cumulative(symbol), symbol};
}

}  // namespace crivello::bits
