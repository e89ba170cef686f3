// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace crivello::cli {

Signals::Signals(Logger& log) : log_(log) {
  sigemptyset(&awaited_);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) sigaddset(&awaited_, signal);
  pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
  signals_ = signalfd(-1, &awaited_, SFD_CLOEXEC | SFD_NONBLOCK);
  wake_ = eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { Run(); });
}

Signals::~Signals() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_, &one, sizeof one);
  thread_.join();
  // A signal that arrives while the program is about to end is dropped, so that it cannot end it halfway.
  const timespec now = {};
  while (sigtimedwait(&awaited_, nullptr, &now) > 0) {
  }
  close(signals_);
  close(wake_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void Signals::Run() {
  while (true) {
    std::array<pollfd, 2> polled = {pollfd{signals_, POLLIN, 0}, pollfd{wake_, POLLIN, 0}};
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return;
    if (polled[1].revents != 0) return;
    signalfd_siginfo signal = {};
    if (read(signals_, &signal, sizeof signal) != sizeof signal) continue;
    if (signal.ssi_signo == SIGUSR1 || signal.ssi_signo == SIGUSR2) {
      ChangeLevel(signal.ssi_signo == SIGUSR1 ? 1 : -1);
      continue;
    }
    MutexLock lock(mu_);
    if (handle_) {
      handle_();
    } else {
      interrupts_++;
      came_.notify_all();
    }
  }
}

void Signals::ChangeLevel(int step) {
  const int level = std::clamp(static_cast<int>(log_.level()) + step, static_cast<int>(LogLevel::kError),
                               static_cast<int>(LogLevel::kDebug));
  // Logged while the more verbose of the two levels is set, so that it is visible in both directions, unless
  // only errors are logged.
  const auto changed = static_cast<LogLevel>(level);
  if (step > 0) log_.set_level(changed);
  log_.Write(LogLevel::kWarning, "log.level", fmt::format("the log level is now {}", NameOf(changed)),
             {{"to", std::string(NameOf(changed))}});
  log_.set_level(changed);
}

bool Signals::WaitFor(Duration limit) {
  MutexLock lock(mu_);
  came_.wait_for(mu_, limit, [this]() CRV_REQUIRES(mu_) { return interrupts_ > 0; });
  if (interrupts_ == 0) return false;
  interrupts_--;
  return true;
}

void Signals::OnInterrupt(std::function<void()> handle) {
  MutexLock lock(mu_);
  handle_ = std::move(handle);
  if (!handle_) return;
  for (; interrupts_ > 0; interrupts_--) handle_();
}

}  // namespace crivello::cli
