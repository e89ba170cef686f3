// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/progress.h"
#include "cli/command.h"

namespace crivello::cli {

// Progress on standard error, for people.  On a terminal, one line that is redrawn (phase, percentage, rate,
// time left) at most ten times a second.  Elsewhere, a plain line when a phase has lasted half a minute, and
// every half minute after, so that a log shows that the program is alive.  Thread-safe.
class TerminalProgress final : public Progress {
 public:
  // If `log` is not null, it gets the lines when this is not a terminal.
  TerminalProgress(Writer& err, bool is_terminal, const Clock& clock = SystemClock(), Logger* log = nullptr)
      : err_(err), is_terminal_(is_terminal), clock_(clock), log_(log) {}
  ~TerminalProgress() override { Finish(); }

  void Start(std::string_view what, uint64_t total) override;
  void Advance(uint64_t units) override;
  void Finish() override;

 private:
  void DrawLocked() CRV_REQUIRES(mu_);

  Writer& err_;
  const bool is_terminal_;
  const Clock& clock_;
  Logger* const log_;
  Mutex mu_;
  std::string what_ CRV_GUARDED_BY(mu_);
  uint64_t total_ CRV_GUARDED_BY(mu_) = 0;
  uint64_t done_ CRV_GUARDED_BY(mu_) = 0;
  MonotonicTime started_ CRV_GUARDED_BY(mu_);
  MonotonicTime drawn_ CRV_GUARDED_BY(mu_);
  bool on_line_ CRV_GUARDED_BY(mu_) = false;  // the terminal's current line is ours
};

// The progress of a command's long operations, on standard error; silent with --quiet.
std::unique_ptr<Progress> MakeProgress(const Session& session);

}  // namespace crivello::cli
