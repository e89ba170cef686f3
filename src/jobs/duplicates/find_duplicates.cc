// SPDX-License-Identifier: Apache-2.0
#include "jobs/duplicates/find_duplicates.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "base/external_sorter.h"
#include "base/folder.h"
#include "base/hash.h"
#include "dedup/discovery/candidate_pairs.h"
#include "dedup/discovery/discovery.h"
#include "dedup/discovery/fingerprint_index.h"
#include "dedup/discovery/union_find.h"
#include "graph/names/name_list.h"
#include "graph/rank_file.h"
#include "jobs/duplicates/clusters_file.h"
#include "jobs/duplicates/duplicates_folder.h"
#include "jobs/duplicates/page_texts.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

using PairsFile = Mapped<dedup::DuplicatePairs>;

// Fixed parameters of each method.
constexpr unsigned kDistance = 3;      // SimHash
constexpr double kLeastShared = 0.15;  // shingles
constexpr std::string_view kRank = "pagerank";

std::optional<double> ThresholdOf(const FindDuplicatesOptions& options) {
  if (options.threshold || options.method != dedup::Method::kShingles) return options.threshold;
  return dedup::kDefaultWordShare;
}

// The folder of results with the same method and threshold.
std::string ResultFolder(const std::string& folder, const FindDuplicatesOptions& options) {
  const std::optional<double> threshold = ThresholdOf(options);
  return threshold ? fmt::format("{}/words-{:.4f}", folder, *threshold) : folder + "/candidates";
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// The ranks of pages by their row keys; zeros if the collection has none.
class PageRanks {
 public:
  explicit PageRanks(const std::string& collection) {
    auto values = Mapped<graph::RankVector>::Open(fmt::format("{}/ranks/{}", collection, kRank));
    if (!values.ok()) return;
    auto names =
        Mapped<graph::NameList>::Open(fmt::format("{}/graph/{}.urls", collection, (*values)->origin().names),
                                      {.verify = Verify::kEnvelope});
    if (!names.ok() || (*names)->identity() != (*values)->origin().names_identity ||
        (*names)->size() != (*values)->nodes()) {
      return;  // belongs to another graph
    }
    values_.emplace(*std::move(values));
    names_.emplace(*std::move(names));
  }
  float Of(std::string_view row_key) const {
    if (!values_) return 0;
    const auto node = (*names_)->Find(row_key);
    return node ? (*values_)->values()[*node] : 0;
  }

 private:
  std::optional<Mapped<graph::RankVector>> values_;
  std::optional<Mapped<graph::NameList>> names_;
};

// The criteria by which a member may represent its cluster.
struct Candidacy {
  uint64_t votes = 0;  // members that name it as canonical
  float rank = 0;
  size_t url_bytes = 0;
  store::VersionTime first_fetch = 0;

  bool IsBetterThan(const Candidacy& other) const {
    if (votes != other.votes) return votes > other.votes;
    if (rank != other.rank) return rank > other.rank;
    if (url_bytes != other.url_bytes) return url_bytes < other.url_bytes;
    return first_fetch < other.first_fetch;
  }
};

}  // namespace

// One call of FindDuplicates().
class DuplicateFinder {
 public:
  DuplicateFinder(collection::Collection& store, const FindDuplicatesOptions& options, Progress& progress)
      : store_(store),
        options_(options),
        progress_(progress),
        folder_(DuplicatesFolder(store.directory(), options.method)),
        results_(ResultFolder(folder_, options)) {}

  Result<FoundDuplicates> Run() {
    // A copy, because holding the list itself would block changes of it.
    const collection::ForgottenSet forgotten = *store_.forgotten().current();
    FingerprintPagesOptions fingerprint = {.fingerprints = {.method = options_.method},
                                           .threads = options_.threads,
                                           .memory_bytes = options_.memory_bytes / 2,
                                           .stop = options_.stop};
    if (!forgotten.empty()) {
      fingerprint.excluded = [&forgotten](std::string_view key) { return forgotten.Find(key) != nullptr; };
    }
    CRV_ASSIGN(found_.pages, FingerprintPages(store_, folder_, fingerprint, &alive_, progress_));
    CRV_ASSIGN(const auto fingerprinter, dedup::Fingerprinter::Create(fingerprint.fingerprints));
    CRV_ASSIGN(found_.fingerprints, FingerprintedPages::Open(folder_, fingerprinter.run_shape()));
    found_.documents = found_.fingerprints.documents();
    CRV_TRY(Discover());
    CRV_TRY(Unite());
    CRV_TRY(WriteClusters());
    return std::move(found_);
  }

 private:
  // Keeps the pairs of the documents that existed before: `pairs` becomes `earlier`.
  Status KeepEarlierPairs() {
    CRV_TRY(MakeFolders(results_));
    const std::string pairs = dedup::PairsPath(results_);
    const auto before = PairsFile::Open(pairs);
    if (!before.ok()) return Status::Ok();
    if ((*before)->documents() > found_.documents) return RemoveResults();  // of runs remade from scratch
    if ((*before)->documents() == found_.documents) return Status::Ok();
    std::error_code error;
    std::filesystem::rename(pairs, EarlierPath(), error);
    if (error) return Status::FromErrno("rename", pairs, error.value());
    return PosixFileSystem().SyncDirectory(results_);
  }
  Status RemoveResults() {
    CRV_TRY(RemoveFolder(results_));
    return MakeFolders(results_);
  }
  std::string EarlierPath() const { return results_ + "/earlier"; }

  Status Discover() {
    CRV_TRY(KeepEarlierPairs());
    const std::optional<double> threshold = ThresholdOf(options_);
    PageVerifier verifier(
        store_, [this](uint32_t document) { return found_.fingerprints.NameOf(document); },
        options_.memory_bytes / 4);
    dedup::DiscoveryOptions discovery = {.folder = results_,
                                         .threads = options_.threads,
                                         .memory_bytes = options_.memory_bytes / 2,
                                         .distance = kDistance,
                                         .least_shared = kLeastShared,
                                         .verifier_id = 1,
                                         .progress = &progress_};
    if (threshold) {
      discovery.verifier = &verifier;
      discovery.threshold = *threshold;
    }
    if (IsFile(EarlierPath())) discovery.earlier_pairs = EarlierPath();
    auto report = dedup::DiscoverDuplicates(found_.fingerprints.views(), discovery);
    if (!report.ok() && report.status().code() != StatusCode::kUnavailable && IsFile(EarlierPath())) {
      // The earlier pairs are damaged, or of more documents than exist now: find all pairs again.
      CRV_TRY(RemoveResults());
      discovery.earlier_pairs.clear();
      report = dedup::DiscoverDuplicates(found_.fingerprints.views(), discovery);
    }
    CRV_TRY(report.status());
    found_.counts = report->counts;
    found_.avoided = report->Avoided();
    found_.pairs_path_ = dedup::PairsPath(results_);
    return Status::Ok();
  }

  // Documents of pages whose text has changed connect nothing, unless a current page has the same
  // fingerprint.
  Status Unite() {
    const auto documents = static_cast<uint32_t>(found_.documents);
    CRV_ASSIGN(const auto all, dedup::RunDocuments::Of(found_.fingerprints.views()));
    dedup::DiscoveryOptions same;
    same.distance = kDistance;
    CRV_ASSIGN(const std::vector<uint32_t> nodes, dedup::NodesOf(all, same));
    std::vector<uint32_t> first_of_node(documents, dedup::kNoNode);
    for (uint32_t i = 0; i < documents; i++) {
      if (!alive_[i] || nodes[i] == dedup::kNoNode) continue;
      uint32_t& first = first_of_node[nodes[i]];
      if (first == dedup::kNoNode) {
        first = i;
      } else {
        found_.equal++;
      }
    }
    dedup::UnionFind sets(documents);
    CRV_ASSIGN(const PairsFile pairs, PairsFile::Open(found_.pairs_path_));
    for (const dedup::DocumentPair pair : pairs->pairs()) {
      const uint32_t a = dedup::FirstOf(pair), b = dedup::SecondOf(pair);
      if (b >= documents)
        return Status::Corruption(found_.pairs_path_ + ": names a page that does not exist");
      if (first_of_node[a] == dedup::kNoNode || first_of_node[b] == dedup::kNoNode) continue;
      sets.Unite(a, b);
      found_.pairs++;
    }
    std::vector<std::pair<uint32_t, uint32_t>> members;  // set, document
    found_.firsts_.assign(documents, dedup::kNoNode);
    for (uint32_t i = 0; i < documents; i++) {
      if (nodes[i] == dedup::kNoNode) continue;
      found_.firsts_[i] = first_of_node[nodes[i]];
      if (alive_[i]) members.emplace_back(sets.Find(nodes[i]), i);
    }
    std::sort(members.begin(), members.end());
    for (size_t begin = 0; begin < members.size();) {
      size_t end = begin;
      while (end < members.size() && members[end].first == members[begin].first) end++;
      if (end - begin > 1) {
        DuplicateCluster& cluster = found_.clusters.emplace_back();
        for (size_t i = begin; i < end; i++) cluster.members.push_back(members[i].second);
        found_.in_clusters += cluster.members.size();
      }
      begin = end;
    }
    std::sort(
        found_.clusters.begin(), found_.clusters.end(),
        [](const DuplicateCluster& a, const DuplicateCluster& b) { return a.members[0] < b.members[0]; });
    return Status::Ok();
  }

  struct Member {
    std::string row_key;
    uint64_t text_digest = 0;
    std::string url;
    std::string canonical;
    Candidacy candidacy;
  };
  Result<Member> ReadMember(uint32_t document) {
    Member member;
    const std::string name = found_.fingerprints.NameOf(document);
    CRV_ASSIGN(const PageName page, ParsePageName(name));
    member.row_key = page.row_key;
    member.text_digest = page.text_digest;
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(page.row_key));
    member.url = url.href();
    CRV_ASSIGN(collection::Tablet* const tablet, store_.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const std::vector<store::Row> versions,
               tablet->table().Get(page.row_key, {.versions = UINT64_MAX}));
    member.candidacy.url_bytes = member.url.size();
    if (versions.empty()) return member;
    member.canonical = versions.front().fetch.canonical;
    member.candidacy.first_fetch = versions.back().time;
    return member;
  }

  // Chooses the representatives, and sorts the data for the tablets.
  Status WriteClusters() {
    const PageRanks ranks(store_.directory());
    ExternalSorter sorter({.folder = DuplicatesFolder(store_.directory()) + "/scratch",
                           .memory_bytes = options_.memory_bytes / 4});
    progress_.Start("writing clusters", found_.clusters.size());
    for (DuplicateCluster& cluster : found_.clusters) {
      CRV_TRY(AddCluster(ranks, &cluster, &sorter));
      progress_.Advance(1);
    }
    CRV_TRY(sorter.Sort());
    bool more = sorter.Next();
    for (uint32_t slot = 0; slot < store_.map().size(); slot++) {
      const collection::Tablet* const tablet = store_.tablet(slot);
      if (tablet == nullptr) continue;  // ForEachComparedPage() has not read it either
      CRV_TRY(MakeFolders(tablet->duplicates_directory()));
      CRV_ASSIGN(auto file, CreateClustersFile(ClustersOfTabletPath(tablet->duplicates_directory())));
      for (; more && SlotOf(sorter.record()) == slot; more = sorter.Next()) {
        CRV_TRY(file.Add(sorter.record().substr(2)));
      }
      CRV_TRY(sorter.status());
      CRV_TRY(file.Finish().status());
    }
    progress_.Finish();
    return RemoveFolder(DuplicatesFolder(store_.directory()) + "/scratch");
  }

  Status AddCluster(const PageRanks& ranks, DuplicateCluster* cluster, ExternalSorter* sorter) {
    std::vector<Member> members;
    std::map<std::string_view, size_t> places;
    members.reserve(cluster->members.size());
    for (const uint32_t document : cluster->members) {
      CRV_ASSIGN(Member member, ReadMember(document));
      member.candidacy.rank = ranks.Of(member.row_key);
      members.push_back(std::move(member));
      places[members.back().url] = members.size() - 1;
    }
    for (const Member& member : members) {
      const auto named = places.find(member.canonical);
      if (named != places.end()) members[named->second].candidacy.votes++;
    }
    size_t best = 0;
    for (size_t i = 1; i < members.size(); i++) {
      if (members[i].candidacy.IsBetterThan(members[best].candidacy)) best = i;
    }
    cluster->representative = cluster->members[best];
    for (const Member& member : members) {
      CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(member.row_key));
      const uint32_t slot = store_.SlotOf(url.hostname());
      std::string record = {static_cast<char>(slot >> 8), static_cast<char>(slot)};
      record += LineOfCluster({.row_key = member.row_key,
                               .text_digest = member.text_digest,
                               .members = members.size(),
                               .representative = members[best].row_key});
      CRV_TRY(sorter->Add(record));
    }
    return Status::Ok();
  }
  static uint32_t SlotOf(std::string_view record) {
    return static_cast<uint32_t>(static_cast<uint8_t>(record[0])) << 8 | static_cast<uint8_t>(record[1]);
  }

  collection::Collection& store_;
  const FindDuplicatesOptions& options_;
  Progress& progress_;
  const std::string folder_;
  const std::string results_;
  std::vector<bool> alive_;
  FoundDuplicates found_;
};

Status FoundDuplicates::ForEachPair(
    const std::function<Status(uint32_t a, uint32_t b, double similarity)>& visit) const {
  CRV_ASSIGN(const PairsFile file, PairsFile::Open(pairs_path_));
  for (size_t i = 0; i < file->pairs().size(); i++) {
    const uint32_t a = firsts_[dedup::FirstOf(file->pairs()[i])];
    const uint32_t b = firsts_[dedup::SecondOf(file->pairs()[i])];
    if (a != dedup::kNoNode && b != dedup::kNoNode) {
      CRV_TRY(visit(a, b, static_cast<double>(file->Similarity(i))));
    }
  }
  for (const DuplicateCluster& cluster : clusters) {
    for (const uint32_t member : cluster.members) {
      if (firsts_[member] != member) CRV_TRY(visit(firsts_[member], member, 1.0));
    }
  }
  return Status::Ok();
}

Result<FoundDuplicates> FindDuplicates(collection::Collection& store, const FindDuplicatesOptions& options,
                                       Progress& progress) {
  CRV_ASSIGN(const DuplicatesLock lock, DuplicatesLock::Take(store.directory(), DuplicateFolders(store)));
  CRV_ASSIGN(FoundDuplicates found, DuplicateFinder(store, options, progress).Run());
  for (collection::Tablet* const tablet : store.tablets()) CRV_TRY(TakeClusters(store, *tablet).status());
  return found;
}

namespace {

// Candidates for a text, by its fingerprint.
std::vector<uint32_t> CandidatesFor(const dedup::TextFingerprint& text, const FingerprintedPages& pages,
                                    dedup::Method method, uint64_t* comparisons) {
  std::vector<uint32_t> candidates;
  if (text.signature == 0) return candidates;
  if (method == dedup::Method::kSimHash) {
    for (uint32_t i = 0; i < pages.documents(); i++) {
      const uint64_t signature = pages.SignatureOf(i);
      ++*comparisons;
      if (signature != 0 &&
          dedup::HammingDistance(signature, text.signature) <= static_cast<int>(kDistance)) {
        candidates.push_back(i);
      }
    }
    return candidates;
  }
  const dedup::FingerprintIndex index(pages.views());
  for (const auto& found : index.Search(text.keys, comparisons)) {
    const double least = static_cast<double>(std::min<size_t>(found.keys, text.keys.size()));
    if (method == dedup::Method::kMinHash || found.shared >= kLeastShared * least) {
      candidates.push_back(found.document);
    }
  }
  return candidates;
}

}  // namespace

Result<SimilarPages> FindNearDuplicatesOf(collection::Collection& store, std::string_view text,
                                          std::string_view but, const FindDuplicatesOptions& options) {
  const std::string folder = DuplicatesFolder(store.directory(), options.method);
  CRV_ASSIGN(dedup::Fingerprinter fingerprinter, dedup::Fingerprinter::Create({.method = options.method}));
  CRV_ASSIGN(const auto pages, FingerprintedPages::Open(folder, fingerprinter.run_shape()));
  if (pages.runs() == 0) {
    return Status::NotFound(fmt::format(
        "'{}' has no fingerprints of pages; make them with 'crivello dups --all{}'", store.directory(),
        options.method == dedup::Method::kShingles
            ? ""
            : fmt::format(" --method {}", dedup::MethodName(options.method))));
  }
  SimilarPages found = {.documents = pages.documents()};
  const dedup::WordBag words{dedup::Words(text)};
  const auto name_of = [&pages](uint32_t document) { return pages.NameOf(document); };
  PageVerifier verifier(store, name_of, options.memory_bytes);
  const double least = ThresholdOf(options).value_or(0);
  for (const uint32_t document :
       CandidatesFor(fingerprinter.Of(text), pages, options.method, &found.comparisons)) {
    const std::string name = pages.NameOf(document);
    CRV_ASSIGN(const PageName page, ParsePageName(name));
    if (page.row_key == but) continue;
    CRV_ASSIGN(const double similarity, verifier.SimilarityTo(words, document));
    found.comparisons++;
    if (similarity == 0 || similarity < least) continue;
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(page.row_key));
    CRV_ASSIGN(collection::Tablet* const tablet, store.TabletOfHost(url.hostname()));
    CRV_ASSIGN(const std::vector<store::Row> rows, tablet->table().Get(page.row_key));
    found.pages.push_back({url.href(), rows.empty() ? "" : rows.front().fetch.id, similarity});
  }
  std::sort(found.pages.begin(), found.pages.end(), [](const SimilarPage& a, const SimilarPage& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.url < b.url;
  });
  found.pages.erase(std::unique(found.pages.begin(), found.pages.end(),
                                [](const SimilarPage& a, const SimilarPage& b) { return a.url == b.url; }),
                    found.pages.end());
  return found;
}

}  // namespace crivello::jobs
