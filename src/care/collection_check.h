// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "store/archive_check.h"

namespace crivello::care {

// The findings of `check` in a collection.
struct CollectionCheck {
  store::StoreCheck store = {};  // archive, index and rows; the problems of all parts
  uint64_t hosts = 0;
  uint64_t queued = 0;

  void Note(std::string sentence) { store.Note(std::move(sentence)); }
};

// The three parts of a check, in the order in which to run them.  Problems are reported in `check`; an error
// means a failure of the disk.  Nothing is changed; the collection may be crawled meanwhile.

// Looks for damage that opening a collection would silently repair or truncate: logs of databases, files of
// the sieves.  Needs no lock.
Status CheckBeforeOpening(const std::string& directory, CollectionCheck* check, Progress& progress);
// The archives and their indexes, seeds and seen texts.  Needs no lock.
Status CheckFiles(const std::string& directory, CollectionCheck* check, Progress& progress);
// The databases: their files, rows against records and records against rows, ledger, robots.txt, queues.
Status CheckDatabases(collection::Collection& store, CollectionCheck* check, Progress& progress);

}  // namespace crivello::care
