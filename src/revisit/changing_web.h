// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/status.h"

namespace crivello::revisit {

// A web whose pages change by themselves, for trying policies.  Rates are log-normal, with a factor that the
// pages of a host share.
enum class ChangeLaw {
  kPoisson,   // changes are independent
  kBursty,    // 4 of 5 changes follow the previous one after a tenth of the mean time
  kPeriodic,  // changes come at equal distances
  kHinted,    // Poisson; some changes are announced, and hints are right
  kLying,     // like kHinted, but a third of all hints are false, most of them from a few hosts
  kFalse,     // all hints are false
};
std::vector<std::string_view> ChangeLawNames();
std::string_view ChangeLawName(ChangeLaw law);
Result<ChangeLaw> FindChangeLaw(std::string_view name);
inline bool HasHints(ChangeLaw law) { return law >= ChangeLaw::kHinted; }

struct ChangingWebOptions {
  uint64_t seed = 1;
  uint32_t pages = 100'000;
  uint32_t hosts = 1'000;
  double median_days = 30;
  double sigma = 2;         // of the logarithm of the rates
  double host_share = 0.5;  // the part of the variance sigma^2 that the pages of a host have in common
  ChangeLaw law = ChangeLaw::kPoisson;
};

class ChangingWeb {
 public:
  // REQUIRES: 0 < hosts <= pages.
  explicit ChangingWeb(const ChangingWebOptions& options);

  uint32_t pages() const { return static_cast<uint32_t>(pages_.size()); }
  uint32_t hosts() const { return static_cast<uint32_t>(recall_.size()); }
  // The pages of a host are [first_page(host), first_page(host + 1)).
  uint32_t first_page(uint32_t host) const {
    return static_cast<uint32_t>(static_cast<uint64_t>(host) * pages() / hosts());
  }
  uint32_t host(uint32_t page) const { return pages_[page].host; }
  double changes_per_day(uint32_t page) const { return pages_[page].rate; }

  // The next change; Advance() moves to the one after it.  Times are days and start at 0.
  double next_change(uint32_t page) const { return pages_[page].next; }
  void Advance(uint32_t page);
  // Whether the change is announced.
  bool Announced(uint32_t page);
  // The next false hint after `day`; infinite if the host sends none.
  double NextFalseHint(uint32_t page, double day);

 private:
  struct Page {
    SeededRandom random;
    double rate;
    double next;
    uint32_t host;
  };
  double Gap(Page& page) const;

  const ChangeLaw law_;
  std::vector<Page> pages_;
  std::vector<double> recall_;     // by host: the share of changes that are announced
  std::vector<double> precision_;  // by host
};

}  // namespace crivello::revisit
