// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/duplicate_files.h"

#include <algorithm>
#include <bit>

namespace crivello::dedup {
namespace {

// Appends numbers to a file, two per word.
Status AppendHalves(std::span<const uint32_t> numbers, FormatFileWriter* file) {
  CRV_TRY(file->Append(std::as_bytes(numbers)));
  constexpr uint32_t kZero = 0;
  return numbers.size() % 2 == 0 ? Status::Ok() : file->Append(std::as_bytes(std::span(&kZero, 1)));
}

}  // namespace

PairCounts& PairCounts::operator+=(const PairCounts& other) {
  candidates += other.candidates;
  comparisons += other.comparisons;
  skipped += other.skipped;
  return *this;
}

Result<DuplicatePairs> DuplicatePairs::FromImage(Bytes image) {
  ImageReader reader(image, "pairs of duplicates");
  DuplicatePairs pairs;
  CRV_ASSIGN(pairs.plan_, reader.Word());
  CRV_ASSIGN(pairs.documents_, reader.WordAtMost(uint64_t{1} << 32, "the number of documents"));
  CRV_ASSIGN(pairs.counts_.candidates, reader.Word());
  CRV_ASSIGN(pairs.counts_.comparisons, reader.Word());
  CRV_ASSIGN(pairs.counts_.skipped, reader.Word());
  CRV_ASSIGN(const uint64_t count, reader.Word());
  CRV_ASSIGN(pairs.pairs_, reader.Words(count));
  CRV_ASSIGN(pairs.values_, reader.Words(count / 2 + count % 2));
  CRV_TRY(reader.Finish());
  return pairs;
}

float DuplicatePairs::Similarity(size_t i) const { return std::bit_cast<float>(KeysShared(i)); }

Description DuplicatePairs::Describe() const {
  return {{"documents", documents_},
          {"pairs", uint64_t{pairs_.size()}},
          {"candidates", counts_.candidates},
          {"comparisons", counts_.comparisons},
          {"skipped", counts_.skipped}};
}

void DuplicatePairsBuilder::Add(DocumentPair pair, uint32_t keys_shared) {
  pairs_.push_back(pair);
  values_.push_back(keys_shared);
}

void DuplicatePairsBuilder::Add(DocumentPair pair, float similarity) {
  Add(pair, std::bit_cast<uint32_t>(similarity));
}

Status DuplicatePairsBuilder::WriteFile(const std::string& path, uint64_t plan, uint64_t documents,
                                        FileSystem& fs) const {
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path, DuplicatePairs::kFileKind, fs));
  const uint64_t head[] = {plan,         documents, counts_.candidates, counts_.comparisons, counts_.skipped,
                           pairs_.size()};
  CRV_TRY(file.Append(std::as_bytes(std::span(head))));
  CRV_TRY(file.Append(std::as_bytes(std::span(pairs_))));
  CRV_TRY(AppendHalves(values_, &file));
  return file.Finish();
}

Result<DuplicateClusters> DuplicateClusters::FromImage(Bytes image) {
  ImageReader reader(image, "clusters of duplicates");
  DuplicateClusters clusters;
  CRV_ASSIGN(clusters.plan_, reader.Word());
  CRV_ASSIGN(const uint64_t documents, reader.WordAtMost(UINT32_MAX, "the number of documents"));
  clusters.documents_ = static_cast<uint32_t>(documents);
  CRV_ASSIGN(clusters.words_, reader.Words(documents / 2 + documents % 2));
  CRV_TRY(reader.Finish());
  return clusters;
}

std::vector<std::vector<uint32_t>> DuplicateClusters::Clusters() const {
  std::vector<DocumentPair> members;
  for (uint32_t document = 0; document < documents_; document++) {
    if (ClusterOf(document) != document) members.push_back(uint64_t{ClusterOf(document)} << 32 | document);
  }
  std::sort(members.begin(), members.end());
  std::vector<std::vector<uint32_t>> clusters;
  for (const DocumentPair member : members) {
    if (clusters.empty() || clusters.back().front() != FirstOf(member)) clusters.push_back({FirstOf(member)});
    clusters.back().push_back(SecondOf(member));
  }
  return clusters;
}

Description DuplicateClusters::Describe() const {
  const auto clusters = Clusters();
  uint64_t members = 0;
  for (const auto& cluster : clusters) members += cluster.size();
  return {{"documents", uint64_t{documents_}},
          {"clusters", uint64_t{clusters.size()}},
          {"documents-in-clusters", members}};
}

Status DuplicateClusters::WriteFile(const std::string& path, uint64_t plan,
                                    std::span<const uint32_t> clusters, FileSystem& fs) {
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path, kFileKind, fs));
  const uint64_t head[] = {plan, clusters.size()};
  CRV_TRY(file.Append(std::as_bytes(std::span(head))));
  CRV_TRY(AppendHalves(clusters, &file));
  return file.Finish();
}

}  // namespace crivello::dedup
