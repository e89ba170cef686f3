// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "base/status.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

// What became of the documents of a segment after it was written: those that were deleted, and those that a
// newer version of their page has followed, with the time when that was.
//
// A look costs a bit.  In memory a bit or two a document, and 12 bytes for each that has ended.  A value, as
// its file's image is small: read whole, changed by copying.  Immutable once shared.  Format:
// docs/formats/deletions.md.
class LiveDocuments {
 public:
  static constexpr FileKind kFileKind = {.name = "deletions", .version = 1};

  // All live and current.
  explicit LiveDocuments(DocId documents);
  static Result<LiveDocuments> FromImage(Bytes image);
  ImageWriter ToImage() const;

  DocId documents() const { return documents_; }
  // REQUIRES: doc < documents(), here and below.  Both return whether that is news.
  bool Delete(DocId doc);
  // The document was current until then.
  bool End(DocId doc, int64_t until);
  // The same for many, in any order: those that are not current stay as they are.  O(ended() + their sort).
  void EndAll(std::vector<std::pair<DocId, int64_t>> ends);

  bool IsLive(DocId doc) const { return !Has(deleted_, doc); }
  // Live, and the newest version of its page: what is searched unless somebody asks for older ones.
  bool IsCurrent(DocId doc) const { return !Has(past_, doc); }
  // When it ceased to be current; nothing if it did not.
  std::optional<int64_t> UntilOf(DocId doc) const;

  uint64_t deleted() const { return deleted_count_; }
  uint64_t ended() const { return ends_.size(); }
  // Nothing happened: as good as no LiveDocuments at all.
  bool untouched() const { return deleted_count_ == 0 && ends_.empty(); }
  // A bit a document, set if it is deleted; and if it is not current.
  std::span<const uint64_t> deleted_bits() const { return deleted_; }
  std::span<const uint64_t> past_bits() const { return past_; }
  // In the order of the documents.
  const std::vector<std::pair<DocId, int64_t>>& ends() const { return ends_; }

  Description Describe() const;
  friend bool operator==(const LiveDocuments&, const LiveDocuments&) = default;

 private:
  static bool Has(const std::vector<uint64_t>& bits, DocId doc) { return bits[doc / 64] >> (doc % 64) & 1; }
  static void Set(std::vector<uint64_t>& bits, DocId doc) { bits[doc / 64] |= uint64_t{1} << (doc % 64); }

  DocId documents_;
  uint64_t deleted_count_ = 0;
  std::vector<uint64_t> deleted_;
  std::vector<uint64_t> past_;  // deleted or ended
  std::vector<std::pair<DocId, int64_t>> ends_;
};

}  // namespace crivello::index
