// SPDX-License-Identifier: Apache-2.0
#include "index/ranks/rank_scale.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace crivello::index {
namespace {

constexpr size_t kMaxRankName = 40;

// The lower of the two middle ones.
float MedianOf(std::span<float> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

uint64_t Pack(float low, float high) {
  return std::bit_cast<uint32_t>(low) | uint64_t{std::bit_cast<uint32_t>(high)} << 32;
}
float Low(uint64_t word) { return std::bit_cast<float>(static_cast<uint32_t>(word)); }
float High(uint64_t word) { return std::bit_cast<float>(static_cast<uint32_t>(word >> 32)); }

}  // namespace

RankScale MakeRankScale(std::string_view name, uint64_t digest, std::span<const float> values) {
  RankScale scale{.name = std::string(name), .digest = digest, .pages = values.size()};
  std::vector<float> clean;
  clean.reserve(values.size());
  ScoreTableBuilder table;
  for (const float value : values) {
    clean.push_back(std::isfinite(value) && value > 0 ? value : 0);
    table.Add(clean.back());
  }
  if (clean.empty()) return scale;
  scale.table = table.Finish();
  scale.median = MedianOf(clean);
  scale.table[ScoreCode(scale.median, scale.table)] = scale.median;
  const auto positive = std::partition(clean.begin(), clean.end(), [](float value) { return value > 0; });
  if (positive != clean.begin()) scale.pivot = MedianOf({clean.begin(), positive});
  return scale;
}

void RankScale::AppendTo(ImageWriter& image) const {
  image.Word(name.size());
  image.RawBytes(AsBytes(name));
  image.Word(digest);
  image.Word(pages);
  image.Word(Pack(median, pivot));
  for (size_t i = 0; i < table.size(); i += 2) image.Word(Pack(table[i], table[i + 1]));
}

Result<RankScale> RankScale::ReadFrom(ImageReader& reader) {
  RankScale scale;
  CRV_ASSIGN(const uint64_t bytes, reader.WordAtMost(kMaxRankName, "bytes of a name"));
  CRV_ASSIGN(const Bytes name, reader.RawBytes(bytes));
  scale.name = AsText(name);
  if (!IsRankName(scale.name)) return reader.Damaged("not the name of a rank");
  CRV_ASSIGN(scale.digest, reader.Word());
  CRV_ASSIGN(scale.pages, reader.Word());
  CRV_ASSIGN(const uint64_t medians, reader.Word());
  scale.median = Low(medians);
  scale.pivot = High(medians);
  CRV_ASSIGN(const std::span<const uint64_t> table, reader.Words(scale.table.size() / 2));
  for (size_t i = 0; i < table.size(); i++) {
    scale.table[2 * i] = Low(table[i]);
    scale.table[2 * i + 1] = High(table[i]);
  }
  for (size_t i = 0; i < scale.table.size(); i++) {
    if (!std::isfinite(scale.table[i]) || scale.table[i] < (i > 0 ? scale.table[i - 1] : 0))
      return reader.Damaged("values that decrease");
  }
  if (!std::isfinite(scale.pivot) || !(scale.pivot > 0))
    return reader.Damaged("a pivot that is not above zero");
  if (scale.table[scale.median_code()] != scale.median) return reader.Damaged("a median that is not a value");
  return scale;
}

Description RankScale::Describe() const {
  return {{"name", name},
          {"ranked-pages", pages},
          {"median", static_cast<double>(median)},
          {"largest", static_cast<double>(table.back())}};
}

bool IsRankName(std::string_view name) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return !name.empty() && name.size() <= kMaxRankName && letter(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace crivello::index
