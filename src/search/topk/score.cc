// SPDX-License-Identifier: Apache-2.0
#include "search/topk/score.h"

#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace crivello::search {
namespace {

constexpr std::array<std::pair<Ranking, std::string_view>, 5> kScoreNames = {
    {{Ranking::kBm25, "bm25"},
     {Ranking::kBm25f, "bm25f"},
     {Ranking::kTfIdf, "tfidf"},
     {Ranking::kTfIdfMaximum, "tfidf-max"},
     {Ranking::kCount, "count"}}};

}  // namespace

std::string_view RankingName(Ranking ranking) {
  for (const auto& [value, name] : kScoreNames) {
    if (value == ranking) return name;
  }
  return "";
}

Result<Ranking> FindRanking(std::string_view name) {
  std::string names;
  for (const auto& [value, known] : kScoreNames) {
    if (known == name) return value;
    names += (names.empty() ? "" : ", ") + std::string(known);
  }
  return Status::NotFound("unknown ranking " + std::string(name) + "; choose one of " + names);
}

float Bm25Idf(uint64_t documents, uint64_t frequency) {
  const double n = static_cast<double>(documents);
  const double f = std::min(static_cast<double>(frequency), n);
  return std::max(static_cast<float>(std::log((n - f + 0.5) / (f + 0.5))), kIdfFloor);
}

float TfIdf(uint64_t documents, uint64_t frequency) {
  const double n = static_cast<double>(std::max<uint64_t>(documents, 1));
  const double f = std::max(1.0, std::min(static_cast<double>(frequency), n));
  return std::max(static_cast<float>(std::log(n / f)), kIdfFloor);
}

float ScoreScale(double largest) {
  int bits = 20;
  while (bits > -30 && std::ldexp(largest, bits) >= 0x1p29) bits--;
  return static_cast<float>(std::ldexp(1.0, bits));
}

}  // namespace crivello::search
