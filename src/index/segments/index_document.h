// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crivello::index {

// A document to be indexed: everything that a segment keeps of it.  Names of fields and values match [a-z]+.
// A document need not have all of them; the segment has every name that some document has.
struct IndexDocument {
  // Stored as they are, for results and snippets.
  std::string url = {};
  std::string id = {};  // may be empty
  std::string title = {};
  std::string description = {};
  std::string text = {};

  // The language in which the texts are analysed: a BCP 47 code, or empty.
  std::string language = {};
  struct FieldText {
    std::string field = {};
    std::string text = {};
  };
  // Analysed, with positions.  Several texts of one field are a position apart, so that no phrase match
  // crosses from one to the next; with plain tokens they are one text.
  std::vector<FieldText> texts = {};
  // Terms used as they are, in fields that keep only documents.  A field is of one kind or the other.
  std::vector<FieldText> keywords = {};

  // Values for filtering, sorting and scoring; document_values.h has the names.  A document without a value
  // has 0, or the empty string.
  struct Number {
    std::string name = {};
    int64_t value = 0;
  };
  std::vector<Number> numbers = {};
  struct Label {
    std::string name = {};
    std::string value = {};
  };
  std::vector<Label> labels = {};  // strings with few distinct values
  struct Score {
    std::string name = {};
    float value = 0;
  };
  std::vector<Score> scores = {};  // static scores, quantised
};

}  // namespace crivello::index
