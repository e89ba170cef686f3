// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "dedup/simhash/near_copy_table.h"
#include "store/archive_reader.h"
#include "store/record_locator.h"

namespace crivello::crawl {

// Finds an earlier page of this crawl that is nearly equal to the one being read, with a
// dedup::NearCopyTable.  Its entries say where a page is archived, because the archive has its URL.  So a
// page costs 64 bytes, and only a match reads from the disk, which takes some microseconds.  Near-copies
// themselves are not remembered: the first page of its kind is reported, and a thousand copies take the space
// of one.
//
// A page is looked up and remembered in one step, before it is archived.  So if two near-copies are read at
// the same time, one of them finds the other.
//
// It is never stored; losing it costs only recall.  Thread-safe.
class NearCopies {
 public:
  // `archives`: the folders of the tablets' archives, by slot; empty for those of other processes.
  // InvalidArgument if the memory is too small.
  static Result<std::unique_ptr<NearCopies>> Create(uint64_t memory_bytes,
                                                    const std::vector<std::string>& archives);

  struct Copy {
    std::string url;
    int distance = 0;  // of the SimHashes
  };

  // A page that is being read.  It is forgotten unless it is archived.  Movable; the table must outlive it.
  class Reading {
   public:
    Reading() = default;
    Reading(Reading&& other) noexcept { *this = std::move(other); }
    Reading& operator=(Reading&& other) noexcept {
      std::swap(copies_, other.copies_);
      std::swap(number_, other.number_);
      return *this;
    }
    ~Reading();
    // From now on, the table remembers the page by its place in the archive.
    void Archived(uint32_t tablet, const store::RecordLocator& record);

   private:
    friend class NearCopies;
    NearCopies* copies_ = nullptr;
    uint64_t number_ = 0;
  };

  // The nearest page within NearCopyTable::kDistance, except the page of that URL itself; if there is none,
  // `reading` becomes the page.  Also nothing if the archive does not say which page it was. REQUIRES: its
  // SimHash is of NearCopyTable::kLeastSignals signals or more.
  std::optional<Copy> Enter(uint64_t simhash, const std::string& url, Reading* reading) CRV_EXCLUDES(mu_);

  // A tablet came, with the folder of its archive, or went, with none.  REQUIRES: nobody is in Enter().
  void SetArchive(uint32_t tablet, const std::string& folder) {
    archives_[tablet] = std::make_unique<store::ArchiveReader>(folder);
  }

  uint64_t MemoryBytes() const CRV_EXCLUDES(mu_);

 private:
  struct Page {
    uint64_t number;
    uint64_t simhash;
    std::string url;
  };
  explicit NearCopies(dedup::NearCopyTable table) : table_(std::move(table)) {}
  std::optional<uint64_t> TakeReading(uint64_t number) CRV_REQUIRES(mu_);
  void Leave(uint64_t number) CRV_EXCLUDES(mu_);
  void Remember(uint64_t number, uint64_t reference) CRV_EXCLUDES(mu_);

  std::vector<std::unique_ptr<store::ArchiveReader>> archives_;
  mutable Mutex mu_;
  dedup::NearCopyTable table_ CRV_GUARDED_BY(mu_);
  std::vector<Page> reading_ CRV_GUARDED_BY(mu_);  // one for each page worker at most
  uint64_t last_number_ CRV_GUARDED_BY(mu_) = 0;
};

}  // namespace crivello::crawl
