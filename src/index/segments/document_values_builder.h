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

// Builds DocumentValues, document by document.  A column exists from the first value that is set; documents
// without one have 0, or the empty string.  The same values give the same bytes.
//
// Memory: a NumberSpool for each column, and the distinct strings.  One thread at a time.
class DocumentValuesBuilder {
 public:
  // `scratch` is an existing folder for what does not fit in small buffers; if empty, all is kept in memory,
  // 8 bytes per value.
  explicit DocumentValuesBuilder(std::string scratch = {}) : scratch_(std::move(scratch)) {}

  // Sets a value of the current document.  REQUIRES: at most once per column; column names are short, and
  // each is used for one kind.
  void SetNumber(std::string_view column, int64_t value);
  void SetString(std::string_view column, std::string_view value);
  void SetScore(std::string_view column, float value);
  // Moves to the next document.
  void EndDocument() { documents_++; }
  DocId documents() const { return documents_; }

  // Writes the part of a segment; call once.  Reports disk errors since the first value.
  Status WriteTo(SegmentSink& sink);

 private:
  struct Strings {
    explicit Strings(const std::string& scratch) : of(scratch) {}
    std::unordered_map<std::string, uint32_t> numbers;
    NumberSpool of;  // in the order of first occurrence
    uint32_t NumberOf(std::string_view text);
  };

  const std::string scratch_;
  DocId documents_ = 0;
  std::map<std::string, NumberSpool, std::less<>> numbers_;
  std::map<std::string, Strings, std::less<>> strings_;
  std::map<std::string, NumberSpool, std::less<>> scores_;  // their bits
};

}  // namespace crivello::index
