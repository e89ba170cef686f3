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

// A URL to visit at a given time or later, whether or not it was visited before.
struct Appointment {
  UrlRecord record = {};  // `found` is ignored: see Agenda
  WallTime not_before{};
  // Whether the sieve has let this URL through before, as it has every URL with a row.  If not, the sieve is
  // told, so that a link to the URL causes no second visit.
  bool known = false;
};

// The URLs of a tablet with a time of their own, on disk, ordered by that time: one family of the
// tablet's database. They do not pass the sieve, which would let none through twice; so this is how
// revisits enter.
//
// An entry costs a key of 16 bytes and its URL, on disk only; memory has a count and the first key.  Two
// appointments of one URL in the same millisecond are merged.  A due entry counts as found when it became
// due, rounded up to a second (the precision of queues).  So a fetch before that moment does not make the
// visit unnecessary, and a later fetch does.
//
// Crash safety: an entry whose Add() has returned is here or, once the caller's batch is written, where the
// caller has moved it.
//
// Thread-safe, but a Taken belongs to one thread.  Format: docs/formats/agenda.md.
class Agenda {
 public:
  // Times are stored in milliseconds, rounded up, so that no visit is early.
  static constexpr Duration kRounding = std::chrono::milliseconds(1);

  // The family that the database must have for it.
  static kv::FamilyOptions FamilyOptions() { return {.name = "agenda", .rewritten = true}; }

  // `db` must outlive it.  Reads one record.
  static Result<std::unique_ptr<Agenda>> Open(kv::Database& db, kv::Family family);

  // Durable when it returns.  InvalidArgument, and nothing is added, if a URL is not canonical.
  Status Add(std::span<const Appointment> appointments) CRV_EXCLUDES(mu_);

  // Entries being moved elsewhere.  While this exists, nothing else is added or taken.
  class Taken {
   public:
    Taken(Taken&&) noexcept = default;

    bool empty() const { return keys_.empty(); }
    // They point into this object.
    const std::vector<UrlRecord>& records() const { return records_; }
    // Whether the sieve knows the URL of records()[i].
    bool known(size_t i) const { return known_[i]; }
    // Adds their deletion to the batch; call Done() if the batch was written, otherwise nothing.
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
  // The first entries that are due at `now`, up to `limit`.
  Result<Taken> Take(WallTime now, size_t limit) CRV_EXCLUDES(mu_);

  // When the first entry is due, if there is one.
  std::optional<WallTime> next() const CRV_EXCLUDES(mu_);
  uint64_t size() const CRV_EXCLUDES(mu_);

  // Reads the remembered values from the database again, after a write that may or may not have succeeded.
  Status Reload() CRV_EXCLUDES(mu_);

  // Reads every entry, and reports damaged ones.
  Status Check(const std::function<void(std::string sentence)>& note) const;

 private:
  Agenda(kv::Database& db, kv::Family family) : db_(db), family_(family) {}
  // The first key at or after `from`; nullopt if there is none.
  Result<std::optional<std::string>> FirstKey(std::string_view from) const;

  kv::Database& db_;
  const kv::Family family_;

  Mutex change_mu_;  // held while entries are added or moved
  mutable Mutex mu_;
  uint64_t size_ CRV_GUARDED_BY(mu_) = 0;
  // The first key, so that deleted keys before it are not scanned again.
  std::optional<std::string> first_ CRV_GUARDED_BY(mu_);
  // Whether first_ is empty, so that scanning many agendas need not lock the empty ones.
  std::atomic<bool> empty_ = true;
};

// The value of an entry: docs/formats/agenda.md.  Internal; declared here for the tests and the fuzzer.
struct AgendaEntry {
  UrlRecord record = {};
  bool known = false;
  friend bool operator==(const AgendaEntry&, const AgendaEntry&) = default;
};
std::string EncodeAgendaEntry(const AgendaEntry& entry);
// Nullopt if the bytes are not an entry.  Its URL points into `bytes`.
std::optional<AgendaEntry> DecodeAgendaEntry(std::string_view bytes);

}  // namespace crivello::frontier
