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
//   lock                         held while these files are written or removed
//   METHOD/run-N                 fingerprints of pages (dedup/discovery/fingerprint_run.h)
//   METHOD/pages-N               the names of these pages (graph/names/name_list.h), written after run-N
//   METHOD/RESULT/pairs          near-duplicates among them (dedup/discovery/duplicate_files.h)
//   METHOD/RESULT/earlier        pairs of the previous discovery, which had fewer pages
//   METHOD/RESULT/clusters, candidates-N, verified-N: of a discovery (dedup/discovery/discovery.h)
// RESULT names the required similarity, such as "words-0.70".  And in each tablet:
//   duplicates/by-page           the clusters of its pages, for its owner to take in (clusters_file.h)

std::string DuplicatesFolder(std::string_view collection);
std::string DuplicatesFolder(std::string_view collection, dedup::Method method);
std::string RunPath(std::string_view folder, size_t number);
std::string RunPagesPath(std::string_view folder, size_t number);
std::string ClustersOfTabletPath(std::string_view folder);

// The folders `duplicates` of the tablets.
std::vector<std::string> DuplicateFolders(collection::Collection& store);

// The exclusive right to write or remove these files, released with the object or the process.
class DuplicatesLock {
 public:
  // Waits until nobody has it.  Creates the folder if it is missing, and removes partial files left by
  // crashes.
  static Result<DuplicatesLock> Take(std::string_view collection,
                                     std::span<const std::string> tablet_folders);
  DuplicatesLock(DuplicatesLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  DuplicatesLock& operator=(DuplicatesLock&&) = delete;
  ~DuplicatesLock();

 private:
  explicit DuplicatesLock(int fd) : fd_(fd) {}
  int fd_;
};

// Removes all fingerprints, pairs and clusters, durably; waits for the lock.  They are derived data: the next
// job makes them again, without forgotten pages.
Status RemoveDuplicates(const std::string& collection, std::span<const std::string> tablet_folders);

// Reads all these files; returns what is wrong with them, if anything.
Result<std::vector<Status>> CheckDuplicates(const std::string& collection,
                                            std::span<const std::string> tablet_folders);

}  // namespace crivello::jobs
