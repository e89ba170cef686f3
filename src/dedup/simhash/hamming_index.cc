// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash/hamming_index.h"

#include <algorithm>
#include <numeric>

namespace crivello::dedup {
namespace {

constexpr uint64_t kAllOnes = ~uint64_t{0};

// The greatest permuted value with the same prefix.
uint64_t LastOfPrefix(uint64_t permuted, unsigned prefix_bits) {
  return prefix_bits == 64 ? permuted : permuted | (kAllOnes >> prefix_bits);
}

uint64_t FirstOfPrefix(uint64_t permuted, unsigned prefix_bits) {
  return prefix_bits == 64 ? permuted : permuted & ~(kAllOnes >> prefix_bits);
}

Status AppendSequence(std::span<const uint64_t> values, uint64_t universe, ImageWriter& image) {
  succinct::EliasFanoBuilder builder(values.size(), universe);
  for (const uint64_t value : values) builder.Add(value);
  return builder.AppendTo(image);
}

}  // namespace

Result<HammingIndex> HammingIndex::FromImage(Bytes image) {
  ImageReader reader(image, "Hamming tables");
  CRV_ASSIGN(const uint64_t distance, reader.WordAtMost(HammingPlan::kMostDistance, "the distance"));
  CRV_ASSIGN(const uint64_t blocks, reader.WordAtMost(HammingPlan::kMostBlocks, "the number of blocks"));
  if (blocks <= distance) return reader.Damaged("there are too few blocks");
  HammingIndex index;
  CRV_ASSIGN(index.plan_,
             HammingPlan::Create(static_cast<unsigned>(distance), static_cast<unsigned>(blocks)));
  CRV_ASSIGN(index.documents_, reader.WordAtMost(uint64_t{1} << 40, "the number of documents"));
  for (size_t i = 0; i < index.plan_.tables.size(); i++) {
    CRV_ASSIGN(succinct::EliasFano table, succinct::EliasFano::ReadFrom(reader));
    if (!index.tables_.empty() && table.size() != index.distinct()) {
      return reader.Damaged("its tables differ in size");
    }
    index.tables_.push_back(table);
  }
  CRV_ASSIGN(index.ends_, succinct::EliasFano::ReadFrom(reader));
  if (index.ends_.size() != index.distinct() || index.ends_.universe() != index.documents_) {
    return reader.Damaged("its documents do not belong to its fingerprints");
  }
  CRV_ASSIGN(index.document_words_, reader.Words((index.documents_ + 1) / 2));
  CRV_TRY(reader.Finish());
  return index;
}

void HammingIndex::SearchTable(size_t table, uint64_t query, std::vector<Found>* found) const {
  const HammingTable& permutation = plan_.tables[table];
  const uint64_t permuted = permutation.Permute(query);
  const uint64_t last = LastOfPrefix(permuted, permutation.prefix_bits());
  auto cursor = tables_[table].Begin();
  cursor.SeekTo(FirstOfPrefix(permuted, permutation.prefix_bits()));
  const int most = static_cast<int>(plan_.distance);
  for (; !cursor.AtEnd() && cursor.value() <= last; cursor.Next()) {
    const int distance = __builtin_popcountll(cursor.value() ^ permuted);
    if (distance <= most) found->push_back({permutation.Restore(cursor.value()), distance});
  }
}

std::vector<NearDocument> HammingIndex::DocumentsOf(const std::vector<Found>& found) const {
  std::vector<NearDocument> near;
  for (const Found& one : found) {
    const auto place = tables_.front().SeekTo(plan_.tables.front().Permute(one.fingerprint));
    if (place.index >= distinct()) continue;  // a damaged table
    const uint64_t begin = place.index == 0 ? 0 : ends_.Access(place.index - 1);
    const uint64_t end = std::min(ends_.Access(place.index), documents_);
    for (uint64_t i = begin; i < end; i++) {
      near.push_back({static_cast<uint32_t>(document_words_[i / 2] >> (i % 2 * 32)), one.distance});
    }
  }
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  return near;
}

std::vector<NearDocument> HammingIndex::Search(uint64_t fingerprint) const {
  std::vector<Found> found;
  if (distinct() == 0) return {};
  for (size_t table = 0; table < tables_.size(); table++) SearchTable(table, fingerprint, &found);
  return DocumentsOf(found);
}

std::vector<std::vector<NearDocument>> HammingIndex::SearchBatch(
    std::span<const uint64_t> fingerprints) const {
  std::vector<std::vector<Found>> found(fingerprints.size());
  std::vector<std::pair<uint64_t, size_t>> order(fingerprints.size());
  for (size_t table = 0; distinct() > 0 && table < tables_.size(); table++) {
    for (size_t i = 0; i < order.size(); i++) order[i] = {plan_.tables[table].Permute(fingerprints[i]), i};
    std::sort(order.begin(), order.end());
    for (const auto& [permuted, i] : order) SearchTable(table, fingerprints[i], &found[i]);
  }
  std::vector<std::vector<NearDocument>> near;
  for (const auto& one : found) near.push_back(DocumentsOf(one));
  return near;
}

Description HammingIndex::Describe() const {
  return {{"documents", documents_},
          {"fingerprints", distinct()},
          {"distance", uint64_t{plan_.distance}},
          {"blocks", uint64_t{plan_.blocks}},
          {"tables", uint64_t{plan_.tables.size()}},
          {"expected-comparisons", plan_.ExpectedMet(distinct())}};
}

Result<ImageWriter> HammingIndexBuilder::Build() {
  // In the order of the first table, which the documents also follow.
  const HammingTable& first = plan_.tables.front();
  for (Fingerprinted& entry : entries_) entry.fingerprint = first.Permute(entry.fingerprint);
  std::sort(entries_.begin(), entries_.end());
  entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());

  ImageWriter image;
  image.Word(plan_.distance);
  image.Word(plan_.blocks);
  image.Word(entries_.size());
  std::vector<uint64_t> distinct, ends;
  for (size_t i = 0; i < entries_.size(); i++) {
    if (distinct.empty() || distinct.back() != entries_[i].fingerprint) {
      distinct.push_back(entries_[i].fingerprint);
      ends.push_back(i);
    }
    ends.back() = i + 1;
  }
  CRV_TRY(AppendSequence(distinct, kAllOnes, image));
  for (uint64_t& fingerprint : distinct) fingerprint = first.Restore(fingerprint);
  std::vector<uint64_t> permuted(distinct.size());
  for (size_t table = 1; table < plan_.tables.size(); table++) {
    for (size_t i = 0; i < distinct.size(); i++) permuted[i] = plan_.tables[table].Permute(distinct[i]);
    std::sort(permuted.begin(), permuted.end());
    CRV_TRY(AppendSequence(permuted, kAllOnes, image));
  }
  CRV_TRY(AppendSequence(ends, entries_.size(), image));
  for (size_t i = 0; i < entries_.size(); i += 2) {
    const uint64_t second = i + 1 < entries_.size() ? entries_[i + 1].document : 0;
    image.Word(entries_[i].document | second << 32);
  }
  entries_ = {};
  return image;
}

Status HammingIndexBuilder::WriteFile(const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(const ImageWriter image, Build());
  return WriteImage(path, HammingIndex::kFileKind, image.bytes(), fs);
}

}  // namespace crivello::dedup
