// SPDX-License-Identifier: Apache-2.0
#include "index/segments/document_values_builder.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <vector>

#include "base/image.h"
#include "index/segments/score_table.h"
#include "index/segments/segment_info.h"
#include "succinct/front_coded_list.h"

namespace crivello::index {
namespace {

template <typename Columns>
auto& ColumnOf(Columns& columns, std::string_view name, const std::string& scratch) {
  const auto found = columns.find(name);
  return found != columns.end() ? found->second : columns.emplace(name, scratch).first->second;
}

int64_t BitsOf(float score) { return std::bit_cast<int32_t>(score); }
float ScoreOf(int64_t bits) { return std::bit_cast<float>(static_cast<int32_t>(bits)); }

// Writes the words of an image to a part.
class WordWriter {
 public:
  explicit WordWriter(PartWriter& part) : part_(part) { words_.reserve(kWords); }
  void Word(uint64_t word) {
    words_.push_back(word);
    if (words_.size() == kWords) Flush();
  }
  void Image(const ImageWriter& image) {
    Flush();
    if (status_.ok()) status_ = part_.Append(image.bytes());
  }
  void Name(std::string_view name) {
    ImageWriter image;
    image.Word(name.size());
    image.RawBytes(AsBytes(name));
    Image(image);
  }
  // Writes the column that NumberColumn reads.  each(take) must pass `size` numbers to take(), all within
  // [least, greatest].
  template <typename Each>
  Status Numbers(int64_t least, int64_t greatest, uint64_t size, Each each) {
    const uint64_t range = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
    Word(static_cast<uint64_t>(least));
    Word(range);
    if (range == 0) return Status::Ok();
    const auto width = static_cast<unsigned>(std::bit_width(range));
    Word(width);
    Word(size);
    uint64_t word = 0;
    unsigned filled = 0;
    CRV_TRY(each([&](int64_t number) {
      const uint64_t above = static_cast<uint64_t>(number) - static_cast<uint64_t>(least);
      word |= above << filled;
      filled += width;
      if (filled < 64) return;
      Word(word);
      filled -= 64;
      word = filled == 0 ? 0 : above >> (width - filled);
    }));
    if (filled > 0) Word(word);
    Word(0);
    return Status::Ok();
  }
  Status Finish() {
    Flush();
    return status_;
  }

 private:
  static constexpr size_t kWords = 8 << 10;
  void Flush() {
    if (status_.ok()) status_ = part_.Append(std::as_bytes(std::span(words_)));
    words_.clear();
  }
  PartWriter& part_;
  std::vector<uint64_t> words_;
  Status status_;
};

Status WriteScores(NumberSpool& column, WordWriter& out) {
  ScoreTableBuilder scores;
  CRV_TRY(column.ForEach([&scores](int64_t bits) { scores.Add(ScoreOf(bits)); }));
  const ScoreTable table = scores.Finish();
  for (size_t i = 0; i < table.size(); i += 2) {
    out.Word(std::bit_cast<uint32_t>(table[i]) | uint64_t{std::bit_cast<uint32_t>(table[i + 1])} << 32);
  }
  uint64_t word = 0;
  unsigned filled = 0;
  CRV_TRY(column.ForEach([&](int64_t bits) {
    word |= uint64_t{ScoreCode(ScoreOf(bits), table)} << filled;
    filled += 8;
    if (filled < 64) return;
    out.Word(word);
    word = 0;
    filled = 0;
  }));
  if (filled > 0) out.Word(word);
  return Status::Ok();
}

// Strings are numbered in sorted order.
Status WriteStrings(const std::unordered_map<std::string, uint32_t>& strings, NumberSpool& of,
                    WordWriter& out) {
  std::vector<std::pair<std::string_view, uint32_t>> sorted(strings.begin(), strings.end());
  std::sort(sorted.begin(), sorted.end());
  succinct::FrontCodedListBuilder list;
  std::vector<uint32_t> ranks(sorted.size());
  for (const auto& [text, number] : sorted) {
    ranks[number] = static_cast<uint32_t>(list.size());
    list.Add(text);
  }
  ImageWriter image;
  list.AppendTo(image);
  out.Image(image);
  const auto greatest = static_cast<int64_t>(ranks.empty() ? 0 : ranks.size() - 1);
  return out.Numbers(0, greatest, of.size(), [&](const auto& take) {
    return of.ForEach([&](int64_t number) { take(ranks[static_cast<size_t>(number)]); });
  });
}

}  // namespace

uint32_t DocumentValuesBuilder::Strings::NumberOf(std::string_view text) {
  return numbers.try_emplace(std::string(text), static_cast<uint32_t>(numbers.size())).first->second;
}

void DocumentValuesBuilder::SetNumber(std::string_view column, int64_t value) {
  NumberSpool& numbers = ColumnOf(numbers_, column, scratch_);
  numbers.FillTo(documents_, 0);
  assert(numbers.size() == documents_);
  numbers.Add(value);
}

void DocumentValuesBuilder::SetString(std::string_view column, std::string_view value) {
  Strings& strings = ColumnOf(strings_, column, scratch_);
  if (strings.of.size() < documents_) strings.of.FillTo(documents_, strings.NumberOf({}));
  assert(strings.of.size() == documents_);
  strings.of.Add(strings.NumberOf(value));
}

void DocumentValuesBuilder::SetScore(std::string_view column, float value) {
  NumberSpool& scores = ColumnOf(scores_, column, scratch_);
  scores.FillTo(documents_, BitsOf(0));
  scores.Add(BitsOf(std::isfinite(value) ? value : 0));
}

Status DocumentValuesBuilder::WriteTo(SegmentSink& sink) {
  CRV_ASSIGN(const std::unique_ptr<PartWriter> part, sink.Create(part::kValues, DocumentValues::kFileKind));
  WordWriter out(*part);
  out.Word(documents_);
  out.Word(numbers_.size());
  for (auto& [name, column] : numbers_) {
    column.FillTo(documents_, 0);
    out.Name(name);
    CRV_TRY(out.Numbers(column.least(), column.greatest(), column.size(),
                        [&column = column](const auto& take) { return column.ForEach(take); }));
  }
  out.Word(strings_.size());
  for (auto& [name, column] : strings_) {
    if (column.of.size() < documents_) column.of.FillTo(documents_, column.NumberOf({}));
    out.Name(name);
    CRV_TRY(WriteStrings(column.numbers, column.of, out));
  }
  out.Word(scores_.size());
  for (auto& [name, column] : scores_) {
    column.FillTo(documents_, BitsOf(0));
    out.Name(name);
    CRV_TRY(WriteScores(column, out));
  }
  CRV_TRY(out.Finish());
  return part->Finish();
}

}  // namespace crivello::index
