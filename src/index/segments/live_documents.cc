// SPDX-License-Identifier: Apache-2.0
#include "index/segments/live_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

namespace crivello::index {
namespace {

uint64_t BitmapWords(uint64_t documents) { return (documents + 63) / 64; }

}  // namespace

LiveDocuments::LiveDocuments(DocId documents)
    : documents_(documents), deleted_(BitmapWords(documents)), past_(BitmapWords(documents)) {}

bool LiveDocuments::Delete(DocId doc) {
  assert(doc < documents_);
  if (!IsLive(doc)) return false;
  Set(deleted_, doc);
  Set(past_, doc);
  deleted_count_++;
  return true;
}

bool LiveDocuments::End(DocId doc, int64_t until) {
  const uint64_t before = ended();
  EndAll({{doc, until}});
  return ended() > before;
}

void LiveDocuments::EndAll(std::vector<std::pair<DocId, int64_t>> ends) {
  std::sort(ends.begin(), ends.end());
  const auto old = static_cast<std::ptrdiff_t>(ends_.size());
  for (const auto& [doc, until] : ends) {
    assert(doc < documents_);
    if (!IsCurrent(doc)) continue;
    Set(past_, doc);
    ends_.emplace_back(doc, until);
  }
  std::inplace_merge(ends_.begin(), ends_.begin() + old, ends_.end());
}

std::optional<int64_t> LiveDocuments::UntilOf(DocId doc) const {
  if (IsCurrent(doc)) return std::nullopt;
  const auto found = std::lower_bound(ends_.begin(), ends_.end(), std::pair<DocId, int64_t>(doc, INT64_MIN));
  if (found == ends_.end() || found->first != doc) return std::nullopt;
  return found->second;
}

ImageWriter LiveDocuments::ToImage() const {
  ImageWriter image;
  image.Word(documents_);
  image.Words(deleted_);
  image.Word(ends_.size());
  for (const auto& [doc, until] : ends_) {
    image.Word(doc);
    image.Word(static_cast<uint64_t>(until));
  }
  return image;
}

Result<LiveDocuments> LiveDocuments::FromImage(Bytes image) {
  ImageReader reader(image, "deletions");
  CRV_ASSIGN(const uint64_t documents, reader.WordAtMost(kEndDoc, "documents"));
  CRV_ASSIGN(const auto deleted, reader.Words(BitmapWords(documents)));
  CRV_ASSIGN(const uint64_t ends, reader.WordAtMost(documents, "ends"));
  CRV_ASSIGN(const auto pairs, reader.Words(2 * ends));
  CRV_TRY(reader.Finish());
  LiveDocuments live(static_cast<DocId>(documents));
  live.deleted_.assign(deleted.begin(), deleted.end());
  live.past_ = live.deleted_;
  for (const uint64_t word : deleted) live.deleted_count_ += static_cast<unsigned>(std::popcount(word));
  if (documents % 64 != 0 && deleted.back() >> (documents % 64) != 0)
    return reader.Damaged("corrupt deletions: a deleted document does not exist");
  live.ends_.reserve(ends);
  for (uint64_t i = 0; i < ends; i++) {
    const uint64_t doc = pairs[2 * i];
    if (doc >= documents || (i > 0 && doc <= pairs[2 * i - 2]))
      return reader.Damaged(fmt::format("corrupt deletions: documents must increase: {}", doc));
    live.ends_.emplace_back(static_cast<DocId>(doc), static_cast<int64_t>(pairs[2 * i + 1]));
    Set(live.past_, static_cast<DocId>(doc));
  }
  return live;
}

Description LiveDocuments::Describe() const {
  return {{"documents", uint64_t{documents_}}, {"deleted", deleted_count_}, {"ended", ended()}};
}

}  // namespace crivello::index
