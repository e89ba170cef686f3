// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "index/postings/posting_format.h"

namespace crivello::search {

// The indirect priority queue of the lecture notes: numbers of lists, the one on the least document on top.
// Whoever moves the top list says so with Fix().  O(log n) a move.
class IndirectHeap {
 public:
  using DocId = index::DocId;

  IndirectHeap() = default;
  // docs[i] is where list i stands.
  explicit IndirectHeap(const std::vector<DocId>& docs) {
    for (size_t i = 0; i < docs.size(); i++) entries_.push_back({docs[i], static_cast<uint32_t>(i)});
    for (size_t i = entries_.size() / 2; i-- > 0;) Sink(i);
  }
  bool empty() const { return entries_.empty(); }
  uint32_t top() const { return entries_[0].list; }
  DocId top_doc() const { return entries_[0].doc; }
  // The top list has moved to a document.
  void Fix(DocId doc) {
    entries_[0].doc = doc;
    Sink(0);
  }
  // Calls f(list) for each list on the top's document, itself included: no other is looked at but their
  // children.
  template <typename F>
  void ForEachOnTop(F&& f) const {
    if (!entries_.empty()) Visit(0, f);
  }

 private:
  struct Entry {
    DocId doc;
    uint32_t list;
  };
  template <typename F>
  void Visit(size_t i, F& f) const {
    if (i >= entries_.size() || entries_[i].doc != entries_[0].doc) return;
    f(entries_[i].list);
    Visit(2 * i + 1, f);
    Visit(2 * i + 2, f);
  }
  void Sink(size_t i) {
    const Entry entry = entries_[i];
    for (;;) {
      size_t child = 2 * i + 1;
      if (child >= entries_.size()) break;
      if (child + 1 < entries_.size() && entries_[child + 1].doc < entries_[child].doc) child++;
      if (entries_[child].doc >= entry.doc) break;
      entries_[i] = entries_[child];
      i = child;
    }
    entries_[i] = entry;
  }

  std::vector<Entry> entries_;
};

}  // namespace crivello::search
