// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/ranks/rank_column.h"
#include "index/segments/segment.h"
#include "search/query/query.h"
#include "search/query/query_terms.h"
#include "search/searcher.h"
#include "search/topk/maximum_counts.h"
#include "search/topk/topk.h"
#include "text/terms/analyser.h"

namespace crivello::search {

// A segment that is searched, which of its documents are gone (a bit each, none if the span is empty), and
// what they have of ranks.
struct SearchedSegment {
  const index::Segment* segment = nullptr;
  std::span<const uint64_t> deleted = {};
  std::span<const std::shared_ptr<const index::RankColumn>> ranks = {};
};

// Of a collection of segments, what scores need.
struct CollectionStatistics {
  uint64_t documents = 0;
  struct Field {
    std::string name;
    uint64_t tokens = 0;
    uint64_t documents = 0;
    bool counts = false;     // it has them, and so lengths
    bool positions = false;  // it has them
    double mean() const {
      return documents == 0 ? 1 : static_cast<double>(tokens) / static_cast<double>(documents);
    }
  };
  std::vector<Field> fields;
  std::vector<std::string> languages;  // of the documents, the most frequent first
  // Words that say little, in languages that a quarter of the documents are in or more, as terms.  None if
  // the analyser knows no languages.
  StopTerms stop_words;
  // Those of each of `languages` that has a list (by its code without region); a query in one of them does
  // without these, too.
  std::map<std::string, StopTerms, std::less<>> stop_words_of;

  const Field* field(std::string_view name) const;
  // How a word of a query is looked for; `only`: by its stems in these languages; `others`: more stop words,
  // or nullptr.
  WordForms AllForms(std::span<const std::string> only = {}, const StopTerms* others = nullptr) const {
    return {.stems = true,
            .languages = only.empty() ? std::span<const std::string>(languages) : only,
            .stop_words = {&stop_words, others}};
  }
};
CollectionStatistics StatisticsOf(std::span<const SearchedSegment> segments);

struct PlanState;

// A query on the segments of a collection: its words as terms, where the list of each is in every segment,
// and the weights that follow from all of them together.  So a document's score does not depend on the
// segment it is in.
//
// Making one costs a look at the dictionaries and the heads of the lists.  Immutable; segments outlive it.
class QueryPlan {
 public:
  // A pattern stands for at most so many terms, the most frequent; a query for so many lists in a segment.
  static constexpr size_t kMaxExpansion = 128;
  static constexpr size_t kMaxLists = 4096;

  struct Options {
    RankingOptions ranking = {};
    MaximumCounts* maximum_counts = nullptr;  // for Ranking::kTfIdfMaximum, which needs it
    // In which words are stemmed; all those of the collection if there are none.
    std::span<const std::string> languages = {};
    // Words that say little in the language of the query, beside those of the collection's languages.
    const StopTerms* stop_words = nullptr;
  };
  static Result<QueryPlan> Make(const Query& query, std::span<const SearchedSegment> segments,
                                const CollectionStatistics& statistics, const Options& options,
                                text::Analyser& analyser);
  ~QueryPlan();
  QueryPlan(QueryPlan&&) noexcept;
  QueryPlan& operator=(QueryPlan&&) noexcept;

  // The query in a segment, from its first document on.
  SegmentQuery In(size_t segment) const;
  // How many quanta are a score of 1.
  float scale() const;
  // What was left out of the query, for people.
  const std::vector<std::string>& notes() const;
  bool truncated() const;
  // An upper limit of the documents that it finds, and a guess.
  uint64_t EstimatedTotal() const;
  // The sum of the lengths of all lists: what it costs to read them.
  uint64_t postings() const;
  // All terms that a document may be found by, sorted: what snippets highlight.
  const std::vector<std::string>& terms() const;
  // Words that no page has in any of their forms, as they were typed.
  std::vector<std::string> UnknownWords() const;
  // The forms of each word of the query that some of these fields have in a document; nothing if that would
  // take long to tell, as with words that stand for very many.
  std::optional<std::vector<std::span<const std::string>>> WordsIn(
      size_t segment, DocId doc, std::span<const std::string_view> fields) const;
  // Adds to the scores what it is worth that words stand near one another: RankingOptions::proximity.  Reads
  // the positions of a document, some microseconds for each.
  void AddProximity(std::vector<Hit>* hits) const;
  // How a document comes to its score, without bonus; and what proximity adds to it.
  Explanation Explain(size_t segment, DocId doc) const;
  Explanation ExplainProximity(size_t segment, DocId doc) const;
  // For the files of this folder.
  const PlanState& state() const { return *state_; }

 private:
  explicit QueryPlan(std::unique_ptr<PlanState> state);
  std::unique_ptr<PlanState> state_;
};

}  // namespace crivello::search
