// SPDX-License-Identifier: Apache-2.0
// Messages that return whole pages, for other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wire/message.h"

namespace crivello::wire {

struct ExportedBlock {
  uint32_t kind = 0;  // text::BlockKind
  uint32_t level = 0;
  bool main = true;
  std::string text = {};

  static void Fields(auto& visit, auto& self) { visit(self.kind, self.level, self.main, self.text); }
  friend bool operator==(const ExportedBlock&, const ExportedBlock&) = default;
};

struct ExportedLink {
  std::string url = {};
  std::string text = {};
  bool nofollow = false;

  static void Fields(auto& visit, auto& self) { visit(self.url, self.text, self.nofollow); }
  friend bool operator==(const ExportedLink&, const ExportedLink&) = default;
};

// The near-duplicates of a page, as found by 'dups --all'.
struct ExportedCluster {
  std::string representative = {};  // URL of the page that represents all of them
  uint64_t pages = 0;               // the number of all of them

  static void Fields(auto& visit, auto& self) { visit(self.representative, self.pages); }
  friend bool operator==(const ExportedCluster&, const ExportedCluster&) = default;
};

struct ExportedPage {
  std::string url = {};
  std::string id = {};  // with which it was imported
  int64_t time = 0;     // microseconds since 1970
  uint32_t status = 0;
  std::string language = {};
  std::string title = {};
  std::string usage = {};  // its preferences of use, including those of robots.txt
  std::optional<ExportedCluster> cluster = {};
  std::vector<ExportedBlock> blocks = {};
  std::vector<ExportedLink> links = {};  // if requested
  std::string record = {};               // if requested and archived: head and body

  static void Fields(auto& visit, auto& self) {
    visit(self.url, self.id, self.time, self.status, self.language, self.title, self.usage, self.cluster,
          self.blocks, self.links, self.record);
  }
  friend bool operator==(const ExportedPage&, const ExportedPage&) = default;
};

struct ExportedPages {
  static constexpr const char* kName = "exported pages";
  std::vector<ExportedPage> pages = {};
  std::string next = {};  // the key where the next request should begin; empty: there is no more

  static void Fields(auto& visit, auto& self) { visit(self.pages, self.next); }
  friend bool operator==(const ExportedPages&, const ExportedPages&) = default;
};

// The newest versions of the searchable pages in a range of keys, ordered by key.  Returns a part of about a
// megabyte.
struct ExportRequest {
  static constexpr const char* kName = "export";
  static constexpr MessageType kType = MessageType::kExport;
  static constexpr bool kRepeatable = true;
  using Answer = ExportedPages;

  std::string begin = {};
  std::string end = {};  // empty: no limit
  bool text = true;
  bool links = false;
  bool records = false;
  bool unique = false;  // without pages that are represented by another exported page

  static void Fields(auto& visit, auto& self) {
    visit(self.begin, self.end, self.text, self.links, self.records, self.unique);
  }
  friend bool operator==(const ExportRequest&, const ExportRequest&) = default;
};

}  // namespace crivello::wire
