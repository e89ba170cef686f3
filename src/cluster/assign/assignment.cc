// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/hash.h"
#include "cluster/assign/consistent_hashing.h"
#include "cluster/assign/min_hashing.h"
#include "cluster/assign/modulo.h"
#include "cluster/assign/random_permutations.h"

namespace crivello::cluster {
namespace {

constexpr AssignmentKind kKinds[] = {
    {.name = "permutation", .about = "first agent present in a random order of all possible agents"},
    {.name = "min-hash", .about = "agent with the smallest hash of key and agent"},
    {.name = "consistent", .about = "agent of the next replica on a circle"},
    {.name = "modulo",
     .about = "hash of the key modulo the number of agents (the counter-example)",
     .is_contravariant = false},
};
constexpr double kLeastWeight = 0.001;
constexpr double kMostWeight = 1000;
// Written nowhere, but all agents of a cluster must agree on it, whatever their versions.
constexpr uint64_t kKeySeed = 0x61737369676e6564;  // "assigned"

Status CheckMembers(std::string_view kind, const std::vector<Member>& members) {
  if (members.empty()) return Status::InvalidArgument("there are no agents to assign anything to");
  for (size_t i = 0; i < members.size(); i++) {
    const Member& member = members[i];
    if (member.name.empty()) return Status::InvalidArgument("the name of an agent is empty");
    if (i > 0 && members[i - 1].name == member.name) {
      return Status::InvalidArgument(fmt::format("two agents are named '{}'", member.name));
    }
    if (!(member.weight >= kLeastWeight && member.weight <= kMostWeight)) {
      return Status::InvalidArgument(fmt::format("weight {} of agent '{}': expected {} to {}", member.weight,
                                                 member.name, kLeastWeight, kMostWeight));
    }
    if (member.weight != 1 && kind != "consistent") {
      return Status::InvalidArgument(
          fmt::format("agent '{}' has weight {}, but only 'consistent' supports weights, not '{}'",
                      member.name, member.weight, kind));
    }
  }
  return Status::Ok();
}

}  // namespace

std::span<const AssignmentKind> AssignmentKinds() { return kKinds; }

uint64_t AssignmentKey(std::string_view name) { return Hash64(name, kKeySeed); }

std::vector<Member> MembersNamed(std::span<const std::string> names) {
  std::vector<Member> members(names.size());
  for (size_t i = 0; i < names.size(); i++) members[i].name = names[i];
  return members;
}

Result<std::unique_ptr<Assignment>> MakeAssignment(std::string_view kind, std::vector<Member> members,
                                                   const AssignmentOptions& options) {
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.name < b.name; });
  CRV_TRY(CheckMembers(kind, members));
  if (options.hash_bits < 1 || options.hash_bits > 64) {
    return Status::InvalidArgument(fmt::format("{} bits of a hash: expected 1 to 64", options.hash_bits));
  }
  std::vector<std::string> names;
  for (const Member& member : members) names.push_back(member.name);
  if (kind == "permutation") return RandomPermutations::Make(std::move(names), options.universe);
  if (kind == "min-hash") {
    return std::unique_ptr<Assignment>(std::make_unique<MinHashing>(std::move(names), options.hash_bits));
  }
  if (kind == "consistent") return ConsistentHashing::Make(members, options.replicas, options.hash_bits);
  if (kind == "modulo") return std::unique_ptr<Assignment>(std::make_unique<Modulo>(std::move(names)));
  return Status::InvalidArgument(fmt::format(
      "there is no assignment function '{}'; expected permutation, min-hash, consistent or modulo", kind));
}

}  // namespace crivello::cluster
