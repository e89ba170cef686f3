// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/build/inverter.h"
#include "index/postings/posting_format.h"
#include "text/terms/analyser.h"

namespace crivello::index {

// Consecutive documents, as input for analysis.  Fields are identified by numbers, and keep at least counts
// unless they hold keywords.
struct DocumentChunk {
  struct Piece {
    uint32_t field = 0;
    std::string text;
  };
  struct Document {
    std::string language;
    std::vector<Piece> texts;
    std::vector<Piece> keywords;
  };
  std::vector<PostingContents> fields;  // of all seen so far, by number
  std::vector<Document> documents;
  uint64_t bytes = 0;
};

// Inverts a chunk into one run per field.  Keeps an analyser and the memory of its inverters, so that the
// next chunk costs no allocation.  One thread at a time.
class ChunkInverter {
 public:
  explicit ChunkInverter(text::Analyser analyser);
  // Runs, indexed by field number.
  std::vector<std::vector<uint8_t>> Invert(const DocumentChunk& chunk);

 private:
  void Add(const DocumentChunk::Document& document);

  text::Analyser analyser_;
  uint32_t gap_;                                      // positions skipped between two texts of a field
  std::vector<std::unique_ptr<Inverter>> inverters_;  // by field
  std::vector<uint32_t> lengths_;                     // of the current document, by field
};

}  // namespace crivello::index
