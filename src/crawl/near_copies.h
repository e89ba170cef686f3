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

// Which page that this crawl has read is nearly the one that it reads now: a dedup::NearCopyTable whose
// entries say where a page is archived, because there its URL stands.  So a page costs 64 bytes, and only a
// match reads from the disk, some microseconds.  Pages that are near-copies themselves are not remembered:
// what is named is the first of its kind, and a thousand copies take the room of one.
//
// A page is looked for and remembered in one step, before it is archived, so of two near-copies that are read
// at the same time one knows the other.
//
// It lives as long as its process and is written nowhere: what is lost costs recall only.  Thread-safe.
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

  // A page that is being read.  Goes without a trace unless it is archived.  Movable; outlived by the table.
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
    // The page is remembered from now on by where it is archived.
    void Archived(uint32_t tablet, const store::RecordLocator& record);

   private:
    friend class NearCopies;
    NearCopies* copies_ = nullptr;
    uint64_t number_ = 0;
  };

  // The nearest page within NearCopyTable::kDistance, other than the one of that URL; if there is none,
  // `reading` becomes the page.  Nothing, too, if the archive does not say which page it was.
  // REQUIRES: its SimHash is of NearCopyTable::kLeastSignals signals or more.
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
