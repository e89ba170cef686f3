// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"
#include "collection/collection.h"
#include "dedup/discovery/fingerprint_run.h"

namespace crivello::jobs {

// The folder `duplicates` of a collection:
//   lock                         held by whoever writes or removes these files
//   METHOD/run-N                 fingerprints of pages (dedup/discovery/fingerprint_run.h)
//   METHOD/pages-N               which pages these are (graph/names/name_list.h), written after run-N
//   METHOD/RESULT/pairs          near-duplicates among them (dedup/discovery/duplicate_files.h)
//   METHOD/RESULT/earlier        pairs of the discovery before, which had fewer pages
//   METHOD/RESULT/clusters, candidates-N, verified-N: of a discovery (dedup/discovery/discovery.h)
// RESULT says how similar pages had to be, such as "words-0.70".  And in each tablet:
//   duplicates/by-page           the clusters of its pages, for its owner to take in (clusters_file.h)

std::string DuplicatesFolder(std::string_view collection);
std::string DuplicatesFolder(std::string_view collection, dedup::Method method);
std::string RunPath(std::string_view folder, size_t number);
std::string RunPagesPath(std::string_view folder, size_t number);
std::string ClustersOfTabletPath(std::string_view folder);

// The folders `duplicates` of the tablets.
std::vector<std::string> DuplicateFolders(collection::Collection& store);

// The right to write or remove these files; goes with the object or the process.
class DuplicatesLock {
 public:
  // Waits until nobody has it.  Makes the folder if it is missing, and removes what crashes left
  // half-written.
  static Result<DuplicatesLock> Take(std::string_view collection,
                                     std::span<const std::string> tablet_folders);
  DuplicatesLock(DuplicatesLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  DuplicatesLock& operator=(DuplicatesLock&&) = delete;
  ~DuplicatesLock();

 private:
  explicit DuplicatesLock(int fd) : fd_(fd) {}
  int fd_;
};

// Removes fingerprints, pairs and clusters, all of them, durably; waits for the lock.  They are derived: the
// next job makes them again, and leaves out pages that are forgotten.
Status RemoveDuplicates(const std::string& collection, std::span<const std::string> tablet_folders);

// Reads all these files: what is wrong with them, if anything is.
Result<std::vector<Status>> CheckDuplicates(const std::string& collection,
                                            std::span<const std::string> tablet_folders);

}  // namespace crivello::jobs
