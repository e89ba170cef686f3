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

// Returns true as soon as the condition holds, or false if it does not within the bound. The bound is far
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

// How often a thread of this process (given by its gettid()) has gone to sleep voluntarily; nullopt if it is
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

// Returns true once the thread is blocked: it was asleep in 20 consecutive checks, a millisecond apart, and
// did not wake up in between.
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

// How the CPU time of work(size) grows from n to 4 n: 4-fold if linear, 16-fold if quadratic. Other programs
// can only make a measurement longer, so it takes the least of several: it repeats until the growth is below
// `enough`, at most five times. Times below about 0.2 ms count as constant.
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
// Linear work stays below this, quadratic work does not: three times the cost for twice the size.
constexpr double kLinearGrowth = 9;

}  // namespace crivello
