// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/status.h"
#include "index/build/number_spool.h"
#include "index/segments/document_values.h"
#include "index/segments/segment_sink.h"

namespace crivello::index {

// Makes DocumentValues, document by document.  A column is there from the first value on that is set;
// documents without one have 0, or the empty string.  The same values give the same bytes.
//
// Memory: that of NumberSpool for each column, and the different strings.  One thread at a time.
class DocumentValuesBuilder {
 public:
  // `scratch` is a folder that there is, for what does not fit in small buffers; without one all is kept in
  // memory, 8 bytes a value.
  explicit DocumentValuesBuilder(std::string scratch = {}) : scratch_(std::move(scratch)) {}

  // Sets a value of the document at hand.  REQUIRES: once at most for a column; column names are short and of
  // one kind each.
  void SetNumber(std::string_view column, int64_t value);
  void SetString(std::string_view column, std::string_view value);
  void SetScore(std::string_view column, float value);
  // Goes on to the next document.
  void EndDocument() { documents_++; }
  DocId documents() const { return documents_; }

  // Once: the part of a segment.  Errors of the disk since the first value come out here.
  Status WriteTo(SegmentSink& sink);

 private:
  struct Strings {
    explicit Strings(const std::string& scratch) : of(scratch) {}
    std::unordered_map<std::string, uint32_t> numbers;
    NumberSpool of;  // in the order in which strings came
    uint32_t NumberOf(std::string_view text);
  };

  const std::string scratch_;
  DocId documents_ = 0;
  std::map<std::string, NumberSpool, std::less<>> numbers_;
  std::map<std::string, Strings, std::less<>> strings_;
  std::map<std::string, NumberSpool, std::less<>> scores_;  // their bits
};

}  // namespace crivello::index
