// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/clock.h"
#include "base/counter.h"

namespace crivello::page {

// The stages by which a crawl's CPU time is accounted.
enum class Stage : uint8_t {
  kNetwork,      // libcurl, sockets
  kFrontier,     // scheduling: queues, politeness, robots.txt, moving keys from the sieve to the queues
  kTokenizer,    // content coding, charset, tokenizer and tree
  kText,         // blocks, main content, language
  kLinks,        // links resolved, canonicalised, filtered, encoded as a cell
  kSieve,        // offering links
  kDigest,       // digest of the text, SimHash, lookup of seen texts
  kCompression,  // the capture encoded as records: SHA-1, deflate
  kArchive,      // records written
  kCommit,       // syncs, rows, ledger, dequeues
  kOther,        // of page workers: HTTP heads, filters, cells, queues between threads
};
constexpr size_t kStages = static_cast<size_t>(Stage::kOther) + 1;
std::string_view StageName(Stage stage);

// The CPU time used by this thread.
Duration ThreadCpu();

// CPU time by stage, over all threads; measured only if it is on. Thread-safe.
class StageCosts {
 public:
  explicit StageCosts(bool on) : on_(on) {}
  bool on() const { return on_; }
  void Add(Stage stage, Duration cpu) {
    nanoseconds_[static_cast<size_t>(stage)].Add(static_cast<uint64_t>(cpu.count()));
  }
  std::array<Duration, kStages> cpu() const;

 private:
  const bool on_;
  std::array<Counter, kStages> nanoseconds_;
};

// A thread's clock, which charges the current stage. Changing the stage costs a branch, plus a system call if
// costs are measured. Created and used by one thread.
class StageClock {
 public:
  StageClock(StageCosts& costs, Stage stage);
  ~StageClock() { Enter(stage_); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

  void Enter(Stage stage) {
    if (costs_.on()) Switch(stage);
  }

 private:
  void Switch(Stage stage);

  StageCosts& costs_;
  Stage stage_;
  Duration since_{};
};

}  // namespace crivello::page
