// SPDX-License-Identifier: Apache-2.0
#include "index/tables/supersession.h"

#include <algorithm>
#include <bit>

namespace crivello::index {
namespace {

const NumberColumn* Numbers(const Segment& segment, std::string_view name) {
  return segment.values().numbers(name);
}

}  // namespace

Supersession::Supersession(const Segment* batch, std::vector<PageDeletion> deletions, Options options)
    : batch_(batch), options_(options) {
  const NumberColumn* keys = batch == nullptr ? nullptr : Numbers(*batch, column::kKey);
  if (keys != nullptr) {
    documents_.reserve(batch->documents());
    for (DocId doc = 0; doc < batch->documents(); doc++) documents_.emplace_back((*keys)[doc], doc);
    std::sort(documents_.begin(), documents_.end());
  }
  std::sort(deletions.begin(), deletions.end(), [](const PageDeletion& a, const PageDeletion& b) {
    return std::pair(a.key, a.before) < std::pair(b.key, b.before);
  });
  for (const PageDeletion& deletion : deletions) {
    if (!deletions_.empty() && deletions_.back().key == deletion.key) deletions_.pop_back();
    deletions_.push_back(deletion);
  }
  const uint64_t bits = std::bit_ceil(std::max<uint64_t>(16 * (documents_.size() + deletions_.size()), 64));
  filter_shift_ = 64 - static_cast<unsigned>(std::countr_zero(bits));
  filter_.resize(bits / 64);
  for (const auto& [key, doc] : documents_) AddToFilter(key);
  for (const PageDeletion& deletion : deletions_) AddToFilter(deletion.key);
}

void Supersession::AddToFilter(int64_t key) {
  const uint64_t bit = static_cast<uint64_t>(key) >> filter_shift_;
  filter_[bit / 64] |= uint64_t{1} << (bit % 64);
}

int64_t Supersession::FromOf(DocId doc) const {
  for (const std::string_view name : {column::kFrom, column::kTime}) {
    if (const NumberColumn* column = Numbers(*batch_, name)) return (*column)[doc];
  }
  return 0;
}

std::shared_ptr<const LiveDocuments> Supersession::ApplyTo(const SegmentView& older) const {
  const NumberColumn* keys = Numbers(*older.segment, column::kKey);
  if (keys == nullptr || (documents_.empty() && deletions_.empty())) return older.live;
  std::shared_ptr<LiveDocuments> changed;
  std::vector<std::pair<DocId, int64_t>> ends;
  const auto change = [&]() -> LiveDocuments& {
    if (changed == nullptr) {
      changed = std::make_shared<LiveDocuments>(
          older.live != nullptr ? *older.live : LiveDocuments(older.segment->documents()));
    }
    return *changed;
  };
  for (DocId doc = 0; doc < older.segment->documents(); doc++) {
    const int64_t key = (*keys)[doc];
    if (!MayHave(key) || !older.IsLive(doc)) continue;
    const auto deletion = std::lower_bound(deletions_.begin(), deletions_.end(), key,
                                           [](const PageDeletion& d, int64_t k) { return d.key < k; });
    if (deletion != deletions_.end() && deletion->key == key) {
      change().Delete(doc);
      continue;
    }
    const auto newer =
        std::lower_bound(documents_.begin(), documents_.end(), std::pair<int64_t, DocId>(key, 0));
    if (newer == documents_.end() || newer->first != key) continue;
    if (!options_.versions) {
      change().Delete(doc);
    } else if (older.IsCurrent(doc)) {
      ends.emplace_back(doc, FromOf(newer->second));
    }
  }
  if (!ends.empty()) change().EndAll(std::move(ends));
  return changed != nullptr ? changed : older.live;
}

std::shared_ptr<const LiveDocuments> Supersession::ApplyToBatch() const {
  if (batch_ == nullptr) return nullptr;
  LiveDocuments live(batch_->documents());
  std::vector<std::pair<DocId, int64_t>> ends;
  auto deletion = deletions_.begin();
  for (size_t i = 0; i < documents_.size(); i++) {
    const auto [key, doc] = documents_[i];
    while (deletion != deletions_.end() && deletion->key < key) ++deletion;
    const bool superseded = i + 1 < documents_.size() && documents_[i + 1].first == key;
    if (deletion != deletions_.end() && deletion->key == key && doc < deletion->before) {
      live.Delete(doc);
    } else if (superseded && options_.versions) {
      ends.emplace_back(doc, FromOf(documents_[i + 1].second));
    } else if (superseded) {
      live.Delete(doc);
    }
  }
  live.EndAll(std::move(ends));
  return live.untouched() ? nullptr : std::make_shared<const LiveDocuments>(std::move(live));
}

}  // namespace crivello::index
