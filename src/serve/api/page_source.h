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

// The archived record of a page: the bytes of the response, head and body, as they were received.
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

// What the server shows about single pages, besides search results.  It reads the collection if this process
// has it open, and otherwise asks the process that has.  URLs are as the user typed them.  Thread-safe.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // Newest first.  NotFound if there is no row.
  virtual Result<std::vector<PageVersion>> Versions(std::string_view url) = 0;
  // The newest version in the archive.  NotFound if none was archived.
  virtual Result<PageRecord> Record(std::string_view url) = 0;
  // For each URL, whether Record() would return a record that may be shown (one without noarchive); false
  // where this cannot be determined.
  virtual std::vector<bool> Archived(const std::vector<std::string>& urls);
  virtual Result<std::vector<collection::Reason>> Why(std::string_view url) = 0;
  // May wait until all rows are counted.
  virtual Result<CollectionStats> Stats() = 0;
  // As of the last count, without waiting for a new one: for pages that show these numbers in passing.
  virtual Result<CollectionStats> LastStats() { return Stats(); }
};

}  // namespace crivello::serve
