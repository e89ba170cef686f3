// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/file_format.h"
#include "base/file_system.h"
#include "base/status.h"
#include "index/ranks/rank_column.h"
#include "index/ranks/rank_scale.h"
#include "index/segments/segment.h"

namespace crivello::index {

// The values of a rank for the pages of a tablet, by UrlKey(); the columns of its segments are made from it,
// including later ones.  A rank of hosts or domains has values of hosts instead, and a page gets that of its
// host, even if the page is newer than the rank.  Pages without either value get the median.
//
// 9 bytes a page or host.  A page is found by interpolation, since keys are hashes: some 0.1 µs.  Immutable;
// any number of threads may read.  Damaged bytes give wrong values, but nothing outside is read.  Format:
// docs/formats/rank-pages.md.
class RankPages {
 public:
  static constexpr FileKind kFileKind = {.name = "rank-pages", .version = 1};

  // A view of an image, which must outlive it.
  static Result<RankPages> FromImage(Bytes image);
  // Keeps the file open.
  static Result<std::shared_ptr<const RankPages>> Open(const std::string& path, Verify verify);

  const RankScale& scale() const { return scale_; }
  const std::string& name() const { return scale_.name; }
  uint64_t pages() const { return keys_.size(); }
  // Nullopt if it does not have the page.
  std::optional<uint8_t> Find(int64_t key) const;
  // The value of all pages of a host that have none of their own: that of the host, else of its domain.
  std::optional<uint8_t> FindHost(std::string_view host) const;
  // The column for a segment; documents with neither key nor host get the median.
  std::shared_ptr<const RankColumn> ColumnOf(const Segment& segment) const;

  Bytes image() const { return image_; }
  // Corruption if a page is out of order.
  Status Check() const;
  Description Describe() const;

 private:
  friend class RankPagesBuilder;
  Bytes image_;
  RankScale scale_;
  std::span<const uint64_t> keys_;
  std::span<const uint8_t> codes_;
  // One of these keeps the image.
  std::optional<FormatFile> file_;
  std::vector<uint64_t> words_;
};

// The columns of a segment, of each rank.
std::vector<std::shared_ptr<const RankColumn>> ColumnsOf(
    const Segment& segment, std::span<const std::shared_ptr<const RankPages>> ranks);
// Whether columns were made from these ranks, judging by their digests.
bool AreColumnsOf(std::span<const std::shared_ptr<const RankColumn>> columns,
                  std::span<const std::shared_ptr<const RankPages>> ranks);

// Memory: 16 bytes a page.  One thread at a time.
class RankPagesBuilder {
 public:
  explicit RankPagesBuilder(RankScale scale) : scale_(std::move(scale)) {}
  void Add(std::string_view url, float value);
  void AddHost(std::string_view host, float value);
  // A registrable domain, or a host without one, such as an IP address.
  void AddDomain(std::string_view domain, float value);
  // If two have the same key, the greater value is kept.
  std::shared_ptr<const RankPages> Finish() &&;

 private:
  void AddKey(int64_t key, float value);
  RankScale scale_;
  std::vector<std::pair<uint64_t, uint8_t>> pages_;
};

}  // namespace crivello::index
