// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/description.h"
#include "base/file_format.h"
#include "base/status.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

// The settings of an index, chosen once.
struct IndexSettings {
  std::string analyser = {};      // text/terms/analyser_description.h
  std::string format = "packed";  // of posting lists, by name
  PostingContents contents = PostingContents::kPositions;
  bool store_text = true;
  bool versions = false;    // keep all versions of a page; otherwise a newer one replaces the older
  std::string fields = {};  // the fields that the caller puts into documents; the index itself accepts any

  friend bool operator==(const IndexSettings&, const IndexSettings&) = default;
};

// The contents of an index: the one file that makes a commit, replaced as a whole.
// Format: docs/formats/index-manifest.md.
struct Manifest {
  static constexpr FileKind kFileKind = {.name = "index-manifest", .version = 2};

  struct Entry {
    uint64_t id = 0;         // of the segment: the folder segments/00000042
    uint64_t documents = 0;  // in it, including deleted ones
    uint64_t deleted = 0;
    uint64_t deletions = 0;  // the generation of its file of deletions; 0: none
    uint64_t bytes = 0;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // A rank: every segment has a column of it, and the index has the pages from which columns are made.
  struct Rank {
    std::string name = {};
    uint64_t generation = 0;  // of the manifest that first named it; also part of the names of its files
    uint64_t digest = 0;      // of the values from which it was made

    friend bool operator==(const Rank&, const Rank&) = default;
  };

  uint64_t generation = 0;  // increases with each manifest that is written
  IndexSettings settings = {};
  uint64_t sequence = 0;  // the change of the table up to which the index covers it: the caller's number
  uint64_t next_segment = 1;
  std::vector<Entry> segments = {};
  std::vector<Rank> ranks = {};  // by name

  std::string Encode() const;
  static Result<Manifest> Decode(std::string_view payload);
  static Result<Manifest> FromImage(Bytes payload) { return Decode(AsText(payload)); }
  Description Describe() const;
  friend bool operator==(const Manifest&, const Manifest&) = default;

  // Reads or replaces the manifest of an index; NotFound if it has none.
  static Result<Manifest> Read(const std::string& index);
  Status Write(const std::string& index, FileSystem& fs) const;
};

// The paths of files and folders in the folder of an index.
std::string ManifestPath(const std::string& index);
std::string SegmentsPath(const std::string& index);
std::string SegmentPath(const std::string& index, uint64_t id);
std::string DeletionsPath(const std::string& index, const Manifest::Entry& entry);
std::string RanksPath(const std::string& index);
std::string RankPagesPath(const std::string& index, const Manifest::Rank& rank);
std::string RankColumnPath(const std::string& index, uint64_t segment, const Manifest::Rank& rank);

}  // namespace crivello::index
