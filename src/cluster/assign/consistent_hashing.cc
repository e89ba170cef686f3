// SPDX-License-Identifier: Apache-2.0
#include "cluster/assign/consistent_hashing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "base/random.h"

namespace crivello::cluster {
namespace {

constexpr uint64_t kCircleSeed = 0x636f6e73697374;  // "consist"
constexpr double kMaxReplicas = 1 << 26;

}  // namespace

Result<std::unique_ptr<Assignment>> ConsistentHashing::Make(const std::vector<Member>& members,
                                                            uint32_t replicas, int hash_bits) {
  double count = 0;
  for (const Member& member : members) count += replicas * member.weight;
  if (replicas == 0 || count > kMaxReplicas) {
    return Status::InvalidArgument(fmt::format(
        "{} replicas for each agent, {:.0f} in all: expected 1 or more, and at most {:.0f} in all", replicas,
        count, kMaxReplicas));
  }
  std::vector<std::pair<uint64_t, uint32_t>> circle;
  std::vector<std::string> names;
  const int shift = 64 - hash_bits;
  for (const Member& member : members) {
    const auto agent = static_cast<uint32_t>(names.size());
    SeededRandom random(Hash64(member.name, kCircleSeed));
    const auto points = std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(replicas * member.weight)));
    for (uint64_t i = 0; i < points; i++) circle.emplace_back(random.Next() >> shift, agent);
    names.push_back(member.name);
  }
  std::sort(circle.begin(), circle.end());  // of equal places the smallest name comes first
  std::unique_ptr<ConsistentHashing> made(new ConsistentHashing(std::move(names), hash_bits));
  for (const auto& [place, agent] : circle) {
    // All replicas stay: the chain passes through those that lose a tie.
    made->places_.push_back(place);
    made->owners_.push_back(agent);
  }
  return std::unique_ptr<Assignment>(std::move(made));
}

size_t ConsistentHashing::Find(uint64_t key) const {
  const uint64_t hash = Mix64(key ^ kCircleSeed) >> shift_;
  const auto at = std::lower_bound(places_.begin(), places_.end(), hash);
  return at == places_.end() ? 0 : static_cast<size_t>(at - places_.begin());
}

uint32_t ConsistentHashing::Owner(uint64_t key) const { return owners_[Find(key)]; }

std::vector<uint32_t> ConsistentHashing::Chain(uint64_t key, size_t length) const {
  length = std::min(length, agents().size());
  std::vector<uint32_t> chain;
  std::vector<bool> seen(agents().size(), false);
  for (size_t at = Find(key); chain.size() < length; at = at + 1 == owners_.size() ? 0 : at + 1) {
    if (seen[owners_[at]]) continue;
    seen[owners_[at]] = true;
    chain.push_back(owners_[at]);
  }
  return chain;
}

std::vector<double> ConsistentHashing::Shares() const {
  std::vector<double> shares(agents().size(), 0);
  const double circumference = std::ldexp(1, 64 - shift_);
  for (size_t i = 0; i < places_.size(); i++) {
    // The hashes after the previous replica, up to this one; of the first replica also those after the last.
    const double before =
        i > 0 ? static_cast<double>(places_[i - 1]) : static_cast<double>(places_.back()) - circumference;
    shares[owners_[i]] += (static_cast<double>(places_[i]) - before) / circumference;
  }
  return shares;
}

}  // namespace crivello::cluster
