// SPDX-License-Identifier: Apache-2.0
#include "graph/bv/bv_offsets.h"

#include <utility>

namespace crivello::graph {

BvOffsetsBuilder::BvOffsetsBuilder(uint64_t nodes, uint64_t graph_bits, uint32_t window, uint64_t jump)
    : nodes_(nodes),
      jump_(jump),
      window_(window < nodes ? window : nodes),
      positions_((nodes + jump - 1) / jump, graph_bits) {
  if (wants_outdegrees()) recent_.resize(window_);
}

void BvOffsetsBuilder::Add(uint64_t position, uint64_t outdegree) {
  const uint64_t node = next_++;
  if (node % jump_ == 0) {
    positions_.Add(position);
    if (wants_outdegrees()) {
      for (uint64_t back = 1; back <= window_; back++) {
        outdegrees_.Add(back <= node ? recent_[(node - back) % window_] : 0);
      }
    }
  }
  if (wants_outdegrees()) recent_[node % window_] = outdegree;
}

Result<BvOffsets> BvOffsetsBuilder::Finish() && {
  BvOffsets offsets;
  offsets.jump_ = jump_;
  offsets.window_ = window_;
  ImageWriter image;
  if (next_ != nodes_ || !positions_.AppendTo(image).ok()) {
    return Status::Corruption("the offsets decrease or are outside of the graph");
  }
  offsets.position_words_ = std::move(image).Release();
  CRV_ASSIGN(offsets.positions_,
             succinct::EliasFano::FromImage(std::as_bytes(std::span(offsets.position_words_))));
  const auto outdegrees = outdegrees_.words();
  offsets.outdegree_words_.assign(outdegrees.begin(), outdegrees.end());
  offsets.outdegree_words_.push_back(0);  // CompactArray's padding
  offsets.outdegrees_ = succinct::CompactArray(offsets.outdegree_words_, outdegrees_.size(), 32);
  return offsets;
}

}  // namespace crivello::graph
