// SPDX-License-Identifier: Apache-2.0
#include "cluster/membership/cluster_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace crivello::cluster {
namespace {

constexpr LeaseState kLeaseStates[] = {LeaseState::kOpening, LeaseState::kOpen, LeaseState::kReleased,
                                       LeaseState::kRefused};
constexpr std::string_view kHere = "here";
constexpr std::string_view kLeaving = "leaving";

std::vector<std::string_view> FieldsOf(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t space = line.find(' ');
    fields.push_back(line.substr(0, space));
    if (space == std::string_view::npos) return fields;
    line.remove_prefix(space + 1);
  }
}

// Zero for what is not a number; the caller compares what it writes itself with what it read.
uint64_t NumberOf(std::string_view field, int base = 10) {
  uint64_t number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number, base);
  return number;
}

bool ValidVersion(std::string_view version) {
  return !version.empty() && version.size() <= 64 &&
         std::all_of(version.begin(), version.end(), [](char c) { return c > ' ' && c < 0x7f; });
}

Status Damaged(std::string_view what, std::string_view expected) {
  return Status::Corruption(fmt::format("invalid record of {}: expected '{}'", what, expected));
}

}  // namespace

std::string_view LeaseStateName(LeaseState state) {
  switch (state) {
    case LeaseState::kOpening:
      return "opening";
    case LeaseState::kOpen:
      return "open";
    case LeaseState::kReleased:
      return "released";
    case LeaseState::kRefused:
      return "refused";
  }
  return "";
}

std::string MemberKey(std::string_view name) { return fmt::format("member.{}", name); }
std::string TabletKey(std::string_view tablet) { return fmt::format("tablet.{}", tablet); }

bool ValidAgentName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

std::string EncodeMember(const MemberRecord& record) {
  return fmt::format("member 1 {} {:016x} {} {} {} {} {}", record.name, record.process, record.beat,
                     record.leaving ? kLeaving : kHere, record.version, record.memory_bytes, record.tablets);
}

Result<MemberRecord> DecodeMember(std::string_view bytes) {
  const auto fields = FieldsOf(bytes);
  if (fields.size() == 9 && ValidAgentName(fields[2]) && ValidVersion(fields[6])) {
    MemberRecord record = {.name = std::string(fields[2]),
                           .process = NumberOf(fields[3], 16),
                           .beat = NumberOf(fields[4]),
                           .leaving = fields[5] == kLeaving,
                           .version = std::string(fields[6]),
                           .memory_bytes = NumberOf(fields[7]),
                           .tablets = NumberOf(fields[8])};
    if (EncodeMember(record) == bytes) return record;
  }
  return Damaged("an agent", "member 1 NAME PROCESS BEAT here|leaving VERSION MEMORY TABLETS");
}

std::string EncodeLease(const LeaseRecord& record) {
  return fmt::format("lease 1 {} {:016x} {} {} {} {} {}", record.owner, record.process, record.attempt,
                     record.epoch, LeaseStateName(record.state), record.sequence, record.lag_urls);
}

Result<LeaseRecord> DecodeLease(std::string_view bytes) {
  const auto fields = FieldsOf(bytes);
  if (fields.size() == 9 && ValidAgentName(fields[2])) {
    LeaseRecord record = {.owner = std::string(fields[2]),
                          .process = NumberOf(fields[3], 16),
                          .attempt = NumberOf(fields[4]),
                          .epoch = NumberOf(fields[5]),
                          .sequence = NumberOf(fields[7]),
                          .lag_urls = NumberOf(fields[8])};
    for (const LeaseState state : kLeaseStates) {
      if (LeaseStateName(state) == fields[6]) record.state = state;
    }
    if (EncodeLease(record) == bytes) return record;
  }
  return Damaged("a lease", "lease 1 OWNER PROCESS ATTEMPT EPOCH STATE SEQUENCE LAG");
}

std::string EncodeIncarnation(uint64_t incarnation) { return fmt::format("cluster 1 {:016x}", incarnation); }

Result<uint64_t> DecodeIncarnation(std::string_view bytes) {
  const auto fields = FieldsOf(bytes);
  if (fields.size() == 3) {
    const uint64_t incarnation = NumberOf(fields[2], 16);
    if (EncodeIncarnation(incarnation) == bytes) return incarnation;
  }
  return Damaged("the bucket", "cluster 1 INCARNATION");
}

}  // namespace crivello::cluster
