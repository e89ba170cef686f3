// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/external_sorter.h"
#include "base/image.h"
#include "graph/names/name_list.h"
#include "graph/names/name_list_writer.h"
#include "jobs/graph/page_states.h"

namespace crivello::jobs {
namespace {

using graph::Node;

constexpr uint64_t kLinksBetweenLooks = 1 << 14;
// Half of the memory is for the states of pages, the rest for sorts, this many of which run at a time.
constexpr uint64_t kSortsAtATime = 3;

// A key and a number, ordered by the key and then by the number: key, NUL, four bytes.
void SetNumbered(std::string_view key, uint32_t number, std::string* record) {
  record->assign(key);
  *record += '\0';
  for (const int shift : {24, 16, 8, 0}) *record += static_cast<char>(number >> shift & 0xff);
}
std::string_view KeyOfNumbered(std::string_view record) { return record.substr(0, record.size() - 5); }
uint32_t BigEndian(std::string_view bytes) {
  uint32_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return number;
}
uint32_t NumberOfNumbered(std::string_view record) { return BigEndian(record.substr(record.size() - 4)); }

// Finds the numbers of keys, requested in increasing order, among numbered records.
class NumberedLookup {
 public:
  explicit NumberedLookup(ExternalSorter& records) : records_(records) {}
  Status Start() {
    CRV_TRY(records_.Sort());
    any_ = records_.Next();
    return records_.status();
  }
  // REQUIRES: not less than in the previous call.
  std::optional<uint32_t> Find(std::string_view key) {
    while (any_ && KeyOfNumbered(records_.record()) < key) any_ = records_.Next();
    if (!any_ || KeyOfNumbered(records_.record()) != key) return std::nullopt;
    return NumberOfNumbered(records_.record());
  }
  const Status& status() const { return records_.status(); }

 private:
  ExternalSorter& records_;
  bool any_ = false;
};

// The numbers of a level's nodes, by row key: for pages from their list of names, for hosts by the part of
// the key that names the host.  Keys must be requested in increasing order.
class NodeNumbers {
 public:
  // `prefixes` has the numbered prefixes of hosts; null: nodes are pages.
  NodeNumbers(const graph::NameList& names, ExternalSorter* prefixes) : names_(names) {
    if (prefixes != nullptr) prefixes_.emplace(*prefixes);
  }
  Status Start() {
    if (prefixes_) return prefixes_->Start();
    page_.emplace(names_.Begin());
    return Status::Ok();
  }
  std::optional<uint32_t> Find(std::string_view row_key) {
    if (prefixes_) return prefixes_->Find(HostPrefix(row_key));
    while (page_->valid() && page_->name() < row_key) page_->Next();
    if (!page_->valid() || page_->name() != row_key) return std::nullopt;
    return page_->node();
  }
  Status status() const { return prefixes_ ? prefixes_->status() : Status::Ok(); }

 private:
  const graph::NameList& names_;
  std::optional<NumberedLookup> prefixes_;
  std::optional<graph::NameList::Cursor> page_;
};

class GraphBuilder {
 public:
  GraphBuilder(std::span<const LinkTablet> tablets, const LinksFiles& links, const BuildGraphOptions& options,
               Progress& progress)
      : tablets_(tablets),
        links_(links),
        options_(options),
        progress_(progress),
        states_({.memory_bytes = options.memory_bytes / 2,
                 .folder = options.folder,
                 .frontier = options.frontier && pages(),
                 .excluded = options.excluded,
                 .stop = options.stop,
                 .fs = options.fs}) {}

  Result<GraphBuildSummary> Build(const CountedSink& sink) {
    CRV_TRY(states_.ReadRows(tablets_, progress_));
    summary_.rows = states_.rows();
    if (options_.frontier && pages()) CRV_TRY(AddFrontier());
    CRV_TRY(states_.Resolve(progress_));
    ExternalSorter prefixes = NewSorter();
    CRV_TRY(pages() ? WritePageNames() : WriteHostNames(&prefixes));
    CRV_ASSIGN(const auto names,
               Mapped<graph::NameList>::Open(options_.names_path, {.verify = Verify::kEnvelope}));
    summary_.nodes = names->size();
    NodeNumbers numbers(*names, pages() ? nullptr : &prefixes);
    ExternalSorter by_source = NewSorter();
    CRV_TRY(FindTargets(numbers, &by_source));
    CRV_TRY(pages() ? EmitPages(*names, by_source, sink) : EmitHosts(numbers, by_source, sink));
    return summary_;
  }

 private:
  bool pages() const { return options_.level == GraphLevel::kPage; }
  ExternalSorter NewSorter() const {
    return ExternalSorter({.folder = options_.folder,
                           .memory_bytes = options_.memory_bytes / 2 / kSortsAtATime,
                           .fs = options_.fs});
  }
  Status Look(uint64_t* count) {
    if (++*count % kLinksBetweenLooks != 0) return Status::Ok();
    progress_.Advance(kLinksBetweenLooks);
    if (options_.stop.stop_requested()) return Status::Unavailable("the job that builds a graph was stopped");
    return Status::Ok();
  }
  // Whether a link counts, provided that its source does.
  bool Counts(const LinkRecord& link) const {
    switch (link.kind) {
      case LinkKind::kAnchor:
      case LinkKind::kArea:
      case LinkKind::kLink:
      case LinkKind::kIframe:
      case LinkKind::kFrame:
      case LinkKind::kRefresh:
        break;
      default:
        return false;
    }
    if ((link.flags & link_flag::kSourceFailed) != 0) return false;
    constexpr int kReserved = link_flag::kNofollow | link_flag::kSourceNofollow;
    return options_.keep_nofollow || (link.flags & kReserved) == 0;
  }

  // Passes all URLs to which pages link to the states.
  Status AddFrontier() {
    progress_.Start("looking for pages that were not fetched", links_.links());
    uint64_t count = 0;
    std::string last;
    MergedLinks links(links_);
    while (links.Next()) {
      CRV_TRY(Look(&count));
      if (!Counts(links.link()) || links.link().target == last || Excluded(links.link().target)) continue;
      last = links.link().target;
      CRV_TRY(states_.AddLinked(last));
    }
    progress_.Finish();
    return links.status();
  }
  bool Excluded(std::string_view row_key) const { return options_.excluded && options_.excluded(row_key); }

  Status WritePageNames() {
    progress_.Start("numbering pages", 0);
    uint64_t count = 0;
    CRV_ASSIGN(auto writer, NewNames(kRowKeyForm));
    CRV_TRY(states_.StartNodes());
    while (states_.NextNode()) {
      CRV_TRY(Look(&count));
      CRV_TRY(writer.Add(states_.node()));
    }
    CRV_TRY(states_.status());
    CRV_ASSIGN(summary_.names_identity, writer.Finish());
    progress_.Finish();
    return Status::Ok();
  }

  // Hosts are sorted by name; each comes with the prefix of its rows, which then gets its number.  Several
  // hosts of a domain have the same name.
  Status WriteHostNames(ExternalSorter* prefixes) {
    progress_.Start("numbering hosts", 0);
    uint64_t count = 0;
    ExternalSorter by_name = NewSorter();
    std::string record, last;
    const auto add = [&](std::string_view row_key) -> Status {
      CRV_TRY(Look(&count));
      const std::string_view prefix = HostPrefix(row_key);
      if (prefix == last) return Status::Ok();
      last = prefix;
      CRV_ASSIGN(record, HostNameOfRow(options_.level, row_key));
      record += '\0';
      record += prefix;
      return by_name.Add(record);
    };
    CRV_TRY(states_.StartNodes());
    while (states_.NextNode()) CRV_TRY(add(states_.node()));
    CRV_TRY(states_.status());
    CRV_TRY(states_.StartMoved());
    while (states_.NextMoved()) CRV_TRY(add(states_.moved_target()));
    CRV_TRY(states_.status());
    MergedLinks links(links_);
    while (links.Next()) {
      if (Counts(links.link()) && !Excluded(links.link().target)) CRV_TRY(add(links.link().target));
    }
    CRV_TRY(links.status());

    CRV_ASSIGN(auto writer, NewNames(kHostForm));
    CRV_TRY(by_name.Sort());
    last.clear();
    while (by_name.Next()) {
      const std::string_view both = by_name.record();
      const std::string_view name = both.substr(0, both.find('\0'));
      if (writer.size() == 0 || name != last) {
        last = name;
        CRV_TRY(writer.Add(name));
      }
      SetNumbered(both.substr(name.size() + 1), static_cast<uint32_t>(writer.size() - 1), &record);
      CRV_TRY(prefixes->Add(record));
    }
    CRV_TRY(by_name.status());
    CRV_ASSIGN(summary_.names_identity, writer.Finish());
    progress_.Finish();
    return Status::Ok();
  }

  Result<graph::NameListWriter> NewNames(std::string_view form) const {
    return graph::NameListWriter::Create(
        {.path = options_.names_path, .form = std::string(form), .fs = options_.fs});
  }

  // Joins links with the numbers of their targets; the result is sources with numbers.
  Status FindTargets(NodeNumbers& numbers, ExternalSorter* by_source) {
    // The targets of URLs that lead elsewhere.
    progress_.Start("finding targets of links", links_.links());
    ExternalSorter moved = NewSorter();
    std::string record;
    uint64_t count = 0;
    CRV_TRY(numbers.Start());
    CRV_TRY(states_.StartMoved());
    while (states_.NextMoved()) {
      const auto number = numbers.Find(states_.moved_target());
      if (!number) continue;
      SetNumbered(states_.moved_from(), *number, &record);
      CRV_TRY(moved.Add(record));
    }
    CRV_TRY(states_.status());
    CRV_TRY(numbers.status());

    NumberedLookup moved_numbers(moved);
    CRV_TRY(moved_numbers.Start());
    CRV_TRY(numbers.Start());
    std::string target;
    std::optional<uint32_t> number;
    MergedLinks links(links_);
    while (links.Next()) {
      CRV_TRY(Look(&count));
      const LinkRecord link = links.link();
      if (!Counts(link) || Excluded(link.target) || Excluded(link.source)) continue;
      if (link.target != target) {
        target = link.target;
        number = moved_numbers.Find(target);
        if (!number) number = numbers.Find(target);
      }
      if (!number) continue;
      SetNumbered(link.source, *number, &record);
      CRV_TRY(by_source->Add(record));
    }
    CRV_TRY(links.status());
    CRV_TRY(moved_numbers.status());
    progress_.Finish();
    return numbers.status();
  }

  // Joins the sources with the nodes; the targets of a source are sorted already.
  Status EmitPages(const graph::NameList& names, ExternalSorter& by_source, const CountedSink& sink) {
    progress_.Start("writing the graph of pages", names.size());
    uint64_t count = 0;
    CRV_TRY(by_source.Sort());
    bool any = by_source.Next();
    Successors successors;
    uint64_t emitted = 0;
    for (auto page = names.Begin(); page.valid(); page.Next(), emitted++) {
      CRV_TRY(Look(&count));
      successors.Clear();
      while (any && KeyOfNumbered(by_source.record()) < page.name()) any = by_source.Next();
      for (; any && KeyOfNumbered(by_source.record()) == page.name(); any = by_source.Next()) {
        successors.Add(NumberOfNumbered(by_source.record()), 1);
      }
      CRV_TRY(Emit(successors, sink));
    }
    progress_.Finish();
    if (emitted != names.size()) return Status::Corruption("names of pages are missing");
    return by_source.status();
  }

  // Joins the sources with the pages that are nodes, and counts the links of each pair of hosts: records of
  // source, target and count, four bytes each.
  Status EmitHosts(NodeNumbers& numbers, ExternalSorter& by_source, const CountedSink& sink) {
    progress_.Start(fmt::format("writing the graph of {}", GraphFileName(options_.level)), summary_.nodes);
    uint64_t count = 0;
    ExternalSorter arcs = NewSorter();
    CRV_TRY(by_source.Sort());
    bool any = by_source.Next();
    CRV_TRY(numbers.Start());
    CRV_TRY(states_.StartNodes());
    Successors successors;
    std::string record;
    while (states_.NextNode()) {
      CRV_TRY(Look(&count));
      const std::string_view page = states_.node();
      while (any && KeyOfNumbered(by_source.record()) < page) any = by_source.Next();
      if (!any) break;
      if (KeyOfNumbered(by_source.record()) != page) continue;
      const auto source = numbers.Find(page);
      if (!source) return Status::Corruption(fmt::format("the host of '{}' has no number", page));
      successors.Clear();
      for (; any && KeyOfNumbered(by_source.record()) == page; any = by_source.Next()) {
        successors.Add(NumberOfNumbered(by_source.record()), 1);
      }
      for (size_t i = 0; i < successors.nodes.size(); i++) {
        record.clear();
        for (const uint32_t number : {*source, successors.nodes[i], successors.links[i]}) {
          for (const int shift : {24, 16, 8, 0}) record += static_cast<char>(number >> shift & 0xff);
        }
        CRV_TRY(arcs.Add(record));
      }
    }
    CRV_TRY(states_.status());
    CRV_TRY(by_source.status());
    CRV_TRY(numbers.status());

    CRV_TRY(arcs.Sort());
    any = arcs.Next();
    for (uint64_t node = 0; node < summary_.nodes; node++) {
      CRV_TRY(Look(&count));
      successors.Clear();
      for (; any && BigEndian(arcs.record().substr(0, 4)) == node; any = arcs.Next()) {
        successors.Add(BigEndian(arcs.record().substr(4, 4)), BigEndian(arcs.record().substr(8, 4)));
      }
      CRV_TRY(Emit(successors, sink));
    }
    progress_.Finish();
    return arcs.status();
  }

  struct Successors {
    std::vector<Node> nodes;
    std::vector<uint32_t> links;
    void Clear() {
      nodes.clear();
      links.clear();
    }
    // REQUIRES: not less than in the previous call.
    void Add(Node node, uint32_t count) {
      if (!nodes.empty() && nodes.back() == node) {
        links.back() += std::min(count, UINT32_MAX - links.back());
      } else {
        nodes.push_back(node);
        links.push_back(count);
      }
    }
  };
  Status Emit(const Successors& successors, const CountedSink& sink) {
    summary_.arcs += successors.nodes.size();
    for (const uint32_t links : successors.links) summary_.links += links;
    return sink(successors.nodes, successors.links);
  }

  const std::span<const LinkTablet> tablets_;
  const LinksFiles& links_;
  const BuildGraphOptions& options_;
  Progress& progress_;
  PageStates states_;
  GraphBuildSummary summary_;
};

}  // namespace

Result<GraphBuildSummary> BuildGraph(std::span<const LinkTablet> tablets, const LinksFiles& links,
                                     const BuildGraphOptions& options, const CountedSink& sink,
                                     Progress& progress) {
  GraphBuilder builder(tablets, links, options, progress);
  return builder.Build(sink);
}

}  // namespace crivello::jobs
