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
  std::string url;
  std::string id;  // may be empty
  std::string title;
  std::string description;
  std::string text;

  // What the words of the texts are taken for: a BCP 47 code, or empty.
  std::string language;
  struct FieldText {
    std::string field;
    std::string text;
  };
  // Analysed, with positions.  Several texts of one field follow one another, a position apart, so that no
  // phrase reaches from one into the next.
  std::vector<FieldText> texts;
  // Terms as they are, of fields that keep documents only.  A field is of one kind or the other.
  std::vector<FieldText> keywords;

  struct Number {
    std::string name;
    uint64_t value = 0;
  };
  std::vector<Number> numbers;  // "time", "from", "until", "digest", ...; 0 where a document has none
  struct Label {
    std::string name;
    std::string value;
  };
  std::vector<Label> labels;  // "language", "type", "site": few values, many documents; empty if none
  struct Score {
    std::string name;
    float value = 0;
  };
  std::vector<Score> scores;  // static scores, quantised
};

}  // namespace crivello::index
