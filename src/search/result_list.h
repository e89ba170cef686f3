// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "search/query/query_plan.h"
#include "search/topk/topk.h"

namespace crivello::search {

struct ResultListOptions {
  bool fold_duplicates = true;
  size_t per_site = 0;                          // 0: as many as there are
  std::span<const std::string> languages = {};  // that the searcher prefers, the best first
};

// Hits, the best first, as a person wants to see them: a page that is a copy of a better one is folded under
// that (the same text, the same cluster of near-duplicates, or a SimHash within kNearBits), and of a site no
// more than a few are shown.  Of two URLs of a home page, / and /index.html, the first is shown.
// Translations of a page are one result, in its place: the one in the language that the
// searcher prefers is shown, and the others are named under it.  So are pages of several sites that would be
// translations but are in one language: pages that nobody has translated yet, and languages of two countries.
// One thread at a time; segments and options outlive it.
class ResultList {
 public:
  static constexpr int kNearBits = 3;

  // A page in one language.
  struct Version {
    Hit hit;
    uint64_t digest = 0;
    uint64_t simhash = 0;
    uint64_t cluster = 0;
    std::string language = {};
    std::string site = {};
  };
  struct Entry {
    Version shown;
    uint64_t translation = 0;
    std::vector<Hit> duplicates = {};
    std::vector<Version> translations = {};
    uint64_t more_from_site = 0;  // counted under the last that is shown
  };

  ResultList(std::span<const SearchedSegment> segments, const ResultListOptions& options)
      : segments_(segments), options_(options) {}
  void Add(const Hit& hit);
  // A hit that is too far down to be shown, but may be the one to be shown in the place of its copy, or of a
  // translation.
  void AddBelow(const Hit& hit);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  // Of a segment; null where it has none.
  struct Columns {
    explicit Columns(const index::DocumentValues& values);
    const index::NumberColumn* digest;
    const index::NumberColumn* simhash;
    const index::NumberColumn* cluster;
    const index::NumberColumn* translation;
    const index::NumberColumn* kind;
    const index::NumberColumn* depth;
    const index::StringColumn* language;
    const index::StringColumn* site;
  };
  const Columns& ColumnsOf(const Hit& hit);
  Version ReadNumbers(const Hit& hit);
  void ReadNames(Version* version);
  uint64_t TranslationNumber(const Hit& hit);
  bool FoldCopy(const Version& version);
  void FoldUnder(const Version& copy, Version* better, Entry* entry);
  Entry* TranslationOf(const Version& version, uint64_t translation);
  void FoldTranslation(Version version, Entry* better) const;
  size_t PreferenceFor(std::string_view language) const;
  struct Site {
    size_t shown = 0;
    size_t last = 0;  // entry
  };

  std::span<const SearchedSegment> segments_;
  std::map<uint32_t, Columns> columns_;  // by segment
  ResultListOptions options_;
  std::vector<Entry> entries_;
  std::map<std::string, Site> sites_;
  std::map<uint64_t, size_t> translations_;  // entries
};

}  // namespace crivello::search
