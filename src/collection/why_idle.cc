// SPDX-License-Identifier: Apache-2.0
#include "collection/why_idle.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace crivello::collection {

std::string WhyIdle(const frontier::FrontierStats& counts, MonotonicTime now) {
  if (counts.ready > 0 || counts.taken > 0) return "";
  if (counts.queued_urls == 0) {
    if (counts.sieve_waiting + counts.sieve_untaken > 0) return "the sieve is checking new URLs";
    return counts.uncommitted_urls > 0 ? "the last pages are being read and committed"
                                       : "nothing is left to fetch";
  }
  std::string text;
  const auto add = [&](uint64_t hosts, const char* what) {
    if (hosts == 0) return;
    text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", hosts,
                        !text.empty() ? ""
                        : hosts == 1  ? " host waits"
                                      : " hosts wait",
                        what);
  };
  add(counts.host_delay, "for the host's delay");
  add(counts.address_delay, "for the delay of the address");
  add(counts.resolving, "for DNS");
  add(counts.robots, "for robots.txt");
  add(counts.uncommitted, "for a commit");
  add(counts.sleeping, "on disk until their next visit");
  if (text.empty()) text = "waiting for a host to wake";
  if (counts.next) {
    const double left = std::chrono::duration<double>(*counts.next - now).count();
    text += fmt::format("; next in {:.1f} s from {}", std::max(left, 0.0), counts.next_host);
  }
  return text;
}

}  // namespace crivello::collection
