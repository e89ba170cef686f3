// SPDX-License-Identifier: Apache-2.0
// For tests that wait for something to happen, or measure how work grows; included by tests only.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <thread>

namespace crivello {

// Returns true as soon as the condition holds, and false if it does not within the bound.  The bound is far
// above what a loaded machine needs: reaching it means that something is broken.
template <typename Condition>
[[nodiscard]] bool WaitFor(Condition condition, std::chrono::nanoseconds bound = std::chrono::seconds(60)) {
  const auto end = std::chrono::steady_clock::now() + bound;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// How often a thread of this process (by its gettid()) has gone to sleep of its own accord; nothing if it is
// not asleep now.
inline std::optional<uint64_t> TimesAsleep(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/status");
  bool asleep = false;
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("State:")) asleep = line.find('S', 6) != std::string::npos;
    if (asleep && line.starts_with("voluntary_ctxt_switches:")) return std::stoull(line.substr(24));
  }
  return std::nullopt;
}

// Returns true when the thread is blocked: it was asleep at 20 looks in a row, a millisecond apart, and did
// not wake up between them.
[[nodiscard]] inline bool WaitUntilBlocked(pid_t thread) {
  std::optional<uint64_t> before;
  int looks = 0;
  return WaitFor([&] {
    const std::optional<uint64_t> now = TimesAsleep(thread);
    looks = now && now == before ? looks + 1 : 0;
    before = now;
    return looks >= 20;
  });
}

// How the CPU time of work(size) grows from n to 4 n: 4 if it is linear, 16 if it is quadratic.  Other
// programs make a measurement longer and never shorter, so the least of several is taken: it measures until
// the growth is below `enough`, five times at most.  What takes less than some 0.2 ms counts as constant.
template <typename Work>
double GrowthOfCost(size_t n, double enough, Work work) {
  const auto seconds = [] {
    timespec now = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  constexpr double kNegligible = 2e-4;
  std::array<double, 2> least = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  double growth = 0;
  for (int i = 0; i < 5; i++) {
    for (const size_t k : {size_t{0}, size_t{1}}) {
      const double start = seconds();
      work(k == 0 ? n : 4 * n);
      least[k] = std::min(least[k], seconds() - start);
    }
    growth = (least[1] + kNegligible) / (least[0] + kNegligible);
    if (growth < enough) break;
  }
  return growth;
}
// Linear work stays below this, quadratic work does not: three times as much for twice the size.
constexpr double kLinearGrowth = 9;

}  // namespace crivello
