// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "index/postings/posting_format.h"

namespace crivello::index {

// The index exactly as the lecture notes have it, for measurements: as the format `classic`, but
// positions in δ, and a skip table of the quantum that is asked for, so long lists are cut into blocks of so
// many postings.  Its name is "classic-delta-" and the quantum.  REQUIRES: 1 <= quantum <= kBlockPostings.
const PostingFormat& ClassicDeltaFormat(uint32_t quantum);

// δ on gaps: nothing is known of a document but the numbers themselves.
extern const PositionsCode kDeltaPositions;

}  // namespace crivello::index
