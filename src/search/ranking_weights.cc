// SPDX-License-Identifier: Apache-2.0
#include "search/ranking_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace crivello::search {
namespace {

struct SecondWeight {
  std::string_view name;
  float SecondPhase::*weight;
};
constexpr std::array<SecondWeight, 13> kSecond = {{{"second.name-title", &SecondPhase::name_title},
                                                   {"second.name-part", &SecondPhase::name_part},
                                                   {"second.name-home", &SecondPhase::name_home},
                                                   {"second.name-anchor", &SecondPhase::name_anchor},
                                                   {"second.title", &SecondPhase::title},
                                                   {"second.field", &SecondPhase::field},
                                                   {"second.all", &SecondPhase::all},
                                                   {"second.passage", &SecondPhase::passage},
                                                   {"second.lead", &SecondPhase::lead},
                                                   {"second.site", &SecondPhase::site},
                                                   {"second.listing", &SecondPhase::listing},
                                                   {"second.home", &SecondPhase::home},
                                                   {"second.language", &SecondPhase::language}}};
constexpr double kMaxWeight = 1000;

float* NumberOf(std::string_view name, RankingOptions* ranking) {
  if (name == "k1") return &ranking->bm25.k1;
  if (name == "b") return &ranking->bm25.b;
  if (name == "proximity") return &ranking->proximity;
  if (name == "rank") return &ranking->rank_weight;
  for (const SecondWeight& known : kSecond) {
    if (name == known.name) return &(ranking->second.*known.weight);
  }
  return nullptr;
}

}  // namespace

// docs/ranking.md says how they were chosen.
SecondPhase SecondPhase::Default() {
  SecondPhase second;
  second.name_title = 0.5f;
  second.name_part = 0.3f;
  second.name_home = 1.5f;
  second.name_anchor = 0.3f;
  second.title = 0.4f;
  second.field = 0.1f;
  second.all = 0.1f;
  second.passage = 0.1f;
  second.lead = 0.1f;
  second.site = 0.4f;
  second.listing = 0.1f;
  second.home = 0.3f;
  second.language = 0.2f;
  return second;
}
Bm25Parameters RankingOptions::DefaultBm25() { return {.k1 = 1.8f, .b = 0.6f}; }
float RankingOptions::DefaultProximity() { return 0.2f; }

std::vector<std::string> WeightNames() {
  std::vector<std::string> names = {"k1", "b", "proximity", "rank"};
  for (const SecondWeight& known : kSecond) names.emplace_back(known.name);
  for (const FieldWeight& field : DefaultFields()) {
    names.push_back("fields." + field.field);
    names.push_back("b." + field.field);
  }
  return names;
}

Status SetWeight(std::string_view name, double value, RankingOptions* ranking) {
  const bool is_b = name == "b" || name.starts_with("b.");
  const double most = is_b ? 1 : kMaxWeight;
  if (!(value >= 0 && value <= most)) {
    return Status::InvalidArgument(fmt::format("{}: expected a number from 0 to {}", name, most));
  }
  if (float* number = NumberOf(name, ranking)) {
    *number = static_cast<float>(value);
    return Status::Ok();
  }
  if (ranking->fields.empty()) ranking->fields = DefaultFields();
  for (FieldWeight& field : ranking->fields) {
    if (name == "fields." + field.field) {
      field.weight = static_cast<float>(value);
      return Status::Ok();
    }
    if (name == "b." + field.field) {
      field.b = static_cast<float>(value);
      return Status::Ok();
    }
  }
  return Status::InvalidArgument(
      fmt::format("no weight '{}'; choose one of {}", name, fmt::join(WeightNames(), ", ")));
}

double WeightOf(std::string_view name, const RankingOptions& ranking) {
  RankingOptions copy = ranking;
  if (const float* number = NumberOf(name, &copy)) return static_cast<double>(*number);
  for (const FieldWeight& field : copy.fields.empty() ? DefaultFields() : copy.fields) {
    if (name == "fields." + field.field) return static_cast<double>(field.weight);
    if (name == "b." + field.field) return static_cast<double>(field.b.value_or(copy.bm25.b));
  }
  return 0;
}

}  // namespace crivello::search
