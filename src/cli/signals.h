// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <functional>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "cli/logger.h"

namespace crivello::cli {

// The signals that a command which runs for long answers to.  All threads block them, and one thread of its
// own waits for them, so no code runs in a signal handler:
//
//   SIGINT, SIGTERM   someone wants it to end: WaitFor() or OnInterrupt()
//   SIGUSR1, SIGUSR2  the log tells more, or less, by a level
//
// Made before other threads are started, so that none of them is interrupted.  Thread-safe.
class Signals {
 public:
  explicit Signals(Logger& log);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Waits for an interrupt that nobody has taken, and takes it.  Whether one came within that time.
  bool WaitFor(Duration limit) CRV_EXCLUDES(mu_);

  // From now on `handle` takes the interrupts, in the thread of the signals, and those that nobody has taken
  // yet at once.  Empty: none does.  When this returns, no call of the one before is under way.
  void OnInterrupt(std::function<void()> handle) CRV_EXCLUDES(mu_);

 private:
  void Run() CRV_EXCLUDES(mu_);
  void ChangeLevel(int step);

  Logger& log_;
  sigset_t awaited_;
  sigset_t before_;
  int signals_;  // a signalfd
  int wake_;     // an eventfd: the destructor's word to the thread
  Mutex mu_;
  std::condition_variable_any came_;
  uint64_t interrupts_ CRV_GUARDED_BY(mu_) = 0;  // not yet taken
  std::function<void()> handle_ CRV_GUARDED_BY(mu_);
  std::thread thread_;  // the last member
};

}  // namespace crivello::cli
