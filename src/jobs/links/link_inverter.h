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

// A tablet whose links are read and whose links file is written.
struct LinkTablet {
  web::TabletId id;
  const store::Table* table = nullptr;
  const store::ChangeLog* changes = nullptr;
  std::string folder;  // of its links (links_folder.h)
};
// The tablets of a collection, in their order.  The collection outlives them.
std::vector<LinkTablet> LinkTabletsOf(collection::Collection& store);
std::vector<std::string> LinkFolders(std::span<const LinkTablet> tablets);

struct InvertLinksOptions {
  uint64_t memory_bytes = uint64_t{64} << 20;
  // Whether a row is never to be named by these files; empty: none is.
  std::function<bool(std::string_view row_key)> excluded = {};
  std::stop_token stop = {};  // then it ends as Unavailable
  FileSystem* fs = &PosixFileSystem();
};

struct LinksSummary {
  uint64_t rows = 0;   // that were read
  uint64_t links = 0;  // that were written, to all tablets
};

// Turns the links of all rows around: reads the newest version of each row by source, and writes for each
// tablet the links to its pages, sorted by target (links_file.h).  Links to pages that have no row are among
// them, and so are those that nobody vouches for; flags tell them.  Each file replaces the one before when it
// is complete; if the job is cut off, some are new and some are old, and each says up to which changes it was
// made.
//
// One external sort by tablet, target and source: its memory and its open files do not depend on the number
// of tablets.  The same rows give the same records, however they are cut into tablets and whatever the
// memory.
//
// InvalidArgument unless the tablets hold every host exactly once.  REQUIRES: the caller has the LinksLock.
Result<LinksSummary> InvertLinks(std::span<const LinkTablet> tablets, const InvertLinksOptions& options,
                                 Progress& progress);

// Reads the links file of a tablet: NotFound if there is none, Corruption, with its path, if it is damaged or
// belongs to another tablet.
Status CheckLinksOf(const LinkTablet& tablet);

}  // namespace crivello::jobs
