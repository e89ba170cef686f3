// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/exchange/exchange_store.h"
#include "cluster/exchange/message.h"

namespace crivello::cluster {

struct InboxOptions {
  std::string tablet = {};  // whose inbox it is
  uint64_t epoch = 0;       // of its lease
  // After a restore: all tablets that may have sent something.  They are asked for a new incarnation, and go
  // on being asked, also by later processes, until they answer.
  std::vector<std::string> ask = {};
  uint64_t held_bytes = 4 << 20;  // of batches that came too early, for each sender; more are refused
  Duration ask_again = std::chrono::seconds(5);
};

// The URLs that other tablets found and this one owns: batches go to the sieve in the order of their numbers,
// each of them at least once, and are confirmed when they are durable.
//
// What is stored for each sender is its incarnation and the highest number up to which no batch is missing.
// The order in Commit(): the sieve syncs, the numbers are put and the store syncs, the store is StillMine(),
// and only then the confirmations leave.
//
// A pure state machine.  One thread at a time.
class Inbox {
 public:
  // Reads what is in the store; `store` and `sink` outlive it.
  static Result<Inbox> Open(ExchangeStore& store, UrlSink& sink, InboxOptions options);

  // Offers what has its turn, holds what is early.  It never waits for sending.
  Status OnBatch(const UrlBatch& batch);
  // Makes all that was received durable, and returns what may be confirmed then.  Nothing is written if
  // nothing came.
  Result<std::vector<Confirmation>> Commit();
  // Questions that were not answered yet, each now and then.
  std::vector<Confirmation> ToAsk(MonotonicTime now);

  // Batches that had been received before.
  uint64_t repetitions() const { return repetitions_; }
  // Batches that came too early.
  uint64_t early() const { return early_; }
  // Batches after which confirmed ones were missing.
  uint64_t gaps() const { return gaps_; }
  bool asks() const { return !asked_.empty(); }

 private:
  struct Sender {
    uint64_t incarnation = 0;
    uint64_t through = 0;
    std::map<uint64_t, std::string> held = {};
    uint64_t held_bytes = 0;
    bool changed = false;  // since the last commit
    bool answer = false;   // is due
    bool lacks = false;
  };

  Inbox(ExchangeStore& store, UrlSink& sink, InboxOptions options)
      : store_(&store), sink_(&sink), options_(std::move(options)) {}
  Status Load();
  Status Answered(const std::string& from, uint64_t question);

  ExchangeStore* store_;
  UrlSink* sink_;
  InboxOptions options_;
  std::map<std::string, Sender> senders_;
  struct Question {
    uint64_t number = 0;
    bool durable = false;
    MonotonicTime next = {};
  };
  std::map<std::string, Question> asked_;  // by sender
  bool asked_changed_ = false;
  uint64_t repetitions_ = 0;
  uint64_t early_ = 0;
  uint64_t gaps_ = 0;
};

}  // namespace crivello::cluster
