// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::cluster {

// The values that agents keep on the bus (docs/formats/membership.md).  Each is one line of text, so that an
// operator can read the bucket with any NATS tool.  None of them is needed for safety: the bus may lose them
// all.

// An agent, under MemberKey(name).  Written again several times per lease; an agent is alive as long as its
// record changes.
struct MemberRecord {
  std::string name;
  uint64_t process = 0;  // random, differs each time that the agent starts
  uint64_t beat = 0;     // counts the writes of this process
  bool leaving = false;  // it gives its tablets back and takes none
  std::string version;
  uint64_t memory_bytes = 0;
  uint64_t tablets = 0;
  friend bool operator==(const MemberRecord&, const MemberRecord&) = default;
};

enum class LeaseState : uint8_t {
  kOpening,   // the owner claims the epoch and opens the tablet
  kOpen,      // the owner works on it
  kReleased,  // the owner has closed it; anybody may take it at once
  kRefused,   // opening failed; anybody may try, the agent that failed only later
};
std::string_view LeaseStateName(LeaseState state);

// Who has a tablet, under TabletKey(tablet).  Changed only by compare-and-set.
struct LeaseRecord {
  std::string owner;  // kReleased, kRefused: who had it last
  uint64_t process = 0;
  uint64_t attempt = 0;  // counts the writes of this process; after a lost reply it tells whose value this is
  uint64_t epoch = 0;
  LeaseState state = LeaseState::kOpening;
  uint64_t sequence = 0;  // of the tablet's last acknowledged commit: whoever opens it must find that much
  uint64_t lag_urls = 0;  // URLs that it has found and not handed to their tablets yet
  friend bool operator==(const LeaseRecord&, const LeaseRecord&) = default;

  bool is_owned() const { return state == LeaseState::kOpening || state == LeaseState::kOpen; }
};

// The key of the record that says which bucket this is: a random number, written once.  A bucket with another
// number, or none, has lost its history.
constexpr std::string_view kIncarnationKey = "cluster";
std::string MemberKey(std::string_view name);
std::string TabletKey(std::string_view tablet);

// 1 to 64 letters, digits, '_' and '-': what may be part of a key, of a subject and of a claim.
bool ValidAgentName(std::string_view name);

// REQUIRES: ValidAgentName() of the names; a version without spaces.
std::string EncodeMember(const MemberRecord& record);
std::string EncodeLease(const LeaseRecord& record);
std::string EncodeIncarnation(uint64_t incarnation);
// Corruption if the bytes are not exactly what the functions above write.
Result<MemberRecord> DecodeMember(std::string_view bytes);
Result<LeaseRecord> DecodeLease(std::string_view bytes);
Result<uint64_t> DecodeIncarnation(std::string_view bytes);

}  // namespace crivello::cluster
