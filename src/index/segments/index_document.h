// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace crivello::index {

// A document on its way into an index: all that a segment keeps of it.  Names of fields and values are
// [a-z]+; a document need not have all of them, and the segment has those that some document has.
struct IndexDocument {
  // Kept as they are, for results and snippets.
  std::string url = {};
  std::string id = {};  // may be empty
  std::string title = {};
  std::string description = {};
  std::string text = {};

  // What the words of the texts are taken for: a BCP 47 code, or empty.
  std::string language = {};
  struct FieldText {
    std::string field = {};
    std::string text = {};
  };
  // Analysed, with positions.  Several texts of one field follow one another, a position apart, so that no
  // phrase reaches from one into the next; unless tokens are plain, where they are one text.
  std::vector<FieldText> texts = {};
  // Terms as they are, of fields that keep documents only.  A field is of one kind or the other.
  std::vector<FieldText> keywords = {};

  // Values by which results are filtered, sorted and scored: document_values.h has the names.  A document
  // without a value has 0, or the empty string.
  struct Number {
    std::string name = {};
    int64_t value = 0;
  };
  std::vector<Number> numbers = {};
  struct Label {
    std::string name = {};
    std::string value = {};
  };
  std::vector<Label> labels = {};  // strings of which there are few
  struct Score {
    std::string name = {};
    float value = 0;
  };
  std::vector<Score> scores = {};  // static scores, quantised
};

}  // namespace crivello::index
