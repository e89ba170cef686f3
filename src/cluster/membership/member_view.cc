// SPDX-License-Identifier: Apache-2.0
#include "cluster/membership/member_view.h"

#include <algorithm>

#include "cluster/assign/assignment.h"
#include "cluster/assign/bounded_loads.h"

namespace crivello::cluster {

void MemberView::See(const MemberRecord& record, uint64_t revision, MonotonicTime now) {
  const auto [at, added] = members_.try_emplace(record.name);
  Member& member = at->second;
  if (!added && member.revision == revision && member.record == record) return;
  member = {.record = record, .revision = revision, .seen = now};
}

void MemberView::KeepAll(MonotonicTime now) {
  for (auto& [name, member] : members_) {
    if (member.alive) member.seen = now;
  }
}

void MemberView::Tick(MonotonicTime now) {
  std::vector<std::string> names;
  for (auto& [name, member] : members_) {
    // The record stays on the bus; it must not count as a new one when it is read again.
    member.alive = now - member.seen < options_.expiry;
    if (member.alive && !member.record.leaving) names.push_back(name);
  }
  if (names == names_) return;
  names_ = std::move(names);
  since_ = now;
  order_.clear();
  if (names_.empty()) return;
  // Neither can fail: the names differ and are not empty.
  const auto assigned = AssignTablets(options_.tablets, names_, options_.epsilon);
  const auto chains = MakeAssignment("min-hash", MembersNamed(names_));
  if (!assigned.ok() || !chains.ok()) return;
  for (size_t tablet = 0; tablet < options_.tablets.size(); tablet++) {
    std::vector<uint32_t> order = (*chains)->Chain(AssignmentKey(options_.tablets[tablet]), names_.size());
    std::erase(order, assigned->owners[tablet]);
    order.insert(order.begin(), assigned->owners[tablet]);
    order_.push_back(std::move(order));
  }
}

bool MemberView::alive(const std::string& name) const {
  const auto at = members_.find(name);
  return at != members_.end() && at->second.alive;
}

size_t MemberView::RankOf(size_t tablet, const std::string& name) const {
  if (tablet >= order_.size()) return names_.size();
  const std::vector<uint32_t>& order = order_[tablet];
  const auto at =
      std::find_if(order.begin(), order.end(), [&](uint32_t agent) { return names_[agent] == name; });
  return static_cast<size_t>(at - order.begin());
}

}  // namespace crivello::cluster
