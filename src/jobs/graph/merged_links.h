// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/image.h"
#include "base/status.h"
#include "jobs/links/link_inverter.h"
#include "jobs/links/links_file.h"

namespace crivello::jobs {

// The links files of all tablets, mapped on opening, so they can still be read after they are replaced or
// removed.
class LinksFiles {
 public:
  // NotFound or Corruption, with the path, if one is missing or damaged.  REQUIRES: the caller has the links
  // lock.
  static Result<LinksFiles> Open(std::span<const LinkTablet> tablets);
  // Whether they were made from the current rows.
  bool Current(std::span<const LinkTablet> tablets) const;
  std::span<const Mapped<LinksFile>> files() const { return files_; }
  uint64_t links() const;

 private:
  std::vector<Mapped<LinksFile>> files_;
};

// Iterates over the links of all tablets, ordered by target and then by source.  Memory: two keys per tablet.
// One thread at a time; the files must outlive it.
class MergedLinks {
 public:
  explicit MergedLinks(const LinksFiles& files);
  // Moves to the next link (at first to the first); false at the end, or on an error, which status() then
  // returns.
  bool Next();
  // REQUIRES: Next() returned true.  The views are valid until the next call.
  LinkRecord link() const { return cursors_[heap_.front()].link(); }
  const Status& status() const { return status_; }

 private:
  bool Later(size_t a, size_t b) const { return cursors_[a].link().target > cursors_[b].link().target; }
  bool Advance(size_t cursor);

  std::span<const Mapped<LinksFile>> files_;
  std::vector<LinksCursor> cursors_;
  std::vector<size_t> heap_;  // cursors that are on a link; the one with the least target first
  bool started_ = false;
  Status status_;
};

}  // namespace crivello::jobs
