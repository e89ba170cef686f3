// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "base/folder.h"
#include "base/hash.h"
#include "base/record.h"
#include "dedup/discovery/candidate_pairs.h"
#include "dedup/discovery/run_tasks.h"
#include "dedup/discovery/union_find.h"

namespace crivello::dedup {
namespace {

using PairsFile = Mapped<DuplicatePairs>;

// A single call of DiscoverDuplicates().
class Discovery {
 public:
  Discovery(const RunDocuments& documents, const DiscoveryOptions& options)
      : documents_(documents), options_(options) {}

  Result<DiscoveryReport> Run();

 private:
  Status OpenEarlier();
  uint64_t Plan() const;
  uint32_t known() const { return earlier_ ? static_cast<uint32_t>((*earlier_)->documents()) : 0; }

  // A file of an earlier call with the same plan; nullopt if there is none.
  std::optional<PairsFile> Resume(const std::string& path, uint64_t plan) const;
  Result<PairsFile> OpenPart(const std::string& path, uint64_t plan) const;
  std::string PartPath(std::string_view what, size_t part) const {
    return fmt::format("{}/{}-{:05}", options_.folder, what, part);
  }

  Status FindCandidates(const std::vector<uint32_t>& nodes);
  Status VerifyCandidates();
  // Verifies the pairs of documents [begin, end) with higher ones.
  Status VerifyRange(uint64_t begin, uint64_t end, const std::string& path);
  Status Judge(DocumentPair pair, uint32_t shared, DuplicatePairsBuilder* result);
  Status WritePairs();
  Status WriteClusters(const std::vector<uint32_t>& nodes);
  Result<DiscoveryReport> Report(const std::vector<uint32_t>& nodes) const;
  Status RemoveParts();
  // Runs tasks and reports how many have ended.
  Status RunPhase(std::string_view what, size_t tasks, const std::function<Status(size_t)>& run);

  const RunDocuments& documents_;
  const DiscoveryOptions& options_;
  uint64_t plan_ = 0;        // for the results
  uint64_t parts_plan_ = 0;  // for the parts, which also depend on the memory
  std::optional<PairsFile> earlier_;
  std::vector<PairsFile> candidates_;
  std::vector<PairsFile> verified_;
};

uint64_t Discovery::Plan() const {
  RecordWriter plan;
  plan.Word(documents_.size());
  plan.Word(documents_.shape().parameters);
  for (const FingerprintRun* run : documents_.runs()) plan.Word(run->Checksum());
  plan.Number(options_.distance);
  plan.Word(std::bit_cast<uint64_t>(options_.least_shared));
  plan.Number(options_.group_limit);
  plan.Number(options_.verifier != nullptr ? 1 : 0);
  plan.Word(options_.verifier_id);
  plan.Word(std::bit_cast<uint64_t>(options_.threshold));
  plan.Word(earlier_ ? Hash64(earlier_->file().payload()) : 0);
  return Hash64(plan.bytes());
}

Status Discovery::OpenEarlier() {
  if (options_.earlier_pairs.empty()) return Status::Ok();
  CRV_ASSIGN(PairsFile file, PairsFile::Open(options_.earlier_pairs));
  if (file->documents() > documents_.size()) {
    return Status::InvalidArgument(fmt::format("{} is of {} documents, but there are only {}",
                                               options_.earlier_pairs, file->documents(), documents_.size()));
  }
  earlier_.emplace(std::move(file));
  return Status::Ok();
}

std::optional<PairsFile> Discovery::Resume(const std::string& path, uint64_t plan) const {
  auto file = PairsFile::Open(path);
  if (!file.ok() || (*file)->plan() != plan) return {};
  return std::move(file).value();
}

Result<PairsFile> Discovery::OpenPart(const std::string& path, uint64_t plan) const {
  CRV_ASSIGN(PairsFile file, PairsFile::Open(path, {.verify = Verify::kEnvelope}));
  if (file->plan() != plan) {
    return Status::Corruption(fmt::format("{}: another discovery is at work in this folder", path));
  }
  return file;
}

Status Discovery::RunPhase(std::string_view what, size_t tasks, const std::function<Status(size_t)>& run) {
  if (options_.progress == nullptr) return RunTasks(options_.threads, tasks, run);
  options_.progress->Start(what, tasks);
  const Status status = RunTasks(options_.threads, tasks, [&](size_t task) {
    CRV_TRY(run(task));
    options_.progress->Advance(1);
    return Status::Ok();
  });
  options_.progress->Finish();
  return status;
}

Status Discovery::FindCandidates(const std::vector<uint32_t>& nodes) {
  CRV_ASSIGN(const CandidateFinder finder, CandidateFinder::Create(documents_, nodes, options_, known()));
  CRV_TRY(RunPhase("finding candidates", finder.tasks(), [&](size_t task) {
    const std::string path = PartPath("candidates", task);
    return Resume(path, parts_plan_) ? Status::Ok() : finder.Run(task, path, parts_plan_);
  }));
  for (size_t task = 0; task < finder.tasks(); task++) {
    CRV_ASSIGN(PairsFile file, OpenPart(PartPath("candidates", task), parts_plan_));
    candidates_.push_back(std::move(file));
  }
  return Status::Ok();
}

Status Discovery::VerifyCandidates() {
  uint64_t pairs = 0;
  for (const PairsFile& file : candidates_) pairs += file->pairs().size();
  // A range's candidates are sorted in memory; at least 16 ranges, so that all threads have work.
  const uint64_t ranges =
      std::clamp<uint64_t>(pairs * 64 / std::max<uint64_t>(options_.memory_bytes, 1), 16, 4096);
  const auto bound = [&](uint64_t range) { return documents_.size() * range / ranges; };
  CRV_TRY(RunPhase("comparing candidates", ranges, [&](size_t range) {
    const std::string path = PartPath("verified", range);
    if (Resume(path, parts_plan_)) return Status::Ok();
    return VerifyRange(bound(range), bound(range + 1), path);
  }));
  for (size_t range = 0; range < ranges; range++) {
    CRV_ASSIGN(PairsFile file, OpenPart(PartPath("verified", range), parts_plan_));
    verified_.push_back(std::move(file));
  }
  return Status::Ok();
}

Status Discovery::VerifyRange(uint64_t begin, uint64_t end, const std::string& path) {
  std::vector<std::pair<DocumentPair, uint32_t>> found;
  for (const PairsFile& file : candidates_) {
    const auto pairs = file->pairs();
    const auto first = std::lower_bound(pairs.begin(), pairs.end(), begin << 32);
    const auto last = std::lower_bound(first, pairs.end(), end << 32);
    for (auto pair = first; pair != last; ++pair) {
      found.emplace_back(*pair, file->KeysShared(static_cast<size_t>(pair - pairs.begin())));
    }
  }
  std::sort(found.begin(), found.end());
  DuplicatePairsBuilder result;
  for (size_t i = 0; i < found.size();) {
    const DocumentPair pair = found[i].first;
    uint32_t shared = 0;
    for (; i < found.size() && found[i].first == pair; i++) shared += found[i].second;
    CRV_TRY(Judge(pair, shared, &result));
  }
  return result.WriteFile(path, parts_plan_, documents_.size(), *options_.fs);
}

Status Discovery::Judge(DocumentPair pair, uint32_t shared, DuplicatePairsBuilder* result) {
  const uint32_t a = FirstOf(pair), b = SecondOf(pair);
  const Method method = documents_.shape().method;
  const double keys_a = documents_.KeysOf(a), keys_b = documents_.KeysOf(b);
  if (method == Method::kShingles && shared < options_.least_shared * std::min(keys_a, keys_b)) {
    return Status::Ok();
  }
  double similarity = 0;
  double least = options_.threshold;
  if (options_.verifier != nullptr) {
    result->counts().comparisons++;
    CRV_ASSIGN(similarity, options_.verifier->Similarity(a, b));
  } else if (method == Method::kSimHash) {
    const uint64_t differing = documents_.SignatureOf(a) ^ documents_.SignatureOf(b);
    similarity = 1 - std::popcount(differing) / 64.0;
    least = 0;
  } else {
    result->counts().comparisons++;
    similarity = shared / (keys_a + keys_b - shared);
    if (method == Method::kMinHash) least = 0;
  }
  if (similarity >= least) result->Add(pair, static_cast<float>(similarity));
  return Status::Ok();
}

Status Discovery::WritePairs() {
  DuplicatePairsBuilder result;
  for (const PairsFile& file : candidates_) result.counts() += file->counts();
  for (const PairsFile& file : verified_) result.counts() += file->counts();
  // Both are sorted: insert the pairs of the earlier discovery in between.
  size_t old = 0;
  const auto add_old_before = [&](DocumentPair pair) {
    for (; earlier_ && old < (*earlier_)->pairs().size() && (*earlier_)->pairs()[old] < pair; old++) {
      result.Add((*earlier_)->pairs()[old], (*earlier_)->Similarity(old));
    }
  };
  for (const PairsFile& file : verified_) {
    for (size_t i = 0; i < file->pairs().size(); i++) {
      add_old_before(file->pairs()[i]);
      result.Add(file->pairs()[i], file->Similarity(i));
    }
  }
  add_old_before(~DocumentPair{0});
  return result.WriteFile(PairsPath(options_.folder), plan_, documents_.size(), *options_.fs);
}

Status Discovery::WriteClusters(const std::vector<uint32_t>& nodes) {
  CRV_ASSIGN(const PairsFile pairs, PairsFile::Open(PairsPath(options_.folder)));
  const uint32_t size = documents_.size();
  UnionFind sets(size);
  constexpr size_t kChunk = 1 << 16;
  const auto chunks = [](size_t count) { return (count + kChunk - 1) / kChunk; };
  for (const DocumentPair pair : pairs->pairs()) {
    if (SecondOf(pair) >= size) return Status::Corruption("duplicate pairs: a document that does not exist");
  }
  CRV_TRY(RunTasks(options_.threads, chunks(pairs->pairs().size()), [&](size_t chunk) {
    const size_t end = std::min(pairs->pairs().size(), (chunk + 1) * kChunk);
    for (size_t i = chunk * kChunk; i < end; i++) {
      sets.Unite(FirstOf(pairs->pairs()[i]), SecondOf(pairs->pairs()[i]));
    }
    return Status::Ok();
  }));
  std::vector<uint32_t> clusters(size);
  CRV_TRY(RunTasks(options_.threads, chunks(size), [&](size_t chunk) {
    const auto end = static_cast<uint32_t>(std::min<size_t>(size, (chunk + 1) * kChunk));
    for (auto i = static_cast<uint32_t>(chunk * kChunk); i < end; i++) {
      // A document without a node resembles no other; a copy belongs to its node's cluster.
      clusters[i] = nodes[i] == kNoNode ? i : sets.Find(nodes[i]);
    }
    return Status::Ok();
  }));
  return DuplicateClusters::WriteFile(ClustersPath(options_.folder), plan_, clusters, *options_.fs);
}

Result<DiscoveryReport> Discovery::Report(const std::vector<uint32_t>& nodes) const {
  CRV_ASSIGN(const PairsFile pairs, PairsFile::Open(PairsPath(options_.folder)));
  CRV_ASSIGN(const auto clusters, Mapped<DuplicateClusters>::Open(ClustersPath(options_.folder)));
  DiscoveryReport report = {
      .documents = documents_.size(), .counts = pairs->counts(), .pairs = pairs->pairs().size()};
  std::vector<bool> counted(documents_.size());
  for (uint32_t i = 0; i < nodes.size(); i++) {
    report.compared_with_none += nodes[i] == kNoNode ? 1 : 0;
    report.equal += nodes[i] != kNoNode && nodes[i] != i ? 1 : 0;
    const uint32_t cluster = clusters->ClusterOf(i);
    if (cluster == i || cluster >= nodes.size()) continue;
    report.in_clusters += counted[cluster] ? 1 : 2;
    report.clusters += counted[cluster] ? 0 : 1;
    counted[cluster] = true;
  }
  return report;
}

// Also removes parts of other plans, and what a process killed while writing left.
Status Discovery::RemoveParts() {
  candidates_.clear();
  verified_.clear();
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(options_.folder));
  for (const std::string& name : names) {
    for (const std::string_view part : {"candidates-", "verified-", "pairs.", "clusters."}) {
      if (name.starts_with(part)) CRV_TRY(options_.fs->Remove(options_.folder + "/" + name));
    }
  }
  return Status::Ok();
}

Result<DiscoveryReport> Discovery::Run() {
  CRV_TRY(OpenEarlier());
  plan_ = Plan();
  parts_plan_ = Mix64(plan_ ^ options_.memory_bytes);
  CRV_ASSIGN(const std::vector<uint32_t> nodes, NodesOf(documents_, options_));
  const auto clusters = Mapped<DuplicateClusters>::Open(ClustersPath(options_.folder));
  const bool done = clusters.ok() && (*clusters)->plan() == plan_ &&
                    (*clusters)->documents() == documents_.size() &&
                    Resume(PairsPath(options_.folder), plan_);
  if (!done) {
    CRV_TRY(FindCandidates(nodes));
    CRV_TRY(VerifyCandidates());
    CRV_TRY(WritePairs());
    CRV_TRY(WriteClusters(nodes));
  }
  CRV_TRY(RemoveParts());
  return Report(nodes);
}

}  // namespace

uint64_t DiscoveryReport::Avoided() const {
  const uint64_t all = documents < 2 ? 0 : documents * (documents - 1) / 2;
  return all - std::min(all, counts.comparisons);
}

Result<DiscoveryReport> DiscoverDuplicates(const std::vector<const FingerprintRun*>& runs,
                                           const DiscoveryOptions& options) {
  CRV_ASSIGN(const RunDocuments documents, RunDocuments::Of(runs));
  return Discovery(documents, options).Run();
}

std::string PairsPath(const std::string& folder) { return folder + "/pairs"; }
std::string ClustersPath(const std::string& folder) { return folder + "/clusters"; }

}  // namespace crivello::dedup
