// SPDX-License-Identifier: Apache-2.0
// The golden files of src/succinct, and of the graph that is stored as such a structure.
#include "golden.h"
#include "graph/array_graph.h"
#include "graph/ef/ef_graph.h"
#include "succinct/approximate_dictionary.h"
#include "succinct/bit_vector.h"
#include "succinct/bloom_filter.h"
#include "succinct/elias_fano.h"
#include "succinct/hyper_log_log.h"
#include "succinct/rank_bits.h"
#include "succinct/rank_select_bits.h"
#include "succinct/static_function.h"
#include "succinct/static_function_builder.h"
#include "succinct/term_map.h"

namespace crivello {
namespace {

using namespace succinct;  // NOLINT: this file is about that folder

constexpr uint64_t kBits = 5000;

// The ones are the multiples of 3.
BitVectorBuilder Thirds() {
  BitVectorBuilder bits(kBits);
  for (uint64_t i = 0; i < kBits; i += 3) bits.Set(i);
  return bits;
}

std::string KeyOf(uint64_t i) { return "key " + std::to_string(i); }

// The squares: many small ones and few large ones.
uint64_t NumberAt(uint64_t i) { return i * i; }
constexpr uint64_t kNumbers = 400;

Status WriteEliasFano(const std::string& path) {
  EliasFanoBuilder builder(kNumbers, NumberAt(kNumbers - 1));
  for (uint64_t i = 0; i < kNumbers; i++) builder.Add(NumberAt(i));
  ImageWriter image;
  CRV_TRY(builder.AppendTo(image));
  return WriteImage(path, EliasFano::kFileKind, image.bytes());
}

void CheckEliasFano(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<EliasFano>::Open(path));
  ASSERT_EQ(file->size(), kNumbers);
  EXPECT_EQ(file->universe(), 159201u);
  for (uint64_t i = 0; i < kNumbers; i++) EXPECT_EQ(file->Access(i), NumberAt(i));
  EXPECT_EQ(file->SeekTo(10001), (EliasFano::Element{101, 10201}));
}

// Each node has an arc to every multiple of its number plus one.
graph::ArrayGraph Multiples() {
  constexpr graph::Node kNodes = 40;
  std::vector<std::pair<graph::Node, graph::Node>> arcs;
  for (graph::Node node = 0; node < kNodes; node++) {
    for (graph::Node multiple = 0; multiple < kNodes; multiple += node + 1) arcs.emplace_back(node, multiple);
  }
  return graph::ArrayGraph::FromArcs(kNodes, std::move(arcs));
}

void CheckEfGraph(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<graph::EfGraph>::Open(path));
  EXPECT_TRUE(graph::ArrayGraph::Copy(*file).value() == Multiples());
  EXPECT_TRUE(file->HasArc(6, 35));
  EXPECT_FALSE(file->HasArc(6, 36));
}

template <typename Filter>
Status WriteBloom(const std::string& path) {
  CRV_ASSIGN(auto filter, Filter::Create({.expected_keys = 100, .error = 0x1p-10, .seed = 7}));
  for (uint64_t i = 0; i < 100; i++) filter.Add(KeyOf(i));
  return filter.WriteFile(path);
}

template <typename Filter>
void CheckBloom(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<Filter>::Open(path));
  EXPECT_EQ(file->adds(), 100u);
  int others = 0;
  for (uint64_t i = 0; i < 100; i++) EXPECT_TRUE(file->Contains(KeyOf(i))) << i;
  for (uint64_t i = 100; i < 1100; i++) others += file->Contains(KeyOf(i)) ? 1 : 0;
  EXPECT_LT(others, 10);
}

Status WriteFunction(const std::string& path, GraphKind graph, bool compacted) {
  StaticFunctionBuilder builder({.bits = 9, .graph = graph, .compacted = compacted, .seed = 11});
  for (uint64_t i = 0; i < 300; i++) CRV_TRY(builder.Add(KeyOf(i), i));
  return builder.WriteFile(path);
}

Golden Function(const std::string& name, GraphKind graph, bool compacted) {
  return {.name = "static-function-v1-" + name,
          .write = [=](const std::string& path) { return WriteFunction(path, graph, compacted); },
          .check =
              [=](const std::string& path) {
                CRV_GOLDEN_ASSIGN(const auto file, Mapped<StaticFunction>::Open(path));
                EXPECT_EQ(file->size(), 300u);
                EXPECT_EQ(file->graph(), graph);
                EXPECT_EQ(file->compacted(), compacted);
                for (uint64_t i = 0; i < 300; i++) EXPECT_EQ(file->Get(KeyOf(i)), i);
              }};
}

Status WriteDictionary(const std::string& path) {
  ApproximateDictionaryBuilder builder({.signature_bits = 12});
  for (uint64_t i = 0; i < 200; i++) CRV_TRY(builder.Add(KeyOf(i)));
  return builder.WriteFile(path);
}

void CheckDictionary(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<ApproximateDictionary>::Open(path));
  EXPECT_EQ(file->size(), 200u);
  int others = 0;
  for (uint64_t i = 0; i < 200; i++) EXPECT_TRUE(file->Contains(KeyOf(i))) << i;
  for (uint64_t i = 200; i < 1200; i++) others += file->Contains(KeyOf(i)) ? 1 : 0;
  EXPECT_LT(others, 10);
}

const std::vector<std::string> kTerms = {"apple", "apples", "banana", "cherry", "date", "elder", "fig"};

Status WriteTermMap(const std::string& path) {
  TermMapBuilder builder({.signature_bits = 16});
  for (const std::string& term : kTerms) CRV_TRY(builder.Add(term));
  return builder.WriteFile(path);
}

void CheckTermMap(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<TermMap>::Open(path));
  ASSERT_EQ(file->size(), kTerms.size());
  EXPECT_EQ(file->signature_bits(), 16u);
  for (uint64_t i = 0; i < kTerms.size(); i++) EXPECT_EQ(file->Rank(kTerms[i]), i);
  EXPECT_EQ(file->Rank("grape"), std::nullopt);
}

Status WriteCounters(const std::string& path) {
  HyperLogLogBuilder counters(2, 6, 1000);
  for (uint64_t i = 0; i < 500; i++) counters.Add(1, Mix64(i));
  ImageWriter image;
  counters.AppendTo(image);
  return WriteImage(path, HyperLogLogArray::kFileKind, image.bytes());
}

void CheckCounters(const std::string& path) {
  CRV_GOLDEN_ASSIGN(const auto file, Mapped<HyperLogLogArray>::Open(path));
  ASSERT_EQ(file->size(), 2u);
  EXPECT_EQ(file->shape().log_registers, 6u);
  EXPECT_EQ(file->Estimate(0), 0);
  EXPECT_NEAR(file->Estimate(1), 500, 150);
  HyperLogLogBuilder counters(2, 6, 1000);
  for (uint64_t i = 0; i < 500; i++) counters.Add(1, Mix64(i));
  for (unsigned j = 0; j < 64; j++) EXPECT_EQ(file->Register(1, j), counters.Register(1, j)) << j;
}

}  // namespace

std::vector<Golden> SuccinctGoldens() {
  return {
      {"bit-vector-v1",
       [](const std::string& path) {
         ImageWriter image;
         Thirds().AppendBits(image);
         return WriteImage(path, BitVector::kFileKind, image.bytes());
       },
       [](const std::string& path) {
         CRV_GOLDEN_ASSIGN(const auto file, Mapped<BitVector>::Open(path));
         ASSERT_EQ(file->size(), kBits);
         for (uint64_t i = 0; i < kBits; i++) EXPECT_EQ(file->Get(i), i % 3 == 0) << i;
       }},
      {"rank-bits-v1",
       [](const std::string& path) {
         ImageWriter image;
         Thirds().AppendRankBits(image);
         return WriteImage(path, RankBits::kFileKind, image.bytes());
       },
       [](const std::string& path) {
         CRV_GOLDEN_ASSIGN(const auto file, Mapped<RankBits>::Open(path));
         ASSERT_EQ(file->size(), kBits);
         for (uint64_t i = 0; i <= kBits; i++) EXPECT_EQ(file->Rank(i), (i + 2) / 3) << i;
       }},
      {"rank-select-bits-v1",
       [](const std::string& path) {
         ImageWriter image;
         Thirds().AppendRankSelectBits(image);
         return WriteImage(path, RankSelectBits::kFileKind, image.bytes());
       },
       [](const std::string& path) {
         CRV_GOLDEN_ASSIGN(const auto file, Mapped<RankSelectBits>::Open(path));
         ASSERT_EQ(file->size(), kBits);
         ASSERT_EQ(file->ones(), (kBits + 2) / 3);
         for (uint64_t i = 0; i < file->ones(); i++) EXPECT_EQ(file->Select1(i), 3 * i) << i;
         for (uint64_t i = 0; i < kBits - file->ones(); i++) EXPECT_EQ(file->Select0(i), i + i / 2 + 1) << i;
       }},
      {"elias-fano-v1", WriteEliasFano, CheckEliasFano},
      {"ef-graph-v1", [](const std::string& path) { return graph::WriteEfGraph(Multiples(), path); },
       CheckEfGraph},
      {"bloom-filter-v1", WriteBloom<MutableBloomFilter>, CheckBloom<BloomFilter>},
      {"blocked-bloom-v1", WriteBloom<MutableBlockedBloomFilter>, CheckBloom<BlockedBloomFilter>},
      Function("graph-2", GraphKind::kGraph2, false),
      Function("hypergraph-3", GraphKind::kHypergraph3, true),
      Function("fuse-4", GraphKind::kFuse4, false),
      {"approx-dict-v1", WriteDictionary, CheckDictionary},
      {"term-map-v1", WriteTermMap, CheckTermMap},
      {"hyper-log-log-v1", WriteCounters, CheckCounters},
  };
}

}  // namespace crivello
