// SPDX-License-Identifier: Apache-2.0
// For bench/duplicates/run: makes pages with planted copies, and finds clusters among texts, one on each
// line.
//
//   duplicates make PAIRS SEED            pages and copies of every kind, their words joined by spaces
//   duplicates table PAIRS SEED           precision and recall of each method for each kind
//   duplicates curves                     what is measured beside the formulas, as tab-separated values
//   duplicates clusters METHOD < TEXTS    the clusters, a line for each, and the time to standard error
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/scratch_folder.h"
#include "dedup/discovery/fingerprinter.h"
#include "dedup/discovery/planted_copies.h"
#include "dedup/minhash/minhash_kernels.h"
#include "dedup/simhash/wide_simhash.h"

namespace {

using namespace crivello;         // NOLINT: a program of one file
using namespace crivello::dedup;  // NOLINT

struct PlantedPages {
  std::vector<std::string> texts;
  std::vector<Plant> plants;  // of texts 2 i and 2 i + 1
};

PlantedPages MakePages(int pairs, uint64_t seed) {
  PlantedPages pages;
  PageMaker maker(seed);
  for (const Plant plant : kPlants) {
    for (int i = 0; i < pairs; i++) {
      auto [page, copy] = maker.Plants(plant);
      pages.texts.push_back(std::move(page));
      pages.texts.push_back(std::move(copy));
      pages.plants.push_back(plant);
    }
  }
  return pages;
}

// Discovers the clusters of texts; the pairs that were found, too.
struct Discovered {
  std::vector<std::vector<uint32_t>> clusters;
  std::set<DocumentPair> pairs;
  DiscoveryReport report;
};
Result<Discovered> Discover(const std::vector<std::string>& texts, Method method) {
  CRV_ASSIGN(const ScratchFolder folder, ScratchFolder::Create({}));
  FingerprintOptions options;
  options.method = method;
  CRV_ASSIGN(Fingerprinter fingerprinter, Fingerprinter::Create(options));
  FingerprintRunBuilder builder(fingerprinter.run_shape(), 0);
  WordBagVerifier verifier;
  Discovered found;
  std::map<uint64_t, uint32_t> first;
  for (uint32_t i = 0; i < texts.size(); i++) {
    const TextFingerprint print = fingerprinter.Of(texts[i]);
    builder.Add(print.signature, print.keys);
    if (method == Method::kShingles) verifier.Add(texts[i]);
    const auto [at, is_new] = first.emplace(print.signature, i);
    if (!is_new && print.signature != 0) found.pairs.insert(PairOf(at->second, i));
  }
  CRV_TRY(builder.WriteFile(folder / "run"));
  CRV_ASSIGN(const auto run, Mapped<FingerprintRun>::Open(folder / "run"));
  CRV_ASSIGN(found.report,
             DiscoverDuplicates({&*run}, {.folder = folder.path(),
                                          .verifier = method == Method::kShingles ? &verifier : nullptr}));
  CRV_ASSIGN(const auto pairs, Mapped<DuplicatePairs>::Open(PairsPath(folder.path())));
  found.pairs.insert(pairs->pairs().begin(), pairs->pairs().end());
  CRV_ASSIGN(const auto clusters, Mapped<DuplicateClusters>::Open(ClustersPath(folder.path())));
  found.clusters = clusters->Clusters();
  return found;
}

int Fail(const Status& status) {
  std::fprintf(stderr, "duplicates: %s\n", status.ToString().c_str());
  return 1;
}

int PrintPages(const PlantedPages& pages) {
  for (const std::string& text : pages.texts) std::printf("%s\n", std::string(Words(text).joined()).c_str());
  return 0;
}

int PrintTable(const PlantedPages& pages) {
  std::printf("| kind |");
  for (const Method method : {Method::kShingles, Method::kMinHash, Method::kSimHash}) {
    std::printf(" %s |", std::string(MethodName(method)).c_str());
  }
  std::printf("\n|---|---|---|---|\n");
  std::map<Plant, std::string> rows;
  std::string precisions;
  for (const Method method : {Method::kShingles, Method::kMinHash, Method::kSimHash}) {
    const auto found = Discover(pages.texts, method);
    if (!found.ok()) return Fail(found.status());
    std::map<Plant, double> right, all;
    double near = 0;
    for (uint32_t i = 0; i < pages.plants.size(); i++) {
      const bool is_found = found->pairs.contains(PairOf(2 * i, 2 * i + 1));
      right[pages.plants[i]] += is_found ? 1 : 0;
      all[pages.plants[i]]++;
      near += is_found && IsNearDuplicate(pages.plants[i]) ? 1 : 0;
    }
    char cell[32];
    for (const Plant plant : kPlants) {
      std::snprintf(cell, sizeof cell, " %.3f |", right[plant] / all[plant]);
      rows[plant] += cell;
    }
    std::snprintf(cell, sizeof cell, " %.4f |", near / static_cast<double>(found->pairs.size()));
    precisions += cell;
  }
  for (const Plant plant : kPlants) std::printf("| %s |%s\n", PlantName(plant), rows[plant].c_str());
  std::printf("| precision of all pairs |%s\n", precisions.c_str());
  return 0;
}

// Pairs of sets of random features that share a known part of them.
int PrintCurves() {
  SeededRandom random(1);
  std::printf("curve\tx\tmeasured\tformula\n");
  constexpr int kFeatures = 300;
  const MinHashConstants constants = DrawMinHashConstants(kFineWebShape.functions());
  const auto minima_of = [&](const std::vector<uint64_t>& hashes) {
    std::vector<uint64_t> minima(kFineWebShape.functions(), ~uint64_t{0});
    UpdateMinima(hashes, {constants.a.data(), constants.b.data(), minima.data(), minima.size()});
    return minima;
  };
  for (int step = 0; step <= 40; step++) {
    const double share = step / 40.0;  // of the features of each
    const int common = static_cast<int>(share * kFeatures);
    constexpr int kRounds = 400;
    double equal_bits = 0, near = 0, bands = 0;
    for (int round = 0; round < kRounds; round++) {
      WideSimHash simhash_a(64), simhash_b(64);
      std::vector<uint64_t> a(kFeatures), b(kFeatures);
      for (size_t i = 0; i < kFeatures; i++) {
        a[i] = random.Next();
        b[i] = i < static_cast<size_t>(common) ? a[i] : random.Next();
        simhash_a.Add({a[i], 0});
        simhash_b.Add({b[i], 0});
      }
      const int distance = HammingDistance(simhash_a.Value(), simhash_b.Value());
      equal_bits += (64 - distance) / 64.0;
      near += distance <= 3 ? 1 : 0;
      const auto keys_a = BandKeys(minima_of(a), kFineWebShape),
                 keys_b = BandKeys(minima_of(b), kFineWebShape);
      bool shared = false;
      for (size_t band = 0; band < keys_a.size(); band++) shared = shared || keys_a[band] == keys_b[band];
      bands += shared ? 1 : 0;
    }
    const double cosine = static_cast<double>(common) / kFeatures;
    const double resemblance = cosine / (2 - cosine);
    std::printf("bits\t%.4f\t%.4f\t%.4f\n", cosine, equal_bits / kRounds, EqualBitChance(cosine));
    std::printf("distance\t%.4f\t%.4f\t%.4f\n", cosine, near / kRounds, WithinDistanceChance(cosine, 64, 3));
    std::printf("bands\t%.4f\t%.4f\t%.4f\n", resemblance, bands / kRounds,
                kFineWebShape.ChanceOfSharedBand(resemblance));
  }
  return 0;
}

int PrintClusters(Method method) {
  std::vector<std::string> texts;
  size_t bytes = 0;
  for (std::string line; std::getline(std::cin, line);) {
    bytes += line.size();
    texts.push_back(std::move(line));
  }
  const auto start = std::chrono::steady_clock::now();
  const auto found = Discover(texts, method);
  if (!found.ok()) return Fail(found.status());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  for (const auto& cluster : found->clusters) {
    for (const uint32_t member : cluster) std::printf(member == cluster.front() ? "%u" : " %u", member);
    std::printf("\n");
  }
  std::fprintf(stderr, "crivello: %zu texts, %zu bytes, %.3f s; %llu comparisons made, %llu avoided\n",
               texts.size(), bytes, seconds.count(),
               static_cast<unsigned long long>(found->report.counts.comparisons),
               static_cast<unsigned long long>(found->report.Avoided()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "clusters" && argc == 3) {
    const auto method = ParseMethod(argv[2]);
    return method.ok() ? PrintClusters(*method) : Fail(method.status());
  }
  if (what == "curves" && argc == 2) return PrintCurves();
  if ((what == "make" || what == "table") && argc == 4) {
    const PlantedPages pages = MakePages(std::atoi(argv[2]), static_cast<uint64_t>(std::atoll(argv[3])));
    return what == "make" ? PrintPages(pages) : PrintTable(pages);
  }
  std::fprintf(
      stderr, "duplicates make|table PAIRS SEED, duplicates curves, or duplicates clusters METHOD < TEXTS\n");
  return 2;
}
