// SPDX-License-Identifier: Apache-2.0
// The guarantees of every converter's documents; included by _fuzz.cc files only.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "text/formats/document.h"

namespace crivello::text {

// Aborts if a block is empty, all blocks together exceed `max_bytes`, or a link refers to a block that does
// not exist.
inline void RequireSound(const Document& document, size_t max_bytes) {
  size_t bytes = 0;
  for (const Block& block : document.blocks) {
    bytes += block.text.size();
    if (block.text.empty() || block.linked > block.text.size()) std::abort();
  }
  if (bytes > max_bytes) std::abort();
  for (const DocumentLink& link : document.links) {
    if (link.block != ~0u && link.block >= document.blocks.size()) std::abort();
  }
}

}  // namespace crivello::text
