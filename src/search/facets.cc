// SPDX-License-Identifier: Apache-2.0
#include "search/facets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "base/civil_time.h"
#include "index/segments/document_values.h"
#include "search/query/page_dates.h"

namespace crivello::search {
namespace {

constexpr std::array<std::string_view, 4> kFacetNames = {"site", "lang", "type", "year"};
// So many windows of documents cover a collection that is too large to be counted whole.
constexpr DocId kFacetWindows = 64;

std::string_view ColumnOf(std::string_view facet) {
  if (facet == "site") return index::column::kSite;
  return facet == "lang" ? index::column::kLanguage : index::column::kType;
}

// The values of one facet: weights by the numbers of a segment's strings, and by name over all segments.
class FacetCounter {
 public:
  explicit FacetCounter(std::string name) : name_(std::move(name)) {}

  void Enter(const index::DocumentValues& values) {
    Leave();
    strings_ = name_ == "year" ? nullptr : values.strings(ColumnOf(name_));
    if (strings_ != nullptr) by_number_.assign(strings_->strings(), 0);
    if (name_ == "year") dates_ = std::make_unique<PageDates>(values);
  }
  void Add(DocId doc, double weight) {
    if (strings_ != nullptr) {
      const uint64_t number = strings_->NumberOf(doc);
      if (number < by_number_.size()) by_number_[number] += weight;
    } else if (dates_ != nullptr) {
      if (const PageDate date = dates_->Of(doc); date.seconds != 0) {
        counts_[FormatRfc3339(date.seconds).substr(0, 4)] += weight;
      }
    }
  }
  void Leave() {
    for (size_t i = 0; strings_ != nullptr && i < by_number_.size(); i++) {
      if (by_number_[i] > 0) counts_[strings_->String(i)] += by_number_[i];
    }
    strings_ = nullptr;
    dates_ = nullptr;
  }
  Facet Result(bool about) const {
    Facet facet{name_, {}, about};
    for (const auto& [value, weight] : counts_) {
      if (!value.empty()) facet.values.push_back({value, static_cast<uint64_t>(std::llround(weight))});
    }
    std::stable_sort(facet.values.begin(), facet.values.end(),
                     [](const FacetValue& a, const FacetValue& b) { return a.pages > b.pages; });
    facet.values.resize(std::min(facet.values.size(), kMaxFacetValues));
    return facet;
  }

 private:
  std::string name_;
  const index::StringColumn* strings_ = nullptr;
  std::vector<double> by_number_;
  std::unique_ptr<PageDates> dates_;
  std::map<std::string, double> counts_;
};

}  // namespace

std::span<const std::string_view> FacetNames() { return kFacetNames; }

Status CheckFacets(std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (std::find(kFacetNames.begin(), kFacetNames.end(), name) != kFacetNames.end()) continue;
    return Status::InvalidArgument(
        fmt::format("unknown facet '{}'; choose from {}", name, fmt::join(kFacetNames, ", ")));
  }
  return Status::Ok();
}

std::vector<Facet> CountFacets(std::span<const std::string> names, std::span<const SearchedSegment> segments,
                               const std::function<std::unique_ptr<DocIterator>(size_t segment)>& documents,
                               uint64_t max_pages, Stopper& stopper) {
  std::vector<FacetCounter> counters;
  for (const std::string& name : names) counters.emplace_back(name);
  DocId all = 0;
  for (const SearchedSegment& searched : segments) all += searched.segment->documents();
  const DocId window = all / kFacetWindows + 1;
  const uint64_t most_in_window = max_pages / kFacetWindows + 1;
  bool about = false;
  std::vector<DocId> found;
  for (size_t i = 0; i < segments.size(); i++) {
    for (FacetCounter& counter : counters) counter.Enter(segments[i].segment->values());
    const std::unique_ptr<DocIterator> list = documents(i);
    const DocId end = segments[i].segment->documents();
    for (DocId begin = 0; begin < end && !stopper.Stop(); begin += window) {
      const DocId last = std::min(end, begin + window);
      found.clear();
      list->SeekTo(begin);
      while (list->doc() < last && found.size() < most_in_window) {
        if (list->Matches()) found.push_back(list->doc());
        list->Next();
      }
      // What was found lies in a part of the window; the rest is taken to be like it.
      const bool whole = list->doc() >= last;
      const double share = whole || found.empty() ? 1
                                                  : static_cast<double>(found.back() + 1 - begin) /
                                                        static_cast<double>(last - begin);
      about |= !whole;
      for (const DocId doc : found) {
        for (FacetCounter& counter : counters) counter.Add(doc, 1 / share);
      }
    }
  }
  std::vector<Facet> facets;
  for (FacetCounter& counter : counters) {
    counter.Leave();
    facets.push_back(counter.Result(about || stopper.stopped()));
  }
  return facets;
}

}  // namespace crivello::search
