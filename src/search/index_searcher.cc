// SPDX-License-Identifier: Apache-2.0
#include "search/index_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/civil_time.h"
#include "search/facets.h"
#include "search/query/document_bonus.h"
#include "search/query/page_dates.h"
#include "search/query/query_filter.h"
#include "search/query/query_languages.h"
#include "search/query/rescorer.h"
#include "search/result_list.h"
#include "search/similar.h"
#include "search/snippet.h"
#include "search/suggest/spelling.h"
#include "store/cells.h"

namespace crivello::search {
namespace {

// All documents, for a class that says which of them it means.
class SomeDocuments : public DocIterator {
 public:
  explicit SomeDocuments(DocId documents) : all_(documents) {
    cost_ = all_.cost();
    doc_ = all_.doc();
  }
  void Next() override { SeekTo(doc_ + 1); }
  void SeekTo(DocId d) override {
    all_.SeekTo(d);
    doc_ = all_.doc();
  }
  Quanta Score() override { return 0; }

 private:
  AllDocuments all_;
};

// Documents that were the version of their page at a time.
class AtIterator final : public SomeDocuments {
 public:
  AtIterator(const index::SegmentView& view, int64_t at)
      : SomeDocuments(view.segment->documents()), view_(view), at_(at) {}
  bool Matches() override { return view_.WasCurrent(doc_, at_); }

 private:
  const index::SegmentView& view_;
  int64_t at_;
};

// Documents whose page asked not to be shown from a time on that is past.  Few pages do, so it is asked about
// the documents that are good enough to be results.
class UnavailableIterator final : public SomeDocuments {
 public:
  UnavailableIterator(const index::NumberColumn& times, int64_t now)
      : SomeDocuments(static_cast<DocId>(times.size())), times_(times), now_(now) {}
  bool Matches() override { return times_[doc_] != 0 && times_[doc_] <= now_; }

 private:
  const index::NumberColumn& times_;
  int64_t now_;
};

// All documents but those that are deleted.
class NotDeleted final : public SomeDocuments {
 public:
  NotDeleted(std::span<const uint64_t> deleted, DocId documents)
      : SomeDocuments(documents), deleted_(deleted) {}
  bool Matches() override {
    return doc_ / 64 >= deleted_.size() || (deleted_[doc_ / 64] >> (doc_ % 64) & 1) == 0;
  }

 private:
  std::span<const uint64_t> deleted_;
};

class OneDocument final : public DocIterator {
 public:
  explicit OneDocument(DocId doc) {
    cost_ = 1;
    doc_ = doc;
  }
  void Next() override { doc_ = kEndDoc; }
  void SeekTo(DocId d) override {
    if (d > doc_) doc_ = kEndDoc;
  }
  Quanta Score() override { return 0; }
};

// The documents of a part of a query, without its scores: those of results that are sorted by something else.
class Unscored final : public DocIterator {
 public:
  explicit Unscored(std::unique_ptr<DocIterator> part) : part_(std::move(part)) {
    cost_ = part_->cost();
    doc_ = part_->doc();
  }
  void Next() override {
    part_->Next();
    doc_ = part_->doc();
  }
  void SeekTo(DocId d) override {
    part_->SeekTo(d);
    doc_ = part_->doc();
  }
  bool Matches() override { return part_->Matches(); }
  Quanta Score() override { return 0; }

 private:
  std::unique_ptr<DocIterator> part_;
};

// The fields of what snippets are taken from.
constexpr std::array<std::string_view, 2> kTextFields = {"body", "headings"};

std::string StringOf(const index::DocumentValues& values, std::string_view column, DocId doc) {
  const index::StringColumn* strings = values.strings(column);
  return strings == nullptr ? std::string() : (*strings)[doc];
}

// A home page says best itself what its site is.
bool IsHome(const index::DocumentValues& values, DocId doc) {
  const index::NumberColumn* kinds = values.numbers(index::column::kKind);
  return kinds != nullptr && (*kinds)[doc] == static_cast<int64_t>(store::PageKind::kHome);
}

}  // namespace

// One search.
class IndexSearcher::Run {
 public:
  Run(const SearchRequest& request, const State& state, const Clock& clock, text::Analyser& analyser)
      : request_(request), state_(state), clock_(clock), analyser_(analyser) {
    std::optional<MonotonicTime> deadline;
    if (request.timeout) deadline = clock.Now() + *request.timeout;
    stopper_ = Stopper(&clock, deadline, request.stop);
  }

  Status Plan() {
    Query query;
    if (request_.syntax == SearchRequest::Syntax::kPlain) {
      query = PlainText(request_.query);
    } else if (request_.syntax == SearchRequest::Syntax::kStrict) {
      CRV_ASSIGN(query, ParseQueryStrictly(request_.query));
    } else {
      ParsedQuery parsed = ParseQuery(request_.query);
      query = std::move(parsed.query);
      truncated_ = parsed.truncated;
      notes_ = std::move(parsed.notes);
    }
    return Plan(std::move(query));
  }
  Status Plan(Query query) {
    CRV_TRY(CheckFacets(request_.facets));
    Ask(std::move(query));
    CRV_ASSIGN(std::string rank, RankOf(request_.ranking, state_.segments));
    CRV_TRY(MakePlan());
    CRV_TRY(Correct());
    bonuses_.emplace(state_.segments, request_.ranking, std::move(rank), *state_.pivots, plan_->scale());
    preferred_ = request_.languages.empty() ? LikelyLanguages() : request_.languages;
    rescorer_.emplace(*plan_, asked_, request_.ranking, state_.statistics, preferred_);
    // Of translations that the searcher does not read, the one in the language of the query is shown.
    for (const std::string& language : LikelyLanguages()) preferred_.push_back(language);
    return Status::Ok();
  }

  // Pages like the one of a URL, which is none of them.
  Status PlanSimilar(std::string_view url) {
    CRV_ASSIGN(const Hit page, FindPage(*state_.snapshot, url));
    left_out_ = page;
    CRV_ASSIGN(const index::StoredDocument stored, Stored(page));
    const index::DocumentValues& values = state_.segments[page.segment].segment->values();
    return Plan(TellingWords(stored, StringOf(values, index::column::kLanguage, page.doc), state_.segments,
                             state_.statistics, analyser_));
  }

  std::vector<Hit> Top(size_t k) {
    if (k == 0) return {};
    const bool rescores = rescorer_->is_active();
    if ((!request_.ranking.HasProximity() && !rescores) || sorts()) return BestByLists(k);
    // The same ones are looked at for every k, so that pages fit together; who is not among them comes after
    // them, as the second phase only adds.
    const std::vector<Hit> named = rescores ? Scored(rescorer_->Named()) : std::vector<Hit>();
    std::vector<Hit> hits = BestByLists(std::max(k, Rescorer::kRescored) + named.size());
    if (stopper_.Stop()) {  // what is found late is shown as it is, and the answer says that it is partial
      hits.resize(std::min(hits.size(), k));
      return hits;
    }
    const size_t first = std::min(hits.size(), Rescorer::kRescored);
    std::vector<Hit> best(hits.begin(), hits.begin() + static_cast<ptrdiff_t>(first));
    std::set<std::pair<uint32_t, DocId>> seen;
    for (const Hit& hit : best) seen.emplace(hit.segment, hit.doc);
    for (const Hit& hit : named) {
      if (seen.emplace(hit.segment, hit.doc).second) best.push_back(hit);
    }
    if (request_.ranking.HasProximity()) plan_->AddProximity(&best);
    if (rescores) rescorer_->Rescore(&best);
    std::sort(best.begin(), best.end(), ComesBefore);
    for (size_t i = first; i < hits.size(); i++) {
      if (!seen.contains({hits[i].segment, hits[i].doc})) best.push_back(hits[i]);
    }
    best.resize(std::min(best.size(), k));
    return best;
  }

  uint64_t Count() {
    uint64_t count = 0;
    for (size_t i = 0; i < state_.segments.size() && !stopper_.Stop(); i++) {
      count += CountDocuments(In(i), SearchOf(i), stopper_);
    }
    return count;
  }

  Result<SearchAnswer> Answer() {
    SearchAnswer answer;
    answer.snapshot = state_.snapshot->generation();
    answer.query = query_.ToString();
    const size_t offset = std::min(request_.offset, kMaxDepth);
    const size_t wanted = std::min(offset + request_.count, kMaxDepth);
    const ResultListOptions list_options = {
        .fold_duplicates = request_.fold_duplicates, .per_site = request_.per_site, .languages = preferred_};
    const bool all_are_shown = !request_.fold_duplicates && request_.per_site == 0;
    // What is folded or grouped away is made up for by going deeper, twice as deep each time.
    ResultList list(state_.segments, list_options);
    std::vector<Hit> hits;
    for (size_t depth = all_are_shown ? wanted : wanted + wanted / 2 + 10; wanted > offset; depth *= 2) {
      depth = std::min(depth, kMaxDepth);
      // Those that are looked at by the second phase anyhow may be what is to be shown of copies and
      // translations.
      if (hits.empty() || depth > Rescorer::kRescored) hits = Top(std::max(depth, Rescorer::kRescored));
      const size_t listed = std::min(hits.size(), depth);
      list = ResultList(state_.segments, list_options);
      for (size_t i = 0; i < listed; i++) list.Add(hits[i]);
      for (size_t i = listed; i < std::min(hits.size(), Rescorer::kRescored); i++) list.AddBelow(hits[i]);
      if (list.entries().size() >= wanted || hits.size() < depth || depth == kMaxDepth || stopper_.stopped())
        break;
    }
    SetTotal(&answer);
    CRV_TRY(AddResults(list.entries(), offset, wanted, &answer));
    answer.facets = CountedFacets();
    CRV_TRY(SetSpelling(&answer));
    answer.notes = notes_;
    answer.notes.insert(answer.notes.end(), plan_->notes().begin(), plan_->notes().end());
    if (truncated_) answer.notes.push_back("the query is too long: only its beginning was used");
    if (stopper_.stopped())
      answer.notes.push_back("the time limit was reached before all pages were examined");
    answer.partial = stopper_.stopped() || plan_->truncated() || truncated_;
    return answer;
  }

 private:
  void Ask(Query query) {
    asked_ = std::move(query);
    languages_ = {};
    // Where words have no stems, and nothing is preferred for its language, it does not matter.
    if (analyser_.description().stem != "auto" && !request_.ranking.HasSecondPhase()) return;
    languages_ = LanguagesOf(asked_, request_.languages, state_.segments, state_.statistics, analyser_);
  }
  const StopTerms* StopWords() const {
    const auto known = state_.statistics.stop_words_of.find(PrimaryLanguage(languages_.main));
    return known == state_.statistics.stop_words_of.end() ? nullptr : &known->second;
  }
  Status MakePlan() {
    std::vector<Query> filters = request_.filters;
    for (const std::string& site : request_.ranking.sites.blocked) {
      filters.push_back(FieldFilter("site", site));
      filters.back().occur = Query::Occur::kExcluded;
    }
    query_ = Filtered(asked_, filters);
    CRV_ASSIGN(QueryPlan plan, QueryPlan::Make(query_, state_.segments, state_.statistics,
                                               {.ranking = request_.ranking,
                                                .maximum_counts = state_.maximum_counts.get(),
                                                .languages = languages_.languages,
                                                .stop_words = StopWords()},
                                               analyser_));
    plan_.emplace(std::move(plan));
    return Status::Ok();
  }
  // A word that no page has finds nothing, or by its stem words of another language; the nearest one of the
  // collection may find more.
  Status Correct() {
    const std::vector<std::string> unknown = plan_->UnknownWords();
    if (state_.snapshot->live_documents() == 0) return Status::Ok();
    const bool strict = request_.syntax == SearchRequest::Syntax::kStrict;
    if (!request_.correct || !request_.spelling || strict) return NameUnknown(unknown);
    const SpellingContext context = {state_.segments, state_.statistics, analyser_, stopper_,
                                     languages_.languages};
    std::vector<std::string> unwritten = UnwrittenWords(asked_, context);
    if (unwritten.empty() && unknown.empty()) return Status::Ok();
    CRV_ASSIGN(std::optional<Query> other, Respelt(asked_, context));
    if (!other) return NameUnknown(unknown);
    const std::vector<std::string> kept = UnwrittenWords(*other, context);
    std::erase_if(unwritten, [&](const std::string& word) {
      return std::find(kept.begin(), kept.end(), word) != kept.end();
    });
    Ask(*std::move(other));
    CRV_TRY(MakePlan());
    corrected_ = true;
    // None of them: a word of several parts (dbHandle) was corrected.
    notes_.push_back(unwritten.empty() ? fmt::format("these are results for {}", asked_.ToString())
                                       : fmt::format("no page has {}: these are results for {}",
                                                     Quoted(unwritten), asked_.ToString()));
    return NameUnknown(plan_->UnknownWords());
  }
  Status NameUnknown(const std::vector<std::string>& unknown) {
    // Where nothing is found at all, that says it.
    if (!unknown.empty() && plan_->postings() > 0) {
      notes_.push_back(fmt::format("no page has {}", Quoted(unknown)));
    }
    return Status::Ok();
  }
  static std::string Quoted(const std::vector<std::string>& words) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(words.size(), 5); i++) {
      text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", words[i]);
    }
    return text;
  }
  std::vector<std::string> LikelyLanguages() const {
    return {languages_.languages.begin(),
            languages_.languages.begin() + static_cast<ptrdiff_t>(languages_.likely)};
  }

  bool sorts() const { return !request_.ranking.sort.empty(); }

  std::vector<Hit> BestByLists(size_t k) {
    TopHits hits(k);
    for (size_t i = 0; i < state_.segments.size() && !stopper_.Stop(); i++) {
      FindTop(In(i), SearchOf(i), stopper_, &hits);
    }
    return hits.Sorted();
  }

  // Of these documents, in order, those that the query finds, with their scores.
  std::vector<Hit> Scored(const std::vector<Hit>& hits) const {
    std::vector<Hit> found;
    std::unique_ptr<DocIterator> documents;
    SegmentSearch search;
    for (const Hit& hit : hits) {
      if (documents == nullptr || search.segment != hit.segment) {
        search = SearchOf(hit.segment);
        documents = ToIterator(In(hit.segment), search.documents);
      }
      const bool deleted =
          hit.doc / 64 < search.deleted.size() && (search.deleted[hit.doc / 64] >> (hit.doc % 64) & 1) != 0;
      if (deleted || !Contains(*documents, hit.doc)) continue;
      const Quanta bonus = search.bonus == nullptr ? 0 : search.bonus->Of(hit.doc);
      found.push_back({documents->Score() + bonus, hit.segment, hit.doc});
    }
    return found;
  }

  SegmentQuery In(size_t segment) const {
    SegmentQuery query = plan_->In(segment);
    if (request_.at) {
      query.filters.push_back(
          std::make_unique<AtIterator>(state_.snapshot->segments()[segment], *request_.at));
    }
    const auto* times = state_.segments[segment].segment->values().numbers(index::column::kUnavailableAfter);
    if (times != nullptr) {
      query.excluded.push_back(std::make_unique<UnavailableIterator>(*times, ToSeconds(clock_.Wall())));
    }
    if (left_out_ && left_out_->segment == segment) {
      query.excluded.push_back(std::make_unique<OneDocument>(left_out_->doc));
    }
    if (!sorts()) return query;
    SegmentQuery unscored;
    unscored.filters.push_back(std::make_unique<Unscored>(
        ToIterator(std::move(query), state_.segments[segment].segment->documents())));
    return unscored;
  }
  SegmentSearch SearchOf(size_t segment) const {
    const SearchedSegment& searched = state_.segments[segment];
    SegmentSearch search;
    search.segment = static_cast<uint32_t>(segment);
    search.documents = searched.segment->documents();
    search.deleted = searched.deleted;
    if (const auto& live = state_.snapshot->segments()[segment].live; request_.at && live != nullptr) {
      search.deleted = live->deleted_bits();
    }
    search.bonus = bonuses_->In(segment);
    search.algorithm = request_.algorithm;
    // Impacts bound what grows with the count and falls with the length, and nothing else.
    if (request_.ranking.ranking == Ranking::kTfIdfMaximum) search.algorithm = Algorithm::kExhaustive;
    return search;
  }

  std::vector<Facet> CountedFacets() {
    if (request_.facets.empty()) return {};
    const auto documents = [this](size_t i) {
      SegmentQuery found = In(i);
      const SegmentSearch search = SearchOf(i);
      found.filters.push_back(std::make_unique<NotDeleted>(search.deleted, search.documents));
      return ToIterator(std::move(found), search.documents);
    };
    return CountFacets(request_.facets, state_.segments, documents, kMaxFacetPages, stopper_);
  }

  void SetTotal(SearchAnswer* answer) {
    if (request_.total == TotalKind::kNone || stopper_.stopped()) return;
    const bool exact = request_.total == TotalKind::kExact || plan_->postings() <= kMaxCounted;
    answer->total = exact ? Count() : plan_->EstimatedTotal();
    answer->total_kind = exact && !stopper_.stopped() ? TotalKind::kExact : TotalKind::kEstimate;
  }

  // Another spelling is worth showing only if it finds more.
  Status SetSpelling(SearchAnswer* answer) {
    const bool first_page = request_.offset == 0 && request_.total != TotalKind::kNone;
    if (!request_.spelling || !first_page || corrected_ || stopper_.stopped()) return Status::Ok();
    CRV_ASSIGN(std::optional<Query> other, Respelt(asked_, {state_.segments, state_.statistics, analyser_,
                                                            stopper_, languages_.languages}));
    if (!other || stopper_.stopped()) return Status::Ok();
    Run run(request_, state_, clock_, analyser_);
    CRV_TRY(run.Plan(*std::move(other)));
    SearchAnswer counted;
    run.SetTotal(&counted);
    if (counted.total > answer->total) answer->did_you_mean = run.asked_.ToString();
    return Status::Ok();
  }

  // In the order of the documents, so that each block of texts is decompressed once.
  Status AddResults(const std::vector<ResultList::Entry>& entries, size_t begin, size_t end,
                    SearchAnswer* answer) {
    std::vector<size_t> order;
    for (size_t i = begin; i < std::min(end, entries.size()); i++) order.push_back(i);
    answer->results.resize(order.size());
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const Hit& x = entries[a].shown.hit;
      const Hit& y = entries[b].shown.hit;
      return x.segment != y.segment ? x.segment < y.segment : x.doc < y.doc;
    });
    for (const size_t i : order) {
      CRV_ASSIGN(answer->results[i - begin], ResultOf(entries[i]));
      answer->folded += entries[i].duplicates.size() + entries[i].translations.size();
    }
    return Status::Ok();
  }
  Result<index::StoredDocument> Stored(const Hit& hit) {
    const auto reader =
        readers_.try_emplace(hit.segment, state_.segments[hit.segment].segment->texts(), state_.texts).first;
    return reader->second.Get(hit.doc);
  }

  Result<SearchResult> ResultOf(const ResultList::Entry& entry) {
    const Hit& hit = entry.shown.hit;
    const index::DocumentValues& values = state_.segments[hit.segment].segment->values();
    CRV_ASSIGN(const index::StoredDocument stored, Stored(hit));
    SearchResult result;
    result.url = stored.url;
    result.id = stored.id;
    result.score =
        sorts() ? bonuses_->SortedBy(hit.segment, hit.doc) : static_cast<double>(hit.score) / plan_->scale();
    result.site = StringOf(values, index::column::kSite, hit.doc);
    result.language = StringOf(values, index::column::kLanguage, hit.doc);
    result.type = StringOf(values, index::column::kType, hit.doc);
    if (const auto* times = values.numbers(index::column::kTime)) result.time_seconds = (*times)[hit.doc];
    if (const PageDate date = PageDates(values).Of(hit.doc); date.own) result.date_seconds = date.seconds;
    result.hit = hit;
    result.more_from_site = entry.more_from_site;
    result.title.text = stored.title;
    if (request_.snippets) result.title = MarkWords(stored.title, plan_->terms(), result.language, analyser_);
    const auto* flags = values.numbers(index::column::kFlags);
    const bool no_archive = flags != nullptr && ((*flags)[hit.doc] & index::kNoArchive) != 0;
    if (request_.snippets && !no_archive) {
      const bool described = stored.text.empty() || (IsHome(values, hit.doc) && !stored.description.empty());
      const std::string_view text = described ? stored.description : stored.text;
      const auto words = plan_->WordsIn(hit.segment, hit.doc, kTextFields);
      result.snippet = MakeSnippet(text, plan_->terms(),
                                   {.bytes = request_.snippet_bytes,
                                    .language = result.language,
                                    .words = words && !described ? &*words : nullptr},
                                   analyser_);
    }
    if (request_.explain) result.explanation = Explain(hit);
    if (request_.snippets) result.missing = rescorer_->Missing(hit);
    for (const Hit& duplicate : entry.duplicates) {
      CRV_ASSIGN(const index::StoredDocument copy, Stored(duplicate));
      result.duplicates.emplace_back(copy.url);
    }
    for (const ResultList::Version& translation : entry.translations) {
      CRV_ASSIGN(const index::StoredDocument other, Stored(translation.hit));
      result.translations.push_back({std::string(other.url), translation.language});
    }
    return result;
  }

  Explanation Explain(const Hit& hit) const {
    if (sorts()) {
      const double value = bonuses_->SortedBy(hit.segment, hit.doc);
      return {"score", value, {{"sorted by " + request_.ranking.sort, value, {}}}};
    }
    Explanation all{"score", static_cast<double>(hit.score) / plan_->scale(), {}};
    all.parts.push_back(plan_->Explain(hit.segment, hit.doc));
    if (bonuses_->In(hit.segment) != nullptr) all.parts.push_back(bonuses_->Explain(hit.segment, hit.doc));
    if (request_.ranking.HasProximity()) {
      all.parts.push_back(plan_->ExplainProximity(hit.segment, hit.doc));
    }
    if (rescorer_->is_active()) all.parts.push_back(rescorer_->Explain(hit));
    return all;
  }

  const SearchRequest& request_;
  const State& state_;
  const Clock& clock_;
  text::Analyser& analyser_;
  Stopper stopper_;
  Query asked_;  // without the filters
  Query query_;
  QueryLanguages languages_;
  std::vector<std::string> preferred_;  // languages
  bool corrected_ = false;
  bool truncated_ = false;
  std::vector<std::string> notes_;
  std::optional<QueryPlan> plan_;
  std::optional<Bonuses> bonuses_;
  std::optional<Rescorer> rescorer_;
  std::optional<Hit> left_out_;
  std::map<uint32_t, index::TextReader> readers_;
};

Result<std::unique_ptr<IndexSearcher>> IndexSearcher::Create(std::shared_ptr<const index::Snapshot> snapshot,
                                                             const Clock& clock) {
  std::unique_ptr<IndexSearcher> searcher(new IndexSearcher(clock));
  searcher->Use(std::move(snapshot));
  CRV_ASSIGN(text::Analyser analyser, searcher->TakeAnalyser(searcher->snapshot()->analyser()));
  searcher->ReturnAnalyser(std::move(analyser));
  return searcher;
}

void IndexSearcher::Use(std::shared_ptr<const index::Snapshot> snapshot) {
  auto state = std::make_shared<State>();
  state->maximum_counts = std::make_unique<MaximumCounts>();
  state->pivots = std::make_unique<StaticPivots>();
  for (const index::SegmentView& view : snapshot->segments()) {
    SearchedSegment searched;
    searched.segment = view.segment.get();
    if (view.live != nullptr) searched.deleted = view.live->past_bits();
    searched.ranks = view.ranks;
    state->segments.push_back(searched);
  }
  state->statistics = StatisticsOf(state->segments);
  state->snapshot = std::move(snapshot);
  state->texts = &texts_;
  const MutexLock lock(mutex_);
  state_ = std::move(state);
}

std::shared_ptr<const IndexSearcher::State> IndexSearcher::state() const {
  const MutexLock lock(mutex_);
  return state_;
}
std::shared_ptr<const index::Snapshot> IndexSearcher::snapshot() const { return state()->snapshot; }

Result<text::Analyser> IndexSearcher::TakeAnalyser(const std::string& description) {
  {
    const MutexLock lock(mutex_);
    for (size_t i = analysers_.size(); i-- > 0;) {
      text::Analyser analyser = std::move(analysers_[i]);
      analysers_.pop_back();
      if (analyser.description().ToString() == description) return analyser;
    }
  }
  return text::Analyser::Create(description.empty() ? text::kStandardAnalyser
                                                    : std::string_view(description));
}
void IndexSearcher::ReturnAnalyser(text::Analyser analyser) {
  const MutexLock lock(mutex_);
  analysers_.push_back(std::move(analyser));
}

template <typename Ask>
auto IndexSearcher::With(const SearchRequest& request, Ask ask) -> decltype(ask(std::declval<Run&>())) {
  const std::shared_ptr<const State> state = this->state();
  CRV_ASSIGN(text::Analyser analyser, TakeAnalyser(state->snapshot->analyser()));
  Run run(request, *state, clock_, analyser);
  auto answer = ask(run);
  ReturnAnalyser(std::move(analyser));
  return answer;
}

Result<SearchAnswer> IndexSearcher::Search(const SearchRequest& request) {
  return With(request, [](Run& run) -> Result<SearchAnswer> {
    CRV_TRY(run.Plan());
    return run.Answer();
  });
}
Result<std::vector<Hit>> IndexSearcher::Top(const SearchRequest& request) {
  return With(request, [&request](Run& run) -> Result<std::vector<Hit>> {
    CRV_TRY(run.Plan());
    return run.Top(request.count);
  });
}
Result<uint64_t> IndexSearcher::Count(const SearchRequest& request) {
  return With(request, [](Run& run) -> Result<uint64_t> {
    CRV_TRY(run.Plan());
    return run.Count();
  });
}

Result<SearchAnswer> IndexSearcher::Similar(const SimilarRequest& request) {
  SearchRequest search;
  search.count = request.count;
  search.offset = request.offset;
  search.snippets = request.snippets;
  search.snippet_bytes = request.snippet_bytes;
  search.explain = request.explain;
  search.ranking.rank = kNoRank;  // likeness alone
  search.ranking.second = {};
  search.ranking.proximity = 0;
  search.correct = false;
  search.spelling = false;
  search.timeout = request.timeout;
  search.stop = request.stop;
  return With(search, [&request](Run& run) -> Result<SearchAnswer> {
    CRV_TRY(run.PlanSimilar(request.url));
    return run.Answer();
  });
}

void IndexSearcher::PrepareSuggestions() {
  const std::shared_ptr<const State> state = this->state();
  if (state->snapshot->live_documents() == 0) return;  // those of nothing would stay for a while
  suggester_.Prepare(state->snapshot, state->statistics.stop_words);
}

Result<std::vector<std::string>> IndexSearcher::Suggest(std::string_view typed, size_t count) {
  const std::shared_ptr<const State> state = this->state();
  CRV_ASSIGN(const auto suggestions, suggester_.For(state->snapshot, state->statistics.stop_words));
  CRV_ASSIGN(text::Analyser analyser, TakeAnalyser(state->snapshot->analyser()));
  std::vector<std::string> found = suggestions->Find(typed, count, analyser);
  ReturnAnalyser(std::move(analyser));
  return found;
}

}  // namespace crivello::search
