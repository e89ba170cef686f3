// SPDX-License-Identifier: Apache-2.0
#include "search/result_list.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "search/query/query_languages.h"

namespace crivello::search {
namespace {

uint64_t NumberOf(const index::DocumentValues& values, std::string_view column, DocId doc) {
  const index::NumberColumn* numbers = values.numbers(column);
  return numbers == nullptr ? 0 : static_cast<uint64_t>((*numbers)[doc]);
}

}  // namespace

ResultList::Entry* ResultList::CopyOf(const Entry& entry) {
  for (Entry& better : entries_) {
    if (entry.digest != 0 && entry.digest == better.digest) return &better;
    if (entry.cluster != 0 && entry.cluster == better.cluster) return &better;
    if (entry.simhash != 0 && better.simhash != 0 &&
        std::popcount(entry.simhash ^ better.simhash) <= kNearBits) {
      return &better;
    }
  }
  return nullptr;
}

// Pages of one name in different languages; two in one language are two pages.
ResultList::Entry* ResultList::TranslationOf(const Entry& entry) {
  if (entry.translation == 0 || entry.language.empty()) return nullptr;
  const auto known = translations_.find(entry.translation);
  if (known == translations_.end()) return nullptr;
  Entry& better = entries_[known->second];
  const bool same =
      better.language == entry.language ||
      std::find(better.languages.begin(), better.languages.end(), entry.language) != better.languages.end();
  return same ? nullptr : &better;
}

void ResultList::ReadTranslation(Entry* entry) const {
  const index::DocumentValues& values = segments_[entry->hit.segment].segment->values();
  entry->translation = NumberOf(values, index::column::kTranslation, entry->hit.doc);
  const index::StringColumn* languages = values.strings(index::column::kLanguage);
  if (entry->translation == 0 || languages == nullptr) return;
  entry->language = PrimaryLanguage((*languages)[entry->hit.doc]);
}

size_t ResultList::PreferenceFor(std::string_view language) const {
  const auto found =
      std::find_if(options_.languages.begin(), options_.languages.end(),
                   [&](const std::string& preferred) { return PrimaryLanguage(preferred) == language; });
  return static_cast<size_t>(found - options_.languages.begin());
}

void ResultList::FoldTranslation(Entry entry, Entry* better) const {
  // The place stays that of the best one; what is shown there is the one that can be read.
  if (PreferenceFor(entry.language) < PreferenceFor(better->language)) {
    std::swap(entry.hit, better->hit);
    std::swap(entry.language, better->language);
    std::swap(entry.digest, better->digest);
    std::swap(entry.simhash, better->simhash);
    std::swap(entry.cluster, better->cluster);
  }
  better->translations.push_back(entry.hit);
  better->languages.push_back(std::move(entry.language));
}

void ResultList::AddTranslation(const Hit& hit) {
  if (!options_.fold_duplicates || translations_.empty()) return;
  Entry entry;
  entry.hit = hit;
  const index::DocumentValues& values = segments_[hit.segment].segment->values();
  if (!translations_.contains(NumberOf(values, index::column::kTranslation, hit.doc))) return;
  ReadTranslation(&entry);
  if (Entry* better = TranslationOf(entry)) FoldTranslation(std::move(entry), better);
}

void ResultList::Add(const Hit& hit) {
  const index::DocumentValues& values = segments_[hit.segment].segment->values();
  Entry entry;
  entry.hit = hit;
  if (options_.fold_duplicates) {
    entry.digest = NumberOf(values, index::column::kDigest, hit.doc);
    entry.simhash = NumberOf(values, index::column::kSimHash, hit.doc);
    entry.cluster = NumberOf(values, index::column::kCluster, hit.doc);
    if (Entry* better = CopyOf(entry)) {
      better->duplicates.push_back(hit);
      return;
    }
    ReadTranslation(&entry);
    if (Entry* better = TranslationOf(entry)) {
      FoldTranslation(std::move(entry), better);
      return;
    }
  }
  const index::StringColumn* sites = values.strings(index::column::kSite);
  if (options_.per_site > 0 && sites != nullptr) {
    Site& site = sites_[(*sites)[hit.doc]];
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
