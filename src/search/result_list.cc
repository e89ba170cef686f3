// SPDX-License-Identifier: Apache-2.0
#include "search/result_list.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "search/query/query_languages.h"
#include "store/cells.h"

namespace crivello::search {
namespace {

uint64_t NumberOf(const index::DocumentValues& values, std::string_view column, DocId doc) {
  const index::NumberColumn* numbers = values.numbers(column);
  return numbers == nullptr ? 0 : static_cast<uint64_t>((*numbers)[doc]);
}

bool IsCopy(const ResultList::Version& a, const ResultList::Version& b) {
  if (a.digest != 0 && a.digest == b.digest) return true;
  if (a.cluster != 0 && a.cluster == b.cluster) return true;
  return a.simhash != 0 && b.simhash != 0 && std::popcount(a.simhash ^ b.simhash) <= ResultList::kNearBits;
}

}  // namespace

ResultList::Version ResultList::Read(const Hit& hit) const {
  const index::DocumentValues& values = segments_[hit.segment].segment->values();
  Version version{.hit = hit};
  version.digest = NumberOf(values, index::column::kDigest, hit.doc);
  version.simhash = NumberOf(values, index::column::kSimHash, hit.doc);
  version.cluster = NumberOf(values, index::column::kCluster, hit.doc);
  if (const auto* languages = values.strings(index::column::kLanguage))
    version.language = (*languages)[hit.doc];
  if (const auto* sites = values.strings(index::column::kSite)) version.site = (*sites)[hit.doc];
  return version;
}

// The number that translations of a page share; 0 if it can have none.
uint64_t ResultList::TranslationNumber(const Version& version) const {
  const Hit& hit = version.hit;
  if (version.language.empty()) return 0;
  return NumberOf(segments_[hit.segment].segment->values(), index::column::kTranslation, hit.doc);
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

void ResultList::FoldUnder(const Version& copy, Version* better, Entry* entry) const {
  const auto number = [&](const Hit& hit, std::string_view column) {
    return NumberOf(segments_[hit.segment].segment->values(), column, hit.doc);
  };
  const auto is_home = [&](const Hit& hit) {
    return number(hit, index::column::kKind) == static_cast<uint64_t>(store::PageKind::kHome);
  };
  Hit folded = copy.hit;
  const bool same_home =
      copy.digest == better->digest && copy.site == better->site && is_home(folded) && is_home(better->hit);
  const bool is_shorter = number(folded, index::column::kDepth) < number(better->hit, index::column::kDepth);
  if (same_home && is_shorter) std::swap(folded, better->hit);
  entry->duplicates.push_back(folded);
}

// Pages of one name in different languages, or of different sites; two of one site in one language are two
// pages.
ResultList::Entry* ResultList::TranslationOf(const Version& version, uint64_t translation) {
  const auto known = translation == 0 ? translations_.end() : translations_.find(translation);
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
  Version version = Read(hit);
  if (FoldCopy(version)) return;
  if (Entry* better = TranslationOf(version, TranslationNumber(version)))
    FoldTranslation(std::move(version), better);
}

void ResultList::Add(const Hit& hit) {
  Entry entry{.shown = Read(hit)};
  if (options_.fold_duplicates) {
    if (FoldCopy(entry.shown)) return;
    entry.translation = TranslationNumber(entry.shown);
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
