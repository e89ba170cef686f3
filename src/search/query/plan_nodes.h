// SPDX-License-Identifier: Apache-2.0
// The inside of a QueryPlan.  Included by the files of query_plan.h only.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "search/query/occurrences.h"
#include "search/query/query_plan.h"

namespace crivello::search {

// The lists of a word or phrase in one field of one segment.
struct FieldLists {
  const index::FieldView* view = nullptr;                // nullptr if a word is not there at all
  const uint32_t* lengths = nullptr;                     // what formulas take for the lengths of documents
  std::vector<std::vector<index::PostingCursor>> words;  // the forms of each; on their first documents
};

// A leaf that scores.
struct GroupPlan {
  std::vector<QueryWord> words;  // more than one: a phrase
  PhraseOccurrences::Options window = {};
  std::vector<FieldWeight> fields;
  float boost = 1;

  std::vector<uint64_t> frequencies;  // of each word: of its most frequent form in any field
  float idf = 0;                      // the sum over the words
  std::vector<Formula> field_formulas;
  Formula sum_formula;
  // One list a segment, at most: then the formulas above are one.
  bool single = false;
  Formula single_formula;
  std::vector<std::vector<FieldLists>> lists;  // by segment, by field
};

struct PlanNode {
  enum class Kind : uint8_t { kAll, kGroup, kFilter, kDate, kBoolean };
  Kind kind = Kind::kAll;
  Query::Occur occur = Query::Occur::kOptional;
  GroupPlan group;            // kGroup
  bool is_stop_word = false;  // of a group
  bool is_word = false;       // of a boolean: a typed word, in each way of writing it
  bool is_name = false;       // of a group: a name beside the words of a text
  std::string field;          // kFilter, for people
  std::string text;           // likewise
  std::vector<std::optional<index::PostingCursor>> filters;  // by segment
  int64_t from = 0;                                          // kDate
  int64_t until = 0;
  std::vector<PlanNode> children;

  // Whether some page has each word of it; of several ways of writing a word, those of one.
  bool IsKnown() const {
    if (kind != Kind::kGroup) {
      return std::any_of(children.begin(), children.end(), [](const PlanNode& c) { return c.IsKnown(); });
    }
    return std::find(group.frequencies.begin(), group.frequencies.end(), uint64_t{0}) ==
           group.frequencies.end();
  }
  bool IsFilter() const {
    if (kind == Kind::kGroup) return false;
    for (const PlanNode& child : children) {
      if (!child.IsFilter()) return false;
    }
    return true;
  }
};

struct PlanState {
  std::vector<SearchedSegment> segments;
  const CollectionStatistics* statistics = nullptr;
  RankingOptions ranking;
  MaximumCounts* maximum_counts = nullptr;
  std::span<const std::string> languages;  // while the plan is made
  const StopTerms* stop_words = nullptr;   // likewise; may be null
  std::optional<PlanNode> root;            // none: no document
  float scale = 1;
  bool truncated = false;
  uint64_t postings = 0;
  std::vector<std::string> notes;
  std::vector<std::string> terms;
};

// All groups and their frequencies are known: sets their weights, the scale, and the formulas.
// REQUIRES: plan->root.
void WeighGroups(PlanState* plan);

// The occurrences of a group in a field of a segment; nullptr if there are none.
std::unique_ptr<Occurrences> OccurrencesIn(const GroupPlan& group, const FieldLists& lists);

}  // namespace crivello::search
