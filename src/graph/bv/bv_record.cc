// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_record.h"

namespace crivello::graph {

const char* Describe(BvDamage damage) {
  switch (damage) {
    case BvDamage::kNone:
      return "no damage";
    case BvDamage::kOutdegree:
      return "it has more successors than the graph has nodes";
    case BvDamage::kReference:
      return "its reference is outside the window, before node 0, or by a longer chain than 'maxrefcount'";
    case BvDamage::kBlocks:
      return "it copies more successors than its reference or itself has";
    case BvDamage::kIntervals:
      return "its intervals have more successors than it has, or nodes that the graph does not have";
    case BvDamage::kResiduals:
      return "it has a successor that is not a node of the graph";
    case BvDamage::kRepeated:
      return "it has a successor twice";
    case BvDamage::kBits:
      return "its bits are not a codeword, or the file ends there";
    case BvDamage::kArcs:
      return "the lists up to it have more arcs than 'arcs' says";
  }
  return "?";
}

}  // namespace crivello::graph
