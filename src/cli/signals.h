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

// Handles signals in a long-running command.  All threads block them, and a separate thread waits for them,
// so no code runs in a signal handler:
//
//   SIGINT, SIGTERM   the user wants it to end: WaitFor() or OnInterrupt()
//   SIGUSR1, SIGUSR2  increase or decrease the log level by one
//
// Create it before other threads, so that none of them is interrupted.  Thread-safe.
class Signals {
 public:
  explicit Signals(Logger& log);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Waits for an interrupt that was not yet handled, and consumes it.  Returns whether one came in time.
  bool WaitFor(Duration limit) CRV_EXCLUDES(mu_);

  // From now on `handle` gets the interrupts, in the signal thread; interrupts not yet handled are passed at
  // once. Empty: removes the handler.  When this returns, the previous handler is not running.
  void OnInterrupt(std::function<void()> handle) CRV_EXCLUDES(mu_);

 private:
  void Run() CRV_EXCLUDES(mu_);
  void ChangeLevel(int step);

  Logger& log_;
  sigset_t awaited_;
  sigset_t before_;
  int signals_;  // a signalfd
  int wake_;     // an eventfd: tells the thread to end
  Mutex mu_;
  std::condition_variable_any came_;
  uint64_t interrupts_ CRV_GUARDED_BY(mu_) = 0;  // not yet handled
  std::function<void()> handle_ CRV_GUARDED_BY(mu_);
  std::thread thread_;  // the last member
};

}  // namespace crivello::cli
