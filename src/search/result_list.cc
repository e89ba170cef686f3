// SPDX-License-Identifier: Apache-2.0
#include "search/result_list.h"

#include <bit>

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
  entries_.push_back(std::move(entry));
}

}  // namespace crivello::search
