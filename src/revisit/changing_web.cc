// SPDX-License-Identifier: Apache-2.0
#include "revisit/changing_web.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace crivello::revisit {
namespace {

constexpr std::array<std::string_view, 6> kLawNames = {"poisson", "bursty", "periodic",
                                                       "hinted",  "lying",  "false"};

double Normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.Unit()));
  return radius * std::cos(2 * std::numbers::pi * random.Unit());
}
double Exponential(Random& random, double mean) { return -mean * std::log(1 - random.Unit()); }

}  // namespace

std::vector<std::string_view> ChangeLawNames() { return {kLawNames.begin(), kLawNames.end()}; }

std::string_view ChangeLawName(ChangeLaw law) { return kLawNames[static_cast<size_t>(law)]; }

Result<ChangeLaw> FindChangeLaw(std::string_view name) {
  for (size_t i = 0; i < kLawNames.size(); i++) {
    if (kLawNames[i] == name) return static_cast<ChangeLaw>(i);
  }
  return Status::InvalidArgument(
      fmt::format("unknown law of changes '{}': expected one of {}", name, fmt::join(kLawNames, ", ")));
}

ChangingWeb::ChangingWeb(const ChangingWebOptions& options) : law_(options.law) {
  SeededRandom random(options.seed);
  std::vector<double> factors;
  for (uint32_t host = 0; host < options.hosts; host++) {
    factors.push_back(std::exp(options.sigma * std::sqrt(options.host_share) * Normal(random)));
    recall_.push_back(0.2 + 0.7 * random.Unit());
    // In a lying web, false hints are half as many as right ones.  For each right hint, a host with a
    // precision of 0.2 sends 4 false ones and a host with 0.95 sends 0.053: 0.113 * 4 + 0.887 * 0.053 = 0.5.
    const bool liar = random.Unit() < 0.113;
    precision_.push_back(law_ == ChangeLaw::kHinted ? 1 : law_ == ChangeLaw::kFalse ? 0 : liar ? 0.2 : 0.95);
  }
  pages_.reserve(options.pages);
  for (uint32_t page = 0; page < options.pages; page++) {
    // The host whose range has the page.
    const auto host = static_cast<uint32_t>(
        ((static_cast<uint64_t>(page) + 1) * options.hosts + options.pages - 1) / options.pages - 1);
    const double own = std::exp(options.sigma * std::sqrt(1 - options.host_share) * Normal(random));
    pages_.push_back(Page{.random = SeededRandom(random.Next()),
                          .rate = factors[host] * own / options.median_days,
                          .next = 0,
                          .host = host});
    Page& made = pages_.back();
    made.next = law_ == ChangeLaw::kPeriodic ? made.random.Unit() / made.rate : Gap(made);
  }
}

double ChangingWeb::Gap(Page& page) const {
  const double mean = 1 / page.rate;
  switch (law_) {
    case ChangeLaw::kBursty:
      // 0.8 * 0.1 + 0.2 * 4.6 = 1.
      return Exponential(page.random, page.random.Unit() < 0.8 ? 0.1 * mean : 4.6 * mean);
    case ChangeLaw::kPeriodic:
      return mean;
    default:
      return Exponential(page.random, mean);
  }
}

void ChangingWeb::Advance(uint32_t page) { pages_[page].next += Gap(pages_[page]); }

bool ChangingWeb::Announced(uint32_t page) {
  return law_ != ChangeLaw::kFalse && pages_[page].random.Unit() < recall_[pages_[page].host];
}

double ChangingWeb::NextFalseHint(uint32_t page, double day) {
  Page& one = pages_[page];
  const double precision = precision_[one.host];
  // Right hints come at recall * rate, and are `precision` of all; a host whose hints are all false sends as
  // many as one that announces its changes.
  const double per_day = precision > 0 ? recall_[one.host] * one.rate * (1 - precision) / precision
                                       : recall_[one.host] * one.rate;
  if (per_day <= 0) return std::numeric_limits<double>::infinity();
  return day + Exponential(one.random, 1 / per_day);
}

}  // namespace crivello::revisit
