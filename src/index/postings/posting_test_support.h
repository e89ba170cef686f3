// SPDX-License-Identifier: Apache-2.0
// Posting lists as vectors: the reference for the compressed ones, and lists to test them with.  Included by
// _test.cc, _bench.cc and _fuzz.cc files only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "index/postings/posting_cursor.h"
#include "index/postings/posting_writer.h"

namespace crivello::index {

struct PlainPosting {
  DocId doc = 0;
  std::vector<uint32_t> positions;
  uint32_t count() const { return static_cast<uint32_t>(positions.size()); }
};
using PlainList = std::vector<PlainPosting>;

inline std::vector<uint32_t> SomePositions(Random& random, uint32_t count, uint32_t length) {
  std::set<uint32_t> positions;
  while (positions.size() < count) positions.insert(static_cast<uint32_t>(random.Below(length)));
  return {positions.begin(), positions.end()};
}

// An index of plain lists in one format, in memory.
class PlainIndex {
 public:
  PlainIndex(const PostingFormat& format, PostingContents contents, std::vector<uint32_t> lengths)
      : lengths_(std::move(lengths)), writer_({&format, contents, lengths_}) {
    lists_.format = &format;
    lists_.contents = contents;
  }
  // Returns where the list starts; ~0 if it was refused.
  uint64_t Add(const PlainList& list) {
    for (const PlainPosting& posting : list) writer_.Add(posting.doc, posting.count(), posting.positions);
    const auto start = writer_.FinishList();
    return start.ok() ? *start : ~uint64_t{0};
  }
  const PostingLists& Finish() {
    writer_.Finish();
    lists_.documents = writer_.documents().bytes();
    lists_.counts = writer_.counts().bytes();
    lists_.positions = writer_.positions().bytes();
    lists_.lengths = lengths_;
    return lists_;
  }

 private:
  std::vector<uint32_t> lengths_;
  PostingListWriter writer_;
  PostingLists lists_;
};

}  // namespace crivello::index
