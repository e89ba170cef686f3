// SPDX-License-Identifier: Apache-2.0
#include "frontier/simulated_web.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/hash.h"
#include "base/random.h"
#include "frontier/url_record.h"

namespace crivello::frontier {
namespace {

// The purposes of a hash value.
enum What : uint64_t { kFate, kRobotsFate, kAddress, kPage, kLatency, kLink, kDirectory, kTarget };

constexpr uint64_t kPagesPerDirectory = 20;
constexpr Duration kTimeout = std::chrono::seconds(30);

// Removes `prefix` and the number after it from the front of `text`; returns the number.
std::optional<uint64_t> TakeNumber(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return std::nullopt;
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text->data() + prefix.size(), text->data() + text->size(), number);
  if (error != std::errc()) return std::nullopt;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return number;
}

// Picks by consecutive shares of [0, 1); the value after the last share if none matches.
template <typename T, size_t n>
T Pick(double chance, const double (&shares)[n], T first, T otherwise) {
  for (size_t i = 0; i < n; i++) {
    if (chance < shares[i]) return static_cast<T>(static_cast<size_t>(first) + i);
    chance -= shares[i];
  }
  return otherwise;
}

}  // namespace

SimulatedWeb::SimulatedWeb(const SimulatedWebOptions& options) : options_(options) {
  double harmonic = 0;
  for (uint32_t h = 0; h < options.hosts; h++) harmonic += 1.0 / (h + 1);
  zipf_scale_ = static_cast<double>(options.pages) / harmonic;
  for (uint32_t h = 0; h < options.hosts; h++) total_pages_ += pages(h);
}

uint64_t SimulatedWeb::Hash(uint64_t what, uint64_t a, uint64_t b) const {
  return Mix64(Mix64(Mix64(options_.seed * 8 + what) + a) + b);
}

double SimulatedWeb::Chance(uint64_t what, uint64_t a, uint64_t b) const {
  return static_cast<double>(Hash(what, a, b) >> 11) * 0x1p-53;
}

uint64_t SimulatedWeb::pages(uint32_t host) const {
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(zipf_scale_ / (host + 1))));
}

SimulatedWeb::Fate SimulatedWeb::fate(uint32_t host) const {
  if (host == 0) return Fate::kWell;  // the seed always answers
  const double shares[] = {options_.slow,   options_.nameless, options_.late_names, options_.dead,
                           options_.silent, options_.busy,     options_.flaky};
  return Pick(Chance(kFate, host), shares, Fate::kSlow, Fate::kWell);
}

SimulatedWeb::RobotsFate SimulatedWeb::robots_fate(uint32_t host) const {
  if (host == 0) return RobotsFate::kAllow;
  const double shares[] = {options_.robots_disallow, options_.robots_disallow_all,
                           options_.robots_crawl_delay, options_.robots_error, options_.robots_moved};
  const double chance = Chance(kRobotsFate, host);
  if (chance < options_.robots_missing) return RobotsFate::kMissing;
  return Pick(chance - options_.robots_missing, shares, RobotsFate::kDisallow, RobotsFate::kAllow);
}

std::string SimulatedWeb::Name(uint32_t host) const { return fmt::format("h{}.sim", host); }

std::string SimulatedWeb::Address(uint32_t host) const {
  // Squaring a uniform number concentrates hosts on the first addresses.
  const double spread = std::max(1.0, options_.hosts / options_.hosts_per_address);
  const double chance = Chance(kAddress, host);
  const auto number = static_cast<uint32_t>(chance * (options_.hosts_per_address > 1 ? chance : 1) * spread);
  // If each host has its own address, number them, so that no two hosts share one by chance.
  const uint32_t address = options_.hosts_per_address <= 1 ? host : number;
  return fmt::format("198.{}.{}.{}", 18 + (address >> 16), address >> 8 & 255, address & 255);
}

std::string SimulatedWeb::PageUrl(uint32_t host, uint64_t page) const {
  if (page == 0) return fmt::format("http://h{}.sim/", host);
  return fmt::format("http://h{}.sim/d{}/p{}", host, page / kPagesPerDirectory, page);
}

std::optional<uint32_t> SimulatedWeb::HostNumber(std::string_view name) const {
  const auto number = TakeNumber("h", &name);
  if (!number || *number >= options_.hosts || name != ".sim") return std::nullopt;
  return static_cast<uint32_t>(*number);
}

SimulatedWeb::Resolution SimulatedWeb::Resolve(std::string_view name, uint32_t attempt) const {
  Resolution resolution = {.took = std::chrono::milliseconds(20)};
  const auto host = HostNumber(name);
  if (!host || fate(*host) == Fate::kNameless) {
    resolution.permanent = true;
  } else if (fate(*host) == Fate::kLateName && attempt <= 2) {
    resolution.took = std::chrono::seconds(5);
  } else {
    resolution.address = Address(*host);
  }
  return resolution;
}

std::string SimulatedWeb::RobotsText(uint32_t host) const {
  switch (robots_fate(host)) {
    case RobotsFate::kDisallow:
      return "User-agent: *\nDisallow: /d1/\nDisallow: /d3/\n";
    case RobotsFate::kDisallowAll:
      return "User-agent: *\nDisallow: /\n";
    case RobotsFate::kCrawlDelay:
      return "User-agent: *\nCrawl-delay: 10\n";
    default:
      return "User-agent: *\nAllow: /\n";
  }
}

SimulatedWeb::Answer SimulatedWeb::FetchRobots(uint32_t host, uint32_t attempt) const {
  Answer answer = {.status = 200, .bytes = 500, .robots = RobotsText(host)};
  const RobotsFate fate = robots_fate(host);
  if (fate == RobotsFate::kMissing) answer = {.status = 404, .bytes = 300};
  if (fate == RobotsFate::kError && attempt == 1) answer = {.status = 500, .bytes = 300};
  if (fate == RobotsFate::kMoved)
    answer = {.status = 301, .bytes = 200, .location = fmt::format("http://{}/robots.txt", Name(0))};
  return answer;
}

void SimulatedWeb::FillLinks(uint32_t host, uint64_t page, Answer* answer) const {
  const uint64_t own = pages(host);
  for (const uint64_t child : {2 * page + 1, 2 * page + 2}) {
    if (child < own) answer->links.push_back(PageUrl(host, child));
  }
  if (page == 0) {
    for (const uint64_t child : {2 * uint64_t{host} + 1, 2 * uint64_t{host} + 2}) {
      if (child < options_.hosts) answer->links.push_back(PageUrl(static_cast<uint32_t>(child), 0));
    }
  }
  SeededRandom random(Hash(kLink, host, page));
  const uint64_t more = random.Below(2 * uint64_t{options_.links_per_page} + 1);
  for (uint64_t i = 0; i < more; i++) {
    uint32_t target = host;
    if (random.Unit() < options_.remote_links) target = static_cast<uint32_t>(random.Below(options_.hosts));
    // Half of the popular links go to the home page, the others to the first pages.
    const uint64_t size = pages(target);
    uint64_t to = random.Below(size);
    if (random.Unit() < options_.repeated_links)
      to = random.Below(2) == 0 ? 0 : random.Below(std::min<uint64_t>(size, 10));
    answer->links.push_back(PageUrl(target, to));
  }
}

SimulatedWeb::Answer SimulatedWeb::Fetch(std::string_view url, uint32_t attempt) const {
  Answer answer;
  const auto parts = SplitUrl(url);
  const auto host = parts ? HostNumber(parts->host) : std::nullopt;
  if (!host || fate(*host) == Fate::kDead)
    return {.result = FetchResult::kConnectFailed, .took = std::chrono::milliseconds(100)};
  if (fate(*host) == Fate::kSilent) return {.result = FetchResult::kTimedOut, .took = kTimeout};

  const uint64_t hash = Hash64(url, options_.seed);
  const Duration mean = fate(*host) == Fate::kSlow ? options_.slow_latency : options_.latency;
  const double unit = static_cast<double>(Mix64(hash + attempt) >> 11) * 0x1p-53;
  const double factor = 1 + options_.latency_spread * (2 * unit - 1);
  const Duration took(static_cast<int64_t>(static_cast<double>(mean.count()) * factor));
  std::string_view path = parts->path;
  if (path == "/robots.txt") {
    answer = FetchRobots(*host, attempt);
    answer.took = took;
    return answer;
  }

  uint64_t page = 0;
  bool there = path == "/";
  if (const auto directory = TakeNumber("/d", &path)) {
    const auto number = TakeNumber("/p", &path);
    there = path.empty() && number && *number > 0 && *number < pages(*host) &&
            *number / kPagesPerDirectory == *directory;
    page = number.value_or(0);
  }
  if (fate(*host) == Fate::kFlaky && attempt == 1 && hash % 5 == 0)
    return {.result = FetchResult::kBroken, .took = took, .bytes = 1000};
  if (fate(*host) == Fate::kBusy && attempt == 1 && hash % 7 == 0) {
    answer = {.status = hash % 2 == 0 ? 429 : 503, .took = took, .bytes = 100};
    if (hash % 3 != 0) answer.retry_after = std::chrono::seconds(30 + hash % 120);
    return answer;
  }
  answer = {.status = 200, .took = took, .bytes = 2000 + hash % 30000};
  const double chance = page == 0 ? 1 : Chance(kPage, *host, page);
  if (!there || chance < options_.missing) {
    answer.status = 404;
    if (!there) return answer;
  } else if (chance < options_.missing + options_.server_errors) {
    answer.status = 500;
  } else if (chance < options_.missing + options_.server_errors + options_.redirects) {
    answer.status = 301;
    const uint64_t to = Hash(kTarget, *host, page);
    const uint32_t target = to % 2 == 0 ? *host : static_cast<uint32_t>((to >> 1) % options_.hosts);
    answer.location = PageUrl(target, (to >> 32) % pages(target));
  }
  // An error page still has its links, so the pages below it stay reachable.
  if (answer.status != 500) FillLinks(*host, page, &answer);
  return answer;
}

}  // namespace crivello::frontier
