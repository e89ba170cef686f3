// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cluster/assign/assignment.h"
#include "lab/demonstration.h"
#include "lab/svg.h"

namespace crivello::lab {
namespace {

constexpr size_t kMostShownKeys = 40;
constexpr unsigned kMostShownAgents = 20;

std::vector<std::string> AgentsNamed(unsigned count) {
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; i++) names.emplace_back(1, static_cast<char>('A' + i));
  return names;
}

// The agent responsible for each key, one letter each.
Result<std::string> OwnersOf(std::string_view kind, std::span<const std::string> keys,
                             const std::vector<std::string>& present,
                             const std::vector<std::string>& universe) {
  CRV_ASSIGN(const auto assignment,
             cluster::MakeAssignment(kind, cluster::MembersNamed(present), {.universe = universe}));
  std::string owners;
  for (const std::string& key : keys) {
    owners += assignment->agents()[assignment->Owner(cluster::AssignmentKey(key))];
  }
  return owners;
}

struct Joining {
  std::string_view kind = {};
  std::string before = {};
  std::string after = {};
};

// The effect of a join: "B D: example.org B -> D".
std::string StepOf(const Joining& joining, std::string_view about, std::span<const std::string> keys,
                   char fresh) {
  size_t moved = 0, elsewhere = 0;
  std::string step = fmt::format("{}: {}", joining.kind, about);
  for (size_t i = 0; i < keys.size(); i++) {
    const char from = joining.before[i], to = joining.after[i];
    if (from != to) {
      moved++;
      elsewhere += to == fresh ? 0 : 1;
    }
    step += fmt::format("\n{}{}  {}", from, from == to ? "    " : fmt::format(" > {}", to), keys[i]);
  }
  step += fmt::format("\nwhen {} joins, {} of {} keys move, {} of them between agents that were there", fresh,
                      moved, keys.size(), elsewhere);
  return step;
}

}  // namespace

Result<Demonstration> ShowAssignment(std::span<const std::string> keys, unsigned agents) {
  if (keys.empty() || keys.size() > kMostShownKeys) {
    return Status::InvalidArgument(
        fmt::format("expected 1 to {} keys to show, got {}", kMostShownKeys, keys.size()));
  }
  if (agents == 0 || agents >= kMostShownAgents) {
    return Status::InvalidArgument(
        fmt::format("expected 1 to {} agents to show, got {}", kMostShownAgents - 1, agents));
  }
  const std::vector<std::string> all = AgentsNamed(agents + 1);
  const std::vector<std::string> first(all.begin(), all.end() - 1);
  const char fresh = all.back().front();
  Demonstration shown;
  shown.steps.push_back(
      fmt::format("{} keys, agents {}; then {} joins", keys.size(), fmt::join(first, " "), fresh));
  constexpr double kLeft = 130;
  constexpr double kRow = 74;
  const std::span<const cluster::AssignmentKind> kinds = cluster::AssignmentKinds();
  Svg svg(kLeft + Svg::kCell * static_cast<double>(keys.size()) + 30,
          50 + kRow * static_cast<double>(kinds.size()),
          "Who is responsible for each key, before and after an agent joins");
  double y = 40;
  for (const cluster::AssignmentKind& kind : kinds) {
    Joining joining = {.kind = kind.name};
    // With permutations, everyone knows all agents that may ever exist.
    const std::vector<std::string> universe = kind.name == "permutation" ? all : std::vector<std::string>();
    CRV_ASSIGN(joining.before, OwnersOf(kind.name, keys, first, universe));
    CRV_ASSIGN(joining.after, OwnersOf(kind.name, keys, all, universe));
    shown.steps.push_back(StepOf(joining, kind.about, keys, fresh));
    svg.Text(10, y + 14, kind.name);
    svg.Cells(kLeft, y, joining.before, Svg::kPale);
    svg.Cells(kLeft, y + 26, joining.after, Svg::kPale);
    // Keys that moved to the new agent, or between the others.
    for (size_t i = 0; i < keys.size(); i++) {
      if (joining.before[i] == joining.after[i]) continue;
      const double x = kLeft + Svg::kCell * static_cast<double>(i);
      svg.Line(x, y + 48, x + Svg::kCell - 2, y + 48, joining.after[i] == fresh ? Svg::kBlue : Svg::kRed);
    }
    y += kRow;
  }
  shown.svg = std::move(svg).Finish();
  return shown;
}

}  // namespace crivello::lab
