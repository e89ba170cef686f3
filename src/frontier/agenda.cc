// SPDX-License-Identifier: Apache-2.0
#include "frontier/agenda.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "base/record.h"
#include "frontier/host_queues_format.h"
#include "web/url/signature.h"

namespace crivello::frontier {
namespace {

constexpr uint64_t kAgendaVersion = 1;
constexpr uint64_t kKnownFlag = 1;
// Before all entries.
constexpr std::string_view kSizeKey = {};

// Time and URL have the form of a sleeper's time and host: the bytes compare like the times.
SleeperKey EntryKey(WallTime due, std::string_view url) {
  return {due, web::UrlSignature(web::HostHash(SplitUrl(url)->host), url)};
}

// Rounded up, so that no visit is early.
WallTime DueOf(const Appointment& appointment) {
  return WallTime(std::chrono::ceil<std::chrono::milliseconds>(appointment.not_before.time_since_epoch()));
}

std::string EncodeSize(uint64_t size) {
  RecordWriter out;
  out.Number(kAgendaVersion);
  out.Number(size);
  return std::move(out).bytes();
}

std::optional<uint64_t> DecodeSize(std::string_view bytes) {
  RecordReader in(bytes);
  const bool good = in.Number() == kAgendaVersion;
  const uint64_t size = in.Number();
  return good && in.finished() ? std::optional(size) : std::nullopt;
}

Status DamagedEntry(std::string_view key) {
  const auto parts = SleeperKey::Parse(key);
  return Status::Corruption(
      fmt::format("agenda: the entry of URL {:016x} is damaged", parts ? parts->host : 0));
}

}  // namespace

std::string EncodeAgendaEntry(const AgendaEntry& entry) {
  std::string bytes;
  RecordWriter out(&bytes);
  out.Number(kAgendaVersion);
  out.Number(entry.known ? kKnownFlag : 0);
  AppendUrlRecord(entry.record, &bytes);
  return bytes;
}

std::optional<AgendaEntry> DecodeAgendaEntry(std::string_view bytes) {
  RecordReader in(bytes);
  const uint64_t version = in.Number();
  const uint64_t flags = in.NumberAtMost(kKnownFlag);
  const std::string_view rest = in.Rest();
  if (!in.ok() || version != kAgendaVersion) return std::nullopt;
  const auto record = ParseUrlRecord(rest);
  if (!record) return std::nullopt;
  return AgendaEntry{.record = *record, .known = (flags & kKnownFlag) != 0};
}

Result<std::unique_ptr<Agenda>> Agenda::Open(kv::Database& db, kv::Family family) {
  std::unique_ptr<Agenda> agenda(new Agenda(db, family));
  CRV_TRY(agenda->Reload());
  return agenda;
}

Status Agenda::Reload() {
  const std::unique_lock<Mutex> change(change_mu_);
  CRV_ASSIGN(const auto bytes, db_.Get(family_, kSizeKey));
  const std::optional<uint64_t> size = bytes ? DecodeSize(*bytes) : 0;
  if (!size) return Status::Corruption("agenda: the record of its size is damaged");
  CRV_ASSIGN(auto first, FirstKey({}));
  MutexLock lock(mu_);
  size_ = *size;
  first_ = std::move(first);
  empty_ = !first_;
  return Status::Ok();
}

Result<std::optional<std::string>> Agenda::FirstKey(std::string_view from) const {
  kv::Cursor cursor = db_.Scan(family_, from);
  if (cursor.valid() && cursor.key() == kSizeKey) cursor.Next();
  CRV_TRY(cursor.status());
  return cursor.valid() ? std::optional<std::string>(cursor.key()) : std::nullopt;
}

Status Agenda::Add(std::span<const Appointment> appointments) {
  kv::Batch batch;
  std::set<std::string, std::less<>> keys;
  for (const Appointment& appointment : appointments) {
    UrlRecord record = appointment.record;
    if (!SplitUrl(record.url) || record.priority >= kPriorityClasses) {
      return Status::InvalidArgument(fmt::format("'{}' is not a canonical URL", record.url));
    }
    const WallTime due = DueOf(appointment);
    record.found = WallTime(std::chrono::ceil<std::chrono::seconds>(due.time_since_epoch()));
    const SleeperKey key = EntryKey(due, record.url);
    batch.Put(family_, key, EncodeAgendaEntry({record, appointment.known}));
    keys.emplace(key.view());
  }
  if (keys.empty()) return Status::Ok();
  const std::unique_lock<Mutex> change(change_mu_);
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  CRV_ASSIGN(const auto there, db_.Get(family_, views));
  const auto is_new = [](const std::optional<std::string>& value) { return !value; };
  const uint64_t added = static_cast<uint64_t>(std::count_if(there.begin(), there.end(), is_new));
  const uint64_t size = this->size() + added;
  batch.Put(family_, kSizeKey, EncodeSize(size));
  CRV_TRY(db_.Write(batch, {.sync = true}));
  MutexLock lock(mu_);
  size_ = size;
  if (!first_ || *keys.begin() < *first_) first_ = *keys.begin();
  empty_ = false;
  return Status::Ok();
}

Result<Agenda::Taken> Agenda::Take(WallTime now, size_t limit) {
  Taken taken(*this);
  std::optional<std::string> from;
  {
    MutexLock lock(mu_);
    from = first_;
  }
  if (!from) return taken;
  kv::Cursor cursor = db_.Scan(family_, *from, SleeperKey::After(now));
  for (; cursor.valid() && taken.keys_.size() < limit; cursor.Next()) {
    taken.keys_.emplace_back(cursor.key());
    taken.values_.emplace_back(cursor.value());
  }
  CRV_TRY(cursor.status());
  for (size_t i = 0; i < taken.keys_.size(); ++i) {
    const auto entry = DecodeAgendaEntry(taken.values_[i]);
    if (!entry) return DamagedEntry(taken.keys_[i]);
    taken.records_.push_back(entry->record);
    taken.known_.push_back(entry->known);
  }
  return taken;
}

void Agenda::Taken::Remove(kv::Batch& batch) const {
  for (const std::string& key : keys_) batch.Delete(agenda_->family_, key);
  const uint64_t size = agenda_->size();
  batch.Put(agenda_->family_, kSizeKey, EncodeSize(size - std::min<uint64_t>(size, keys_.size())));
}

void Agenda::Taken::Done() {
  if (keys_.empty()) return;
  // If the key after them cannot be found now, the next Take() looks for it from here.
  const std::string behind = keys_.back() + '\0';
  auto first = agenda_->FirstKey(behind);
  MutexLock lock(agenda_->mu_);
  agenda_->size_ -= std::min<uint64_t>(agenda_->size_, keys_.size());
  agenda_->first_ = first.ok() ? *std::move(first) : std::optional(behind);
  agenda_->empty_ = !agenda_->first_;
}

std::optional<WallTime> Agenda::next() const {
  if (empty_) return std::nullopt;
  MutexLock lock(mu_);
  if (!first_) return std::nullopt;
  const auto parts = SleeperKey::Parse(std::string_view(*first_).substr(0, 16));
  return parts ? std::optional(parts->wake) : std::nullopt;
}

uint64_t Agenda::size() const {
  MutexLock lock(mu_);
  return size_;
}

Status Agenda::Check(const std::function<void(std::string sentence)>& note) const {
  kv::Cursor cursor = db_.Scan(family_);
  for (; cursor.valid(); cursor.Next()) {
    const bool good = cursor.key() == kSizeKey ? DecodeSize(cursor.value()).has_value()
                                               : SleeperKey::Parse(cursor.key()).has_value() &&
                                                     DecodeAgendaEntry(cursor.value()).has_value();
    if (!good) note(std::string(DamagedEntry(cursor.key()).message()));
  }
  return cursor.status();
}

}  // namespace crivello::frontier
