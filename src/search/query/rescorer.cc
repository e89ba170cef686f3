// SPDX-License-Identifier: Apache-2.0
#include "search/query/rescorer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "base/ascii.h"
#include "index/segments/document_values.h"
#include "index/tables/page_names.h"
#include "search/query/passages.h"
#include "search/query/plan_nodes.h"
#include "search/query/query_languages.h"
#include "store/cells.h"
#include "web/url/public_suffix.h"

namespace crivello::search {
namespace {

constexpr size_t kMaxWords = 64;
// Of the most that the words could bring.
constexpr double kPinned = 4;
constexpr double kRaised = 0.5;
// Of what a home page gets whose site has the query for its whole name: one of whose name it is a part.
constexpr double kHalfNamed = 0.5;
// A name that more pages have is none: it is the site's.
constexpr uint64_t kMaxNamesakes = 2000;
// Where all words in one field say something, the title first.
constexpr std::array<std::string_view, 4> kTellingFields = {"title", "headings", "anchor", "url"};

constexpr std::array<std::string_view, 14> kPartNames = {"query is the title",
                                                         "query is a part of the title",
                                                         "query is the site's name",
                                                         "query is the text of links",
                                                         "words in the title",
                                                         "all words in one field",
                                                         "all words of the query",
                                                         "words in one passage",
                                                         "words where the page begins",
                                                         "name of the site",
                                                         "depth of the URL",
                                                         "language",
                                                         "site",
                                                         "mostly links"};

// A node that stands for a word that was typed, or a phrase.
void CollectWords(const PlanNode& node, std::vector<const PlanNode*>* words) {
  if (node.occur == Query::Occur::kExcluded || node.is_name || words->size() == kMaxWords) return;
  if (node.kind == PlanNode::Kind::kGroup || node.is_word) {
    words->push_back(&node);
    return;
  }
  for (const PlanNode& child : node.children) CollectWords(child, words);
}

float IdfOf(const PlanNode& node) {
  if (node.kind == PlanNode::Kind::kGroup) return node.group.idf * node.group.boost;
  float most = 0;
  for (const PlanNode& child : node.children) most = std::max(most, IdfOf(child));
  return most;
}

std::string TypedOf(const PlanNode& node) {
  if (node.kind != PlanNode::Kind::kGroup) return node.children.empty() ? "" : TypedOf(node.children[0]);
  std::string typed;
  for (const QueryWord& word : node.group.words) {
    typed += typed.empty() ? "" : " ";
    typed += word.typed.empty() ? word.forms[0] : word.typed;
  }
  return typed;
}

void AppendNameText(const Query& query, bool* plain, std::string* text) {
  using Kind = Query::Kind;
  if (query.occur == Query::Occur::kExcluded || IsFilter(query) || query.kind == Kind::kDate) return;
  switch (query.kind) {
    case Kind::kBoolean:
      for (const Query& child : query.children) AppendNameText(child, plain, text);
      return;
    case Kind::kText:
    case Kind::kWord:
    case Kind::kPhrase:
      *plain &= query.field.empty();
      *text += (text->empty() ? "" : " ") + query.text;
      return;
    case Kind::kNothing:
    case Kind::kAll:
      return;
    case Kind::kWildcard:
    case Kind::kFuzzy:
    case Kind::kDate:
      *plain = false;
  }
}

}  // namespace

std::string NameTextOf(const Query& query) {
  std::string text;
  bool plain = true;
  AppendNameText(query, &plain, &text);
  return plain ? text : std::string();
}

// What the documents of one segment have; they are asked for in increasing order.
class Rescorer::InSegment {
 public:
  InSegment(const Rescorer& rescorer, uint32_t segment)
      : rescorer_(rescorer), searched_(rescorer.plan_.segments[segment]) {
    for (const PlanNode* word : rescorer.words_) AddLists(*word, segment, &words_.emplace_back());
    if (const index::FieldView* title = searched_.segment->field("title");
        title != nullptr && title->lists.contents != index::PostingContents::kDocuments) {
      title_lengths_ = title->lists.lengths.data();
    }
    const index::FieldView* names = searched_.segment->field("name");
    for (size_t kind = 0; names != nullptr && kind < names_.size(); kind++) {
      if (rescorer.names_[kind].empty()) continue;
      if (const auto entry = names->terms.Find(rescorer.names_[kind])) {
        if (auto cursor = names->Open(*entry); cursor.ok()) names_[kind] = *std::move(cursor);
      }
    }
    depths_ = searched_.segment->values().numbers(index::column::kDepth);
    kinds_ = searched_.segment->values().numbers(index::column::kKind);
    languages_ = searched_.segment->values().strings(index::column::kLanguage);
    sites_ = searched_.segment->values().strings(index::column::kSite);
  }

  // Words that the document has: a bit each.
  uint64_t WordsOf(DocId doc) {
    in_field_ = {};
    in_body_.clear();
    uint64_t found = 0;
    uint64_t before = 0;  // words
    for (size_t w = 0; w < words_.size(); w++) {
      const uint64_t word = uint64_t{1} << w;
      for (Lists& lists : words_[w]) {
        const bool tells = lists.field < kTellingFields.size();
        // Of other fields than the title it matters whether they have all words, and not which.
        const bool matters = lists.is_body || lists.field == 0 || (tells && in_field_[lists.field] == before);
        if (!matters && (found & word) != 0) continue;
        lists.occurrences->SeekTo(doc);
        if (lists.occurrences->doc() != doc || !lists.occurrences->Matches()) continue;
        found |= word;
        if (lists.is_body) in_body_.push_back({w, lists.occurrences.get()});
        if (tells) in_field_[lists.field] |= word;
      }
      before |= word;
    }
    return found;
  }

  Values Of(DocId doc) {
    const SecondPhase& weights = rescorer_.ranking_.second;
    Values values = {};
    const uint64_t found = WordsOf(doc);
    const uint64_t all = words_.size() == kMaxWords ? ~uint64_t{0} : (uint64_t{1} << words_.size()) - 1;
    const double most = rescorer_.most_;
    for (size_t kind = 0; kind < names_.size(); kind++) {
      if (!names_[kind]) continue;
      names_[kind]->SeekTo(doc);
      if (names_[kind]->doc() != doc) continue;
      Quanta& value = values[kind % kNamesKinds];
      value = std::max(value, rescorer_.Rounded(rescorer_.name_values_[kind]));
    }
    if (!words_.empty()) {
      if (in_field_[0] != 0 && title_lengths_ != nullptr) {
        const double share = rescorer_.ShareOf(in_field_[0]);
        const auto words = in_field_[0] == all
                               ? static_cast<double>(std::max(rescorer_.query_length_, words_.size()))
                               : static_cast<double>(std::popcount(in_field_[0]));
        const double filled = std::min(1.0, words / std::max<double>(1, title_lengths_[doc]));
        values[kTitle] = rescorer_.Rounded(most * weights.title * share * share * filled);
      }
      if (std::find(in_field_.begin(), in_field_.end(), all) != in_field_.end()) {
        values[kField] = rescorer_.Rounded(most * weights.field);
      }
      if (found == all) values[kAll] = rescorer_.Rounded(most * weights.all);
      if (rescorer_.reads_passages_) SetPassages(&values);
    }
    if (depths_ != nullptr) {
      values[kHome] =
          rescorer_.Rounded(weights.home / static_cast<double>(1 + std::max<int64_t>((*depths_)[doc], 0)));
    }
    constexpr auto kListed = static_cast<int64_t>(store::PageKind::kListing);
    if (kinds_ != nullptr && (*kinds_)[doc] == kListed) {
      values[kListing] = rescorer_.Rounded(-most * weights.listing);
    }
    if (languages_ != nullptr && weights.language > 0 && IsPreferred(languages_->NumberOf(doc))) {
      values[kLanguage] = rescorer_.Rounded(weights.language);
    }
    if (sites_ != nullptr && (rescorer_.ranking_.sites.any() || weights.site + weights.name_home > 0)) {
      const uint64_t number = sites_->NumberOf(doc);
      auto known = by_site_.find(number);
      if (known == by_site_.end()) {
        known = by_site_.emplace(number, ValuesOf((*sites_)[doc])).first;
      }
      values[kSiteName] = known->second.name;
      constexpr auto kHomePage = static_cast<int64_t>(store::PageKind::kHome);
      if (values[kHomeName] == 0 && kinds_ != nullptr && (*kinds_)[doc] == kHomePage) {
        values[kHomeName] = known->second.home;
      }
      values[kSite] = known->second.preference;
    }
    return values;
  }

  template <typename Each>
  void ForEachNamed(Each&& each) {
    for (std::optional<index::PostingCursor>& name : names_) {
      if (!name) continue;
      for (; name->doc() != kEndDoc; name->Next()) each(name->doc());
    }
  }
  uint64_t namesakes(size_t kind) const { return names_[kind] ? names_[kind]->frequency() : 0; }
  int64_t DepthOf(DocId doc) const { return depths_ == nullptr ? 0 : (*depths_)[doc]; }

 private:
  struct Lists {
    size_t field;  // of kTellingFields, or as many
    bool is_body;  // and has positions, which are wanted
    bool has_most;
    std::unique_ptr<Occurrences> occurrences;
  };
  struct InBody {
    size_t word;
    Occurrences* occurrences;
  };

  bool IsPreferred(uint64_t language) {
    const auto known = preferred_.find(language);
    if (known != preferred_.end()) return known->second;
    return preferred_.emplace(language, rescorer_.Prefers(languages_->String(language))).first->second;
  }

  // By what WordsOf() found.
  void SetPassages(Values* values) {
    const SecondPhase& weights = rescorer_.ranking_.second;
    std::vector<PlacedWord> places;
    uint64_t leading = in_field_[0];
    for (const InBody& here : in_body_) {
      places.push_back({here.occurrences->positions(), here.word, rescorer_.idfs_[here.word]});
      if (places.back().positions.front() < kLeadWords) leading |= uint64_t{1} << here.word;
    }
    const double most = rescorer_.most_;
    if (!places.empty()) {
      const double share =
          static_cast<double>(BestPassage(places, kPassageWords)) / static_cast<double>(rescorer_.idf_sum_);
      (*values)[kPassage] = rescorer_.Rounded(most * weights.passage * share * share);
    }
    const double share = rescorer_.ShareOf(leading);
    (*values)[kLead] = rescorer_.Rounded(most * weights.lead * share * share);
  }

  void AddLists(const PlanNode& node, uint32_t segment, std::vector<Lists>* out) const {
    for (const PlanNode& child : node.children) AddLists(child, segment, out);
    if (node.kind != PlanNode::Kind::kGroup) return;
    for (size_t f = 0; f < node.group.fields.size(); f++) {
      std::unique_ptr<Occurrences> occurrences = OccurrencesIn(node.group, node.group.lists[segment][f]);
      if (occurrences == nullptr) continue;
      const auto field = std::find(kTellingFields.begin(), kTellingFields.end(), node.group.fields[f].field);
      const index::FieldView& view = *node.group.lists[segment][f].view;
      const bool is_body = rescorer_.reads_passages_ && view.name == "body" &&
                           view.lists.contents == index::PostingContents::kPositions;
      out->push_back({static_cast<size_t>(field - kTellingFields.begin()), is_body, view.name == "body",
                      std::move(occurrences)});
    }
    // Most words are in the body, where they are not looked for in the other fields.
    std::stable_sort(out->begin(), out->end(), [](const Lists& a, const Lists& b) {
      const auto place = [](const Lists& lists) { return lists.field == 0 ? 0 : lists.has_most ? 1 : 2; };
      return place(a) < place(b);
    });
  }

  const Rescorer& rescorer_;
  const SearchedSegment& searched_;
  std::vector<std::vector<Lists>> words_;
  std::array<uint64_t, kTellingFields.size()> in_field_ = {};
  std::vector<InBody> in_body_;
  const uint32_t* title_lengths_ = nullptr;
  std::array<std::optional<index::PostingCursor>, 2 * kNamesKinds> names_;
  const index::NumberColumn* depths_ = nullptr;
  const index::NumberColumn* kinds_ = nullptr;
  const index::StringColumn* languages_ = nullptr;
  const index::StringColumn* sites_ = nullptr;
  struct SiteValues {
    Quanta name = 0;
    Quanta home = 0;
    Quanta preference = 0;
  };
  SiteValues ValuesOf(const std::string& site) const {
    const SecondPhase& weights = rescorer_.ranking_.second;
    const double most = rescorer_.most_;
    const AskedName asked = rescorer_.AskedOf(site);
    const double name = (rescorer_.ranking_.bm25.k1 + 1) * weights.site * asked.idf;
    const double home = asked.all ? most * weights.name_home * kHalfNamed * asked.share : 0;
    return {rescorer_.Rounded(name * asked.share), rescorer_.Rounded(home),
            rescorer_.Rounded(most * rescorer_.SiteValue(site))};
  }
  std::map<uint64_t, SiteValues> by_site_;
  std::map<uint64_t, bool> preferred_;  // languages
};

Rescorer::Rescorer(const QueryPlan& plan, const Query& query, const RankingOptions& ranking,
                   const CollectionStatistics& statistics, std::vector<std::string> languages)
    : plan_(plan.state()), ranking_(ranking), languages_(std::move(languages)) {
  active_ = ranking.HasSecondPhase() && plan_.root.has_value();
  if (!plan_.root) return;
  CollectWords(*plan_.root, &words_);
  for (const PlanNode* word : words_) {
    idfs_.push_back(IdfOf(*word));
    idf_sum_ += idfs_.back();
  }
  most_ = (ranking.bm25.k1 + 1) * idf_sum_;
  reads_passages_ =
      active_ && words_.size() >= kLeastPassageWords && ranking.second.passage + ranking.second.lead > 0;
  if (!active_) return;
  const std::string key = index::NameKey(NameTextOf(query));
  query_length_ = static_cast<size_t>(std::count(key.begin(), key.end(), ' ')) + (key.empty() ? 0 : 1);
  if (key.empty()) return;
  std::string joined = key;
  std::erase(joined, ' ');
  for (size_t kind = 0; kind < kNamesKinds; kind++) {
    const auto named = static_cast<index::NameKind>(index::kNameKinds[kind]);
    names_[kind] = index::NameTerm(named, key);
    const bool joins = query_length_ > 1 && query_length_ <= kMaxJoined;
    if (joins) names_[kind + kNamesKinds] = index::NameTerm(named, joined);
  }
  std::array<uint64_t, 2 * kNamesKinds> namesakes = {};
  for (uint32_t i = 0; i < plan_.segments.size(); i++) {
    const InSegment here(*this, i);
    for (size_t kind = 0; kind < names_.size(); kind++) namesakes[kind] += here.namesakes(kind);
  }
  const SecondPhase& weights = ranking.second;
  const std::array<float, kNamesKinds> by_kind = {weights.name_title, weights.name_part, weights.name_home,
                                                  weights.name_anchor};
  for (size_t kind = 0; kind < names_.size(); kind++) {
    if (namesakes[kind] == 0 || namesakes[kind] > kMaxNamesakes) {
      names_[kind].clear();
      continue;
    }
    const double documents = static_cast<double>(statistics.documents);
    const double rarity =
        std::log1p(documents / static_cast<double>(namesakes[kind])) / std::log1p(documents);
    name_values_[kind] = static_cast<float>(most_ * by_kind[kind % kNamesKinds] * rarity);
  }
}
Rescorer::~Rescorer() = default;

Quanta Rescorer::Rounded(double value) const {
  return static_cast<Quanta>(std::lround(value * static_cast<double>(plan_.scale)));
}

bool Rescorer::Prefers(std::string_view language) const {
  return !language.empty() && std::any_of(languages_.begin(), languages_.end(), [&](const std::string& one) {
    return PrimaryLanguage(one) == PrimaryLanguage(language);
  });
}

double Rescorer::SiteValue(std::string_view site) const {
  const auto has = [&](const std::vector<std::string>& sites) {
    return std::any_of(sites.begin(), sites.end(), [&](const std::string& one) {
      return site.ends_with(one) && (site.size() == one.size() || site[site.size() - one.size() - 1] == '.');
    });
  };
  const SitePreferences& sites = ranking_.sites;
  return (has(sites.pinned) ? kPinned : 0) + (has(sites.raised) ? kRaised : 0) -
         (has(sites.lowered) ? kRaised : 0);
}

double Rescorer::ShareOf(uint64_t words) const {
  double share = 0;
  for (size_t w = 0; w < idfs_.size(); w++) share += (words >> w & 1) != 0 ? idfs_[w] : 0;
  return idf_sum_ == 0 ? 1 : share / idf_sum_;
}

Rescorer::AskedName Rescorer::AskedOf(std::string_view host) const {
  std::string_view name = host;
  if (const auto domain = web::PublicSuffixList::BuiltIn().RegistrableDomain(host); !domain.empty())
    name = domain;
  name = name.substr(0, name.find('.'));
  size_t parts = 0;
  size_t asked = 0;
  float idf = 0;
  while (!name.empty()) {
    const size_t end = std::min(name.find('-'), name.size());
    std::string_view part = name.substr(0, end);
    name.remove_prefix(std::min(end + 1, name.size()));
    while (part.size() > 2 && IsAsciiDigit(part.back())) part.remove_suffix(1);
    if (part.empty()) continue;
    parts++;
    for (size_t w = 0; w < words_.size(); w++) {
      if (words_[w]->kind != PlanNode::Kind::kGroup || words_[w]->group.words.size() != 1) continue;
      const std::vector<std::string>& forms = words_[w]->group.words[0].forms;
      if (std::find(forms.begin(), forms.end(), part) == forms.end()) continue;
      asked++;
      idf = std::max(idf, idfs_[w]);
      break;
    }
  }
  if (parts == 0) return {};
  return {static_cast<double>(asked) / static_cast<double>(parts), idf, asked == words_.size()};
}

std::vector<Hit> Rescorer::Named() const {
  struct Page {
    int64_t depth;
    Hit hit;
  };
  std::vector<Page> pages;
  if (!active_ || std::all_of(names_.begin(), names_.end(), [](const auto& name) { return name.empty(); })) {
    return {};
  }
  for (uint32_t i = 0; i < plan_.segments.size(); i++) {
    InSegment here(*this, i);
    here.ForEachNamed([&](DocId doc) { pages.push_back({here.DepthOf(doc), {0, i, doc}}); });
  }
  const auto place = [](const Page& page) { return std::tie(page.hit.segment, page.hit.doc); };
  std::sort(pages.begin(), pages.end(), [&](const Page& a, const Page& b) {
    return a.depth != b.depth ? a.depth < b.depth : place(a) < place(b);
  });
  std::vector<Hit> hits;
  for (const Page& page : pages) {
    if (std::find(hits.begin(), hits.end(), page.hit) == hits.end()) hits.push_back(page.hit);
    if (hits.size() == kMaxNamed) break;
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return a.segment != b.segment ? a.segment < b.segment : a.doc < b.doc;
  });
  return hits;
}

void Rescorer::Rescore(std::vector<Hit>* hits) const {
  if (!active_) return;
  std::vector<Hit*> in_order;
  for (Hit& hit : *hits) in_order.push_back(&hit);
  std::sort(in_order.begin(), in_order.end(), [](const Hit* a, const Hit* b) {
    return a->segment != b->segment ? a->segment < b->segment : a->doc < b->doc;
  });
  std::optional<InSegment> here;
  uint32_t segment = 0;
  for (Hit* hit : in_order) {
    if (!here || hit->segment != segment) {
      segment = hit->segment;
      here.emplace(*this, segment);
    }
    for (const Quanta value : here->Of(hit->doc)) hit->score += value;
  }
}

std::vector<std::string> Rescorer::Missing(const Hit& hit) const {
  std::vector<std::string> missing;
  if (last_ == nullptr || last_hit_.segment != hit.segment || last_hit_.doc > hit.doc) {
    last_ = std::make_unique<InSegment>(*this, hit.segment);
  }
  last_hit_ = hit;
  const uint64_t found = last_->WordsOf(hit.doc);
  for (size_t w = 0; w < words_.size(); w++) {
    if ((found >> w & 1) == 0 && words_[w]->IsKnown()) missing.push_back(TypedOf(*words_[w]));
  }
  return missing;
}

Explanation Rescorer::Explain(const Hit& hit) const {
  Explanation out{"second phase", 0, {}};
  if (!active_) return out;
  const Values values = InSegment(*this, hit.segment).Of(hit.doc);
  for (size_t part = 0; part < values.size(); part++) {
    if (values[part] == 0) continue;
    const double value = static_cast<double>(values[part]) / static_cast<double>(plan_.scale);
    out.value += value;
    out.parts.push_back({std::string(kPartNames[part]), value, {}});
  }
  out.how = fmt::format("the words of the query could bring {:.4g} at most", most_);
  return out;
}

}  // namespace crivello::search
