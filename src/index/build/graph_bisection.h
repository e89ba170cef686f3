// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/postings/posting_format.h"

namespace crivello::index {

// The bipartite graph of documents and terms.  Computes an order of the documents that makes gaps small, by
// recursive bisection (Dhulipala, Kabiljo, Karrer, Ottaviano, Pupyrev, Shalita: Compressing graphs and
// indexes with recursive graph bisection, 2016).
//
// Cuts the documents, in their current order, into two halves.  A document gains if moving it
// to the other half reduces the sum of the logarithms of the gaps.  Swaps the documents with
// the largest gains in pairs, until no swap gains anything, or for 20 rounds.  Then does the
// same with each half, down to 16 documents.  The gain of a term is computed once per round.  A
// term that only one document of a range has, or all have, is ignored in that range and its
// parts.
// Time: O(postings) per round, at most 20 log2(documents / 16) rounds, of ever fewer postings.  Threads share
// the halves; the order does not depend on their number.  Memory: 8 bytes per posting, 24 per document, 20
// per term and thread.  One thread at a time.
class DocumentGraph {
 public:
  explicit DocumentGraph(DocId documents) : degrees_(documents) {}

  // The documents of a term, each one once.
  void AddTerm(std::span<const DocId> docs);
  // The new order: result[i] is the document at position i.
  std::vector<DocId> Bisect(unsigned threads) &&;

 private:
  class Bisector;

  std::vector<uint32_t> degrees_;  // terms of each document
  std::vector<DocId> docs_;        // of the terms, one after the other
  std::vector<uint64_t> ends_;     // in docs_
};

}  // namespace crivello::index
