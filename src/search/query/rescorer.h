// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "search/query/query.h"
#include "search/query/query_plan.h"
#include "search/searcher.h"
#include "search/topk/topk.h"

namespace crivello::search {

struct PlanNode;
struct PlanState;

// The second phase of a search: what is worth looking at for the best pages only.  The first phase adds up
// words, and a word brings at most (k1 + 1) · idf whatever the weights of fields: so that a page's title is
// the query, that it has all of its words, or that it is the home page of the site of that name, has to be
// said outside of that sum.  M is the most that the words could bring, (k1 + 1) · Σ idf; to the score of a
// page are added (SecondPhase in searcher.h has the weights)
//
//   name      for each kind of names among which the query is one of the page, or would be if its two or
//             three words were written as one:
//             M · weight of the kind · ln(1 + N / pages of that name) / ln(1 + N);
//             a home page of whose site's name the query is a part: M · weight / 2 · its share of the name
//   title     M · weight · (Σ idf of the words that the title has / Σ idf)² · how many / words of the title
//   field     M · weight, if all words are in one of title, headings, anchor, url
//   all       M · weight, if it has all words
//   passage   M · weight · (Σ idf of the words in the best kPassageWords words of its body / Σ idf)²
//   lead      M · weight · (Σ idf of the words in its title or the first kLeadWords of its body / Σ idf)²
//             (both for queries of three words and more, such as questions: they read positions)
//   site      (k1 + 1) · weight · idf of a word, times the share of the words of its site's name that are
//             words of the query, digits at their ends left out: "sqlite" is all of sqlite3.org
//   home      weight / (1 + depth of the URL)
//   language  weight, if the page is in one of these languages
//   listing   -M · weight, if the page mostly lists other pages
//   sites     M / 2 if the page's site is raised, -M / 2 if it is lowered, and 4 M if it is pinned
//
// Only pages change places that are among the kRescored best of the first phase, or have the query for a
// name.  All that is added depends on the page and the query alone, so results do not depend on segments and
// algorithms.
//
// Costs some µs a page.  Plan, query and options outlive it; one thread at a time.
class Rescorer {
 public:
  Rescorer(const QueryPlan& plan, const Query& query, const RankingOptions& ranking,
           const CollectionStatistics& statistics, std::vector<std::string> languages);
  ~Rescorer();
  // Whether there is anything to add.
  bool is_active() const { return active_; }
  // Pages that have the query for a name, at most kMaxNamed, in order; their scores are not set.
  std::vector<Hit> Named() const;
  // Adds to the scores.
  void Rescore(std::vector<Hit>* hits) const;
  // The words of the query that a page does not have and others have, as they were typed.  Cheapest for pages
  // in their order.
  std::vector<std::string> Missing(const Hit& hit) const;
  Explanation Explain(const Hit& hit) const;

  static constexpr size_t kRescored = kProximityDepth;
  static constexpr size_t kMaxNamed = 50;
  static constexpr uint32_t kPassageWords = 100;
  static constexpr uint32_t kLeadWords = 60;
  static constexpr size_t kLeastPassageWords = 3;
  // More words are not joined to a name: githooks of "git hooks".
  static constexpr size_t kMaxJoined = 3;

 private:
  static constexpr size_t kNamesKinds = 4;
  enum Part : uint8_t {
    kTitleName,
    kPartName,
    kHomeName,
    kAnchorName,
    kTitle,
    kField,
    kAll,
    kPassage,
    kLead,
    kSiteName,
    kHome,
    kLanguage,
    kSite,
    kListing,
    kParts
  };
  using Values = std::array<Quanta, kParts>;
  class InSegment;

  Quanta Rounded(double value) const;
  bool Prefers(std::string_view language) const;
  double ShareOf(uint64_t words) const;  // of the idf of the query
  double SiteValue(std::string_view site) const;
  // What the query asks for of the words of a site's name.
  struct AskedName {
    double share = 0;  // of the words of the name
    float idf = 0;     // the greatest
    bool all = false;  // the query has no others
  };
  AskedName AskedOf(std::string_view host) const;

  const PlanState& plan_;
  const RankingOptions& ranking_;
  std::vector<std::string> languages_;  // preferred
  bool active_ = false;
  bool reads_passages_ = false;
  std::vector<const PlanNode*> words_;
  std::vector<float> idfs_;  // of words_, by their boosts
  float idf_sum_ = 0;
  float most_ = 0;  // M
  size_t query_length_ = 0;
  // Terms, by kind: of the query, then of its words written as one.
  std::array<std::string, 2 * kNamesKinds> names_;
  std::array<float, 2 * kNamesKinds> name_values_ = {};
  mutable std::unique_ptr<InSegment> last_;  // that Missing() looked into
  mutable Hit last_hit_;
};

// The text of a query that may be a name: its words and phrases, in order.  Empty if it asks for more.
std::string NameTextOf(const Query& query);

}  // namespace crivello::search
