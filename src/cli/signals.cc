// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.h"

#include <chrono>

namespace crivello::cli {

Signals::Signals() {
  sigemptyset(&awaited_);
  sigaddset(&awaited_, SIGINT);
  sigaddset(&awaited_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
}

Signals::~Signals() {
  // What came late is not to end the program after its work is done.
  while (WaitFor(Duration::zero())) {
  }
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool Signals::WaitFor(Duration limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  const timespec time = {.tv_sec = seconds.count(), .tv_nsec = static_cast<long>((limit - seconds).count())};
  return sigtimedwait(&awaited_, nullptr, &time) > 0;
}

}  // namespace crivello::cli
