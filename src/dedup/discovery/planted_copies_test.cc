// SPDX-License-Identifier: Apache-2.0
// Precision and recall of each method on planted copies. Prints the table; bench/duplicates has larger
// ones.
#include "dedup/discovery/planted_copies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "base/test_support.h"
#include "dedup/discovery/fingerprinter.h"
#include "dedup/simhash/wide_simhash.h"

namespace crivello::dedup {
namespace {

// Pairs of each kind, one after another.
struct PlantedTexts {
  std::vector<std::string> texts;
  std::vector<Plant> plants;  // of texts 2 i and 2 i + 1

  PlantedTexts(uint64_t seed, int pairs_of_a_kind) {
    PageMaker maker(seed);
    for (const Plant plant : kPlants) {
      for (int i = 0; i < pairs_of_a_kind; i++) {
        auto [page, copy] = maker.Plants(plant);
        texts.push_back(std::move(page));
        texts.push_back(std::move(copy));
        plants.push_back(plant);
      }
    }
  }
};

struct Found {
  std::map<Plant, double> recall;
  double precision = 0;      // of all pairs found
  double recall_of_all = 0;  // of the pairs that share at least nine tenths of their words
};

Found Evaluate(const PlantedTexts& planted, const FingerprintOptions& options, PairVerifier* verifier) {
  const TemporaryFolder folder;
  Fingerprinter fingerprinter = Fingerprinter::Create(options).value();
  FingerprintRunBuilder builder(fingerprinter.run_shape(), 0);
  std::vector<uint64_t> signatures;
  for (const std::string& text : planted.texts) {
    const TextFingerprint print = fingerprinter.Of(text);
    builder.Add(print.signature, print.keys);
    signatures.push_back(print.signature);
  }
  const ImageWriter image = builder.Build();
  const FingerprintRun run = FingerprintRun::FromImage(image.bytes()).value();
  const auto report = DiscoverDuplicates({&run}, {.folder = folder.path(), .verifier = verifier});
  EXPECT_TRUE(report.ok()) << report.status().ToString();
  const auto pairs = Mapped<DuplicatePairs>::Open(PairsPath(folder.path())).value();
  std::set<DocumentPair> found(pairs->pairs().begin(), pairs->pairs().end());
  // Documents with the same signature are found, too.
  std::map<uint64_t, uint32_t> first;
  for (uint32_t i = 0; i < signatures.size(); i++) {
    const auto [at, is_new] = first.emplace(signatures[i], i);
    if (!is_new) found.insert(PairOf(at->second, i));
  }
  Found result;
  std::map<Plant, int> all;
  double right = 0, wanted = 0;
  for (uint32_t i = 0; i < planted.plants.size(); i++) {
    const Plant plant = planted.plants[i];
    const bool is_found = found.contains(PairOf(2 * i, 2 * i + 1));
    result.recall[plant] += is_found ? 1 : 0;
    all[plant]++;
    wanted += IsNearDuplicate(plant) ? 1 : 0;
    right += IsNearDuplicate(plant) && is_found ? 1 : 0;
  }
  for (auto& [plant, recall] : result.recall) recall /= all[plant];
  result.precision = found.empty() ? 1 : right / static_cast<double>(found.size());
  result.recall_of_all = right / wanted;
  return result;
}

void PrintFound(const char* name, const Found& found) {
  std::printf("%-8s precision %.3f recall %.3f", name, found.precision, found.recall_of_all);
  for (const auto& [plant, recall] : found.recall) std::printf("; %s %.2f", PlantName(plant), recall);
  std::printf("\n");
}

FingerprintOptions MethodOptions(Method method) {
  FingerprintOptions options;
  options.method = method;
  return options;
}

TEST(PlantedCopiesTest, DefaultMethodFindsPagesThatShareNineTenthsOfTheirWords) {
  const PlantedTexts planted(11, 60);
  WordBagVerifier verifier;
  for (const std::string& text : planted.texts) verifier.Add(text);
  const Found found = Evaluate(planted, MethodOptions(Method::kShingles), &verifier);
  PrintFound("shingles", found);
  EXPECT_GE(found.precision, 0.98);
  EXPECT_GE(found.recall_of_all, 0.95);
}

TEST(PlantedCopiesTest, OtherSelectionsFindThemToo) {
  const PlantedTexts planted(12, 25);
  WordBagVerifier verifier;
  for (const std::string& text : planted.texts) verifier.Add(text);
  for (const char* selection : {"mod:4", "winnow:8", "all"}) {
    FingerprintOptions options = MethodOptions(Method::kShingles);
    options.selection = Selection::Parse(selection).value();
    const Found found = Evaluate(planted, options, &verifier);
    PrintFound(selection, found);
    EXPECT_GE(found.precision, 0.98) << selection;
    EXPECT_GE(found.recall_of_all, 0.95) << selection;
  }
}

// Compares the predictions of the MinHash and SimHash formulas for each pair with the pairs found.
TEST(PlantedCopiesTest, RecallOfMinHashAndSimHashLiesOnTheirCurves) {
  const PlantedTexts planted(13, 60);
  const Found by_bands = Evaluate(planted, MethodOptions(Method::kMinHash), nullptr);
  const Found by_bits = Evaluate(planted, MethodOptions(Method::kSimHash), nullptr);
  PrintFound("minhash", by_bands);
  PrintFound("simhash", by_bits);
  Shingler fives = Shingler::Create({.n = 5}).value();
  Shingler threes = Shingler::Create({.n = PageDigester::kGram}).value();
  const auto overlap = [&](Shingler& shingler, size_t i) {
    const std::vector<uint64_t> a = FingerprintSet(shingler.Cut(Words(planted.texts[2 * i])));
    const std::vector<uint64_t> b = FingerprintSet(shingler.Cut(Words(planted.texts[2 * i + 1])));
    return std::make_pair(OverlapOf(a, b), std::sqrt(static_cast<double>(a.size() * b.size())));
  };
  struct Curve {
    double expected = 0, variance = 0;
    int pairs = 0;
  };
  std::map<Plant, Curve> bands, bits;
  const auto add = [](double chance, Curve* curve) {
    curve->expected += chance;
    curve->variance += chance * (1 - chance);
    curve->pairs++;
  };
  for (size_t i = 0; i < planted.plants.size(); i++) {
    add(kFineWebShape.ChanceOfSharedBand(overlap(fives, i).first.Resemblance()), &bands[planted.plants[i]]);
    const auto [threes_overlap, lengths] = overlap(threes, i);
    const double cosine = static_cast<double>(threes_overlap.shared) / lengths;
    add(WithinDistanceChance(cosine, 64, 3), &bits[planted.plants[i]]);
  }
  for (const Plant plant : kPlants) {
    for (const auto& [curve, found] : {std::pair(bands[plant], by_bands), std::pair(bits[plant], by_bits)}) {
      const double deviation = std::sqrt(curve.variance) / curve.pairs;
      const double measured = found.recall.at(plant);
      EXPECT_NEAR(measured, curve.expected / curve.pairs, 4 * deviation + 0.02) << PlantName(plant);
    }
  }
}

}  // namespace
}  // namespace crivello::dedup
