// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <thread>

#include "cli/logger.h"

namespace crivello::cli {

// Lets whoever runs the program change its level while it runs: SIGUSR1 tells more, SIGUSR2 less, by a level
// each. Made before other threads are started, so that none of them is interrupted; a thread of its own
// waits.
class LevelSignals {
 public:
  explicit LevelSignals(Logger& log);
  ~LevelSignals();
  LevelSignals(const LevelSignals&) = delete;
  LevelSignals& operator=(const LevelSignals&) = delete;

 private:
  void Run();

  Logger& log_;
  sigset_t awaited_;
  sigset_t before_;
  int signals_;  // a signalfd
  int wake_;     // an eventfd: the destructor's word to the thread
  std::thread thread_;
};

}  // namespace crivello::cli
