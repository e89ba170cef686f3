// SPDX-License-Identifier: Apache-2.0
// What a scheduled page takes on the disk.  bench/schedule-size runs it with millions of pages.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "collection/page_schedule.h"

namespace crivello::collection {
namespace {

constexpr uint32_t kSizeStart = 495'000;  // hours since 1970
constexpr size_t kSizeBatch = 2048;

constexpr std::array kWords = {
    "annual",  "archive", "article", "author",   "budget",   "building", "calendar", "catalogue",
    "city",    "code",    "concert", "course",   "data",     "design",   "download", "energy",
    "english", "event",   "faculty", "festival", "film",     "forum",    "garden",   "guide",
    "health",  "history", "house",   "image",    "index",    "journal",  "kitchen",  "language",
    "law",     "letter",  "library", "list",     "manual",   "market",   "meeting",  "member",
    "museum",  "music",   "news",    "notes",    "office",   "paper",    "people",   "photo",
    "policy",  "press",   "product", "project",  "question", "report",   "research", "review",
    "school",  "science", "service", "student",  "study",    "travel",   "water",    "work"};

// The row keys of a host, in order: folders with named and numbered pages, as sites have them, 40 bytes long
// in the mean without the host.
std::vector<std::string> KeysOfHost(Random& random, uint64_t host, uint64_t pages) {
  const auto word = [&random] { return kWords[random.Below(kWords.size())]; };
  const std::string begin = fmt::format("org,{}-{},www)https:443/", word(), host);
  std::vector<std::string> keys;
  std::string folder;
  while (keys.size() < pages) {
    if (folder.empty() || random.Below(25) == 0) {
      folder = fmt::format("{}/{}/", word(),
                           random.Below(3) == 0 ? std::to_string(1995 + random.Below(30)) : word());
    }
    const uint64_t kind = random.Below(3);
    if (kind == 0) {
      keys.push_back(begin + folder +
                     fmt::format("{}-{}-{}-{}.html", word(), word(), word(), random.Below(1000)));
    } else if (kind == 1) {
      keys.push_back(begin + folder +
                     fmt::format("index.php?id={}&view={}", random.Below(1'000'000), word()));
    } else {
      keys.push_back(begin + folder + fmt::format("{}/{}", random.Below(100'000), word()));
    }
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

TEST(PageScheduleSizeTest, APageTakesAtMost40BytesWithItsName) {
  const char* const given = std::getenv("CRV_SCHEDULED_PAGES");
  const uint64_t pages = given == nullptr ? 12'000 : std::strtoull(given, nullptr, 10);
  const char* const given_visits = std::getenv("CRV_SCHEDULED_VISITS");
  const int visits_each = given_visits == nullptr ? 4 : std::max(1, std::atoi(given_visits));
  const TemporaryFolder folder;
  std::vector<kv::FamilyOptions> all;
  const PageSchedule::Families families = PageSchedule::Families::AddTo(&all);
  auto db = *kv::Database::Open(folder / "db", {.families = all, .memory_bytes = 64 << 20});
  const auto schedule = *PageSchedule::Open(*db, families);
  const auto planner = *revisit::Planner::Make({});
  SeededRandom random(81);
  const std::clock_t begin = std::clock();
  uint64_t visits = 0;
  uint64_t name_bytes = 0;
  uint64_t made = 0;
  // A third of the pages each on hosts of 20, of 300 and of 5,000 pages.
  for (uint64_t host = 0; made < pages; host++) {
    const uint64_t kind = host % 266;
    const std::vector<std::string> keys = KeysOfHost(random, host,
                                                     kind == 0        ? 5000
                                                     : kind % 16 == 1 ? 300
                                                                      : 20);
    made += keys.size();
    std::vector<double> days;  // in which a page changes once, in the mean
    for (const std::string& key : keys) {
      name_bytes += key.size();
      days.push_back(30 * std::exp(3 * (random.Unit() + random.Unit() - 1)));
    }
    auto hour = static_cast<uint32_t>(kSizeStart + random.Below(500));
    for (int visit = 0; visit < visits_each;
         visit++, hour += 24 * (5 + static_cast<uint32_t>(random.Below(30)))) {
      for (size_t from = 0; from < keys.size(); from += kSizeBatch) {
        PageSchedule::Change change = schedule->Begin();
        for (size_t i = from; i < std::min(keys.size(), from + kSizeBatch); i++) {
          const uint32_t at = hour + static_cast<uint32_t>(i % 96);
          const bool changed = visit == 0 || random.Unit() > std::exp(-20 / days[i]);
          const revisit::VisitNews news = {.outcome = changed ? revisit::VisitNews::Outcome::kChanged
                                                              : revisit::VisitNews::Outcome::kUnchanged,
                                           .time = int64_t{at} * 3600,
                                           .depth = static_cast<uint32_t>(1 + i % 6)};
          ASSERT_TRUE(change.Visit(keys[i], news, *planner).ok());
          visits++;
        }
        kv::Batch batch;
        ASSERT_TRUE(change.Fill(&batch, planner.get()).ok());
        ASSERT_TRUE(db->Write(batch, {.sync = false}).ok());
        change.Done(planner.get());
      }
    }
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ASSERT_TRUE(db->Purge(std::array{families.blocks, families.calendar}).ok());
  const auto count = static_cast<double>(made);
  const double each = static_cast<double>(db->DiskBytes()) / count;
  EXPECT_EQ(schedule->stats().pages, made);
  EXPECT_LE(each, 40);
  std::printf(
      "%llu pages in %llu blocks, %d visits each: %.1f bytes a page on the disk, of keys of %.1f bytes; %.1f "
      "microseconds of CPU a visit\n",
      static_cast<unsigned long long>(made), static_cast<unsigned long long>(schedule->stats().blocks),
      visits_each, each, static_cast<double>(name_bytes) / count,
      1e6 * seconds / static_cast<double>(visits));
}

}  // namespace
}  // namespace crivello::collection
