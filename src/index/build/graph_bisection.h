// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/postings/posting_format.h"

namespace crivello::index {

// The bipartite graph of documents and terms, and the order of the documents that makes gaps small: recursive
// bisection (Dhulipala, Kabiljo, Karrer, Ottaviano, Pupyrev, Shalita: Compressing graphs and indexes with
// recursive graph bisection, 2016).
//
// The documents, in the order that they have, are cut in two halves; those whose moving to the other one
// saves most, in the sum of the logarithms of the gaps that terms would have in each, are exchanged in pairs,
// until none saves anything or after 20 rounds.  Then each half likewise, down to 16 documents.  What a term
// brings is computed once a round, and a term that only one document of a range has, or all have, is out
// there and below.
//
// Time: O(postings) a round, at most 20 log2(documents / 16) rounds, of ever fewer postings.  Halves go to
// threads; the order does not depend on how many.  Memory: 8 bytes a posting, 24 a document, 20 a term and
// thread.  One thread at a time.
class DocumentGraph {
 public:
  explicit DocumentGraph(DocId documents) : degrees_(documents) {}

  // The documents of a term, each once.
  void AddTerm(std::span<const DocId> docs);
  // The order: which document comes first, and so on.
  std::vector<DocId> Bisect(unsigned threads) &&;

 private:
  class Bisector;

  std::vector<uint32_t> degrees_;  // terms of each document
  std::vector<DocId> docs_;        // of the terms, one after the other
  std::vector<uint64_t> ends_;     // in docs_
};

}  // namespace crivello::index
