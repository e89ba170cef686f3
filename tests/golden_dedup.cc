// SPDX-License-Identifier: Apache-2.0
// The golden files of src/dedup, except that of the crawl (golden_collection.cc).
#include "base/hash.h"
#include "dedup/discovery/duplicate_files.h"
#include "dedup/discovery/fingerprint_run.h"
#include "dedup/simhash/hamming_index.h"
#include "golden.h"

namespace crivello {
namespace {

using namespace dedup;  // NOLINT: this file is about that folder alone

constexpr uint32_t kPages = 60;

// Every third page is a near-copy of the previous one, every tenth an exact copy.
uint64_t GoldenFingerprint(uint32_t page) {
  if (page % 10 == 9) return GoldenFingerprint(page - 1);
  return page % 3 == 2 ? GoldenFingerprint(page - 1) ^ 0x8100 : Mix64(page);
}

Status WriteHammingTables(const std::string& path) {
  CRV_ASSIGN(HammingPlan plan, HammingPlan::Create(3, 5));
  HammingIndexBuilder builder(std::move(plan));
  for (uint32_t page = 0; page < kPages; page++) builder.Add(GoldenFingerprint(page), page);
  return builder.WriteFile(path);
}

void CheckHammingTables(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<HammingIndex>::Open(path));
  EXPECT_EQ(file->plan().tables.size(), 10u);
  EXPECT_EQ(file->documents(), kPages);
  EXPECT_EQ(file->distinct(), 54u);
  EXPECT_EQ(file->Search(GoldenFingerprint(7)), (std::vector<NearDocument>{{7, 0}, {8, 2}, {9, 2}}));
  EXPECT_EQ(file->Search(GoldenFingerprint(0)), (std::vector<NearDocument>{{0, 0}}));
}

// Three bands; document 100 + i shares its keys with those that are equal modulo 7.
Status WriteFingerprintRun(const std::string& path) {
  FingerprintRunBuilder builder({.method = Method::kMinHash, .parameters = 42, .parts = 3}, 100);
  for (uint32_t i = 0; i < 25; i++) {
    std::vector<PartKey> keys;
    for (uint32_t part = 0; part < 3 && i != 11; part++) keys.push_back({part, Mix64(i % 7 + part * 100)});
    builder.Add(i == 11 ? 0 : Mix64(i), keys);
  }
  return builder.WriteFile(path);
}

void CheckFingerprintRun(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<FingerprintRun>::Open(path));
  EXPECT_EQ(file->shape(), (RunShape{.method = Method::kMinHash, .parameters = 42, .parts = 3}));
  EXPECT_EQ(file->first_document(), 100u);
  ASSERT_EQ(file->documents(), 25u);
  EXPECT_EQ(file->signatures()[11], 0u);
  EXPECT_EQ(file->signatures()[3], Mix64(3));
  EXPECT_EQ(file->KeysOf(111), 0u);
  EXPECT_EQ(file->KeysOf(112), 3u);
  for (uint32_t part = 0; part < 3; part++) {
    std::vector<uint32_t> documents;
    const uint64_t key = Mix64(4 + part * 100);
    for (uint64_t i = file->LowerBound(part, key); i < file->PartSize(part) && file->KeyAt(part, i) == key;
         i++) {
      documents.push_back(file->DocumentAt(part, i));
    }
    EXPECT_EQ(documents, (std::vector<uint32_t>{104, 118}));
  }
}

Status WriteDuplicatePairs(const std::string& path) {
  DuplicatePairsBuilder builder;
  builder.counts() = {.candidates = 9, .comparisons = 5, .skipped = 1};
  builder.Add(PairOf(7, 0), 0.75f);
  builder.Add(PairOf(3, 5), 1.0f);
  builder.Add(PairOf(3, 8), uint32_t{12});
  return builder.WriteFile(path, 77, 9);
}

void CheckDuplicatePairs(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<DuplicatePairs>::Open(path));
  EXPECT_EQ(file->plan(), 77u);
  EXPECT_EQ(file->documents(), 9u);
  EXPECT_EQ(file->counts(), (PairCounts{.candidates = 9, .comparisons = 5, .skipped = 1}));
  ASSERT_EQ(file->pairs().size(), 3u);
  EXPECT_EQ(FirstOf(file->pairs()[0]), 0u);
  EXPECT_EQ(SecondOf(file->pairs()[0]), 7u);
  EXPECT_EQ(file->Similarity(0), 0.75f);
  EXPECT_EQ(file->Similarity(1), 1.0f);
  EXPECT_EQ(file->KeysShared(2), 12u);
}

Status WriteDuplicateClusters(const std::string& path) {
  return DuplicateClusters::WriteFile(path, 78, std::vector<uint32_t>{0, 1, 0, 3, 1, 0, 6});
}

void CheckDuplicateClusters(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<DuplicateClusters>::Open(path));
  EXPECT_EQ(file->plan(), 78u);
  EXPECT_EQ(file->documents(), 7u);
  EXPECT_EQ(file->ClusterOf(6), 6u);
  EXPECT_EQ(file->Clusters(), (std::vector<std::vector<uint32_t>>{{0, 2, 5}, {1, 4}}));
}

}  // namespace

std::vector<Golden> DedupGoldens() {
  return {{.name = "hamming-tables-v1", .write = WriteHammingTables, .check = CheckHammingTables},
          {.name = "fingerprint-run-v1", .write = WriteFingerprintRun, .check = CheckFingerprintRun},
          {.name = "duplicate-pairs-v1", .write = WriteDuplicatePairs, .check = CheckDuplicatePairs},
          {.name = "dup-clusters-v1", .write = WriteDuplicateClusters, .check = CheckDuplicateClusters}};
}

}  // namespace crivello
