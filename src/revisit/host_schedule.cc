// SPDX-License-Identifier: Apache-2.0
#include "revisit/host_schedule.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"

namespace crivello::revisit {
namespace {

// The second version is for schedules with a sitemap.
constexpr uint64_t kHostScheduleVersion = 2;
constexpr uint64_t kSitemapsVersion = 3;

// The flags that follow the interval of a page.
constexpr uint64_t kProbing = 1;
constexpr uint64_t kQueued = 2;
constexpr uint64_t kDueApart = 4;  // it is not due when its interval ends
constexpr uint64_t kHasProbes = 8;
constexpr uint64_t kHasFailures = 16;
constexpr uint64_t kHasDated = 32;
constexpr uint64_t kHasHints = 64;
constexpr uint64_t kIsSitemap = 128;
constexpr uint64_t kAllFlags = 255;

bool HasSitemap(const HostSchedule& schedule) {
  return std::any_of(schedule.pages.begin(), schedule.pages.end(),
                     [](const ScheduledPage& page) { return page.sitemap; });
}

// Probabilities and likelihoods are stored relative to the greatest, as -8 log2.
constexpr double kStepsPerBit = 8;
constexpr size_t kChecksumBytes = 8;
constexpr double kQuarters = 4;
constexpr uint64_t kMostQuarters = 4 * static_cast<uint64_t>(History::kMemory) + 4;
constexpr uint64_t kMostHours = uint64_t{1} << 32;
constexpr uint64_t kMostStoredHints = uint64_t{1} << 40;

uint64_t Rounded(double value, uint64_t most) {
  return static_cast<uint64_t>(std::clamp(std::round(value), 0.0, static_cast<double>(most)));
}

uint64_t Dated(const History& history) { return Rounded(history.dated() * kQuarters, kMostQuarters); }

void WriteHistory(const History& history, RecordWriter& out) {
  const History::Sums sums = history.sums();
  out.Number(Rounded(sums.visits * kQuarters, kMostQuarters));
  out.Number(Rounded(sums.unchanged_days * 24, kMostHours));
  if (Dated(history) > 0) out.Number(Dated(history));
  // The classes with a count, as bits; then the counts.
  uint64_t classes = 0;
  for (size_t c = 0; c < History::kClasses; c++) {
    if (Rounded(sums.changed[c] * kQuarters, kMostQuarters) > 0) classes |= uint64_t{1} << c;
  }
  out.Number(classes);
  for (size_t c = 0; c < History::kClasses; c++) {
    if ((classes >> c & 1) != 0) out.Number(Rounded(sums.changed[c] * kQuarters, kMostQuarters));
  }
}

History ReadHistory(RecordReader& in, bool has_dated, bool* good) {
  const auto quarters = [&in] {
    return static_cast<float>(static_cast<double>(in.NumberAtMost(kMostQuarters)) / kQuarters);
  };
  History::Sums sums;
  sums.visits = quarters();
  sums.unchanged_days = static_cast<float>(static_cast<double>(in.NumberAtMost(kMostHours)) / 24);
  if (has_dated) {
    sums.dated = quarters();
    *good = *good && sums.dated > 0;
  }
  const uint64_t classes = in.NumberAtMost((uint64_t{1} << History::kClasses) - 1);
  for (size_t c = 0; c < History::kClasses; c++) {
    if ((classes >> c & 1) == 0) continue;
    sums.changed[c] = quarters();
    *good = *good && sums.changed[c] > 0;
  }
  return History(sums);
}

size_t SharedPrefix(std::string_view a, std::string_view b) {
  const size_t most = std::min(a.size(), b.size());
  size_t shared = 0;
  while (shared < most && a[shared] == b[shared]) shared++;
  return shared;
}

template <size_t kSize>
void WriteRelative(const std::array<double, kSize>& logs, RecordWriter& out) {
  const double most = *std::max_element(logs.begin(), logs.end());
  for (const double one : logs) {
    const char step = static_cast<char>(Rounded((most - one) * kStepsPerBit, UINT8_MAX));
    out.Raw(std::string_view(&step, 1));
  }
}

// Logarithms to the base of 2, the greatest of them 0.
template <size_t kSize>
std::array<double, kSize> ReadRelative(RecordReader& in, bool* good) {
  std::array<double, kSize> logs = {};
  const std::string_view steps = in.Raw(kSize);
  bool has_most = false;
  for (size_t i = 0; i < steps.size(); i++) {
    logs[i] = -static_cast<double>(static_cast<uint8_t>(steps[i])) / kStepsPerBit;
    has_most = has_most || steps[i] == 0;
  }
  *good = *good && has_most;
  return logs;
}

void WritePrior(const RateBelief& prior, RecordWriter& out) {
  std::array<double, RateBelief::kRates> logs = {};
  for (size_t i = 0; i < logs.size(); i++) logs[i] = std::log2(std::max(prior.probability(i), 1e-12));
  WriteRelative(logs, out);
}

RateBelief ReadPrior(RecordReader& in, bool* good) {
  std::array<double, RateBelief::kRates> weights = ReadRelative<RateBelief::kRates>(in, good);
  for (double& one : weights) one = std::exp2(one);
  return RateBelief::Of(weights);
}

void WriteTrust(const HintTrust& trust, RecordWriter& out) {
  const HintTrust::Sums sums = trust.sums();
  out.Number(Rounded(sums.hints, kMostStoredHints));
  out.Number(Rounded(sums.changed * kQuarters, kMostStoredHints));
  out.Number(Rounded(sums.announced * kQuarters, kMostStoredHints));
  std::array<double, HintTrust::kValues> logs = sums.logs;
  for (double& one : logs) one /= std::log(2.0);
  WriteRelative(logs, out);
}

HintTrust ReadTrust(RecordReader& in, bool* good) {
  HintTrust::Sums sums;
  sums.hints = static_cast<double>(in.NumberAtMost(kMostStoredHints));
  sums.changed = static_cast<double>(in.NumberAtMost(kMostStoredHints)) / kQuarters;
  sums.announced = static_cast<double>(in.NumberAtMost(kMostStoredHints)) / kQuarters;
  sums.logs = ReadRelative<HintTrust::kValues>(in, good);
  for (double& one : sums.logs) one *= std::log(2.0);
  return HintTrust(sums);
}

uint64_t SourcesOf(const HintTrusts& trust) {
  uint64_t sources = 0;
  for (size_t i = 0; i < kHintSources; i++) sources |= uint64_t{trust[i].has_value()} << i;
  return sources;
}

void WriteEachTrust(const HintTrusts& trust, uint32_t hinted_since, RecordWriter& out) {
  for (const auto& one : trust) {
    if (one) WriteTrust(*one, out);
  }
  if (SourcesOf(trust) != 0) out.Number(hinted_since);
}

void ReadEachTrust(RecordReader& in, uint64_t sources, HintTrusts* trust, uint32_t* hinted_since,
                   bool* good) {
  for (size_t i = 0; i < kHintSources; i++) {
    if ((sources >> i & 1) != 0) (*trust)[i] = ReadTrust(in, good);
  }
  if (sources != 0) *hinted_since = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
}

void WritePage(const ScheduledPage& page, RecordWriter& out) {
  const bool due_apart = uint64_t{page.last_hour} + page.interval_hours != page.due_hour;
  out.Number(page.interval_hours);
  out.Number((page.probing ? kProbing : 0) | (page.queued ? kQueued : 0) | (due_apart ? kDueApart : 0) |
             (page.probes > 0 ? kHasProbes : 0) | (page.failures > 0 ? kHasFailures : 0) |
             (Dated(page.history) > 0 ? kHasDated : 0) | (page.hints > 0 ? kHasHints : 0) |
             (page.sitemap ? kIsSitemap : 0));
  if (due_apart) out.Number(page.due_hour - page.last_hour);
  out.Number(page.depth);
  if (page.probes > 0) out.Number(page.probes);
  if (page.failures > 0) out.Number(page.failures);
  if (page.hints > 0) {
    out.Number(page.hints);
    out.Number(static_cast<uint64_t>(page.hinted_by));
  }
  WriteHistory(page.history, out);
}

// Reads all fields except its name and its last visit.
void ReadPage(RecordReader& in, ScheduledPage* page, bool* good) {
  const uint64_t left = UINT32_MAX - page->last_hour;
  page->interval_hours = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
  const uint64_t flags = in.NumberAtMost(kAllFlags);
  page->probing = (flags & kProbing) != 0;
  page->queued = (flags & kQueued) != 0;
  page->sitemap = (flags & kIsSitemap) != 0;
  const bool due_apart = (flags & kDueApart) != 0;
  const uint64_t until_due = due_apart ? in.NumberAtMost(left) : page->interval_hours;
  *good = *good && until_due <= left && (!due_apart || until_due != page->interval_hours);
  if (!*good) return;
  page->due_hour = static_cast<uint32_t>(page->last_hour + until_due);
  page->depth = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
  if ((flags & kHasProbes) != 0) {
    page->probes = static_cast<uint8_t>(in.NumberAtMost(UINT8_MAX));
    *good = *good && page->probes > 0;
  }
  if ((flags & kHasFailures) != 0) {
    page->failures = static_cast<uint8_t>(in.NumberAtMost(UINT8_MAX));
    *good = *good && page->failures > 0;
  }
  if ((flags & kHasHints) != 0) {
    page->hints = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
    page->hinted_by = static_cast<HintSource>(in.NumberAtMost(kHintSources - 1));
    *good = *good && page->hints > 0;
  }
  page->history = ReadHistory(in, (flags & kHasDated) != 0, good);
}

}  // namespace

std::string EncodeHostSchedule(const HostSchedule& schedule) {
  RecordWriter out;
  out.Number(HasSitemap(schedule) ? kSitemapsVersion : kHostScheduleVersion);
  out.Number(schedule.pages.size());
  uint32_t first = UINT32_MAX;
  for (const ScheduledPage& page : schedule.pages) first = std::min(first, page.last_hour);
  if (!schedule.pages.empty()) out.Number(first);
  out.Number(schedule.review_hour);
  out.Number(SourcesOf(schedule.trust) << 1 | uint64_t{schedule.prior.has_value()});
  if (schedule.prior) {
    out.Number(schedule.fitted_at);
    WritePrior(*schedule.prior, out);
  }
  WriteEachTrust(schedule.trust, schedule.hinted_since, out);
  std::string_view before;
  for (const ScheduledPage& page : schedule.pages) {
    const size_t shared = SharedPrefix(before, page.name);
    out.Number(shared);
    out.Text(std::string_view(page.name).substr(shared));
    out.Number(page.last_hour - first);
    WritePage(page, out);
    before = page.name;
  }
  out.Word(Hash64(out.bytes()));
  return std::move(out).bytes();
}

std::optional<HostSchedule> DecodeHostSchedule(std::string_view bytes) {
  if (bytes.size() < kChecksumBytes) return std::nullopt;
  RecordReader checksum(bytes.substr(bytes.size() - kChecksumBytes));
  bytes.remove_suffix(kChecksumBytes);
  if (checksum.Word() != Hash64(bytes)) return std::nullopt;
  RecordReader in(bytes);
  const uint64_t version = in.Number();
  if (version != kHostScheduleVersion && version != kSitemapsVersion) return std::nullopt;
  HostSchedule schedule;
  bool good = true;
  const uint64_t count = in.NumberAtMost(kMaxScheduledPages);
  const uint64_t first = count > 0 ? in.NumberAtMost(UINT32_MAX) : 0;
  schedule.review_hour = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
  const uint64_t parts = in.NumberAtMost((uint64_t{2} << kHintSources) - 1);
  if ((parts & 1) != 0) {
    schedule.fitted_at = static_cast<uint32_t>(in.NumberAtMost(UINT32_MAX));
    schedule.prior = ReadPrior(in, &good);
  }
  ReadEachTrust(in, parts >> 1, &schedule.trust, &schedule.hinted_since, &good);
  uint64_t least = UINT32_MAX;
  std::string before;
  for (uint64_t i = 0; i < count && in.ok() && good; i++) {
    ScheduledPage page;
    const uint64_t shared = in.NumberAtMost(before.size());
    page.name = before.substr(0, shared);
    page.name += in.Text();
    const uint64_t last = first + in.NumberAtMost(UINT32_MAX - first);
    page.last_hour = static_cast<uint32_t>(last);
    ReadPage(in, &page, &good);
    // There is only one encoding of a schedule.
    good = good && page.name.size() <= kMaxNameBytes && SharedPrefix(before, page.name) == shared &&
           (i == 0 || before < page.name);
    least = std::min(least, last);
    before = page.name;
    schedule.pages.push_back(std::move(page));
  }
  if (!good || !in.finished() || (count > 0 && least != first) ||
      HasSitemap(schedule) != (version == kSitemapsVersion)) {
    return std::nullopt;
  }
  return schedule;
}

void WriteTrusts(const HintTrusts& trust, uint32_t hinted_since, RecordWriter& out) {
  out.Number(SourcesOf(trust));
  WriteEachTrust(trust, hinted_since, out);
}

void ReadTrusts(RecordReader& in, HintTrusts* trust, uint32_t* hinted_since, bool* good) {
  const uint64_t sources = in.NumberAtMost((uint64_t{1} << kHintSources) - 1);
  *good = *good && sources != 0;
  ReadEachTrust(in, sources, trust, hinted_since, good);
}

std::optional<uint32_t> FirstDueHour(const HostSchedule& schedule) {
  if (schedule.pages.empty()) return std::nullopt;
  uint32_t first = schedule.review_hour;
  for (const ScheduledPage& page : schedule.pages) first = std::min(first, page.due_hour);
  return first;
}

}  // namespace crivello::revisit
