// SPDX-License-Identifier: Apache-2.0
#include "care/exclusion_work.h"

#include <functional>

#include "frontier/host_queues.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::care {
namespace {

using frontier::HostQueues;
using frontier::HostState;
using frontier::QueueItem;
using policy::Exclusion;
using policy::Filter;

constexpr size_t kItemsAtOnce = 1024;
constexpr int kReadTries = 3;

// Whether a queued URL matches.  An invalid URL is damage, and does not match.
bool Means(const Filter& filter, const QueueItem& item) {
  const auto url = web::CanonicalUrl(item.url);
  return url.ok() && filter.Accepts({.url = &*url, .depth = item.depth});
}

Result<std::vector<QueueItem>> ReadQueue(const HostQueues& queues, uint64_t host, const HostState& state) {
  std::vector<QueueItem> all;
  frontier::QueueCursor cursor = HostQueues::Start(state);
  while (true) {
    CRV_ASSIGN(std::vector<QueueItem> items, queues.Read(host, cursor, kItemsAtOnce));
    if (items.empty()) return all;
    all.insert(all.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
  }
}

// The same while a crawl takes URLs from the queue: reads it again if it changed meanwhile, and gives up if
// that does not help.
Result<std::vector<QueueItem>> ReadBusyQueue(const HostQueues& queues, uint64_t host, HostState state) {
  for (int i = 0; i < kReadTries; ++i) {
    auto items = ReadQueue(queues, host, state);
    CRV_ASSIGN(const std::optional<HostState> now, queues.Load(host));
    if (!now) break;
    if (items.ok() && now->queue_part() == state.queue_part()) return items;
    if (i + 1 == kReadTries && items.ok()) return items;
    state = *now;
  }
  return std::vector<QueueItem>();
}

using HostVisit = std::function<Status(HostQueues& queues, uint64_t host, const HostState& state)>;

// Visits every host that may have matching URLs in its queue.
Status ForEachQueue(collection::Collection& store, const Exclusion& exclusion, const HostVisit& visit) {
  std::optional<std::string> only;
  if (exclusion.kind == Exclusion::Kind::kHost) only = exclusion.text;
  if (exclusion.kind == Exclusion::Kind::kPrefix) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(exclusion.text));
    only = url.hostname();
  }
  if (only) {
    CRV_ASSIGN(collection::Tablet* const tablet, store.TabletOfHost(*only));
    HostQueues& queues = tablet->queues();
    const uint64_t host = web::HostHash(*only);
    CRV_ASSIGN(const std::optional<HostState> state, queues.Load(host));
    return state && state->queued() > 0 ? visit(queues, host, *state) : Status::Ok();
  }
  for (collection::Tablet* const tablet : store.tablets()) {
    HostQueues& queues = tablet->queues();
    std::vector<uint64_t> hosts;
    CRV_TRY(queues.ForEachHost([&](uint64_t host, const HostState& state) {
      if (state.queued() > 0) hosts.push_back(host);
      return true;
    }));
    for (const uint64_t host : hosts) {
      CRV_ASSIGN(const std::optional<HostState> state, queues.Load(host));
      if (state) CRV_TRY(visit(queues, host, *state));
    }
  }
  return Status::Ok();
}

Result<web::RowKeyRange> RowsOf(const Exclusion& exclusion) {
  switch (exclusion.kind) {
    case Exclusion::Kind::kHost:
      return web::RowKeysOfHost(exclusion.text);
    case Exclusion::Kind::kPrefix: {
      CRV_ASSIGN(const web::Url url, web::CanonicalUrl(exclusion.text));
      CRV_ASSIGN(const std::string key, web::RowKey(url));
      return web::RowKeysWithPrefix(key);
    }
    case Exclusion::Kind::kFilter:
      break;
  }
  return web::RowKeyRange();
}

void Example(std::string url, std::vector<std::string>* examples) {
  if (examples->size() < ExclusionPreview::kMaxExamples) examples->push_back(std::move(url));
}

}  // namespace

Result<ExclusionPreview> PreviewExclusion(collection::Collection& store,
                                          const std::vector<std::string>& seeds, const Exclusion& exclusion) {
  ExclusionPreview preview;
  CRV_ASSIGN(const Filter filter, exclusion.ToFilter());
  CRV_TRY(ForEachQueue(store, exclusion, [&](HostQueues& queues, uint64_t host, const HostState& state) {
    CRV_ASSIGN(const std::vector<QueueItem> items, ReadBusyQueue(queues, host, state));
    const uint64_t before = preview.queued;
    for (const QueueItem& item : items) {
      if (!Means(filter, item)) continue;
      ++preview.queued;
      Example(item.url, &preview.queued_examples);
    }
    preview.queued_hosts += preview.queued > before ? 1 : 0;
    return Status::Ok();
  }));
  CRV_ASSIGN(const web::RowKeyRange range, RowsOf(exclusion));
  for (collection::Tablet* const tablet : store.tablets()) {
    const sieve::SievePending sieve = tablet->sieve().pending();
    preview.unsifted += sieve.waiting + sieve.untaken;
    store::RowCursor rows = tablet->table().Scan(range);
    for (; rows.valid(); rows.NextRow()) {
      CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(rows.key()));
      if (!filter.Accepts({.url = &url})) continue;
      ++preview.rows;
      Example(url.href(), &preview.row_examples);
    }
    CRV_TRY(rows.status());
  }
  for (const std::string& seed : seeds) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(seed));
    if (filter.Accepts({.url = &url})) preview.seeds.push_back(seed);
  }
  return preview;
}

}  // namespace crivello::care
