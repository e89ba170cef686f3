// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the streams of an index: whatever opens is used entirely, in every format.  The same
// bytes as gaps and counts: lists written from them give them back.
#include <cstdlib>

#include "index/postings/posting_test_support.h"

namespace crivello::index {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

void UseAny(const PostingFormat& format, PostingContents contents, Bytes bytes) {
  static const std::vector<uint32_t> kLengths(1000, 50);
  PostingLists lists;
  lists.format = &format;
  lists.contents = contents;
  lists.documents = bytes;
  lists.counts = bytes.subspan(bytes.size() / 3);
  lists.positions = bytes.subspan(bytes.size() / 2);
  lists.lengths = kLengths;
  const auto opened = lists.Open(0);
  if (!opened.ok()) return;
  PostingCursor cursor = *opened;
  DocId before = 0;
  bool first = true;
  for (; cursor.doc() != kEndDoc; cursor.Next()) {
    Require(first || cursor.doc() > before);
    first = false;
    before = cursor.doc();
    if (contents == PostingContents::kDocuments) continue;
    Require(cursor.count() > 0);
    if (contents == PostingContents::kPositions) Require(cursor.positions().size() <= 50);
  }
  cursor = *opened;
  for (uint64_t d = 1; d < kEndDoc && cursor.doc() != kEndDoc; d += 1 + d / 5) {
    cursor.SeekBlock(static_cast<DocId>(d));
    if (contents != PostingContents::kDocuments) cursor.block_max();
    cursor.SeekTo(static_cast<DocId>(d));
    Require(cursor.doc() >= d);
  }
}

// Two bytes are a posting: its gap, and the layout of its positions.
void RoundTrip(const PostingFormat& format, const uint8_t* data, size_t size) {
  PlainList list;
  DocId doc = 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    doc += data[i] < 200 ? data[i] % 5 : data[i];
    PlainPosting posting{.doc = doc++, .positions = {}};
    const uint32_t count = 1 + data[i + 1] % 7;
    for (uint32_t j = 0; j < count; j++) posting.positions.push_back(j * (1 + data[i + 1] / 7u));
    list.push_back(posting);
  }
  PlainIndex index(format, PostingContents::kPositions, std::vector<uint32_t>(doc + 1, 260));
  const uint64_t start = index.Add(list);
  const PostingLists& lists = index.Finish();
  const auto opened = lists.Open(start);
  Require(opened.ok());
  PostingCursor cursor = *opened;
  PostingCursor jumping = *opened;
  for (size_t i = 0; i < list.size(); i++) {
    Require(cursor.doc() == list[i].doc && cursor.count() == list[i].count());
    Require(std::ranges::equal(cursor.positions(), list[i].positions));
    if (i % 3 == 0) {
      jumping.SeekTo(list[i].doc);
      Require(jumping.doc() == list[i].doc && std::ranges::equal(jumping.positions(), list[i].positions));
    }
    cursor.Next();
  }
  Require(cursor.doc() == kEndDoc && cursor.ok());
}

}  // namespace
}  // namespace crivello::index

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::index;
  for (const PostingFormat* format : AllPostingFormats()) {
    for (const auto contents :
         {PostingContents::kDocuments, PostingContents::kCounts, PostingContents::kPositions}) {
      UseAny(*format, contents, std::as_bytes(std::span(data, size)));
    }
    RoundTrip(*format, data, size);
  }
  return 0;
}
