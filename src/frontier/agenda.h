// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "frontier/url_record.h"
#include "kv/database.h"

namespace crivello::frontier {

// A URL that is to be visited at a given time or later, whether or not it was visited before.
struct Appointment {
  UrlRecord record = {};  // `found` is ignored: see Agenda
  WallTime not_before{};
  // The sieve has let this URL through before, as it has every URL with a row.  Of others the sieve is told,
  // so that a link to them brings no second visit.
  bool known = false;
};

// The URLs of a tablet that have a time of their own, on the disk, in order of that time: one family of the
// tablet's database.  They do not pass the sieve, which would let none through twice; so this is the door for
// revisits.
//
// An entry costs a key of 16 bytes and its URL, on the disk only: in memory there are a count and the first
// key.  Two appointments of one URL in the same millisecond are one.  An entry that is due counts as found
// when it became due, rounded up to a second (as queues keep it): what was fetched before that moment does
// not make the visit needless, and what was fetched later does.
//
// What holds across a crash: an entry whose Add() has returned is here or, from the moment in which the
// caller's batch is written, where the caller has moved it.
//
// Thread-safe; Taken is of one thread.  Format: docs/formats/agenda.md.
class Agenda {
 public:
  // Times are kept in milliseconds, rounded up, so that no one is early.
  static constexpr Duration kRounding = std::chrono::milliseconds(1);

  // What the database must have for it.
  static kv::FamilyOptions FamilyOptions() { return {.name = "agenda", .rewritten = true}; }

  // `db` outlives it.  Reads one record.
  static Result<std::unique_ptr<Agenda>> Open(kv::Database& db, kv::Family family);

  // Durable when it returns.  InvalidArgument, and none is added, if a URL is not canonical.
  Status Add(std::span<const Appointment> appointments) CRV_EXCLUDES(mu_);

  // Entries that are being moved elsewhere.  While it lives nothing else is added or taken.
  class Taken {
   public:
    Taken(Taken&&) noexcept = default;

    bool empty() const { return keys_.empty(); }
    // They point into this object.
    const std::vector<UrlRecord>& records() const { return records_; }
    // Whether the sieve knows the URL of records()[i].
    bool known(size_t i) const { return known_[i]; }
    // Deletes them by the batch; to be followed by Done() if the batch was written, or else by nothing.
    void Remove(kv::Batch& batch) const;
    void Done();

   private:
    friend class Agenda;
    explicit Taken(Agenda& agenda) : agenda_(&agenda), lock_(agenda.change_mu_) {}

    Agenda* agenda_;
    std::unique_lock<Mutex> lock_;
    std::vector<std::string> keys_;
    std::vector<std::string> values_;
    std::vector<UrlRecord> records_;
    std::vector<bool> known_;
  };
  // The first entries that are due at `now`, at most `limit`.
  Result<Taken> Take(WallTime now, size_t limit) CRV_EXCLUDES(mu_);

  // When the first entry is due, if there is one.
  std::optional<WallTime> next() const CRV_EXCLUDES(mu_);
  uint64_t size() const CRV_EXCLUDES(mu_);

  // Reads again what is remembered of the database: after a write of which nobody knows whether it is there.
  Status Reload() CRV_EXCLUDES(mu_);

  // Reads every entry, and tells those that are damaged.
  Status Check(const std::function<void(std::string sentence)>& note) const;

 private:
  Agenda(kv::Database& db, kv::Family family) : db_(db), family_(family) {}
  // The first key at or after `from`; nothing if there is none.
  Result<std::optional<std::string>> FirstKey(std::string_view from) const;

  kv::Database& db_;
  const kv::Family family_;

  Mutex change_mu_;  // held while entries are added or moved
  mutable Mutex mu_;
  uint64_t size_ CRV_GUARDED_BY(mu_) = 0;
  // The first key: what was deleted before it is not walked over again.
  std::optional<std::string> first_ CRV_GUARDED_BY(mu_);
  // Whether there is no first_: whoever looks at many agendas need not lock those that are empty.
  std::atomic<bool> empty_ = true;
};

// The value of an entry: docs/formats/agenda.md.  Inside of the agenda; here for its tests and fuzzer.
struct AgendaEntry {
  UrlRecord record = {};
  bool known = false;
  friend bool operator==(const AgendaEntry&, const AgendaEntry&) = default;
};
std::string EncodeAgendaEntry(const AgendaEntry& entry);
// Nothing if the bytes are not an entry.  Its URL points into `bytes`.
std::optional<AgendaEntry> DecodeAgendaEntry(std::string_view bytes);

}  // namespace crivello::frontier
