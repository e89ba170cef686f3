// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/candidate_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "dedup/discovery/run_tasks.h"

namespace crivello::dedup {
namespace {

// The number of ranges, a power of two, that makes each small enough for the memory.
uint64_t RangesFor(uint64_t documents, uint64_t memory_bytes) {
  // A task gathers documents and needs as much scratch for sorting; half of the memory is for pairs.
  const uint64_t bytes = documents * 2 * sizeof(KeyedDocument);
  constexpr uint64_t kTasksAtOnce = 4;  // not the number of threads, because the files must not depend on it
  return std::bit_ceil(bytes * kTasksAtOnce * 2 / std::max<uint64_t>(memory_bytes, 1) + 1);
}

// The range of a uniform hash, among 2^n ranges.
uint64_t RangeOf(uint64_t hash, uint64_t ranges) { return ScaleTo(hash, ranges); }

// The first hash of a range.
uint64_t StartOfRange(uint64_t range, uint64_t ranges) {
  const auto bits = static_cast<unsigned>(std::countr_zero(ranges));
  return bits == 0 ? 0 : range << (64 - bits);
}

}  // namespace

Result<RunDocuments> RunDocuments::Of(std::vector<const FingerprintRun*> runs) {
  RunDocuments documents;
  documents.runs_ = std::move(runs);
  for (const FingerprintRun* run : documents.runs_) {
    if (run->shape() != documents.runs_.front()->shape()) {
      return Status::InvalidArgument(
          "the runs of fingerprints were made by different methods or with different parameters; "
          "make all of them again");
    }
    if (run->first_document() != documents.size_) {
      return Status::InvalidArgument(fmt::format("a run of fingerprints starts at document {}, expected {}",
                                                 run->first_document(), documents.size_));
    }
    documents.size_ += run->documents();
  }
  if (!documents.runs_.empty()) documents.shape_ = documents.runs_.front()->shape();
  return documents;
}

const FingerprintRun& RunDocuments::RunOf(uint32_t document) const {
  const auto after = std::upper_bound(
      runs_.begin(), runs_.end(), document,
      [](uint32_t number, const FingerprintRun* run) { return number < run->first_document(); });
  // A run without documents starts where the next one does: the last run starting here has the document.
  return **(after - 1);
}

uint64_t RunDocuments::SignatureOf(uint32_t document) const {
  const FingerprintRun& run = RunOf(document);
  return run.signatures()[document - run.first_document()];
}

uint32_t RunDocuments::KeysOf(uint32_t document) const { return RunOf(document).KeysOf(document); }

Result<std::vector<uint32_t>> NodesOf(const RunDocuments& documents, const DiscoveryOptions& options) {
  std::vector<uint32_t> nodes(documents.size(), kNoNode);
  const uint64_t ranges = RangesFor(documents.size(), options.memory_bytes);
  CRV_TRY(RunTasks(options.threads, ranges, [&](size_t range) {
    std::vector<KeyedDocument> some, scratch;
    for (const FingerprintRun* run : documents.runs()) {
      const auto signatures = run->signatures();
      for (uint32_t i = 0; i < signatures.size(); i++) {
        if (signatures[i] == 0) continue;
        // Mixed, so that the ranges have equal sizes: SimHashes are not evenly distributed.
        const uint64_t hash = Mix64(signatures[i]);
        if (RangeOf(hash, ranges) == range) some.push_back({hash, run->first_document() + i});
      }
    }
    SortByKey(&some, &scratch);
    for (size_t i = 0, first = 0; i < some.size(); i++) {
      if (some[i].key != some[first].key) first = i;
      nodes[some[i].document] = some[first].document;
    }
    return Status::Ok();
  }));
  return nodes;
}

Result<CandidateFinder> CandidateFinder::Create(const RunDocuments& documents,
                                                const std::vector<uint32_t>& nodes,
                                                const DiscoveryOptions& options, uint32_t known) {
  CandidateFinder finder(documents, nodes, options, known);
  uint64_t parts = documents.shape().parts;
  uint64_t most = 0;  // largest number of documents of a part
  if (finder.IsSimHash()) {
    constexpr double kMostMet = 64;
    CRV_ASSIGN(finder.plan_, HammingPlan::For(options.distance, documents.size(), kMostMet));
    parts = finder.plan_.tables.size();
    most = documents.size();
  } else {
    for (uint32_t part = 0; part < parts; part++) {
      uint64_t size = 0;
      for (const FingerprintRun* run : documents.runs()) size += run->PartSize(part);
      most = std::max(most, size);
    }
  }
  finder.ranges_ = RangesFor(most, options.memory_bytes);
  // A single part should also keep several threads busy.
  constexpr size_t kLeastTasks = 8;
  while (finder.ranges_ * parts < kLeastTasks && parts > 0) finder.ranges_ *= 2;
  finder.tasks_ = finder.ranges_ * parts;
  return finder;
}

std::vector<KeyedDocument> CandidateFinder::GatherPrefixes(size_t table, size_t range) const {
  const HammingTable& permutation = plan_.tables[table];
  const unsigned rest = 64 - permutation.prefix_bits();
  std::vector<KeyedDocument> documents;
  for (const FingerprintRun* run : documents_.runs()) {
    const auto signatures = run->signatures();
    for (uint32_t i = 0; i < signatures.size(); i++) {
      const uint32_t document = run->first_document() + i;
      if (nodes_[document] != document) continue;
      const uint64_t prefix = rest == 64 ? 0 : permutation.Permute(signatures[i]) >> rest;
      if (RangeOf(Mix64(prefix), ranges_) == range) documents.push_back({prefix, document});
    }
  }
  return documents;
}

Result<std::vector<KeyedDocument>> CandidateFinder::GatherKeys(uint32_t part, size_t range) const {
  std::vector<KeyedDocument> documents;
  for (const FingerprintRun* run : documents_.runs()) {
    const uint64_t begin = run->LowerBound(part, StartOfRange(range, ranges_));
    const uint64_t end =
        range + 1 == ranges_ ? run->PartSize(part) : run->LowerBound(part, StartOfRange(range + 1, ranges_));
    for (uint64_t i = begin; i < end; i++) {
      const uint32_t document = run->DocumentAt(part, i);
      if (!run->Has(document)) return Status::Corruption("fingerprint run: a document that it does not have");
      if (nodes_[document] == document) documents.push_back({run->KeyAt(part, i), document});
    }
  }
  return documents;
}

Result<std::vector<KeyedDocument>> CandidateFinder::Gather(size_t part, size_t range) const {
  if (IsSimHash()) return GatherPrefixes(part, range);
  return GatherKeys(static_cast<uint32_t>(part), range);
}

Status CandidateFinder::AddPairs(size_t part, const KeyedDocument* begin, const KeyedDocument* end,
                                 PairSorter* pairs, PairCounts* counts) const {
  const auto size = static_cast<uint64_t>(end - begin);
  std::vector<uint64_t> fingerprints;
  if (IsSimHash()) {
    for (const auto* one = begin; one != end; one++) {
      fingerprints.push_back(documents_.SignatureOf(one->document));
    }
  }
  const auto add = [&](uint64_t i, uint64_t j) {  // i < j
    const uint32_t a = begin[i].document, b = begin[j].document;
    if (b < known_) return Status::Ok();
    if (!IsSimHash()) {
      counts->candidates++;
      return pairs->Add(PairOf(a, b));
    }
    counts->comparisons++;
    const uint64_t differing = fingerprints[i] ^ fingerprints[j];
    if (std::popcount(differing) > static_cast<int>(options_.distance)) return Status::Ok();
    // A pair found in several tables belongs to the first one.
    for (size_t table = 0; table < part; table++) {
      if ((differing & plan_.tables[table].mask()) == 0) return Status::Ok();
    }
    counts->candidates++;
    return pairs->Add(PairOf(a, b));
  };
  // Comparing fingerprints is so fast that only very large groups need a limit.
  const uint64_t limit = IsSimHash() ? options_.group_limit * 64 : options_.group_limit;
  for (uint64_t j = 1; j < size; j++) {
    const uint64_t first = j > limit - 1 ? j - (limit - 1) : 0;
    if (first > 0) CRV_TRY(add(0, j));
    for (uint64_t i = first; i < j; i++) CRV_TRY(add(i, j));
    counts->skipped += first > 0 ? first - 1 : 0;
  }
  return Status::Ok();
}

Status CandidateFinder::Run(size_t task, const std::string& path, uint64_t plan) const {
  const size_t part = task / ranges_;
  CRV_ASSIGN(std::vector<KeyedDocument> documents, Gather(part, task % ranges_));
  {
    std::vector<KeyedDocument> scratch;
    SortByKey(&documents, &scratch);
  }
  PairSorter pairs({.folder = options_.folder,
                    .memory_bytes = std::max<uint64_t>(options_.memory_bytes / 8, 1 << 16),
                    .fs = options_.fs});
  DuplicatePairsBuilder result;
  for (size_t begin = 0; begin < documents.size();) {
    size_t end = begin + 1;
    while (end < documents.size() && documents[end].key == documents[begin].key) end++;
    CRV_TRY(AddPairs(part, documents.data() + begin, documents.data() + end, &pairs, &result.counts()));
    begin = end;
  }
  CRV_TRY(pairs.Sort());
  DocumentPair last = 0;
  uint32_t shared = 0;
  while (pairs.Next()) {
    const DocumentPair pair = pairs.record();
    if (shared > 0 && pair != last) {
      result.Add(last, shared);
      shared = 0;
    }
    last = pair;
    shared++;
  }
  CRV_TRY(pairs.status());
  if (shared > 0) result.Add(last, shared);
  return result.WriteFile(path, plan, documents_.size(), *options_.fs);
}

}  // namespace crivello::dedup
