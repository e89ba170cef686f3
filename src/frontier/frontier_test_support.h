// SPDX-License-Identifier: Apache-2.0
// Code shared by the tests of the frontier; included by _test.cc files only.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/test_support.h"
#include "frontier/frontier.h"
#include "frontier/host_queues.h"
#include "frontier/simulated_web.h"
#include "frontier/simulation.h"
#include "sieve/memory_sieve.h"
#include "web/page/robots.h"

namespace crivello::frontier {

inline const WallTime kTestStart{std::chrono::hours(24 * 365 * 56)};

// Tablets in a folder, all owned, without a collection.
class StoredTablets {
 public:
  struct Options {
    uint32_t tablets = 0;  // 0: as many as exist, or one
    FileSystem* fs = nullptr;
  };
  static Result<std::unique_ptr<StoredTablets>> Open(const std::string& folder, const Options& options) {
    uint32_t there = 0;
    while (std::filesystem::is_directory(folder + "/" + std::to_string(there))) there++;
    CRV_ASSIGN(auto map, web::TabletMap::Uniform(std::max({options.tablets, there, 1u})));
    std::unique_ptr<StoredTablets> stored(new StoredTablets(std::move(map), there != 0));
    for (uint32_t i = 0; i < stored->tablets_.size(); i++) {
      const std::string path = folder + "/" + std::to_string(i);
      std::filesystem::create_directories(path + "/sieve");
      Stored& one = stored->stored_.emplace_back();
      std::vector<kv::FamilyOptions> families = HostQueues::Families();
      const auto agenda = static_cast<kv::Family>(families.size());
      families.push_back(Agenda::FamilyOptions());
      CRV_ASSIGN(one.db, kv::Database::Open(
                             path + "/db",
                             {.families = std::move(families), .memory_bytes = 8 << 20, .fs = options.fs}));
      CRV_ASSIGN(one.queues, HostQueues::Open(*one.db, 0));
      CRV_ASSIGN(one.agenda, Agenda::Open(*one.db, agenda));
      CRV_ASSIGN(one.sieve, sieve::OpenMemorySieve(path + "/sieve"));
      stored->tablets_.Own(i, {.queues = one.queues.get(),
                               .agenda = one.agenda.get(),
                               .sieve = one.sieve.get(),
                               .db = one.db.get()});
    }
    return stored;
  }

  const Tablets& operator*() const { return tablets_; }
  const Tablets* operator->() const { return &tablets_; }

 private:
  struct Stored {
    std::unique_ptr<kv::Database> db;
    std::unique_ptr<HostQueues> queues;
    std::unique_ptr<Agenda> agenda;
    std::unique_ptr<sieve::Sieve> sieve;
  };
  StoredTablets(web::TabletMap map, bool existed) : tablets_(std::move(map), existed) {}

  Tablets tablets_;
  std::vector<Stored> stored_;
};

inline std::unique_ptr<StoredTablets> OpenTestTablets(const std::string& folder, uint32_t tablets = 0) {
  auto stored = StoredTablets::Open(folder, {.tablets = tablets});
  EXPECT_TRUE(stored.ok()) << stored.status().ToString();
  return stored.ok() ? *std::move(stored) : nullptr;
}

// The state of a frontier, for the message of a failing test.
inline std::string Standing(Frontier& frontier) {
  const FrontierStats c = frontier.Stats();
  std::string text =
      "ready " + std::to_string(c.ready) + ", host delay " + std::to_string(c.host_delay) +
      ", address delay " + std::to_string(c.address_delay) + ", resolving " + std::to_string(c.resolving) +
      ", robots " + std::to_string(c.robots) + ", taken " + std::to_string(c.taken) + ", uncommitted " +
      std::to_string(c.uncommitted) + ", sleeping " + std::to_string(c.sleeping) + ", queued URLs " +
      std::to_string(c.queued_urls) + ", uncommitted URLs " + std::to_string(c.uncommitted_urls) +
      ", sieve waiting " + std::to_string(c.sieve_waiting) + ", untaken " + std::to_string(c.sieve_untaken);
  for (const auto& standing : frontier.Standings(10))
    text += "\n" + standing.host + " waits for " + standing.waits_for + ", queued " +
            std::to_string(standing.queued);
  return text;
}

// Whether a crawl can get any page of this host.
inline bool IsReachable(const SimulatedWeb& web, uint32_t host) {
  const auto fate = web.fate(host);
  return fate != SimulatedWeb::Fate::kNameless && fate != SimulatedWeb::Fate::kDead &&
         fate != SimulatedWeb::Fate::kSilent;
}

inline web::Robots RobotsOfHost(const SimulatedWeb& web, uint32_t host) {
  const auto answer = web.Fetch("http://" + web.Name(host) + "/robots.txt", 2);
  return answer.status == 200 ? web::Robots::Parse(answer.robots, "crivello") : web::Robots::AllowAll();
}

// The pages that a crawl from the seed completes, of hosts that answer, in breadth-first order: the simple
// way, all in memory and without politeness; only of hosts that are asked.
inline std::vector<std::string> ReferenceCrawl(
    const SimulatedWeb& web, bool robots = true,
    const std::function<bool(uint32_t host)>& is_asked = [](uint32_t) { return true; }) {
  std::vector<web::Robots> rules;
  for (uint32_t host = 0; host < web.hosts(); host++) rules.push_back(RobotsOfHost(web, host));
  std::vector<std::string> pages = {web.Seed()};
  std::unordered_set<std::string> seen = {web.Seed()};
  for (size_t i = 0; i < pages.size(); i++) {
    const auto parts = SplitUrl(pages[i]);
    const uint32_t host = *web.HostNumber(parts->host);
    if (!IsReachable(web, host) || !is_asked(host)) continue;
    if (robots && !rules[host].Check(parts->path).allowed) continue;
    const auto answer = web.Fetch(pages[i], 2);
    if (!answer.location.empty() && seen.insert(answer.location).second) pages.push_back(answer.location);
    for (const auto& link : answer.links) {
      if (seen.insert(link).second) pages.push_back(link);
    }
  }
  std::erase_if(pages, [&](const std::string& url) {
    const uint32_t host = *web.HostNumber(SplitUrl(url)->host);
    return !IsReachable(web, host) || !is_asked(host);
  });
  return pages;
}

// The completed pages of hosts that answer.
inline std::set<std::string> DonePages(const SimulatedWeb& web, const SimulationJudge& judge) {
  std::set<std::string> pages;
  for (const auto& url : judge.done()) {
    if (IsReachable(web, *web.HostNumber(SplitUrl(url)->host))) pages.insert(url);
  }
  return pages;
}

inline std::set<std::string> AsSet(const std::vector<std::string>& pages) {
  return {pages.begin(), pages.end()};
}

}  // namespace crivello::frontier
