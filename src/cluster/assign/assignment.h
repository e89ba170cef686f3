// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::cluster {

// An agent, as far as assignment is concerned.
struct Member {
  std::string name;   // unique among the members
  double weight = 1;  // share of the keys, relative to others; only consistent hashing takes it into account
};

// Which agent is responsible for a key, computed by everybody alone from the names of the agents: delta_A(u)
// of the lecture notes.  A good function is balanced, and *contravariant*: an agent that joins takes keys
// from the others, and no key moves between those that were there.
//
// The chain of a key is the order in which agents are responsible for it: the second one takes over if the
// first is gone, and so on.  Chain(key)[i] is the owner of the key among the agents without Chain(key)[0..i).
//
// An agent is a number here: its place in agents(), which is sorted by name.  Whatever ties, the smaller name
// wins; so the order in which agents are given does not matter.  Immutable, thread-safe.
class Assignment {
 public:
  virtual ~Assignment() = default;

  virtual uint32_t Owner(uint64_t key) const = 0;
  // The first `length` agents of the chain, all of them if there are fewer.
  virtual std::vector<uint32_t> Chain(uint64_t key, size_t length) const = 0;
  // What it keeps besides the names.
  virtual uint64_t memory_bytes() const { return 0; }

  const std::vector<std::string>& agents() const { return agents_; }

 protected:
  explicit Assignment(std::vector<std::string> agents) : agents_(std::move(agents)) {}

 private:
  const std::vector<std::string> agents_;
};

struct AssignmentOptions {
  // Random permutations: all agents that may ever exist (P of the notes), which everybody has to know. Empty:
  // those that are there, which is contravariant only as long as they are.
  std::vector<std::string> universe = {};
  // Consistent hashing: points on the circle for an agent of weight 1.
  uint32_t replicas = 300;
  // Of hashes that are compared; fewer make collisions frequent, for tests.
  int hash_bits = 64;
};

// The functions by name:
//   permutation  each key draws a random order of the universe, and the first agent in it that is there owns
//                the key.  Expected time |P| / |A|, no memory.
//   min-hash     the agent with the smallest hash of (key, agent).  Time |A|, no memory.
//   consistent   the agent of the next of the replicas on a circle.  Time log(C |A|), memory C |A|.
//   modulo       the hash modulo |A|.  Balanced and fast, but almost every key moves when an agent joins: the
//                counter-example.
struct AssignmentKind {
  std::string_view name;
  std::string_view about;
  bool is_contravariant = true;
};
std::span<const AssignmentKind> AssignmentKinds();

// InvalidArgument if there is no such kind, if there are no members, for a name that is empty or occurs
// twice, for a member outside the universe, and for weights that the function cannot heed or that are not
// between 0.001 and 1,000.
Result<std::unique_ptr<Assignment>> MakeAssignment(std::string_view kind, std::vector<Member> members,
                                                   const AssignmentOptions& options = {});

// The key of a name: of a tablet, of a host.
uint64_t AssignmentKey(std::string_view name);

// Members of weight 1.
std::vector<Member> MembersNamed(std::span<const std::string> names);

}  // namespace crivello::cluster
