// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/page_states.h"

#include <array>
#include <utility>

#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

// Records are fields separated by NUL, which no row key contains, so they sort by their first field.
constexpr char kSeparator = '\0';
// The number of sorts that hold memory at the same time.
constexpr uint64_t kSorts = 6;
constexpr uint64_t kRowsBetweenLooks = 4096;

// The possible ends of a walk that has a target.
constexpr char kEndsAtPage = 'e';
constexpr char kFirstPage = 'f';  // it leads nowhere; its first page
constexpr char kUnfetched = 'u';  // there is no page; the URL without a row at its end
constexpr char kNowhere = 'n';

template <size_t count>
std::array<std::string_view, count> SplitRecord(std::string_view record) {
  std::array<std::string_view, count> fields;
  for (size_t i = 0; i + 1 < count; i++) {
    const size_t end = record.find(kSeparator);
    fields[i] = record.substr(0, end);
    record.remove_prefix(end + 1);
  }
  fields.back() = record;
  return fields;
}

}  // namespace

PageStates::PageStates(Options options)
    : options_(std::move(options)), row_sorter_(NewSorter()), ends_(NewSorter()), targets_(NewSorter()) {}

ExternalSorter PageStates::NewSorter() const {
  return ExternalSorter(
      {.folder = options_.folder, .memory_bytes = options_.memory_bytes / kSorts, .fs = options_.fs});
}

Status PageStates::CheckStop() const {
  return options_.stop.stop_requested() ? Status::Unavailable("the job that builds a graph was stopped")
                                        : Status::Ok();
}

// The record of a row: key, state and where it leads.  The record of a link sorts after it, because the key
// is followed by a byte for the type.
Status PageStates::ReadRows(std::span<const LinkTablet> tablets, Progress& progress) {
  progress.Start("reading pages", 0);
  for (const LinkTablet& tablet : tablets) CRV_TRY(ReadTablet(*tablet.table, progress));
  progress.Finish();
  return Status::Ok();
}

Status PageStates::ReadTablet(const store::Table& table, Progress& progress) {
  web::Url url;
  std::string next;
  store::RowCursor row = table.Scan();
  for (; row.valid(); row.NextRow()) {
    if (++rows_ % kRowsBetweenLooks == 0) {
      progress.Advance(kRowsBetweenLooks);
      CRV_TRY(CheckStop());
    }
    if (options_.excluded && options_.excluded(row.key())) continue;
    CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
    State state = State::kFailed;
    std::string_view leads_to;
    if (fetch.status >= 200 && fetch.status <= 299) {
      state = State::kPage;
      leads_to = fetch.canonical;
    } else if (fetch.status >= 300 && fetch.status <= 399 && !fetch.location.empty()) {
      state = State::kRedirect;
      leads_to = fetch.location;
    }
    next.clear();
    if (!leads_to.empty() && (!url.Parse(leads_to) || !web::AppendRowKey(url, &next).ok() ||
                              (options_.excluded && options_.excluded(next)) || next == row.key())) {
      next.clear();
    }
    if (state == State::kRedirect && next.empty()) state = State::kFailed;
    record_.assign(row.key());
    record_ += kSeparator;
    record_ += '0';
    record_ += static_cast<char>(state);
    record_ += next;
    CRV_TRY(row_sorter_.Add(record_));
    if (state == State::kRedirect) CRV_TRY(AddLinked(next));
  }
  return row.status();
}

Status PageStates::AddLinked(std::string_view row_key) {
  if (!options_.frontier) return Status::Ok();
  record_.assign(row_key);
  record_ += kSeparator;
  record_ += '1';
  record_ += static_cast<char>(State::kLinked);
  return row_sorter_.Add(record_);
}

Status PageStates::StartRows() {
  row_valid_ = false;
  CRV_TRY(row_sorter_.Sort());
  more_rows_ = row_sorter_.Next();
  return row_sorter_.status();
}

// Only the first record of a key counts.
bool PageStates::NextRow() {
  while (more_rows_) {
    const std::string_view record = row_sorter_.record();
    const size_t end = record.find(kSeparator);
    const bool repeats = row_valid_ && record.substr(0, end) == row_.key;
    if (!repeats) {
      row_.key.assign(record.substr(0, end));
      row_.state = static_cast<State>(record[end + 2]);
      row_.next.assign(record.substr(end + 3));
      row_valid_ = true;
    }
    more_rows_ = row_sorter_.Next();
    if (!repeats) return true;
  }
  row_valid_ = false;
  if (!row_sorter_.status().ok()) status_ = row_sorter_.status();
  return false;
}

Status PageStates::StartWalks(ExternalSorter* walks) {
  CRV_TRY(StartRows());
  while (NextRow()) {
    if (row_.next.empty()) continue;
    const bool is_page = row_.state == State::kPage;
    record_.assign(row_.next);
    record_ += kSeparator;
    record_ += row_.key;
    record_ += kSeparator;
    if (is_page) record_ += row_.key;
    record_ += kSeparator;
    record_ += '\1';
    CRV_TRY(walks->Add(record_));
  }
  return status_;
}

Status PageStates::Resolve(Progress& progress) {
  progress.Start("following redirects", 0);
  ExternalSorter walks = NewSorter();
  CRV_TRY(StartWalks(&walks));
  for (unsigned hops = 1; hops <= kMaxHops; hops++) {
    CRV_TRY(CheckStop());
    ExternalSorter next = NewSorter();
    CRV_TRY(Step(walks, &next));
    walks = std::move(next);
  }
  CRV_TRY(JoinFirstPages());
  progress.Finish();
  return Status::Ok();
}

// Advances each walk by one step: joins those that have reached a URL with its row.
Status PageStates::Step(ExternalSorter& walks, ExternalSorter* next) {
  CRV_TRY(walks.Sort());
  bool more = walks.Next();
  CRV_TRY(walks.status());
  if (!more) return Status::Ok();
  CRV_TRY(StartRows());
  bool any = NextRow();
  for (; more; more = walks.Next()) {
    const auto [at, from, first_page, hops] = SplitRecord<4>(walks.record());
    const Walk walk = {at, from, first_page, static_cast<unsigned>(hops.front())};
    while (any && row_.key < at) any = NextRow();
    if (any && row_.key == at && row_.state != State::kLinked) {
      CRV_TRY(StepFrom(walk, next));
    } else {
      CRV_TRY(EndWalk(walk, at, false));
    }
  }
  CRV_TRY(status_);
  return walks.status();
}

// From row_, which the walk has reached.
Status PageStates::StepFrom(const Walk& walk, ExternalSorter* next) {
  if (row_.state == State::kFailed) return EndWalk(walk, {}, false);
  if (row_.state == State::kPage && row_.next.empty()) return EndWalk(walk, walk.at, true);
  const bool is_first_page = walk.first_page.empty() && row_.state == State::kPage;
  const Walk on = {row_.next, walk.from, is_first_page ? walk.at : walk.first_page, walk.hops + 1};
  if (on.hops > kMaxHops) return EndWalk(on, {}, false);
  record_.assign(on.at);
  record_ += kSeparator;
  record_ += on.from;
  record_ += kSeparator;
  record_ += on.first_page;
  record_ += kSeparator;
  record_ += static_cast<char>(on.hops);
  return next->Add(record_);
}

// The walk has reached a page that leads nowhere, or a URL without a row, or (`end` is empty) nothing.
Status PageStates::EndWalk(const Walk& walk, std::string_view end, bool is_page) {
  std::string_view target = end;
  char kind = end.empty() ? kNowhere : kUnfetched;
  if (is_page) {
    kind = kEndsAtPage;
  } else if (!walk.first_page.empty()) {
    kind = kFirstPage;
    target = walk.first_page;
  }
  std::string record(walk.from);
  record += kSeparator;
  record += kind;
  record += target;
  return ends_.Add(record);
}

// Finds the target of each walk.  Whether a walk's first page is a target depends on where the walk from that
// page ends, so it is joined with the ends.
Status PageStates::JoinFirstPages() {
  const auto add = [this](std::string_view target, std::string_view from) {
    record_.assign(target);
    record_ += kSeparator;
    record_ += from;
    return targets_.Add(record_);
  };
  ExternalSorter first_pages = NewSorter();
  CRV_TRY(ends_.Sort());
  while (ends_.Next()) {
    const auto [from, end] = SplitRecord<2>(ends_.record());
    const std::string_view target = end.substr(1);
    if (end.front() == kEndsAtPage || end.front() == kUnfetched) CRV_TRY(add(target, from));
    if (end.front() != kFirstPage || target == from) continue;
    record_.assign(target);
    record_ += kSeparator;
    record_ += from;
    CRV_TRY(first_pages.Add(record_));
  }
  CRV_TRY(ends_.status());
  CRV_TRY(first_pages.Sort());
  CRV_TRY(ends_.Sort());
  bool any = ends_.Next();
  while (first_pages.Next()) {
    const auto [page, from] = SplitRecord<2>(first_pages.record());
    while (any && SplitRecord<2>(ends_.record())[0] < page) any = ends_.Next();
    const auto end = any ? SplitRecord<2>(ends_.record()) : std::array<std::string_view, 2>();
    const bool is_away = any && end[0] == page && end[1].front() == kEndsAtPage;
    if (!is_away) CRV_TRY(add(page, from));
  }
  CRV_TRY(ends_.status());
  return first_pages.status();
}

Status PageStates::StartNodes() {
  CRV_TRY(ends_.Sort());
  end_valid_ = ends_.Next();
  CRV_TRY(ends_.status());
  return StartRows();
}

bool PageStates::NextNode() {
  while (NextRow()) {
    if (row_.state == State::kLinked) return true;
    if (row_.state != State::kPage) continue;
    if (row_.next.empty()) return true;
    while (end_valid_ && SplitRecord<2>(ends_.record())[0] < row_.key) end_valid_ = ends_.Next();
    if (!ends_.status().ok()) {
      status_ = ends_.status();
      return false;
    }
    if (!end_valid_) return true;
    const auto [from, end] = SplitRecord<2>(ends_.record());
    if (from != row_.key || end.front() != kEndsAtPage) return true;
  }
  return false;
}

Status PageStates::StartMoved() { return targets_.Sort(); }

bool PageStates::NextMoved() {
  if (targets_.Next()) return true;
  if (!targets_.status().ok()) status_ = targets_.status();
  return false;
}

std::string_view PageStates::moved_target() const { return SplitRecord<2>(targets_.record())[0]; }
std::string_view PageStates::moved_from() const { return SplitRecord<2>(targets_.record())[1]; }

}  // namespace crivello::jobs
