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

// The state of a segment's documents after it was written: which were deleted, and which were superseded by a
// newer version of their page, and when.
//
// A lookup reads one bit.  In memory: a bit or two per document, and 12 bytes for each that has ended.  A
// value, because its file's image is small: read whole, changed by copying.  Immutable once shared.  Format:
// docs/formats/deletions.md.
class LiveDocuments {
 public:
  static constexpr FileKind kFileKind = {.name = "deletions", .version = 1};

  // All documents live and current.
  explicit LiveDocuments(DocId documents);
  static Result<LiveDocuments> FromImage(Bytes image);
  ImageWriter ToImage() const;

  DocId documents() const { return documents_; }
  // REQUIRES: doc < documents(), here and below.  Both return whether this is a change.
  bool Delete(DocId doc);
  // The document was current until this time.
  bool End(DocId doc, int64_t until);
  // The same for many, in any order; documents that are not current do not change.  O(ended() + their sort).
  void EndAll(std::vector<std::pair<DocId, int64_t>> ends);

  bool IsLive(DocId doc) const { return !Has(deleted_, doc); }
  // Live, and the newest version of its page: what searches find unless they ask for older versions.
  bool IsCurrent(DocId doc) const { return !Has(past_, doc); }
  // When it ceased to be current; nullopt if it did not.
  std::optional<int64_t> UntilOf(DocId doc) const;

  uint64_t deleted() const { return deleted_count_; }
  uint64_t ended() const { return ends_.size(); }
  // No document was deleted or superseded: equivalent to having no LiveDocuments.
  bool untouched() const { return deleted_count_ == 0 && ends_.empty(); }
  // One bit per document, set if it is deleted; and one set if it is not current.
  std::span<const uint64_t> deleted_bits() const { return deleted_; }
  std::span<const uint64_t> past_bits() const { return past_; }
  // Ordered by document.
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
