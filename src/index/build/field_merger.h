// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/status.h"
#include "index/build/run_merger.h"
#include "index/postings/posting_encoder.h"
#include "index/segments/field.h"

namespace crivello::index {

// A field of a segment to merge, and the new number of each document (kEndDoc: dropped).
struct FieldSource {
  const FieldView* field = nullptr;
  std::span<const DocId> map;
};

struct FieldMergerOptions {
  PostingOptions postings = {};  // of the new field; each source has at least these contents
  unsigned threads = 1;
  bool sorted = false;  // documents arrive in the order of their new numbers, source after source
};

// Passes the lists of all terms of some fields to `sink`, in the order of the terms, skipping terms without
// remaining postings.  Corruption if a list is damaged.
Status MergeFields(const FieldMergerOptions& options, std::span<const FieldSource> sources,
                   const std::function<Status(const MergedLists& lists)>& sink);

}  // namespace crivello::index
