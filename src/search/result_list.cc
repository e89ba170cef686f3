// SPDX-License-Identifier: Apache-2.0
#include "search/result_list.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "search/query/query_languages.h"
#include "store/cells.h"

namespace crivello::search {
namespace {

uint64_t NumberOf(const index::NumberColumn* numbers, DocId doc) {
  return numbers == nullptr ? 0 : static_cast<uint64_t>((*numbers)[doc]);
}

bool IsCopy(const ResultList::Version& a, const ResultList::Version& b) {
  if (a.digest != 0 && a.digest == b.digest) return true;
  if (a.cluster != 0 && a.cluster == b.cluster) return true;
  return a.simhash != 0 && b.simhash != 0 && std::popcount(a.simhash ^ b.simhash) <= ResultList::kNearBits;
}

}  // namespace

ResultList::Columns::Columns(const index::DocumentValues& values)
    : digest(values.numbers(index::column::kDigest)),
      simhash(values.numbers(index::column::kSimHash)),
      cluster(values.numbers(index::column::kCluster)),
      translation(values.numbers(index::column::kTranslation)),
      kind(values.numbers(index::column::kKind)),
      depth(values.numbers(index::column::kDepth)),
      language(values.strings(index::column::kLanguage)),
      site(values.strings(index::column::kSite)) {}

const ResultList::Columns& ResultList::ColumnsOf(const Hit& hit) {
  const auto known = columns_.find(hit.segment);
  if (known != columns_.end()) return known->second;
  return columns_.emplace(hit.segment, Columns(segments_[hit.segment].segment->values())).first->second;
}

ResultList::Version ResultList::ReadNumbers(const Hit& hit) {
  const Columns& columns = ColumnsOf(hit);
  return {.hit = hit,
          .digest = NumberOf(columns.digest, hit.doc),
          .simhash = NumberOf(columns.simhash, hit.doc),
          .cluster = NumberOf(columns.cluster, hit.doc)};
}

void ResultList::ReadNames(Version* version) {
  const Columns& columns = ColumnsOf(version->hit);
  if (columns.language != nullptr) version->language = (*columns.language)[version->hit.doc];
  if (columns.site != nullptr) version->site = (*columns.site)[version->hit.doc];
}

// The number that translations of a page share.
uint64_t ResultList::TranslationNumber(const Hit& hit) {
  return NumberOf(ColumnsOf(hit).translation, hit.doc);
}

// A copy of what is shown, or of a translation of it.
bool ResultList::FoldCopy(const Version& version) {
  for (Entry& entry : entries_) {
    if (IsCopy(version, entry.shown)) {
      FoldUnder(version, &entry.shown, &entry);
      return true;
    }
    for (Version& translation : entry.translations) {
      if (version.digest == 0 || version.digest != translation.digest) continue;
      FoldUnder(version, &translation, &entry);
      return true;
    }
  }
  return false;
}

void ResultList::FoldUnder(const Version& copy, Version* better, Entry* entry) {
  Hit folded = copy.hit;
  const Columns& columns = ColumnsOf(folded);
  const Columns& others = ColumnsOf(better->hit);
  constexpr auto kHome = static_cast<uint64_t>(store::PageKind::kHome);
  const bool are_homes = NumberOf(columns.kind, folded.doc) == kHome &&
                         NumberOf(others.kind, better->hit.doc) == kHome && copy.digest == better->digest;
  if (are_homes && NumberOf(columns.depth, folded.doc) < NumberOf(others.depth, better->hit.doc) &&
      columns.site != nullptr && (*columns.site)[folded.doc] == better->site) {
    std::swap(folded, better->hit);
  }
  entry->duplicates.push_back(folded);
}

// Pages of one name in different languages, or of different sites; two of one site in one language are two
// pages.
ResultList::Entry* ResultList::TranslationOf(const Version& version, uint64_t translation) {
  const auto known =
      translation == 0 || version.language.empty() ? translations_.end() : translations_.find(translation);
  if (known == translations_.end()) return nullptr;
  Entry& better = entries_[known->second];
  const auto is_other = [&](const Version& other) {
    return other.site != version.site || PrimaryLanguage(other.language) != PrimaryLanguage(version.language);
  };
  const bool folds =
      is_other(better.shown) && std::all_of(better.translations.begin(), better.translations.end(), is_other);
  return folds ? &better : nullptr;
}

// The place of a language among those that the searcher prefers: "pt-BR" before "pt-PT" for who reads pt-BR.
size_t ResultList::PreferenceFor(std::string_view language) const {
  size_t best = 2 * options_.languages.size();
  for (size_t i = options_.languages.size(); i-- > 0;) {
    const std::string& preferred = options_.languages[i];
    if (PrimaryLanguage(preferred) == PrimaryLanguage(language))
      best = 2 * i + (preferred == language ? 0 : 1);
  }
  return best;
}

void ResultList::FoldTranslation(Version version, Entry* better) const {
  // The place stays that of the best one; what is shown there is the one that can be read.
  if (PreferenceFor(version.language) < PreferenceFor(better->shown.language))
    std::swap(version, better->shown);
  better->translations.push_back(std::move(version));
}

void ResultList::AddBelow(const Hit& hit) {
  if (!options_.fold_duplicates) return;
  Version version = ReadNumbers(hit);
  if (FoldCopy(version)) return;
  const uint64_t translation = TranslationNumber(hit);
  if (!translations_.contains(translation)) return;
  ReadNames(&version);
  if (Entry* better = TranslationOf(version, translation)) FoldTranslation(std::move(version), better);
}

void ResultList::Add(const Hit& hit) {
  Entry entry{.shown = ReadNumbers(hit)};
  if (options_.fold_duplicates && FoldCopy(entry.shown)) return;
  ReadNames(&entry.shown);
  if (options_.fold_duplicates) {
    entry.translation = entry.shown.language.empty() ? 0 : TranslationNumber(hit);
    if (Entry* better = TranslationOf(entry.shown, entry.translation)) {
      FoldTranslation(std::move(entry.shown), better);
      return;
    }
  }
  if (options_.per_site > 0 && !entry.shown.site.empty()) {
    Site& site = sites_[entry.shown.site];
    if (site.shown == options_.per_site) {
      entries_[site.last].more_from_site++;
      return;
    }
    site.shown++;
    site.last = entries_.size();
  }
  if (entry.translation != 0) translations_.try_emplace(entry.translation, entries_.size());
  entries_.push_back(std::move(entry));
}

}  // namespace crivello::search
