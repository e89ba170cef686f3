// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "index/postings/posting_cursor.h"
#include "index/terms/term_dictionary.h"

namespace crivello::index {

// Everything that a query needs from one field of one segment: an inverted index of its own.  Views of bytes
// that the segment keeps; immutable; any number of threads may read.
struct FieldView {
  std::string name;
  PostingLists lists;  // without lengths if only documents are kept
  TermDictionary terms;
  uint64_t tokens = 0;      // the sum of the lengths
  uint64_t documents = 0;   // those with a non-zero length
  uint32_t max_length = 0;  // of a document

  // Opens a cursor at the first posting of a term of this field.
  Result<PostingCursor> Open(const TermEntry& term) const { return lists.Open(term.start); }
};

}  // namespace crivello::index
