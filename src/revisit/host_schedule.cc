// SPDX-License-Identifier: Apache-2.0
#include "revisit/host_schedule.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/record.h"

namespace crivello::revisit {
namespace {

constexpr uint64_t kHostScheduleVersion = 1;
constexpr size_t kChecksumBytes = 8;
constexpr double kQuarters = 4;
constexpr uint64_t kMostQuarters = 4 * static_cast<uint64_t>(History::kMemory) + 4;
constexpr uint64_t kMostHours = uint64_t{1} << 32;

uint64_t Rounded(double value, uint64_t most) {
  return static_cast<uint64_t>(std::clamp(std::round(value), 0.0, static_cast<double>(most)));
}

void WriteHistory(const History& history, RecordWriter& out) {
  const History::Sums sums = history.sums();
  out.Number(Rounded(sums.visits * kQuarters, kMostQuarters));
  out.Number(Rounded(sums.unchanged_days * 24, kMostHours));
  out.Number(Rounded(sums.dated * kQuarters, kMostQuarters));
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

History ReadHistory(RecordReader& in, bool* good) {
  const auto quarters = [&in] {
    return static_cast<float>(static_cast<double>(in.NumberAtMost(kMostQuarters)) / kQuarters);
  };
  History::Sums sums;
  sums.visits = quarters();
  sums.unchanged_days = static_cast<float>(static_cast<double>(in.NumberAtMost(kMostHours)) / 24);
  sums.dated = quarters();
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

}  // namespace

std::string EncodeHostSchedule(const std::vector<ScheduledPage>& pages) {
  RecordWriter out;
  out.Number(kHostScheduleVersion);
  out.Number(pages.size());
  uint32_t first = UINT32_MAX;
  for (const ScheduledPage& page : pages) first = std::min(first, page.last_hour);
  if (!pages.empty()) out.Number(first);
  std::string_view before;
  for (const ScheduledPage& page : pages) {
    const size_t shared = SharedPrefix(before, page.name);
    out.Number(shared);
    out.Text(std::string_view(page.name).substr(shared));
    out.Number(page.last_hour - first);
    out.Number(page.due_hour - page.last_hour);
    out.Number(page.probes);
    out.Number(page.failures);
    WriteHistory(page.history, out);
    before = page.name;
  }
  out.Word(Hash64(out.bytes()));
  return std::move(out).bytes();
}

std::optional<std::vector<ScheduledPage>> DecodeHostSchedule(std::string_view bytes) {
  if (bytes.size() < kChecksumBytes) return std::nullopt;
  RecordReader checksum(bytes.substr(bytes.size() - kChecksumBytes));
  bytes.remove_suffix(kChecksumBytes);
  if (checksum.Word() != Hash64(bytes)) return std::nullopt;
  RecordReader in(bytes);
  if (in.Number() != kHostScheduleVersion) return std::nullopt;
  const uint64_t count = in.NumberAtMost(kMaxScheduledPages);
  const uint64_t first = count > 0 ? in.NumberAtMost(UINT32_MAX) : 0;
  std::vector<ScheduledPage> pages;
  bool good = true;
  uint64_t least = UINT32_MAX;
  std::string before;
  for (uint64_t i = 0; i < count && in.ok() && good; i++) {
    ScheduledPage page;
    const uint64_t shared = in.NumberAtMost(before.size());
    page.name = before.substr(0, shared);
    page.name += in.Text();
    const uint64_t last = first + in.NumberAtMost(UINT32_MAX - first);
    page.last_hour = static_cast<uint32_t>(last);
    page.due_hour = static_cast<uint32_t>(last + in.NumberAtMost(UINT32_MAX - last));
    page.probes = static_cast<uint8_t>(in.NumberAtMost(UINT8_MAX));
    page.failures = static_cast<uint8_t>(in.NumberAtMost(UINT8_MAX));
    page.history = ReadHistory(in, &good);
    // A schedule has one way to be written.
    good = good && page.name.size() <= kMaxNameBytes && SharedPrefix(before, page.name) == shared &&
           (i == 0 || before < page.name);
    least = std::min(least, last);
    before = page.name;
    pages.push_back(std::move(page));
  }
  if (!good || !in.finished() || (count > 0 && least != first)) return std::nullopt;
  return pages;
}

std::optional<uint32_t> FirstDueHour(const std::vector<ScheduledPage>& pages) {
  std::optional<uint32_t> first;
  for (const ScheduledPage& page : pages) first = std::min(first.value_or(UINT32_MAX), page.due_hour);
  return first;
}

}  // namespace crivello::revisit
