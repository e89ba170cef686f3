// SPDX-License-Identifier: Apache-2.0
// Code shared by the tests of the host queues.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "frontier/host_queues.h"

namespace crivello::frontier {

struct Opened {
  std::unique_ptr<kv::Database> db;
  std::unique_ptr<HostQueues> queues;
};

inline WallTime At(int64_t millis) { return WallTime(std::chrono::milliseconds(millis)); }

inline Result<Opened> OpenQueues(const std::string& path, FileSystem* fs = nullptr, bool read_only = false) {
  kv::DatabaseOptions options;
  options.families = {{.name = "rows"}};  // of another owner, before ours
  for (kv::FamilyOptions& family : HostQueues::Families()) options.families.push_back(std::move(family));
  options.memory_bytes = 4 << 20;
  options.fs = fs;
  options.read_only = read_only;
  Opened opened;
  CRV_ASSIGN(opened.db, kv::Database::Open(path, options));
  CRV_ASSIGN(opened.queues, HostQueues::Open(*opened.db, 1));
  return opened;
}

inline Opened MustOpen(const std::string& path) {
  auto opened = OpenQueues(path);
  EXPECT_TRUE(opened.ok()) << opened.status().ToString();
  return std::move(opened).value();
}

inline Opened Reopen(Opened opened, const std::string& path) {
  opened.queues.reset();
  opened.db.reset();
  return MustOpen(path);
}

inline void MustEnqueue(HostQueues& queues, std::span<const UrlRecord> records, WallTime now) {
  auto change = queues.Begin();
  const auto result = change.Enqueue(records, now);
  ASSERT_TRUE(result.ok()) << result.status().ToString();
  EXPECT_EQ(result->enqueued, records.size());
  const Status status = change.Write({});
  ASSERT_TRUE(status.ok()) << status.ToString();
}

inline void Pop(HostQueues& queues, uint64_t host, const QueueItem& item) {
  auto change = queues.Begin();
  ASSERT_TRUE(change.Pop(host, item).ok());
  ASSERT_TRUE(change.Write({}).ok());
}

// All items of a host, a few at a time.
inline std::vector<QueueItem> ReadAll(const HostQueues& queues, uint64_t host) {
  std::vector<QueueItem> all;
  QueueCursor cursor;
  for (;;) {
    const auto items = queues.Read(host, cursor, 7);
    EXPECT_TRUE(items.ok()) << items.status().ToString();
    if (!items.ok() || items->empty()) return all;
    all.insert(all.end(), items->begin(), items->end());
  }
}

inline std::vector<std::string> Urls(const HostQueues& queues, uint64_t host) {
  std::vector<std::string> urls;
  for (const QueueItem& item : ReadAll(queues, host)) urls.push_back(item.url);
  return urls;
}

inline std::vector<std::string> WokenNames(HostQueues& queues, size_t limit, WallTime now) {
  std::vector<std::string> names;
  const auto woken = queues.TakeSleeping(limit, now);
  EXPECT_TRUE(woken.ok()) << woken.status().ToString();
  if (woken.ok()) {
    for (const HostQueues::Woken& host : *woken) names.push_back(host.state.name);
  }
  return names;
}

}  // namespace crivello::frontier
