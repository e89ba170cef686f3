// SPDX-License-Identifier: Apache-2.0
// Messages about the pages of a collection.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/message.h"

namespace crivello::wire {

struct PageLink {
  std::string url = {};
  std::string text = {};

  static void Fields(auto& visit, auto& self) { visit(self.url, self.text); }
  friend bool operator==(const PageLink&, const PageLink&) = default;
};

// The stored text of a page.
struct PageText {
  std::string title = {};
  std::string text = {};  // the main content
  std::string language = {};
  std::string charset = {};
  std::string author = {};
  std::optional<int64_t> published = {};  // seconds since 1970

  static void Fields(auto& visit, auto& self) {
    visit(self.title, self.text, self.language, self.charset, self.author, self.published);
  }
  friend bool operator==(const PageText&, const PageText&) = default;
};

// One version of a page, as stored in its row.
struct PageVersion {
  int64_t time = 0;  // microseconds since 1970
  uint32_t status = 0;
  std::string type = {};
  uint64_t bytes = 0;       // of the body, as sent
  std::string digest = {};  // of these bytes, "sha1:..."
  std::string location = {};
  bool noindex = false;
  bool noarchive = false;
  bool nofollow = false;
  bool truncated = false;
  bool revisit = false;
  std::optional<int64_t> unavailable_after = {};    // seconds since 1970
  std::string usage = {};                           // its preferences of use, including those of robots.txt
  std::optional<PageText> text = {};                // if requested and stored
  std::optional<std::vector<PageLink>> links = {};  // likewise

  static void Fields(auto& visit, auto& self) {
    visit(self.time, self.status, self.type, self.bytes, self.digest, self.location, self.noindex,
          self.noarchive, self.nofollow, self.truncated, self.revisit, self.unavailable_after, self.usage,
          self.text, self.links);
  }
  friend bool operator==(const PageVersion&, const PageVersion&) = default;
};

struct PageVersions {
  static constexpr const char* kName = "versions of a page";
  std::string url = {};                    // canonical
  std::vector<PageVersion> versions = {};  // newest first; never empty

  static void Fields(auto& visit, auto& self) { visit(self.url, self.versions); }
  friend bool operator==(const PageVersions&, const PageVersions&) = default;
};

// The versions of a page.  NotFound if it has no row.
struct GetRequest {
  static constexpr const char* kName = "get";
  static constexpr MessageType kType = MessageType::kGet;
  static constexpr bool kRepeatable = true;
  using Answer = PageVersions;

  std::string url = {};  // as typed
  bool all = false;      // all versions; otherwise the newest
  bool text = false;
  bool links = false;
  int64_t at = INT64_MAX;  // microseconds since 1970: no later versions

  static void Fields(auto& visit, auto& self) { visit(self.url, self.all, self.text, self.links, self.at); }
  friend bool operator==(const GetRequest&, const GetRequest&) = default;
};

struct PageRecord {
  static constexpr const char* kName = "record of a page";
  int64_t time = 0;  // microseconds since 1970
  bool noarchive = false;
  std::string bytes = {};

  static void Fields(auto& visit, auto& self) { visit(self.time, self.noarchive, self.bytes); }
  friend bool operator==(const PageRecord&, const PageRecord&) = default;
};

// The archived record of a page: the newest one (not later than a given time), head and body.
// NotFound if there is none.
struct RecordRequest {
  static constexpr const char* kName = "record";
  static constexpr MessageType kType = MessageType::kRecord;
  static constexpr bool kRepeatable = true;
  using Answer = PageRecord;

  std::string url = {};  // as typed
  // Return the block of that version's record exactly as archived: without the body, if that is in
  // another record.
  bool raw = false;
  int64_t at = INT64_MAX;  // microseconds since 1970

  static void Fields(auto& visit, auto& self) { visit(self.url, self.raw, self.at); }
  friend bool operator==(const RecordRequest&, const RecordRequest&) = default;
};

struct ArchivedPages {
  static constexpr const char* kName = "archived pages";
  std::vector<bool> archived = {};  // in the order of the URLs

  static void Fields(auto& visit, auto& self) { visit(self.archived); }
  friend bool operator==(const ArchivedPages&, const ArchivedPages&) = default;
};

// For each URL, whether RecordRequest would find a record that may be shown.
struct ArchivedRequest {
  static constexpr const char* kName = "archived";
  static constexpr MessageType kType = MessageType::kArchived;
  static constexpr bool kRepeatable = true;
  using Answer = ArchivedPages;

  std::vector<std::string> urls = {};

  static void Fields(auto& visit, auto& self) { visit(self.urls); }
  friend bool operator==(const ArchivedRequest&, const ArchivedRequest&) = default;
};

struct ScannedPage {
  std::string url = {};
  int64_t time = 0;  // microseconds since 1970
  uint32_t status = 0;
  std::string type = {};
  uint64_t bytes = 0;

  static void Fields(auto& visit, auto& self) {
    visit(self.url, self.time, self.status, self.type, self.bytes);
  }
  friend bool operator==(const ScannedPage&, const ScannedPage&) = default;
};

struct ScannedPages {
  static constexpr const char* kName = "pages";
  std::vector<ScannedPage> pages = {};
  std::string next = {};  // the key where the next request should begin; empty: there is no more

  static void Fields(auto& visit, auto& self) { visit(self.pages, self.next); }
  friend bool operator==(const ScannedPages&, const ScannedPages&) = default;
};

// A part of the newest versions of the rows in a range of keys, ordered by key.  A client that wants all of
// them asks for one part after another, so that nothing is kept for a client that pauses in between.
struct ScanRequest {
  static constexpr const char* kName = "scan";
  static constexpr MessageType kType = MessageType::kScan;
  static constexpr bool kRepeatable = true;
  static constexpr uint64_t kMaxLimit = 10'000;
  using Answer = ScannedPages;

  std::string begin = {};
  std::string end = {};  // empty: no limit
  uint64_t limit = 1000;

  static void Fields(auto& visit, auto& self) { visit(self.begin, self.end, self.limit); }
  friend bool operator==(const ScanRequest&, const ScanRequest&) = default;
};

}  // namespace crivello::wire
