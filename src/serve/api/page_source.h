// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "collection/why.h"

namespace crivello::serve {

struct PageLink {
  std::string url;
  std::string text;
};

// One version of a page, as its row has it.
struct PageVersion {
  int64_t time_seconds = 0;
  int status = 0;
  std::string type;
  std::string location;  // of a redirect
  bool noarchive = false;
  bool unavailable = false;  // its unavailable_after has passed
  std::string usage;         // its preferences of use: "train-ai=n"
  std::string title;
  std::string text;  // the main content
  std::string language;
  std::vector<PageLink> links;
};

// What was archived of a page: the bytes of the answer, head and body, as they came.
struct PageRecord {
  int64_t time_seconds = 0;
  bool noarchive = false;
  std::string response;
};

struct CollectionStats {
  uint64_t pages = 0;  // rows
  uint64_t hosts = 0;
  uint64_t queued = 0;
};

// What the server shows of single pages, beside searching: from the collection, if this process has it open,
// or by asking the process that has.  URLs are as typed.  Thread-safe.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // Newest first.  NotFound if there is no row.
  virtual Result<std::vector<PageVersion>> Versions(std::string_view url) = 0;
  // Of the newest version that was archived.  NotFound if none was.
  virtual Result<PageRecord> Record(std::string_view url) = 0;
  // Whether Record() would find a record to show (one without noarchive), of each; where that cannot be told,
  // it is not.
  virtual std::vector<bool> Archived(const std::vector<std::string>& urls);
  virtual Result<std::vector<collection::Reason>> Why(std::string_view url) = 0;
  // May wait for a count of all rows.
  virtual Result<CollectionStats> Stats() = 0;
  // As of the last count, without waiting for another: for pages that show them beside something else.
  virtual Result<CollectionStats> LastStats() { return Stats(); }
};

}  // namespace crivello::serve
