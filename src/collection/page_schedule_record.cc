// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/hash.h"
#include "base/record.h"
#include "collection/page_schedule.h"

namespace crivello::collection {
namespace {

constexpr uint64_t kScheduleVersion = 1;
// The second version is for hosts with hints.
constexpr uint64_t kHostLoadVersion = 1;
constexpr uint64_t kHintedHostVersion = 2;
constexpr size_t kWordBytes = 8;

void WriteDouble(double value, RecordWriter& out) { out.Word(std::bit_cast<uint64_t>(value)); }
bool ReadDouble(RecordReader& in, double* value) {
  *value = std::bit_cast<double>(in.Word());
  return std::isfinite(*value) && *value >= 0;
}

bool HasTrust(const revisit::HostLoad& load) {
  return std::any_of(load.trust.begin(), load.trust.end(), [](const auto& one) { return one.has_value(); });
}

}  // namespace

std::string EncodeScheduleRecord(const ScheduleRecord& record) {
  RecordWriter out;
  out.Number(kScheduleVersion);
  const ScheduleStats& stats = record.stats;
  for (const uint64_t count : {stats.pages, stats.blocks, stats.queued, stats.failing, stats.firsts,
                               stats.revisits, stats.changes}) {
    out.Number(count);
  }
  out.Number(record.complete ? 1 : 0);
  WriteDouble(stats.planned, out);
  WriteDouble(record.memory.price, out);
  for (size_t i = 0; i < revisit::RateBelief::kRates; i++) {
    out.Word(std::bit_cast<uint64_t>(record.memory.web.probability(i)));
  }
  out.Word(Hash64(out.bytes()));
  return std::move(out).bytes();
}

std::optional<ScheduleRecord> DecodeScheduleRecord(std::string_view bytes) {
  if (bytes.size() < kWordBytes) return std::nullopt;
  RecordReader checksum(bytes.substr(bytes.size() - kWordBytes));
  bytes.remove_suffix(kWordBytes);
  if (checksum.Word() != Hash64(bytes)) return std::nullopt;
  RecordReader in(bytes);
  if (in.Number() != kScheduleVersion) return std::nullopt;
  ScheduleRecord record;
  ScheduleStats& stats = record.stats;
  for (uint64_t* const count : {&stats.pages, &stats.blocks, &stats.queued, &stats.failing, &stats.firsts,
                                &stats.revisits, &stats.changes}) {
    *count = in.Number();
  }
  record.complete = in.NumberAtMost(1) == 1;
  bool good = ReadDouble(in, &stats.planned) && ReadDouble(in, &record.memory.price);
  std::array<double, revisit::RateBelief::kRates> weights = {};
  double sum = 0;
  for (double& one : weights) {
    good = ReadDouble(in, &one) && one <= 1 && good;
    sum += one;
  }
  if (!good || !in.finished() || !(std::abs(sum - 1) < 0.01)) return std::nullopt;
  record.memory.web = revisit::RateBelief::Of(weights);
  return record;
}

std::string EncodeHostLoad(const revisit::HostLoad& load) {
  RecordWriter out;
  const bool hinted = HasTrust(load);
  out.Number(hinted ? kHintedHostVersion : kHostLoadVersion);
  out.Number(static_cast<uint64_t>(load.pages));
  WriteDouble(load.planned, out);
  WriteDouble(load.price, out);
  if (hinted) revisit::WriteTrusts(load.trust, load.hinted_since, out);
  out.Word(Hash64(out.bytes()));
  return std::move(out).bytes();
}

std::optional<revisit::HostLoad> DecodeHostLoad(std::string_view bytes) {
  if (bytes.size() < kWordBytes) return std::nullopt;
  RecordReader checksum(bytes.substr(bytes.size() - kWordBytes));
  bytes.remove_suffix(kWordBytes);
  if (checksum.Word() != Hash64(bytes)) return std::nullopt;
  RecordReader in(bytes);
  const uint64_t version = in.Number();
  if (version != kHostLoadVersion && version != kHintedHostVersion) return std::nullopt;
  revisit::HostLoad load;
  load.pages = static_cast<double>(in.NumberAtMost(uint64_t{1} << 48));
  bool good = ReadDouble(in, &load.planned) && ReadDouble(in, &load.price);
  if (version == kHintedHostVersion) revisit::ReadTrusts(in, &load.trust, &load.hinted_since, &good);
  return good && in.finished() ? std::optional(load) : std::nullopt;
}

}  // namespace crivello::collection
