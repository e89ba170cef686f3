// SPDX-License-Identifier: Apache-2.0
#include "cluster/membership/membership.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace crivello::cluster {
namespace {

constexpr size_t kAttemptsRemembered = 8;
constexpr int kMostDoublings = 8;  // of the time between two attempts to open a tablet
constexpr int kOtherBeats = 3;     // of another process, after which it is certainly alive

}  // namespace

Membership::Membership(MembershipOptions options)
    : options_(std::move(options)),
      view_({.tablets = options_.tablets, .expiry = Share(shares().expiry), .epsilon = options_.epsilon}),
      slots_(options_.tablets.size()) {
  for (size_t i = 0; i < slots_.size(); i++) {
    slots_[i].name = options_.tablets[i];
    by_name_[slots_[i].name] = i;
  }
}

size_t Membership::SlotOf(const std::string& tablet) const {
  const auto at = by_name_.find(tablet);
  return at == by_name_.end() ? kNoSlot : at->second;
}

size_t Membership::Count(std::initializer_list<Stage> stages) const {
  return static_cast<size_t>(std::count_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return std::find(stages.begin(), stages.end(), slot.stage) != stages.end();
  }));
}

std::vector<BusRequest> Membership::TakeRequests() { return std::exchange(requests_, {}); }
std::vector<TabletOrder> Membership::TakeOrders() { return std::exchange(orders_, {}); }

uint64_t Membership::Send(BusRequest request, Pending pending) {
  request.id = ++last_id_;
  pending.kind = request.kind;
  pending_[request.id] = pending;
  requests_.push_back(std::move(request));
  return last_id_;
}

void Membership::ReadNow(MonotonicTime now) {
  if (reading_ != 0) {
    read_again_ = true;
    return;
  }
  read_again_ = false;
  next_read_ = now + Share(shares().poll);
  reading_ = Send({.kind = BusRequest::Kind::kReadAll}, {.slot = kNoSlot, .sent = now});
}

void Membership::Beat(MonotonicTime now) {
  next_beat_ = now + Share(shares().beat);
  const MemberRecord record = {.name = options_.name,
                               .process = options_.process,
                               .beat = ++beats_,
                               .leaving = leaving_,
                               .version = options_.version,
                               .memory_bytes = memory_bytes_,
                               .tablets = Count({Stage::kOpen})};
  Send({.kind = BusRequest::Kind::kPut, .key = MemberKey(options_.name), .value = EncodeMember(record)},
       {.slot = kNoSlot, .sent = now});
}

void Membership::Tick(MonotonicTime now) {
  DropUnanswered(now);
  if (reading_ == 0 && (read_again_ || now >= next_read_)) ReadNow(now);
  if (joined_ && now >= next_beat_) Beat(now);
  view_.Tick(now);
  for (size_t i = 0; i < slots_.size(); i++) TickSlot(i, now);
  MoveOne(now);
}

void Membership::DropUnanswered(MonotonicTime now) {
  for (auto at = pending_.begin(); at != pending_.end();) {
    if (now - at->second.sent < Share(shares().answer)) {
      ++at;
      continue;
    }
    const uint64_t id = at->first;
    const Pending pending = at->second;
    at = pending_.erase(at);
    if (id == reading_) reading_ = 0;
    if (pending.slot == kNoSlot || slots_[pending.slot].request != id) continue;
    slots_[pending.slot].request = 0;
    Contest(slots_[pending.slot], now);
  }
}

void Membership::OnReply(const BusReply& reply, MonotonicTime now) {
  const auto at = pending_.find(reply.id);
  if (at == pending_.end()) return;  // too late: the next reading tells what happened
  const Pending pending = at->second;
  pending_.erase(at);
  if (pending.kind == BusRequest::Kind::kReadAll) {
    reading_ = 0;
    if (reply.outcome == UpdateOutcome::kDone) TakeEntries(reply.entries, pending.sent, now);
    return;
  }
  if (pending.slot == kNoSlot) return;
  Slot& slot = slots_[pending.slot];
  if (slot.request != reply.id) return;
  slot.request = 0;
  OnUpdated(slot, pending, reply, now);
}

// ---- What the bus says.

void Membership::TakeIncarnation(const std::vector<BusEntry>& entries, MonotonicTime now) {
  uint64_t found = 0;
  uint64_t revision = 0;
  uint64_t highest = 0;
  for (const BusEntry& entry : entries) {
    highest = std::max(highest, entry.revision);
    if (entry.key != kIncarnationKey) continue;
    revision = entry.revision;
    if (const auto number = DecodeIncarnation(entry.value); number.ok()) found = *number;
  }
  if (found == 0) {
    // A new bucket.  Of several agents that see it one writes the number.
    incarnation_ = 0;
    Send({.kind = BusRequest::Kind::kUpdate,
          .key = std::string(kIncarnationKey),
          .value = EncodeIncarnation(Mix64(options_.process + last_id_) | 1),
          .revision = revision},
         {.slot = kNoSlot, .sent = now});
    read_again_ = true;
    return;
  }
  // A lease that was given back, and taken since, may look free.
  if (highest < std::exchange(highest_revision_, highest)) incarnation_seen_ = now;
  if (found == incarnation_) return;
  incarnation_ = found;
  incarnation_seen_ = now;
  view_.KeepAll(now);
  for (Slot& slot : slots_) {
    slot.record.reset();
    slot.revision = 0;
    slot.seen = now;
    if (Holds(slot) && slot.request == 0) Contest(slot, now);
  }
}

void Membership::TakeMember(const MemberRecord& record, uint64_t revision, MonotonicTime now) {
  view_.See(record, revision, now);
  if (record.name != options_.name || record.process == options_.process) return;
  if (record.process != std::exchange(other_process_, record.process)) {
    other_beat_ = 0;
    other_beats_ = 0;
  }
  if (record.beat <= other_beat_) return;
  other_beat_ = record.beat;
  // A bus that lost history may show an earlier process of this name, but that one does not count on.
  if (++other_beats_ > kOtherBeats && name_status_.ok()) {
    name_status_ = Status::InvalidArgument(
        fmt::format("another agent named '{}' is running; give each agent a name of its own", options_.name));
  }
}

void Membership::TakeEntries(const std::vector<BusEntry>& entries, MonotonicTime sent, MonotonicTime now) {
  TakeIncarnation(entries, now);
  std::vector<bool> found(slots_.size());
  bool name_found = false;
  for (const BusEntry& entry : entries) {
    if (entry.key.starts_with("member.")) {
      const auto member = DecodeMember(entry.value);
      if (!member.ok() || MemberKey(member->name) != entry.key) continue;
      name_found |= member->name == options_.name && !member->leaving;
      TakeMember(*member, entry.revision, now);
    }
    if (!entry.key.starts_with("tablet.")) continue;
    const size_t index = SlotOf(entry.key.substr(TabletKey("").size()));
    if (index == kNoSlot) continue;
    found[index] = true;
    Slot& slot = slots_[index];
    const auto lease = DecodeLease(entry.value);
    auto record = lease.ok() ? std::optional(*lease) : std::nullopt;
    if (entry.revision == slot.revision && record == slot.record) continue;
    slot.record = std::move(record);
    slot.revision = entry.revision;
    slot.seen = now;
    // If the bucket goes back, it is unknown from then on.
    if (slot.record && slot.record->epoch >= slot.unknown_epoch) slot.unknown_epoch = 0;
  }
  if (!joined_) {
    // An earlier process of this name may still be alive: it has to be silent for a lease.
    view_.Tick(now);
    joined_ = !name_found || !view_.alive(options_.name);
  }
  for (size_t i = 0; i < slots_.size(); i++) {
    Slot& slot = slots_[i];
    if (!found[i] && slot.revision != 0) {
      slot.record.reset();
      slot.revision = 0;
      slot.seen = now;
    }
    if (slot.contested && sent >= slot.contested_since) Settle(slot, now);
  }
}

void Membership::Contest(Slot& slot, MonotonicTime now) {
  slot.contested = true;
  slot.contested_since = now;
  ReadNow(now);
}

void Membership::Settle(Slot& slot, MonotonicTime now) {
  slot.contested = false;
  const bool mine = slot.record && IsMine(*slot.record);
  const auto attempt = mine ? slot.attempts.find(slot.record->attempt) : slot.attempts.end();
  if (slot.stage == Stage::kClaiming) {
    if (attempt == slot.attempts.end()) {
      Drop(slot);
      return;
    }
    Renewed(slot, slot.revision, attempt->second, now);
    return;
  }
  if (slot.stage == Stage::kGiving) {
    if (!mine || !slot.record->is_owned()) {
      Drop(slot);
    } else {
      slot.held_revision = slot.revision;  // and Tick() tries again
    }
    return;
  }
  if (!Holds(slot) || slot.lost) return;
  if (attempt != slot.attempts.end()) {
    Renewed(slot, slot.revision, attempt->second, now);
  } else if (slot.record && !mine && slot.record->epoch >= slot.epoch) {
    Close(slot, /*lost=*/true, now);
  } else {
    // The bus lost our lease, or shows an older one; the next compare-and-set tells.
    slot.held_revision = slot.revision;
    slot.renew_now = true;
  }
}

void Membership::OnUpdated(Slot& slot, const Pending& pending, const BusReply& reply, MonotonicTime now) {
  if (reply.outcome != UpdateOutcome::kDone) {
    slot.doubted |= reply.outcome == UpdateOutcome::kConflict;
    Contest(slot, now);
    return;
  }
  slot.record = slot.written;
  slot.unknown_epoch = 0;
  slot.revision = reply.revision;
  slot.seen = now;
  if (slot.stage == Stage::kGiving && !slot.written.is_owned()) {
    Drop(slot);
  } else {
    Renewed(slot, reply.revision, pending.sent, now);
  }
}

// ---- Leases of this agent.

void Membership::Write(Slot& slot, LeaseState state, uint64_t expected, MonotonicTime now) {
  slot.renew_now = false;
  slot.written = {.owner = options_.name,
                  .process = options_.process,
                  .attempt = ++attempts_,
                  .epoch = slot.epoch,
                  .state = state,
                  .sequence = slot.sequence,
                  .lag_urls = slot.lag_urls};
  slot.attempts[attempts_] = now;
  while (slot.attempts.size() > kAttemptsRemembered) slot.attempts.erase(slot.attempts.begin());
  slot.request =
      Send({.kind = BusRequest::Kind::kUpdate,
            .key = TabletKey(slot.name),
            .value = EncodeLease(slot.written),
            .revision = expected},
           {.slot = static_cast<size_t>(&slot - slots_.data()), .sent = now, .attempt = attempts_});
}

void Membership::Renewed(Slot& slot, uint64_t revision, MonotonicTime began, MonotonicTime now) {
  slot.held_revision = revision;
  slot.renewed = std::max(slot.renewed, began);
  slot.doubted = false;
  if (slot.stage != Stage::kClaiming) return;
  slot.stage = Stage::kOpening;
  slot.lost = false;
  if (now - slot.renewed >= Share(shares().close)) {
    slot.stage = Stage::kGiving;  // the answer took too long
    slot.give_back = LeaseState::kReleased;
    slot.closing_since = now;
    return;
  }
  orders_.push_back({.kind = TabletOrder::Kind::kOpen,
                     .tablet = slot.name,
                     .epoch = slot.epoch - 1,
                     .sequence = slot.sequence,
                     .expired = slot.expired});
}

void Membership::Close(Slot& slot, bool lost, MonotonicTime now) {
  slot.stage = Stage::kClosing;
  slot.lost = lost;
  slot.give_back = LeaseState::kReleased;
  slot.closing_since = now;
  // A tablet that is lost was opened by another agent, whatever the bus says.
  if (lost) slot.not_before = now + Share(shares().expiry);
  orders_.push_back({.kind = TabletOrder::Kind::kClose, .tablet = slot.name});
}

void Membership::Drop(Slot& slot) {
  pending_.erase(slot.request);
  slot.request = 0;
  slot.stage = Stage::kNone;
  slot.contested = false;
  slot.lost = false;
  slot.renew_now = false;
  slot.doubted = false;
  slot.looking = false;
  slot.attempts.clear();
  slot.lag_urls = 0;
}

MonotonicTime Membership::UnknownUntil(const Slot& slot) const {
  return slot.unknown_epoch == 0 ? MonotonicTime::min() : slot.unknown_since + Share(shares().expiry);
}

void Membership::Look(Slot& slot, MonotonicTime now) {
  slot.looked = now;
  orders_.push_back({.kind = TabletOrder::Kind::kLook, .tablet = slot.name});
}

bool Membership::Claimable(size_t index, MonotonicTime now) const {
  const Slot& slot = slots_[index];
  const MonotonicTime history = incarnation_seen_ + Share(shares().new_bucket);
  if (!joined_ || leaving_ || incarnation_ == 0 || now < history || now < slot.not_before) return false;
  if (now < UnknownUntil(slot)) return false;
  const size_t rank = view_.RankOf(index, options_.name);
  if (rank >= view_.names().size()) return false;
  MonotonicTime free = history;
  if (slot.revision != 0) {
    const bool others = !slot.record || (slot.record->is_owned() && !IsMine(*slot.record));
    free = slot.seen + (others ? Share(shares().expiry) : Duration(0));
  }
  return now >= free + rank * Share(shares().next_in_chain);
}

void Membership::Claim(Slot& slot, uint64_t highest_epoch, MonotonicTime now) {
  slot.stage = Stage::kClaiming;
  slot.epoch = std::max(slot.record ? slot.record->epoch : 0, highest_epoch) + 1;
  slot.sequence = slot.record ? slot.record->sequence : 0;
  slot.lag_urls = slot.record ? slot.record->lag_urls : 0;
  const bool expired = slot.record && slot.record->is_owned() && !IsMine(*slot.record);
  slot.expired = expired ? slot.record->owner : "";
  slot.renewed = {};
  slot.attempts.clear();
  Write(slot, LeaseState::kOpening, slot.revision, now);
}

void Membership::TickSlot(size_t index, MonotonicTime now) {
  Slot& slot = slots_[index];
  if (slot.stage == Stage::kNone) {
    if (Count({Stage::kLooking, Stage::kClaiming, Stage::kOpening}) >= options_.openings) return;
    // Once at the beginning of each history, too: an unknown epoch is waited for at the same time.
    const bool is_new = joined_ && incarnation_ != 0 && (!slot.looked || *slot.looked < incarnation_seen_);
    if (!is_new && !Claimable(index, now)) return;
    slot.stage = Stage::kLooking;
    Look(slot, now);
    return;
  }
  if (slot.stage == Stage::kGiving) {
    if (now - slot.closing_since >= Share(shares().stable)) {
      Drop(slot);  // others wait until it expires
    } else if (slot.request == 0 && !slot.contested) {
      Write(slot, slot.give_back, slot.held_revision, now);
    }
    return;
  }
  if (!Holds(slot)) return;
  if (slot.stage == Stage::kOpen && !slot.looking &&
      now - slot.looked.value_or(now) >= Share(shares().look)) {
    slot.looking = true;
    Look(slot, now);
  }
  const Duration age = now - slot.renewed;
  if (slot.stage != Stage::kClosing && age >= Share(shares().close)) {
    Close(slot, /*lost=*/false, now);
  } else if (slot.stage == Stage::kOpen && leaving_ &&
             Count({Stage::kClosing, Stage::kGiving}) < options_.openings) {
    Close(slot, /*lost=*/false, now);
  }
  const bool hangs = slot.stage == Stage::kClosing && now - slot.closing_since >= Share(shares().closing);
  const bool due = (slot.renew_now || age >= Share(shares().renew)) && !hangs;
  if (due && slot.request == 0 && !slot.contested && !slot.lost) {
    Write(slot, slot.stage == Stage::kOpening ? LeaseState::kOpening : LeaseState::kOpen, slot.held_revision,
          now);
  }
}

void Membership::MoveOne(MonotonicTime now) {
  if (moving_ != kNoSlot) {
    const Slot& slot = slots_[moving_];
    const bool arrived = slot.stage == Stage::kNone && slot.record && !IsMine(*slot.record) &&
                         slot.record->state == LeaseState::kOpen;
    if (!arrived && now - moving_since_ < Share(shares().stable)) return;
    moving_ = kNoSlot;
  }
  const Duration stable = Share(shares().stable);
  if (leaving_ || incarnation_ == 0 || now - incarnation_seen_ < stable || now - view_.since() < stable) {
    return;
  }
  for (size_t i = 0; i < slots_.size(); i++) {
    const size_t rank = view_.RankOf(i, options_.name);
    if (slots_[i].stage != Stage::kOpen || rank == 0 || rank >= view_.names().size()) continue;
    moving_ = i;
    moving_since_ = now;
    Close(slots_[i], /*lost=*/false, now);
    return;
  }
}

// ---- What the process reports.

void Membership::OnLooked(const std::string& tablet, uint64_t highest_epoch, MonotonicTime now) {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot) return;
  Slot& slot = slots_[index];
  slot.looking = false;
  if (slot.stage == Stage::kOpen && highest_epoch > slot.epoch) OnLost(tablet, now);
  if (slot.stage != Stage::kLooking) return;
  slot.stage = Stage::kNone;
  if (highest_epoch > (slot.record ? slot.record->epoch : 0) && highest_epoch != slot.unknown_epoch) {
    slot.unknown_epoch = highest_epoch;
    slot.unknown_since = now;
  }
  if (Claimable(index, now)) Claim(slot, highest_epoch, now);
}

void Membership::OnOpened(const std::string& tablet, uint64_t epoch, uint64_t sequence, MonotonicTime now) {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot) return;
  Slot& slot = slots_[index];
  if (slot.stage != Stage::kOpening) return;  // ordered to close meanwhile
  slot.stage = Stage::kOpen;
  slot.epoch = epoch;
  slot.sequence = std::max(slot.sequence, sequence);
  slot.failures = 0;
  slot.renew_now = true;
  slot.doubted = true;
  // The opening may have been long, and the clock stood still for nobody.
  if (now - slot.renewed >= Share(shares().close)) Close(slot, /*lost=*/false, now);
}

void Membership::OnFailed(const std::string& tablet, bool will_pass, MonotonicTime now) {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot) return;
  Slot& slot = slots_[index];
  slot.looking = false;
  if (slot.stage != Stage::kLooking && slot.stage != Stage::kOpening && slot.stage != Stage::kClosing) return;
  slot.failures = will_pass ? 0 : std::min(slot.failures + 1, kMostDoublings);
  slot.not_before = now + Share(shares().retry) * (1 << slot.failures);
  if (slot.stage == Stage::kLooking || slot.lost) {
    Drop(slot);
    return;
  }
  slot.stage = Stage::kGiving;
  slot.give_back = LeaseState::kRefused;
  slot.closing_since = now;
}

void Membership::OnClosed(const std::string& tablet, MonotonicTime now) {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot || slots_[index].stage != Stage::kClosing) return;
  Slot& slot = slots_[index];
  if (slot.lost) {
    Drop(slot);
    return;
  }
  slot.stage = Stage::kGiving;
  slot.closing_since = now;
}

void Membership::OnLost(const std::string& tablet, MonotonicTime now) {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot) return;
  Slot& slot = slots_[index];
  if (slot.stage == Stage::kOpening || slot.stage == Stage::kOpen) Close(slot, /*lost=*/true, now);
  if (slot.stage == Stage::kClosing) slot.lost = true;
}

void Membership::SetProgress(const std::string& tablet, uint64_t sequence, uint64_t lag_urls) {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot || !Holds(slots_[index])) return;
  slots_[index].sequence = std::max(slots_[index].sequence, sequence);
  slots_[index].lag_urls = lag_urls;
}

bool Membership::MayFetch(const std::string& tablet, MonotonicTime now) const {
  return IsOpen(tablet) && !slots_[SlotOf(tablet)].doubted && MayConfirm(tablet, now);
}

bool Membership::MayConfirm(const std::string& tablet, MonotonicTime now) const {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot) return false;
  const Slot& slot = slots_[index];
  const bool is_open = slot.stage == Stage::kOpen || slot.stage == Stage::kClosing;
  return is_open && !slot.lost && now - slot.renewed < Share(shares().stop);
}

std::string Membership::OwnerOf(const std::string& tablet) const {
  const size_t index = SlotOf(tablet);
  if (index == kNoSlot) return "";
  const Slot& slot = slots_[index];
  if (Holds(slot)) return options_.name;
  return slot.record && slot.record->is_owned() ? slot.record->owner : "";
}

bool Membership::IsOpen(const std::string& tablet) const {
  const size_t index = SlotOf(tablet);
  return index != kNoSlot && slots_[index].stage == Stage::kOpen;
}

bool Membership::MustExit(MonotonicTime now) const {
  return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    if (slot.stage != Stage::kClosing) return false;
    const bool invalid = slot.lost || now - slot.renewed >= Share(shares().exit);
    return invalid && now - slot.closing_since >= Share(shares().exit - shares().close);
  });
}

void Membership::Leave() {
  leaving_ = true;
  next_beat_ = {};
}

bool Membership::left() const {
  return leaving_ && std::all_of(slots_.begin(), slots_.end(),
                                 [](const Slot& slot) { return slot.stage == Stage::kNone; });
}

}  // namespace crivello::cluster
