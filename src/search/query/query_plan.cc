// SPDX-License-Identifier: Apache-2.0
#include "search/query/query_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "index/terms/term_match.h"
#include "search/query/plan_nodes.h"

namespace crivello::search {
namespace {

constexpr size_t kMaxPhraseWords = 64;

bool SameWords(const GroupPlan& a, const GroupPlan& b) {
  const auto same_field = [](const FieldWeight& x, const FieldWeight& y) { return x.field == y.field; };
  return a.words == b.words && a.window.ordered == b.window.ordered && a.window.slop == b.window.slop &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(), same_field);
}

class Planner {
 public:
  Planner(PlanState* plan, text::Analyser& analyser) : plan_(*plan), analyser_(analyser) {
    fields_ = plan_.ranking.fields.empty() ? DefaultFields() : plan_.ranking.fields;
    std::erase_if(fields_, [this](const FieldWeight& f) {
      const auto* known = plan_.statistics->field(f.field);
      return known == nullptr || IsFilterField(f.field) || f.weight <= 0;
    });
    if (plan_.ranking.ranking == Ranking::kBm25) {
      for (FieldWeight& field : fields_) field = {field.field, 1, {}};
    }
  }

  Status Plan(const Query& query) {
    plan_.root = Build(query, 1);
    CRV_TRY(status_);
    if (plan_.root) WeighGroups(&plan_);
    if (plan_.root) CollectTerms(*plan_.root);
    std::sort(plan_.terms.begin(), plan_.terms.end());
    plan_.terms.erase(std::unique(plan_.terms.begin(), plan_.terms.end()), plan_.terms.end());
    return Status::Ok();
  }

 private:
  using Kind = Query::Kind;

  bool IsStopWord(const std::string& typed) const {
    return plan_.statistics->stop_words.contains(typed) ||
           (plan_.stop_words != nullptr && plan_.stop_words->contains(typed));
  }

  // Of what is searched for in the end: stop words that were dropped are not marked in snippets.
  void CollectTerms(const PlanNode& node) {
    if (node.occur == Query::Occur::kExcluded) return;
    const std::vector<QueryWord>& words = node.group.words;
    const auto says_little = [&](const QueryWord& word) { return IsStopWord(word.typed); };
    // Of a phrase (break-in) the others say where it is.
    const bool only_telling = words.size() > 1 && !std::all_of(words.begin(), words.end(), says_little);
    for (const QueryWord& word : words) {
      if (only_telling && says_little(word)) continue;
      plan_.terms.insert(plan_.terms.end(), word.forms.begin(), word.forms.end());
    }
    for (const PlanNode& child : node.children) CollectTerms(child);
  }

  // Nothing if there is nothing to search for: a word without letters, say.
  std::optional<PlanNode> Build(const Query& query, float boost) {
    boost *= query.boost;
    std::optional<PlanNode> node;
    switch (query.kind) {
      case Kind::kNothing:
        return std::nullopt;
      case Kind::kAll:
        node.emplace();
        break;
      case Kind::kText:
        node = Text(query, boost);
        break;
      case Kind::kWord:
        node = IsFilterField(query.field) ? Filter(query) : Word(query, boost);
        break;
      case Kind::kWildcard:
      case Kind::kFuzzy:
        node = Group(query, Expand(query), boost);
        break;
      case Kind::kPhrase:
        node = Group(query, WordsOf(query.text, {}, analyser_).words, boost);
        break;
      case Kind::kDate:
        node.emplace();
        node->kind = PlanNode::Kind::kDate;
        node->text = query.text;
        node->from = query.from;
        node->until = query.until;
        break;
      case Kind::kBoolean:
        node = Boolean(query, boost);
        break;
    }
    if (node) node->occur = query.occur;
    return node;
  }

  std::optional<PlanNode> Boolean(const Query& query, float boost) {
    PlanNode node;
    node.kind = PlanNode::Kind::kBoolean;
    for (const Query& child : query.children) {
      std::optional<PlanNode> part = Build(child, boost);
      if (part) AddChild(&node, *std::move(part));
    }
    if (node.children.empty()) return std::nullopt;
    DropStopWords(&node);
    return node;
  }
  // Words that say little are left out beside others that say more: they would find nearly everything, and
  // their small scores, added up, are noise.  One that must be there, or is part of a phrase, stays.
  static void DropStopWords(PlanNode* node) {
    const auto is_word = [](const PlanNode& child) {
      return child.kind == PlanNode::Kind::kGroup && child.occur == Query::Occur::kOptional;
    };
    const bool others = std::any_of(node->children.begin(), node->children.end(), [&](const PlanNode& child) {
      return is_word(child) && !child.is_stop_word;
    });
    if (!others) return;
    std::erase_if(node->children,
                  [&](const PlanNode& child) { return is_word(child) && child.is_stop_word; });
  }
  // A word that is there twice counts twice, and is read once.
  static void AddChild(PlanNode* node, PlanNode child) {
    for (PlanNode& other : node->children) {
      if (other.occur == child.occur && other.kind == PlanNode::Kind::kGroup && child.kind == other.kind &&
          SameWords(other.group, child.group)) {
        other.group.boost += child.group.boost;
        return;
      }
    }
    node->children.push_back(std::move(child));
  }

  // All words of a text, each for itself, and the names in it.
  std::optional<PlanNode> Text(const Query& query, float boost) {
    PlanNode node;
    node.kind = PlanNode::Kind::kBoolean;
    QueryText text =
        WordsOf(query.text, plan_.statistics->AllForms(plan_.languages, plan_.stop_words), analyser_);
    for (QueryWord& word : text.words) {
      std::vector<QueryWord> one;
      one.push_back(std::move(word));
      AddPart(Written(query, std::move(one), {}, boost), &node);
    }
    const size_t words = node.children.size();
    for (QueryWord& word : text.names) AddWord(query, std::move(word), boost, &node);
    for (size_t i = words; i < node.children.size(); i++) node.children[i].is_name = true;
    if (node.children.empty()) return std::nullopt;
    DropStopWords(&node);
    return node;
  }
  void AddWord(const Query& query, QueryWord word, float boost, PlanNode* node) {
    std::vector<QueryWord> one;
    one.push_back(std::move(word));
    AddPart(Group(query, std::move(one), boost), node);
  }
  void AddPart(std::optional<PlanNode> part, PlanNode* node) {
    if (node->children.size() == kMaxQueryLeaves) {
      return Truncate(fmt::format("only the first {} words were used", kMaxQueryLeaves));
    }
    if (part) AddChild(node, *std::move(part));
  }

  // One typed word.  If it is several (e-mail) it is found as their phrase, or by its name (email).
  std::optional<PlanNode> Word(const Query& query, float boost) {
    QueryText text =
        WordsOf(query.text, plan_.statistics->AllForms(plan_.languages, plan_.stop_words), analyser_);
    return Written(query, std::move(text.words), std::move(text.names), boost);
  }
  // A word in each way of writing it: as it was typed; by its names; and with its parts (db_handle) as words
  // of their own, beside one another.
  std::optional<PlanNode> Written(const Query& query, std::vector<QueryWord> words,
                                  std::vector<QueryWord> names, float boost) {
    std::vector<QueryWord> spread = SpreadParts(words);
    if (!HasPositions(query.field)) spread.clear();
    if (names.empty() && spread.empty()) return Group(query, std::move(words), boost);
    PlanNode node;
    node.kind = PlanNode::Kind::kBoolean;
    node.is_word = true;
    AddPart(Group(query, std::move(words), boost), &node);
    for (QueryWord& name : names) AddWord(query, std::move(name), boost, &node);
    if (!spread.empty()) AddPart(Group(query, std::move(spread), boost), &node);
    if (node.children.empty()) return std::nullopt;
    return node;
  }

  std::optional<PlanNode> Filter(const Query& query) {
    PlanNode node;
    node.kind = PlanNode::Kind::kFilter;
    node.field = query.field;
    node.text = query.text;
    for (const SearchedSegment& searched : plan_.segments) {
      node.filters.emplace_back();
      const index::FieldView* view = searched.segment->field(query.field);
      const auto entry = view == nullptr ? std::nullopt : view->terms.Find(query.text);
      if (!entry) continue;
      auto cursor = view->Open(*entry);
      if (!cursor.ok()) {
        status_ = cursor.status();
        return std::nullopt;
      }
      node.filters.back() = *std::move(cursor);
    }
    return node;
  }

  // Words beside one another.  An index without positions cannot tell: then all of them are required, and for
  // a phrase a note says so.
  std::optional<PlanNode> Group(const Query& query, std::vector<QueryWord> words, float boost) {
    if (words.empty()) return std::nullopt;
    if (words.size() > 1 && !HasPositions(query.field)) return AllOf(query, std::move(words), boost);
    if (words.size() > kMaxPhraseWords) {
      Truncate(fmt::format("only the first {} words of a phrase were used", kMaxPhraseWords));
      words.resize(kMaxPhraseWords);
    }
    PlanNode node;
    node.kind = PlanNode::Kind::kGroup;
    GroupPlan& group = node.group;
    group.boost = boost;
    if (query.kind == Kind::kPhrase) group.window = {.ordered = query.ordered, .slop = query.slop};
    node.is_stop_word = words.size() == 1 && query.field.empty() &&
                        (query.kind == Kind::kText || query.kind == Kind::kWord) &&
                        IsStopWord(words[0].typed);
    if (!group.window.ordered) DropRepeated(&words);
    group.words = std::move(words);
    const uint32_t first = group.words[0].position;
    for (QueryWord& word : group.words) word.position -= first;
    for (const FieldWeight& field : fields_) {
      if (query.field.empty()) group.fields.push_back(field);
    }
    if (!query.field.empty()) group.fields.push_back({query.field, 1});
    if (group.fields.empty()) return std::nullopt;  // an empty index, or one of keywords alone
    status_ = status_.ok() ? Resolve(&group) : status_;
    return node;
  }
  bool HasPositions(const std::string& field) const {
    const auto has = [&](const std::string& name) {
      const auto* known = plan_.statistics->field(name);
      return known != nullptr && known->positions;
    };
    if (!field.empty()) return has(field);
    return fields_.empty() ||  // and then there is nothing to find
           std::any_of(fields_.begin(), fields_.end(), [&](const FieldWeight& f) { return has(f.field); });
  }
  std::optional<PlanNode> AllOf(const Query& query, std::vector<QueryWord> words, float boost) {
    if (query.kind == Kind::kPhrase) {
      Truncate(
          fmt::format("this index has no positions: {} finds every page that has all of its words; "
                      "'crivello index --with positions' makes phrases exact",
                      query.ToString()));
    }
    PlanNode node;
    node.kind = PlanNode::Kind::kBoolean;
    for (QueryWord& word : words) AddWord(query, std::move(word), boost, &node);
    for (PlanNode& child : node.children) child.occur = Query::Occur::kRequired;
    if (node.children.empty()) return std::nullopt;
    return node;
  }

  // Where order does not matter one position has both.
  static void DropRepeated(std::vector<QueryWord>* words) {
    std::vector<QueryWord> once;
    for (QueryWord& word : *words) {
      const bool is_new = std::none_of(once.begin(), once.end(),
                                       [&](const QueryWord& other) { return other.forms == word.forms; });
      if (is_new) once.push_back(std::move(word));
    }
    *words = std::move(once);
  }

  // Finds the lists of all words in all segments, and how frequent each word is.
  Status Resolve(GroupPlan* group) {
    size_t lists = 0;
    for (const QueryWord& word : group->words) lists += word.forms.size() * group->fields.size();
    lists_ += lists;
    const bool too_many = lists_ > QueryPlan::kMaxLists;
    if (too_many) Truncate("the query has too many words: some were ignored");
    bool with_lengths = true;
    // By field, word and form, over all segments.
    std::map<std::tuple<size_t, size_t, size_t>, uint64_t> frequencies;
    for (const SearchedSegment& searched : plan_.segments) {
      std::vector<FieldLists>& here = group->lists.emplace_back(group->fields.size());
      for (size_t f = 0; f < group->fields.size() && !too_many; f++) {
        const index::FieldView* view = searched.segment->field(group->fields[f].field);
        if (view == nullptr) continue;
        if (group->words.size() > 1 && view->lists.contents != index::PostingContents::kPositions) continue;
        here[f].view = view;
        for (size_t w = 0; w < group->words.size(); w++) {
          std::vector<index::PostingCursor>& forms = here[f].words.emplace_back();
          for (size_t i = 0; i < group->words[w].forms.size(); i++) {
            const auto entry = view->terms.Find(group->words[w].forms[i]);
            if (!entry) continue;
            CRV_ASSIGN(index::PostingCursor cursor, view->Open(*entry));
            if (cursor.frequency() == 0) continue;
            frequencies[{f, w, i}] += cursor.frequency();
            plan_.postings += cursor.frequency();
            forms.push_back(std::move(cursor));
          }
          if (forms.empty()) here[f].view = nullptr;
        }
        if (here[f].view == nullptr) continue;
        here[f].lengths = LengthsOf(*view);
        with_lengths &= here[f].lengths != nullptr;
      }
    }
    group->frequencies.assign(group->words.size(), 0);
    for (const auto& [key, frequency] : frequencies) {
      uint64_t& most = group->frequencies[std::get<1>(key)];
      most = std::max(most, frequency);
    }
    group->single =
        group->words.size() == 1 && group->fields.size() == 1 && frequencies.size() <= 1 && with_lengths;
    return Status::Ok();
  }

  // Null if the index keeps none.
  const uint32_t* LengthsOf(const index::FieldView& view) const {
    if (view.lists.contents == index::PostingContents::kDocuments) return nullptr;
    const bool by_maximum = plan_.ranking.ranking == Ranking::kTfIdfMaximum;
    return by_maximum ? plan_.maximum_counts->Of(view) : view.lists.lengths.data();
  }

  // The terms that a pattern stands for, in any field and segment: one word of many forms.
  std::vector<QueryWord> Expand(const Query& query) {
    struct Expansion {
      unsigned distance = 0;
      uint64_t frequency = 0;
    };
    std::map<std::string, Expansion> found;
    const std::string pattern = NormalisedPattern(query.text, analyser_);
    if (pattern.empty() || pattern.find_first_not_of("*?") == std::string::npos) return {};
    bool complete = true;
    for (const SearchedSegment& searched : plan_.segments) {
      for (const FieldWeight& field : fields_) {
        if (!query.field.empty() && query.field != field.field) continue;
        const index::FieldView* view = searched.segment->field(field.field);
        if (view == nullptr) continue;
        const auto matches = Match(query, pattern, view->terms);
        if (matches.status().code() == StatusCode::kInvalidArgument) {
          Truncate(fmt::format("{}: pattern ignored: patterns have at most {} characters", query.ToString(),
                               index::kMaxPattern));
          return {};
        }
        if (!matches.ok()) return Failed(matches.status());
        complete &= matches->complete;
        left_.visited -= std::min(left_.visited, matches->visited);
        left_.found -= std::min<uint64_t>(left_.found, matches->terms.size());
        for (const index::TermMatch& match : matches->terms) {
          const auto cursor = view->Open(match.entry);
          if (!cursor.ok()) return Failed(cursor.status());
          Expansion& expansion = found[match.term];
          expansion.distance = match.distance;
          expansion.frequency += cursor->frequency();
        }
      }
    }
    std::vector<std::pair<std::string, Expansion>> best(found.begin(), found.end());
    std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) {
      if (a.second.distance != b.second.distance) return a.second.distance < b.second.distance;
      return a.second.frequency > b.second.frequency;
    });
    if (best.size() > QueryPlan::kMaxExpansion) {
      complete = false;
      best.resize(QueryPlan::kMaxExpansion);
    }
    if (!complete) {
      Truncate(
          fmt::format("{} matches many words: only {} of them were used", query.ToString(), best.size()));
    }
    QueryWord word;
    for (const auto& [term, expansion] : best) word.forms.push_back(term);
    if (word.forms.empty()) word.forms.push_back(pattern);  // which finds nothing, as it should
    std::sort(word.forms.begin(), word.forms.end());
    std::vector<QueryWord> words;
    words.push_back(std::move(word));
    return words;
  }
  std::vector<QueryWord> Failed(const Status& status) {
    status_ = status;
    return {};
  }
  Result<index::TermMatches> Match(const Query& query, const std::string& pattern,
                                   const index::TermDictionary& terms) const {
    const index::TermLimits limits = {.visited = std::min<uint64_t>(left_.visited, 2'000'000),
                                      .found = std::min<uint64_t>(left_.found, 2'000)};
    if (query.kind == Kind::kFuzzy) return index::TermsNear(terms, pattern, query.edits, limits);
    const size_t wild = pattern.find_first_of("*?");
    if (wild + 1 == pattern.size() && pattern[wild] == '*') {
      return index::TermsWithPrefix(terms, std::string_view(pattern).substr(0, wild), limits);
    }
    return index::TermsLike(terms, pattern, limits);
  }

  void Truncate(std::string note) {
    plan_.truncated = true;
    if (std::find(plan_.notes.begin(), plan_.notes.end(), note) == plan_.notes.end()) {
      plan_.notes.push_back(std::move(note));
    }
  }

  PlanState& plan_;
  text::Analyser& analyser_;
  std::vector<FieldWeight> fields_;
  size_t lists_ = 0;
  // What all patterns of the query together may look at, and find: a quarter of a second.
  index::TermLimits left_ = {.visited = 4'000'000, .found = 20'000};
  Status status_;
};

}  // namespace

std::vector<FieldWeight> DefaultFields() {
  return {{"title", 4, 0.3f},  {"headings", 1.5f, {}}, {"body", 1, {}},
          {"anchor", 3, 0.0f}, {"url", 1, 0.3f},       {"rest", 0.3f, {}}};
}

QueryPlan::QueryPlan(std::unique_ptr<PlanState> state) : state_(std::move(state)) {}
QueryPlan::~QueryPlan() = default;
QueryPlan::QueryPlan(QueryPlan&&) noexcept = default;
QueryPlan& QueryPlan::operator=(QueryPlan&&) noexcept = default;

Result<QueryPlan> QueryPlan::Make(const Query& query, std::span<const SearchedSegment> segments,
                                  const CollectionStatistics& statistics, const Options& options,
                                  text::Analyser& analyser) {
  auto state = std::make_unique<PlanState>();
  state->segments.assign(segments.begin(), segments.end());
  state->statistics = &statistics;
  state->ranking = options.ranking;
  state->maximum_counts = options.maximum_counts;
  state->languages = options.languages;
  state->stop_words = options.stop_words;
  CRV_TRY(Planner(state.get(), analyser).Plan(query));
  return QueryPlan(std::move(state));
}

float QueryPlan::scale() const { return state_->scale; }
const std::vector<std::string>& QueryPlan::notes() const { return state_->notes; }
bool QueryPlan::truncated() const { return state_->truncated; }
uint64_t QueryPlan::postings() const { return state_->postings; }
const std::vector<std::string>& QueryPlan::terms() const { return state_->terms; }

std::vector<std::string> QueryPlan::UnknownWords() const {
  std::vector<std::string> unknown;
  const auto visit = [&](const PlanNode& node, const auto& self) -> void {
    if (node.occur == Query::Occur::kExcluded || node.is_name) return;
    // Known in one of the ways of writing it.
    if (node.is_word && node.IsKnown()) return;
    for (size_t w = 0; node.kind == PlanNode::Kind::kGroup && w < node.group.words.size(); w++) {
      const std::string& typed = node.group.words[w].typed;
      if (!typed.empty() && node.group.frequencies[w] == 0) unknown.push_back(typed);
    }
    for (const PlanNode& child : node.children) self(child, self);
  };
  if (state_->root) visit(*state_->root, visit);
  return unknown;
}

}  // namespace crivello::search
