// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "search/query/query.h"
#include "search/topk/score.h"
#include "search/topk/topk.h"

namespace crivello::search {

// How much a field counts.
struct FieldWeight {
  std::string field;
  float weight = 1;
  std::optional<float> b = {};  // how much its length counts; that of Bm25Parameters if not given
};

// What the best pages are worth beside the scores of the first phase (query/rescorer.h).
struct SecondPhase {
  // Of the most that the words of the query could bring.
  float name_title = 0;
  float name_part = 0;
  float name_home = 0;
  float name_anchor = 0;
  float title = 0;
  float field = 0;
  float all = 0;
  float passage = 0;
  float lead = 0;
  float site = 0;
  float listing = 0;  // of this, what a page that mostly lists others loses
  // Added to scores as they are.
  float home = 0;
  float language = 0;

  static SecondPhase Default();
  float Relative() const {
    return name_title + name_part + name_home + name_anchor + title + field + all + passage + lead + site +
           listing;
  }
  float Absolute() const { return home + language; }
};

// What is to become of pages of some sites: hosts, or domains with all hosts below them.
struct SitePreferences {
  std::vector<std::string> blocked;  // not found
  std::vector<std::string> pinned;   // before all others, of the best ones
  std::vector<std::string> raised;
  std::vector<std::string> lowered;

  bool any() const { return !pinned.empty() || !raised.empty() || !lowered.empty(); }
};

// How scores are made: `ranking` over `fields`, plus
//   rank_weight · s^a / (1 + s^a)               (s: a static score of the document over its median; a: 0.6)
//   freshness_weight · 2^(-age / half-life)
//   proximity · nearness of the words          (BM25F; the best kProximityDepth by all else)
struct RankingOptions {
  Ranking ranking = Ranking::kBm25f;
  Bm25Parameters bm25 = DefaultBm25();
  std::vector<FieldWeight> fields = {};  // empty: DefaultFields()
  // Name of the static score: empty for kDefaultRank, if the index has it; kNoRank for none.
  std::string rank = {};
  float rank_weight = 1;  // not below zero
  // Name of a static score by which results are sorted, the greatest first, in the place of all else; or
  // kSortByDate: by the dates of the pages, the newest first.
  std::string sort = {};
  float freshness_weight = 0;
  int64_t freshness_half_life_seconds = 30 * 86400;
  int64_t now_seconds = 0;  // for freshness
  float proximity = DefaultProximity();
  SecondPhase second = SecondPhase::Default();
  SitePreferences sites = {};

  static Bm25Parameters DefaultBm25();
  static float DefaultProximity();
  // Words and static scores alone, as the first phase adds them up.
  static RankingOptions FirstPhase() {
    RankingOptions ranking;
    ranking.bm25 = {};
    ranking.proximity = 0;
    ranking.second = {};
    return ranking;
  }
  // What a formula is by default: BM25F with all that helps it, the others as the textbooks have them.
  static RankingOptions For(Ranking formula) {
    RankingOptions ranking = formula == Ranking::kBm25f ? RankingOptions() : FirstPhase();
    ranking.ranking = formula;
    return ranking;
  }

  // Plain BM25, sorted results and the other formulas are what they say.
  bool HasSecondPhase() const {
    if (ranking != Ranking::kBm25f || !sort.empty()) return false;
    return second.Relative() + second.Absolute() > 0 || sites.any();
  }
  bool HasProximity() const { return proximity > 0 && ranking == Ranking::kBm25f && sort.empty(); }
};
constexpr std::string_view kDefaultRank = "pagerank";
constexpr std::string_view kNoRank = "none";
constexpr std::string_view kSortByDate = "date";
constexpr size_t kProximityDepth = 200;
// Title and link texts describe a page better than its text does; its boilerplate describes it less.
std::vector<FieldWeight> DefaultFields();

enum class TotalKind : uint8_t {
  kNone,      // not counted
  kEstimate,  // exact where that costs little
  kExact,
};

struct SearchRequest {
  enum class Syntax : uint8_t {
    kLenient,  // what people type: never an error
    kStrict,   // InvalidArgument names the column
    kPlain,    // words and no syntax, as topics of evaluations are
  };
  std::string query;
  Syntax syntax = Syntax::kLenient;
  std::vector<Query> filters = {};  // all must hold, beside the query (query/query_filter.h)
  size_t count = 10;
  size_t offset = 0;
  RankingOptions ranking = {};
  TotalKind total = TotalKind::kEstimate;

  bool fold_duplicates = true;  // copies, near-duplicates and translations: under the best of them
  size_t per_site = 0;          // more from one site follow under the last of them; 0: no grouping
  bool snippets = true;
  size_t snippet_bytes = 240;
  bool explain = false;
  bool spelling = true;  // look for a better one, on the first page of results
  // Search for the nearest word of the collection in place of one that no page has, and say so in a note.
  bool correct = true;
  // What the searcher reads, the best first, as BCP 47 codes: words are stemmed in these, and pages in these
  // are preferred softly.
  std::vector<std::string> languages = {};

  std::vector<std::string> facets = {};  // to count: of FacetNames() (facets.h)

  std::optional<int64_t> at = {};  // only versions that were current then; seconds since 1970
  Algorithm algorithm = Algorithm::kAuto;
  std::optional<Duration> timeout = {};  // then the answer is partial
  std::stop_token stop = {};
};

// Pages similar to an indexed page, by its most characteristic words.
struct SimilarRequest {
  std::string url;  // as it is in the index, or as people type it
  size_t count = 10;
  size_t offset = 0;
  bool snippets = true;
  size_t snippet_bytes = 240;
  bool explain = false;
  std::optional<Duration> timeout = {};  // then the answer is partial
  std::stop_token stop = {};
};

// Bytes [begin, end) of a text that stand for words of the query.
struct Highlight {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend bool operator==(const Highlight&, const Highlight&) = default;
};
struct HighlightedText {
  std::string text;  // UTF-8
  std::vector<Highlight> highlights;
};

// A number of a score: if it has parts they add up to it, and `how` says what it was computed from.
struct Explanation {
  std::string what;
  double value = 0;
  std::vector<Explanation> parts = {};
  std::string how = {};
};

// A page in another language.
struct Translation {
  std::string url;
  std::string language;
};

struct SearchResult {
  std::string url;
  std::string id;  // empty if the collection gave none
  HighlightedText title;
  HighlightedText snippet;
  double score = 0;
  std::string site;
  std::string language;
  std::string type;
  int64_t time_seconds = 0;  // when it was fetched; 0 if not known
  // The date of the page: as it says itself, else as its server says (Last-Modified); 0 if neither does.
  int64_t date_seconds = 0;
  Hit hit;                                // the place in the snapshot
  std::vector<std::string> duplicates;    // URLs of copies that were folded under it
  std::vector<Translation> translations;  // that were folded under it, the best first
  uint64_t more_from_site = 0;            // results of its site that were left out
  std::vector<std::string> missing;       // words of the query that the page does not have
  std::optional<Explanation> explanation;
};

// How many of the pages that a query finds have each value of something.
struct FacetValue {
  std::string value;
  uint64_t pages = 0;
};
struct Facet {
  std::string name;
  std::vector<FacetValue> values;  // the most frequent first
  bool about = false;              // numbers are estimates
};

struct SearchAnswer {
  std::string query;    // canonical
  uint64_t total = 0;   // pages that the query finds, before any are folded
  uint64_t folded = 0;  // of these, how many are hidden under `results`, as copies or translations
  TotalKind total_kind = TotalKind::kNone;
  uint64_t snapshot = 0;           // its generation: while it is the same, so are the results
  bool partial = false;            // time was up, or limits were met: there may be better results
  std::vector<std::string> notes;  // for people: what was left out and why
  // The query in a spelling that finds more, as it can be typed; empty if none is worth showing.
  std::string did_you_mean;
  std::vector<SearchResult> results;
  std::vector<Facet> facets;  // those asked for
};

// Questions to answers: over the segments of this process (index_searcher.h), or over other machines.
// Thread-safe.
class Searcher {
 public:
  virtual ~Searcher() = default;
  // InvalidArgument for a query that is wrong, in strict syntax; NotFound for a static score that the index
  // does not have, with the names of those that it has; Corruption for a damaged index.
  virtual Result<SearchAnswer> Search(const SearchRequest& request) = 0;
  // Completes the start of a query: up to `count` whole queries, best first.
  virtual Result<std::vector<std::string>> Suggest(std::string_view typed, size_t count) = 0;
  // Somebody is about to type: makes ready what Suggest() needs, in the background.
  virtual void PrepareSuggestions() {}
  // NotFound if the index has no such page.  `query` of the answer is what was searched for.
  virtual Result<SearchAnswer> Similar(const SimilarRequest& request) = 0;
};

}  // namespace crivello::search
