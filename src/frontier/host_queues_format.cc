// SPDX-License-Identifier: Apache-2.0
#include "frontier/host_queues_format.h"

namespace crivello::frontier {
namespace {

constexpr uint64_t kCountsVersion = 1;
constexpr uint64_t kJournalVersion = 1;

}  // namespace

size_t JournalWriter::Add(uint64_t host, std::string_view record) {
  if (empty()) out_.Number(kJournalVersion);
  out_.Word(host);
  out_.Text(record);
  return out_.bytes().size() - record.size();
}

bool ReadJournal(std::string_view bytes,
                 const std::function<void(uint64_t host, std::string_view record)>& visit) {
  RecordReader in(bytes);
  if (in.Number() != kJournalVersion) return false;
  while (in.ok() && !in.finished()) {
    const uint64_t host = in.Word();
    const std::string_view record = in.Text();
    if (in.ok()) visit(host, record);
  }
  return in.ok();
}

std::string EncodeCounts(const CountsRecord& record) {
  RecordWriter out;
  out.Number(kCountsVersion);
  out.Number(record.changes);
  out.Number(record.journal_from);
  out.Number(record.counts.hosts);
  out.Number(record.counts.waiting);
  out.Number(record.counts.given_up);
  out.Number(record.counts.items);
  out.Number(record.counts.enqueued);
  return std::move(out).bytes();
}

std::optional<CountsRecord> DecodeCounts(std::string_view bytes) {
  RecordReader in(bytes);
  CountsRecord record;
  if (in.Number() != kCountsVersion) return std::nullopt;
  record.changes = in.Number();
  record.journal_from = in.Number();
  record.counts.hosts = in.Number();
  record.counts.waiting = in.Number();
  record.counts.given_up = in.Number();
  record.counts.items = in.Number();
  record.counts.enqueued = in.Number();
  if (!in.finished()) return std::nullopt;
  return record;
}

}  // namespace crivello::frontier
