// SPDX-License-Identifier: Apache-2.0
#include "succinct/succinct_tree.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace crivello::succinct {
namespace {

std::vector<uint64_t> TreeImage(const std::vector<TreeChildren>& nodes) {
  ImageWriter image;
  const Status status = AppendTree(nodes, image);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::move(image).Release();
}

SuccinctTree TreeOn(const std::vector<uint64_t>& image) {
  return SuccinctTree(RankSelectBits::FromImage(std::as_bytes(std::span(image))).value());
}

// Node i becomes a child at a random free place in the tree of the nodes before it.
std::vector<TreeChildren> RandomTree(size_t n, Random& random) {
  std::vector<TreeChildren> nodes;
  std::vector<std::pair<size_t, bool>> free_places;
  for (size_t i = 0; i < n; i++) {
    if (i > 0) {
      const size_t pick = random.Below(free_places.size());
      auto& parent = nodes[free_places[pick].first];
      (free_places[pick].second ? parent.second : parent.first) = static_cast<int64_t>(i);
      free_places[pick] = free_places.back();
      free_places.pop_back();
    }
    nodes.emplace_back(-1, -1);
    free_places.emplace_back(i, false);
    free_places.emplace_back(i, true);
  }
  return nodes;
}

// Walks both trees together and compares them; returns the number of nodes visited.
size_t CompareTrees(const SuccinctTree& tree, const std::vector<TreeChildren>& nodes) {
  std::vector<std::pair<SuccinctTree::Node, size_t>> stack;
  std::vector<bool> ranks(nodes.size(), false);
  if (tree.Root()) stack.emplace_back(*tree.Root(), 0);
  EXPECT_EQ(tree.Root().has_value(), !nodes.empty());
  size_t met = 0;
  while (!stack.empty()) {
    const auto [node, index] = stack.back();
    stack.pop_back();
    met++;
    EXPECT_LT(tree.Rank(node), nodes.size());
    EXPECT_FALSE(ranks[tree.Rank(node)]) << "two nodes of one number";
    ranks[tree.Rank(node)] = true;
    const std::optional<SuccinctTree::Node> children[] = {tree.Left(node), tree.Right(node)};
    const int64_t expected[] = {nodes[index].first, nodes[index].second};
    for (int side = 0; side < 2; side++) {
      EXPECT_EQ(children[side].has_value(), expected[side] >= 0);
      if (!children[side] || expected[side] < 0) continue;
      EXPECT_EQ(tree.Parent(*children[side]), node);
      stack.emplace_back(*children[side], static_cast<size_t>(expected[side]));
    }
  }
  return met;
}

TEST(SuccinctTreeTest, IsWalkedAsPointersAre) {
  SeededRandom random(8);
  for (const size_t n :
       {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{10}, size_t{1000}, size_t{20'000}}) {
    SCOPED_TRACE(n);
    const std::vector<TreeChildren> nodes = RandomTree(n, random);
    const auto image = TreeImage(nodes);
    const SuccinctTree tree = TreeOn(image);
    EXPECT_EQ(tree.size(), n);
    EXPECT_EQ(CompareTrees(tree, nodes), n);
    EXPECT_FALSE(tree.Root() && tree.Parent(*tree.Root()).has_value());
  }
}

TEST(SuccinctTreeTest, TakesTwoBitsANode) {
  SeededRandom random(9);
  constexpr size_t kNodes = 100'000;
  std::vector<TreeChildren> path;
  for (size_t i = 0; i < kNodes; i++)
    path.emplace_back(-1, i + 1 < kNodes ? static_cast<int64_t>(i + 1) : -1);
  for (const auto& nodes : {RandomTree(kNodes, random), path}) {
    const auto image = TreeImage(nodes);
    const SuccinctTree tree = TreeOn(image);
    const auto bits = RankSelectBits::FromImage(std::as_bytes(std::span(image))).value();
    EXPECT_EQ(bits.size(), 2 * kNodes + 1);
    EXPECT_LT(64.0 * static_cast<double>(image.size()), 2.2 * kNodes) << "with rank and select";
    EXPECT_EQ(CompareTrees(tree, nodes), kNodes);
  }
}

TEST(SuccinctTreeTest, RefusesWhatIsNoTree) {
  ImageWriter image;
  EXPECT_FALSE(AppendTree(std::vector<TreeChildren>{{0, -1}}, image).ok()) << "its own child";
  EXPECT_FALSE(AppendTree(std::vector<TreeChildren>{{1, 1}, {-1, -1}}, image).ok()) << "two parents";
  EXPECT_FALSE(AppendTree(std::vector<TreeChildren>{{5, -1}}, image).ok()) << "a child that is not there";
  EXPECT_FALSE(AppendTree(std::vector<TreeChildren>{{-1, -1}, {-1, -1}}, image).ok()) << "no parent";
}

TEST(SuccinctTreeTest, StaysInsideBitsThatAreNoTree) {
  SeededRandom random(10);
  for (int round = 0; round < 200; round++) {
    BitVectorBuilder bits;
    const uint64_t size = 1 + random.Below(300);
    for (uint64_t i = 0; i < size; i++) bits.Push(random.Below(2) == 0);
    ImageWriter writer;
    bits.AppendRankSelectBits(writer);
    const auto image = std::move(writer).Release();
    const SuccinctTree tree = TreeOn(image);
    for (uint64_t node = 0; node < size; node++) {
      for (const auto& next : {tree.Left(node), tree.Right(node), tree.Parent(node)}) {
        EXPECT_TRUE(!next || (*next < size && bits.Get(*next)));
      }
    }
  }
}

}  // namespace
}  // namespace crivello::succinct
