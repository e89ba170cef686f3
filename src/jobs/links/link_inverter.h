// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "store/change_log.h"
#include "store/table.h"
#include "web/url/tablet_id.h"

namespace crivello::jobs {

// A tablet whose links are read, and whose links file is written.
struct LinkTablet {
  web::TabletId id;
  const store::Table* table = nullptr;
  const store::ChangeLog* changes = nullptr;
  std::string folder;  // of its links (links_folder.h)
};
// The tablets of a collection, in their order.  The collection must outlive them.
std::vector<LinkTablet> LinkTabletsOf(collection::Collection& store);
std::vector<std::string> LinkFolders(std::span<const LinkTablet> tablets);

struct InvertLinksOptions {
  uint64_t memory_bytes = uint64_t{64} << 20;
  // Whether these files must never name a row; empty: no such rows.
  std::function<bool(std::string_view row_key)> excluded = {};
  std::stop_token stop = {};  // stops with Unavailable
  FileSystem* fs = &PosixFileSystem();
};

struct LinksSummary {
  uint64_t rows = 0;   // rows read
  uint64_t links = 0;  // links written, to all tablets
};

// Inverts the links of all rows: reads the newest version of each row, and writes for each tablet the
// links to its pages, sorted by target (links_file.h).  This includes links to pages without a row, and
// nofollow links, which are marked by flags.  Each file replaces the previous one when it is complete.
// If the job is interrupted, some are new and some are old, and each records up to which changes it was
// made.
//
// One external sort by tablet, target and source: its memory and its number of open files do not
// depend on the number of tablets.  The same rows give the same records, whatever the tablets and the
// memory.
//
// InvalidArgument unless every host is in exactly one tablet.  REQUIRES: the caller has the LinksLock.
Result<LinksSummary> InvertLinks(std::span<const LinkTablet> tablets, const InvertLinksOptions& options,
                                 Progress& progress);

// Reads the links file of a tablet: NotFound if there is none, Corruption, with its path, if it is damaged or
// belongs to another tablet.
Status CheckLinksOf(const LinkTablet& tablet);

}  // namespace crivello::jobs
