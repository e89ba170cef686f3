// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/exchange/exchange_store.h"
#include "cluster/exchange/message.h"

namespace crivello::cluster {

struct OutboxOptions {
  std::string tablet = {};       // whose outbox it is
  uint64_t epoch = 0;            // of its lease
  bool new_incarnation = false;  // after a restore or repair: what was confirmed may have been lost here
  uint64_t batch_bytes = 32 << 10;
  uint64_t window_bytes = 4 << 20;                  // sent and not confirmed, for each target
  uint64_t capacity_bytes = 64 << 20;               // kept, of all targets; then full()
  Duration resend_first = std::chrono::seconds(1);  // doubled with each repetition ...
  Duration resend_last = std::chrono::seconds(30);  // ... up to this
};

// The URLs that a tablet found and other tablets own, until these have confirmed them.  They are in the
// database of the tablet, put there by the same write as the row that they were found in, so none is lost
// with either side.
//
// The order of a commit, in the thread of the tablet:
//   Add() for each URL; Flush(); the store syncs; the store is StillMine(); Committed().
// Only then a batch is sent.  Else a crash or a new owner could give its number to other URLs, which the
// receiver would take for a repetition.
//
// A pure state machine: it sends nothing and knows no clock.  One thread at a time.
class Outbox {
 public:
  // Reads what is in the store; `store` outlives it.
  static Result<Outbox> Open(ExchangeStore& store, OutboxOptions options);

  // A URL for a target; `url` is put behind its length.
  void Add(const std::string& target, std::string_view url);
  // Puts what was added into the store, as batches, for the next write.
  Status Flush();
  // What was flushed is durable, and the tablet still belonged to this process afterwards.
  void Committed();
  // Fetching should pause; receiving never does.
  bool full() const { return kept_bytes_ >= options_.capacity_bytes; }

  // What is to be sent now, oldest first: new batches as far as the window allows, and those that were not
  // confirmed in time.  `room` gives for a target how many bytes of batches may be sent for the first time,
  // which are subtracted; null: it cannot be reached now.
  using Room = std::function<uint64_t*(const std::string& target)>;
  std::vector<UrlBatch> ToSend(MonotonicTime now, const Room& room);
  std::vector<UrlBatch> ToSend(MonotonicTime now);
  // The targets for which something was sent and not confirmed, and how many bytes.
  void ForEachInFlight(const std::function<void(const std::string& target, uint64_t bytes)>& visit) const;
  // Deletes from the store, by the next write, what was confirmed.
  Status OnConfirmation(const Confirmation& confirmation);
  // Targets that lost URLs which they had confirmed: add all links to them again, from the rows, then call
  // Rederived() before the Flush() of the same write.
  const std::set<std::string>& rederivations() const { return rederive_; }
  Status Rederived(const std::string& target);

  // Nothing waits to be sent or confirmed.
  bool empty() const;
  uint64_t kept_bytes() const { return kept_bytes_; }
  uint64_t kept_urls() const { return kept_urls_; }
  // Batches that were sent more than once.
  uint64_t repetitions() const { return repetitions_; }

 private:
  struct Kept {
    uint64_t sequence = 0;
    std::string urls;
    uint64_t count = 0;  // of the URLs
    bool committed = false;
    int sent = 0;  // times
    MonotonicTime resend = {};
  };
  struct Stream {
    uint64_t incarnation = 0;
    uint64_t next = 1;       // sequence number
    uint64_t answers = 0;    // question
    uint64_t in_flight = 0;  // bytes of what was sent and is kept
    std::deque<Kept> kept = {};
  };

  Outbox(ExchangeStore& store, OutboxOptions options) : store_(&store), options_(std::move(options)) {}
  Status Load();
  Status PutHead(const std::string& target, const Stream& stream);
  Status PutBatch(const std::string& target, Stream& stream, std::string urls);
  void Dropped(Stream& stream, const Kept& batch);
  Status NewIncarnation(const std::string& target, Stream& stream);

  ExchangeStore* store_;
  OutboxOptions options_;
  std::map<std::string, std::string> open_;  // by target: what was added and not flushed
  std::map<std::string, Stream> streams_;    // by target
  std::set<std::string> rederive_;
  uint64_t kept_bytes_ = 0;
  uint64_t kept_urls_ = 0;
  uint64_t repetitions_ = 0;
};

}  // namespace crivello::cluster
