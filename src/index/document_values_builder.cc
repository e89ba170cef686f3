// SPDX-License-Identifier: Apache-2.0
#include "index/document_values_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "index/front_coded_list.h"

namespace crivello::index {
namespace {

template <typename Columns>
auto& ColumnOf(Columns& columns, std::string_view name) {
  const auto found = columns.find(name);
  return found != columns.end() ? found->second : columns[std::string(name)];
}

void AppendName(std::string_view name, ImageWriter& image) {
  image.Word(name.size());
  image.RawBytes(AsBytes(name));
}

// A non-decreasing table for these scores (document_values.h says which).
std::array<float, 256> TableFor(const std::vector<float>& scores) {
  std::set<float> values;
  for (const float score : scores) {
    values.insert(score);
    if (values.size() > 256) break;
  }
  std::array<float, 256> table = {};
  if (values.size() <= 256) {
    if (!values.empty()) table.fill(*values.rbegin());
    std::copy(values.begin(), values.end(), table.begin());
    return table;
  }
  const auto [least, greatest] = std::minmax_element(scores.begin(), scores.end());
  if (*least < 0) {
    for (size_t i = 0; i < 256; i++) table[i] = *least + (*greatest - *least) * (static_cast<float>(i) / 255);
    return table;
  }
  float positive = *greatest;
  for (const float score : scores) {
    if (score > 0) positive = std::min(positive, score);
  }
  const double step = std::log(static_cast<double>(*greatest) / positive) / 254;
  for (size_t i = 1; i < 255; i++)
    table[i] = static_cast<float>(positive * std::exp(step * static_cast<double>(i - 1)));
  table[255] = *greatest;
  return table;
}

uint8_t CodeFor(float score, const std::array<float, 256>& table) {
  const auto above = std::lower_bound(table.begin(), table.end(), score);
  if (above == table.end()) return 255;
  if (above == table.begin() || *above == score) return static_cast<uint8_t>(above - table.begin());
  const auto below = above - 1;
  return static_cast<uint8_t>((score - *below < *above - score ? below : above) - table.begin());
}

}  // namespace

void DocumentValuesBuilder::Numbers::Add(int64_t value) {
  if (size_ == 0) {
    first_ = least_ = greatest_ = value;
  } else if (wide_.empty() && narrow_.empty() && value != first_) {
    narrow_.assign(size_, uint32_t{1} << 31);
  }
  if (!narrow_.empty() && !FitsNarrow(value)) Widen();
  if (!wide_.empty()) {
    wide_.push_back(value);
  } else if (!narrow_.empty()) {
    narrow_.push_back(
        static_cast<uint32_t>(static_cast<uint64_t>(value) - static_cast<uint64_t>(NarrowBase())));
  }
  least_ = std::min(least_, value);
  greatest_ = std::max(greatest_, value);
  size_++;
}

void DocumentValuesBuilder::Numbers::Widen() {
  wide_.reserve(narrow_.size() + 1);
  for (uint64_t i = 0; i < size_; i++) wide_.push_back((*this)[i]);
  narrow_ = {};
}

int64_t DocumentValuesBuilder::Numbers::operator[](uint64_t i) const {
  if (!narrow_.empty()) return static_cast<int64_t>(static_cast<uint64_t>(NarrowBase()) + narrow_[i]);
  return i < wide_.size() ? wide_[i] : first_;
}

void DocumentValuesBuilder::Numbers::AppendTo(ImageWriter& image) const {
  const uint64_t range = static_cast<uint64_t>(greatest_) - static_cast<uint64_t>(least_);
  image.Word(static_cast<uint64_t>(least_));
  image.Word(range);
  if (range == 0) return;
  // As succinct::CompactArrayBuilder, without a second copy.
  const auto width = static_cast<unsigned>(std::bit_width(range));
  image.Word(width);
  image.Word(size_);
  uint64_t word = 0;
  unsigned filled = 0;
  for (uint64_t i = 0; i < size_; i++) {
    const uint64_t above = static_cast<uint64_t>((*this)[i]) - static_cast<uint64_t>(least_);
    word |= above << filled;
    filled += width;
    if (filled < 64) continue;
    image.Word(word);
    filled -= 64;
    word = filled == 0 ? 0 : above >> (width - filled);
  }
  if (filled > 0) image.Word(word);
  image.Word(0);
}

uint32_t DocumentValuesBuilder::Strings::NumberOf(std::string_view text) {
  return numbers.try_emplace(std::string(text), static_cast<uint32_t>(numbers.size())).first->second;
}

void DocumentValuesBuilder::SetNumber(std::string_view column, int64_t value) {
  Numbers& numbers = ColumnOf(numbers_, column);
  numbers.FillTo(documents_, 0);
  assert(numbers.size() == documents_);
  numbers.Add(value);
}

void DocumentValuesBuilder::SetString(std::string_view column, std::string_view value) {
  Strings& strings = ColumnOf(strings_, column);
  if (strings.of.size() < documents_) strings.of.resize(documents_, strings.NumberOf({}));
  assert(strings.of.size() == documents_);
  strings.of.push_back(strings.NumberOf(value));
}

void DocumentValuesBuilder::SetScore(std::string_view column, float value) {
  std::vector<float>& scores = ColumnOf(scores_, column);
  scores.resize(documents_);
  scores.push_back(std::isfinite(value) ? value : 0);
}

void DocumentValuesBuilder::AppendStrings(const Strings& column, ImageWriter& image) {
  std::vector<std::pair<std::string_view, uint32_t>> sorted(column.numbers.begin(), column.numbers.end());
  std::sort(sorted.begin(), sorted.end());
  FrontCodedListBuilder list;
  std::vector<uint32_t> ranks(sorted.size());
  for (const auto& [text, number] : sorted) {
    ranks[number] = static_cast<uint32_t>(list.size());
    list.Add(text);
  }
  list.AppendTo(image);
  Numbers numbers;
  for (const uint32_t number : column.of) numbers.Add(ranks[number]);
  numbers.AppendTo(image);
}

void DocumentValuesBuilder::AppendScores(const std::vector<float>& column, ImageWriter& image) {
  const std::array<float, 256> table = TableFor(column);
  for (size_t i = 0; i < 256; i += 2) {
    image.Word(std::bit_cast<uint32_t>(table[i]) | uint64_t{std::bit_cast<uint32_t>(table[i + 1])} << 32);
  }
  std::vector<uint8_t> codes;
  codes.reserve(column.size());
  for (const float score : column) codes.push_back(CodeFor(score, table));
  image.RawBytes(std::as_bytes(std::span(codes)));
}

Result<ImageWriter> DocumentValuesBuilder::Build() {
  ImageWriter image;
  image.Word(documents_);
  image.Word(numbers_.size());
  for (auto& [name, column] : numbers_) {
    column.FillTo(documents_, 0);
    AppendName(name, image);
    column.AppendTo(image);
    column = Numbers();
  }
  image.Word(strings_.size());
  for (auto& [name, column] : strings_) {
    if (column.of.size() < documents_) column.of.resize(documents_, column.NumberOf({}));
    AppendName(name, image);
    AppendStrings(column, image);
    column = Strings();
  }
  image.Word(scores_.size());
  for (auto& [name, column] : scores_) {
    column.resize(documents_);
    AppendName(name, image);
    AppendScores(column, image);
    column = std::vector<float>();
  }
  return image;
}

}  // namespace crivello::index
