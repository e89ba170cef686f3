// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/discovery.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <thread>

#include "base/fault_file_system.h"
#include "base/forwarding_file_system.h"
#include "base/random.h"
#include "base/test_support.h"
#include "dedup/discovery/fingerprint_index.h"
#include "dedup/discovery/fingerprinter.h"
#include "dedup/discovery/planted_copies.h"
#include "dedup/discovery/run_tasks.h"
#include "dedup/discovery/union_find.h"

namespace crivello::dedup {
namespace {

// Runs in memory.
class MemoryRuns {
 public:
  void Add(FingerprintRunBuilder& builder) {
    images_.push_back(std::make_unique<ImageWriter>(builder.Build()));
    runs_.push_back(
        std::make_unique<FingerprintRun>(FingerprintRun::FromImage(images_.back()->bytes()).value()));
  }
  std::vector<const FingerprintRun*> runs() const {
    std::vector<const FingerprintRun*> all;
    for (const auto& run : runs_) all.push_back(run.get());
    return all;
  }

 private:
  std::vector<std::unique_ptr<ImageWriter>> images_;
  std::vector<std::unique_ptr<FingerprintRun>> runs_;
};

// Adds documents [begin, end) of some texts as another run.
void AddRun(const std::vector<std::string>& texts, size_t begin, size_t end,
            const FingerprintOptions& options, MemoryRuns* runs) {
  Fingerprinter fingerprinter = Fingerprinter::Create(options).value();
  FingerprintRunBuilder builder(fingerprinter.run_shape(), static_cast<uint32_t>(begin));
  for (size_t i = begin; i < end; i++) {
    const TextFingerprint print = fingerprinter.Of(texts[i]);
    builder.Add(print.signature, print.keys);
  }
  runs->Add(builder);
}

std::vector<std::string> TextsWithCopies(uint64_t seed, int pairs) {
  PageMaker maker(seed);
  std::vector<std::string> texts = {"", "short", "short", "..."};
  for (int i = 0; i < pairs; i++) {
    for (const Plant plant : kPlants) {
      auto [page, copy] = maker.Plants(plant);
      texts.push_back(std::move(page));
      texts.push_back(std::move(copy));
    }
  }
  return texts;
}

DiscoveryReport MustDiscover(const MemoryRuns& runs, const DiscoveryOptions& options) {
  const auto report = DiscoverDuplicates(runs.runs(), options);
  EXPECT_TRUE(report.ok()) << report.status().ToString();
  return report.ok() ? *report : DiscoveryReport();
}

std::string FileBytes(const std::string& path) {
  auto bytes = ReadFile(path);
  return bytes.ok() ? *std::move(bytes) : std::string();
}
std::string ResultBytes(const std::string& folder) {
  return FileBytes(PairsPath(folder)) + FileBytes(ClustersPath(folder));
}

std::vector<uint32_t> ClustersIn(const std::string& folder) {
  const auto file = Mapped<DuplicateClusters>::Open(ClustersPath(folder)).value();
  std::vector<uint32_t> clusters;
  for (uint32_t i = 0; i < file->documents(); i++) clusters.push_back(file->ClusterOf(i));
  return clusters;
}

FingerprintOptions OptionsOf(Method method) {
  FingerprintOptions options;
  options.method = method;
  return options;
}
constexpr Method kMethods[] = {Method::kShingles, Method::kMinHash, Method::kSimHash};

// All with all: unites documents with equal signatures, and pairs that share enough.
std::vector<uint32_t> ObviousClusters(const std::vector<std::string>& texts,
                                      const FingerprintOptions& options, const DiscoveryOptions& discovery) {
  Fingerprinter fingerprinter = Fingerprinter::Create(options).value();
  std::vector<TextFingerprint> prints;
  for (const std::string& text : texts) prints.push_back(fingerprinter.Of(text));
  std::vector<uint32_t> clusters(texts.size());
  std::iota(clusters.begin(), clusters.end(), 0);
  for (uint32_t a = 0; a < texts.size(); a++) {
    for (uint32_t b = a + 1; b < texts.size(); b++) {
      if (prints[a].signature == 0 || prints[b].signature == 0) continue;
      bool near = prints[a].signature == prints[b].signature;
      if (!near && options.method == Method::kSimHash) {
        near =
            HammingDistance(prints[a].signature, prints[b].signature) <= static_cast<int>(discovery.distance);
      } else if (!near) {
        std::set<std::pair<uint32_t, uint64_t>> keys;
        for (const PartKey& key : prints[a].keys) keys.emplace(key.part, key.key);
        size_t shared = 0;
        for (const PartKey& key : prints[b].keys) shared += keys.contains({key.part, key.key}) ? 1 : 0;
        const auto fewer = static_cast<double>(std::min(prints[a].keys.size(), prints[b].keys.size()));
        near = shared > 0;
        if (options.method == Method::kShingles) {
          near = near && static_cast<double>(shared) >= discovery.least_shared * fewer &&
                 WordShare(WordBag(Words(texts[a])), WordBag(Words(texts[b]))) >= discovery.threshold;
        }
      }
      if (!near) continue;
      const uint32_t from = std::max(clusters[a], clusters[b]), to = std::min(clusters[a], clusters[b]);
      std::replace(clusters.begin(), clusters.end(), from, to);
    }
  }
  return clusters;
}

TEST(UnionFindTest, GivesTheLowestNumberOfEachSetForAnyThreads) {
  SeededRandom random(1);
  constexpr uint32_t kSize = 2000;
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (int i = 0; i < 1500; i++) {
    pairs.emplace_back(random.Below(kSize), random.Below(kSize));
  }
  std::vector<uint32_t> expected(kSize);
  std::iota(expected.begin(), expected.end(), 0);
  for (const auto& [a, b] : pairs) {
    const uint32_t from = std::max(expected[a], expected[b]), to = std::min(expected[a], expected[b]);
    std::replace(expected.begin(), expected.end(), from, to);
  }
  for (const unsigned threads : {1u, 2u, 4u}) {
    UnionFind sets(kSize);
    ASSERT_TRUE(RunTasks(threads, pairs.size(), [&](size_t i) {
                  sets.Unite(pairs[i].first, pairs[i].second);
                  return Status::Ok();
                }).ok());
    for (uint32_t i = 0; i < kSize; i++) EXPECT_EQ(sets.Find(i), expected[i]);
  }
}

TEST(RunTasksTest, ReturnsTheFirstError) {
  const Status status = RunTasks(3, 100, [](size_t i) {
    return i >= 10 ? Status::InvalidArgument("task " + std::to_string(i)) : Status::Ok();
  });
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(RunTasks(2, 0, [](size_t) { return Status::IoError("never"); }).ok());
}

TEST(DiscoveryTest, FindsTheClustersOfComparingAllWithAll) {
  const std::vector<std::string> texts = TextsWithCopies(1, 12);
  for (const Method method : kMethods) {
    const TemporaryFolder folder;
    MemoryRuns runs;
    AddRun(texts, 0, 30, OptionsOf(method), &runs);
    AddRun(texts, 30, 30, OptionsOf(method), &runs);
    AddRun(texts, 30, texts.size(), OptionsOf(method), &runs);
    WordBagVerifier verifier;
    for (const std::string& text : texts) verifier.Add(text);
    DiscoveryOptions options = {.folder = folder.path()};
    if (method == Method::kShingles) options.verifier = &verifier;
    const DiscoveryReport report = MustDiscover(runs, options);
    EXPECT_EQ(ClustersIn(folder.path()), ObviousClusters(texts, OptionsOf(method), options))
        << MethodName(method);
    EXPECT_EQ(report.documents, texts.size());
    EXPECT_EQ(report.compared_with_none, method == Method::kMinHash ? 4u : 2u);
    EXPECT_GT(report.clusters, 15u);
    EXPECT_LT(report.counts.comparisons, texts.size() * texts.size() / 8);
    EXPECT_EQ(report.Avoided() + report.counts.comparisons, texts.size() * (texts.size() - 1) / 2);
    // Nothing else is left, and another call only reads.
    const std::string bytes = ResultBytes(folder.path());
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
    EXPECT_EQ(MustDiscover(runs, options).pairs, report.pairs);
    EXPECT_EQ(ResultBytes(folder.path()), bytes);
  }
}

TEST(DiscoveryTest, GivesTheSameBytesForAnyThreadsAndMemory) {
  const std::vector<std::string> texts = TextsWithCopies(2, 10);
  for (const Method method : kMethods) {
    MemoryRuns runs;
    AddRun(texts, 0, texts.size(), OptionsOf(method), &runs);
    std::set<std::string> results;
    for (const unsigned threads : {1u, 2u, 5u}) {
      for (const uint64_t memory_bytes : {uint64_t{1} << 12, uint64_t{1} << 26}) {
        const TemporaryFolder folder;
        MustDiscover(runs, {.folder = folder.path(), .threads = threads, .memory_bytes = memory_bytes});
        results.insert(ResultBytes(folder.path()));
      }
    }
    EXPECT_EQ(results.size(), 1u) << MethodName(method);
  }
}

// 100,000 pages that say "not found" form one node.
TEST(DiscoveryTest, CollapsesEqualFingerprintsBeforeItMakesPairs) {
  constexpr uint32_t kEqual = 100'000;
  MemoryRuns runs;
  FingerprintRunBuilder builder({.method = Method::kShingles, .parameters = 1, .parts = 1}, 0);
  const std::vector<PartKey> error_page = {{0, 11}, {0, 12}, {0, 13}}, near_it = {{0, 11}, {0, 12}, {0, 14}};
  builder.Add(8, near_it);
  for (uint32_t i = 0; i < kEqual; i++) builder.Add(7, error_page);
  builder.Add(9, std::vector<PartKey>{{0, 15}});
  runs.Add(builder);
  const TemporaryFolder folder;
  const DiscoveryReport report = MustDiscover(runs, {.folder = folder.path(), .threshold = 0.5});
  EXPECT_EQ(report.equal, kEqual - 1);
  EXPECT_EQ(report.counts.comparisons, 1u);
  EXPECT_EQ(report.counts.candidates, 2u);
  EXPECT_EQ(report.pairs, 1u);
  EXPECT_EQ(report.clusters, 1u);
  EXPECT_EQ(report.in_clusters, kEqual + 1);
  const auto clusters = ClustersIn(folder.path());
  EXPECT_EQ(clusters[kEqual], 0u);
  EXPECT_EQ(clusters[kEqual + 1], kEqual + 1);
  const auto pairs = Mapped<DuplicatePairs>::Open(PairsPath(folder.path())).value();
  EXPECT_FLOAT_EQ(pairs->Similarity(0), 0.5f);
}

TEST(DiscoveryTest, LimitsThePairsOfAGroup) {
  constexpr uint32_t kPages = 500;
  MemoryRuns runs;
  FingerprintRunBuilder builder({.method = Method::kShingles, .parameters = 1, .parts = 1}, 0);
  for (uint32_t i = 0; i < kPages; i++) builder.Add(100 + i, std::vector<PartKey>{{0, 5}, {0, 1000 + i}});
  runs.Add(builder);
  const TemporaryFolder folder;
  const DiscoveryReport report =
      MustDiscover(runs, {.folder = folder.path(), .group_limit = 10, .threshold = 0.3});
  EXPECT_LE(report.counts.candidates, kPages * 10u);
  EXPECT_EQ(report.counts.candidates + report.counts.skipped, kPages * (kPages - 1) / 2);
  EXPECT_EQ(report.clusters, 1u) << "the pairs with those before it are enough to join them";
  EXPECT_EQ(report.in_clusters, kPages);
}

TEST(DiscoveryTest, MakesOnlyThePairsOfNewDocuments) {
  const std::vector<std::string> texts = TextsWithCopies(3, 14);
  const size_t old = texts.size() / 2;
  for (const Method method : kMethods) {
    const TemporaryFolder before, grown, whole;
    MemoryRuns old_runs, all_runs;
    AddRun(texts, 0, old, OptionsOf(method), &old_runs);
    AddRun(texts, 0, old, OptionsOf(method), &all_runs);
    AddRun(texts, old, texts.size(), OptionsOf(method), &all_runs);
    DiscoveryOptions options = {.folder = before.path()};
    MustDiscover(old_runs, options);
    options.folder = whole.path();
    const DiscoveryReport all = MustDiscover(all_runs, options);
    options.folder = grown.path();
    options.earlier_pairs = PairsPath(before.path());
    const DiscoveryReport more = MustDiscover(all_runs, options);
    EXPECT_EQ(ClustersIn(grown.path()), ClustersIn(whole.path())) << MethodName(method);
    EXPECT_EQ(more.pairs, all.pairs);
    EXPECT_EQ(more.clusters, all.clusters);
    EXPECT_LT(more.counts.candidates, all.counts.candidates);
  }
}

// Kills the process at the Nth change of a file.
class KillingFileSystem final : public ForwardingFileSystem {
 public:
  explicit KillingFileSystem(int changes) : left_(changes) {}
  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override {
    Count();
    return ForwardingFileSystem::OpenForAppend(path, options);
  }
  Status Rename(const std::string& from, const std::string& to) override {
    Count();
    return ForwardingFileSystem::Rename(from, to);
  }
  Status Remove(const std::string& path) override {
    Count();
    return ForwardingFileSystem::Remove(path);
  }

 private:
  void Count() {
    if (left_-- == 0) kill(getpid(), SIGKILL);
  }
  std::atomic<int> left_;
};

TEST(DiscoveryTest, ResumesAfterAKillWithTheSameBytes) {
  const std::vector<std::string> texts = TextsWithCopies(4, 6);
  MemoryRuns runs;
  AddRun(texts, 0, texts.size(), OptionsOf(Method::kShingles), &runs);
  const TemporaryFolder undisturbed;
  const DiscoveryReport expected = MustDiscover(runs, {.folder = undisturbed.path(), .threads = 1});
  const std::string bytes = ResultBytes(undisturbed.path());
  int kills = 0;
  bool finished = false;
  const TemporaryFolder folder;
  for (int changes = 1;; changes += 4) {
    // Every other child continues with what the previous one left.
    if (kills % 2 == 0 || finished) {
      for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        std::filesystem::remove(entry.path());
      }
      finished = false;
    }
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      KillingFileSystem fs(changes);
      const auto report = DiscoverDuplicates(runs.runs(), {.folder = folder.path(), .threads = 2, .fs = &fs});
      _exit(report.ok() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
      EXPECT_EQ(WEXITSTATUS(status), 0);
      break;
    }
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    kills++;
    if (kills % 5 == 4) {
      MustDiscover(runs, {.folder = folder.path()});
      EXPECT_EQ(ResultBytes(folder.path()), bytes);
      finished = true;
    }
  }
  EXPECT_GT(kills, 5);
  const DiscoveryReport report = MustDiscover(runs, {.folder = folder.path()});
  EXPECT_EQ(ResultBytes(folder.path()), bytes);
  EXPECT_EQ(report.counts, expected.counts);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2) << "nothing is left";
}

TEST(DiscoveryTest, ReportsDisksThatFail) {
  const std::vector<std::string> texts = TextsWithCopies(5, 2);
  MemoryRuns runs;
  AddRun(texts, 0, texts.size(), OptionsOf(Method::kShingles), &runs);
  const TemporaryFolder undisturbed, folder;
  MustDiscover(runs, {.folder = undisturbed.path()});
  uint64_t failures = 0;
  for (uint64_t fail_at = 1;; fail_at += 5) {
    FaultFileSystem fs({.fail_at = fail_at, .tear = true});
    const auto report = DiscoverDuplicates(runs.runs(), {.folder = folder.path(), .threads = 1, .fs = &fs});
    if (report.ok()) break;
    failures++;
  }
  EXPECT_GT(failures, 3u);
  EXPECT_EQ(ResultBytes(folder.path()), ResultBytes(undisturbed.path()));
}

TEST(DiscoveryTest, RefusesRunsThatDoNotBelongTogether) {
  const std::vector<std::string> texts = TextsWithCopies(6, 1);
  const TemporaryFolder folder;
  MemoryRuns runs;
  AddRun(texts, 0, 5, OptionsOf(Method::kShingles), &runs);
  AddRun(texts, 6, 9, OptionsOf(Method::kShingles), &runs);
  EXPECT_EQ(DiscoverDuplicates(runs.runs(), {.folder = folder.path()}).status().code(),
            StatusCode::kInvalidArgument);
  MemoryRuns mixed;
  AddRun(texts, 0, 5, OptionsOf(Method::kShingles), &mixed);
  AddRun(texts, 5, 9, OptionsOf(Method::kMinHash), &mixed);
  EXPECT_EQ(DiscoverDuplicates(mixed.runs(), {.folder = folder.path()}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(MustDiscover(MemoryRuns(), {.folder = folder.path()}).documents, 0u);
}

TEST(FingerprintIndexTest, FindsTheDocumentsThatShareKeys) {
  const std::vector<std::string> texts = TextsWithCopies(7, 5);
  for (const Method method : {Method::kShingles, Method::kMinHash}) {
    MemoryRuns runs;
    AddRun(texts, 0, 20, OptionsOf(method), &runs);
    AddRun(texts, 20, texts.size(), OptionsOf(method), &runs);
    const FingerprintIndex index(runs.runs());
    Fingerprinter fingerprinter = Fingerprinter::Create(OptionsOf(method)).value();
    std::vector<TextFingerprint> prints;
    for (const std::string& text : texts) prints.push_back(fingerprinter.Of(text));
    for (const TextFingerprint& query : prints) {
      std::vector<FingerprintIndex::Candidate> expected;
      for (uint32_t i = 0; i < prints.size(); i++) {
        uint32_t shared = 0;
        for (const PartKey& a : query.keys) {
          for (const PartKey& b : prints[i].keys) shared += a.part == b.part && a.key == b.key ? 1 : 0;
        }
        if (shared > 0) {
          expected.push_back({i, shared, static_cast<uint32_t>(prints[i].keys.size())});
        }
      }
      uint64_t comparisons = 0;
      EXPECT_EQ(index.Search(query.keys, &comparisons), expected);
      EXPECT_LE(comparisons, query.keys.size() * texts.size());
    }
  }
}

TEST(DuplicateFilesTest, RefuseDamage) {
  const TemporaryFolder folder;
  DuplicatePairsBuilder builder;
  for (uint32_t i = 0; i < 5; i++) builder.Add(PairOf(i + 1, i), i);
  ASSERT_TRUE(builder.WriteFile(folder / "pairs", 1, 6).ok());
  ASSERT_TRUE(
      DuplicateClusters::WriteFile(folder / "clusters", 1, std::vector<uint32_t>{0, 0, 2, 0, 2}).ok());
  FingerprintRunBuilder run_builder({.method = Method::kMinHash, .parameters = 1, .parts = 2}, 3);
  run_builder.Add(1, std::vector<PartKey>{{0, 5}, {1, 6}});
  run_builder.Add(2, std::vector<PartKey>{{0, 5}, {1, 7}});
  const ImageWriter run = run_builder.Build();
  const auto pairs = FormatFile::Open(folder / "pairs", DuplicatePairs::kFileKind).value();
  const auto clusters = FormatFile::Open(folder / "clusters", DuplicateClusters::kFileKind).value();
  EXPECT_EQ(DuplicateClusters::FromImage(clusters.payload())->Clusters(),
            (std::vector<std::vector<uint32_t>>{{0, 1, 3}, {2, 4}}));
  const auto check = [](Bytes whole, auto from_image) {
    EXPECT_TRUE(from_image(whole));
    for (size_t words = 0; words < whole.size() / 8; words++)
      EXPECT_FALSE(from_image(whole.first(words * 8)));
    std::vector<uint64_t> bytes(whole.size() / 8);
    std::memcpy(bytes.data(), whole.data(), whole.size());
    for (uint64_t& word : bytes) {
      for (unsigned bit = 0; bit < 64; bit++) {
        word ^= uint64_t{1} << bit;
        from_image(std::as_bytes(std::span(bytes)));
        word ^= uint64_t{1} << bit;
      }
    }
  };
  check(pairs.payload(), [](Bytes image) { return DuplicatePairs::FromImage(image).ok(); });
  check(clusters.payload(), [](Bytes image) {
    const auto read = DuplicateClusters::FromImage(image);
    if (read.ok()) read->Clusters();
    return read.ok();
  });
  check(run.bytes(), [](Bytes image) {
    const auto read = FingerprintRun::FromImage(image);
    if (read.ok()) {
      uint64_t comparisons = 0;
      FingerprintIndex({&*read}).Search(std::vector<PartKey>{{0, 5}, {1, 7}}, &comparisons);
    }
    return read.ok();
  });
}

}  // namespace
}  // namespace crivello::dedup
