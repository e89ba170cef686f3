// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal_progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.h"

namespace crivello::cli {
namespace {

constexpr Duration kRedraw = std::chrono::milliseconds(100);
constexpr Duration kLine = std::chrono::seconds(30);

}  // namespace

void TerminalProgress::Start(std::string_view what, uint64_t total) {
  Finish();
  MutexLock lock(mu_);
  what_ = what;
  total_ = total;
  done_ = 0;
  started_ = drawn_ = clock_.Now();
  if (is_terminal_) DrawLocked();
}

void TerminalProgress::Advance(uint64_t units) {
  MutexLock lock(mu_);
  done_ += units;
  if (what_.empty() || clock_.Now() - drawn_ < (is_terminal_ ? kRedraw : kLine)) return;
  DrawLocked();
}

void TerminalProgress::Finish() {
  MutexLock lock(mu_);
  if (on_line_) err_.Print("\r\x1b[K");
  on_line_ = false;
  what_.clear();
}

void TerminalProgress::DrawLocked() {
  drawn_ = clock_.Now();
  const double seconds = std::chrono::duration<double>(drawn_ - started_).count();
  const double rate = seconds > 0 ? static_cast<double>(done_) / seconds : 0;
  std::string line = fmt::format("{}: {}", what_, Grouped(done_));
  if (total_ > 0) {
    line += fmt::format(" of {} ({}%)", Grouped(total_), done_ * 100 / total_);
    if (rate > 0)
      line += fmt::format(", {:.0f} s left", static_cast<double>(total_ - std::min(total_, done_)) / rate);
  }
  if (rate > 0) line += fmt::format(", {}/s", Grouped(static_cast<uint64_t>(rate)));
  if (is_terminal_) {
    err_.Print("\r\x1b[K{}", line);
    on_line_ = true;
  } else if (log_ != nullptr) {
    log_->Write(LogLevel::kInfo, "progress", line, {{"phase", what_}, {"done", done_}, {"total", total_}});
  } else {
    err_.Print("{}\n", line);
  }
  err_.Flush().IgnoreError();
}

std::unique_ptr<Progress> MakeProgress(const Session& session) {
  if (session.quiet) return std::make_unique<SilentProgress>();
  const bool screen = session.log->format() == LogFormat::kPlain && session.err->is_terminal();
  return std::make_unique<TerminalProgress>(*session.err, screen, SystemClock(), session.log.get());
}

}  // namespace crivello::cli
