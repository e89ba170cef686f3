// SPDX-License-Identifier: Apache-2.0
// What every converter promises of its documents; included by _fuzz.cc files only.
#pragma once

#include <cstddef>
#include <cstdlib>

#include "text/formats/document.h"

namespace crivello::text {

// Ends the program unless no block is empty, all of them together are at most `max_bytes`, and links stand in
// blocks that are there.
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
