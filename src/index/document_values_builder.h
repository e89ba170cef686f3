// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/image.h"
#include "base/status.h"
#include "index/document_values.h"

namespace crivello::index {

// Makes DocumentValues in memory, document by document.  A column is there from the first value on that is
// set; documents without one have 0, or the empty string.  The same values give the same image.
//
// Memory: a number is 4 bytes, 8 in a column whose values differ by more than 2^31, and none as long as all
// are the same; a string 4, a score 4.  One thread at a time.
class DocumentValuesBuilder {
 public:
  // Sets a value of the document at hand.  REQUIRES: once at most for a column; column names are short and of
  // one kind each.
  void SetNumber(std::string_view column, int64_t value);
  void SetString(std::string_view column, std::string_view value);
  void SetScore(std::string_view column, float value);
  // Goes on to the next document.
  void EndDocument() { documents_++; }
  DocId documents() const { return documents_; }

  // Once: columns are forgotten as they are written.
  Result<ImageWriter> Build();

 private:
  // Numbers of a column, narrow as long as they can be.
  class Numbers {
   public:
    uint64_t size() const { return size_; }
    void Add(int64_t value);
    void FillTo(uint64_t size, int64_t value) {
      while (size_ < size) Add(value);
    }
    int64_t operator[](uint64_t i) const;
    void AppendTo(ImageWriter& image) const;

   private:
    void Widen();
    // The first one less 2^31: narrow ones are above.
    int64_t NarrowBase() const { return static_cast<int64_t>(static_cast<uint64_t>(first_) - (1u << 31)); }
    bool FitsNarrow(int64_t value) const {
      return static_cast<uint64_t>(value) - static_cast<uint64_t>(NarrowBase()) <= 0xffffffffu;
    }
    uint64_t size_ = 0;
    int64_t first_ = 0;
    int64_t least_ = 0;
    int64_t greatest_ = 0;
    std::vector<uint32_t> narrow_;
    std::vector<int64_t> wide_;
  };
  struct Strings {
    std::unordered_map<std::string, uint32_t> numbers;
    std::vector<uint32_t> of;  // in the order in which strings came
    uint32_t NumberOf(std::string_view text);
  };

  static void AppendStrings(const Strings& column, ImageWriter& image);
  static void AppendScores(const std::vector<float>& column, ImageWriter& image);

  DocId documents_ = 0;
  std::map<std::string, Numbers, std::less<>> numbers_;
  std::map<std::string, Strings, std::less<>> strings_;
  std::map<std::string, std::vector<float>, std::less<>> scores_;
};

}  // namespace crivello::index
