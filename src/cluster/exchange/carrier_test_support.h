// SPDX-License-Identifier: Apache-2.0
// Agents that only exchange URLs, for tests; included by _test.cc and _bench.cc files only.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/test_support.h"
#include "cluster/agent/shared_collection.h"
#include "cluster/exchange/carrier.h"
#include "frontier/url_record.h"
#include "web/url/signature.h"

namespace crivello::cluster {

// Who has which tablet, as all agents of a test believe.
class Owners {
 public:
  void Set(const std::string& tablet, const std::string& agent) {
    MutexLock lock(mu_);
    owners_[tablet] = agent;
  }
  std::string Of(const std::string& tablet) {
    MutexLock lock(mu_);
    return owners_[tablet];
  }

 private:
  Mutex mu_;
  std::map<std::string, std::string> owners_ CRV_GUARDED_BY(mu_);
};

// An agent with some tablets of a collection, and nothing else.
class Side {
 public:
  Side(Bus& bus, const TemporaryFolder& folder, const std::string& name, Owners& owners,
       const std::string& sieve = "memory")
      : name_(name), owners_(owners) {
    shared_ = SharedCollection::Open({.directory = folder / "web",
                                      .agent = name,
                                      .tablets = 2,
                                      .sieve = sieve,
                                      .memory_bytes = 32 << 20,
                                      .between_looks = std::chrono::milliseconds(1)})
                  .value();
    carrier_ =
        Carrier::Start(bus, {.scope = "test",
                             .agent = name,
                             .owner_of = [&owners](const std::string& tablet) { return owners.Of(tablet); },
                             .may_confirm = [](const std::string&) { return true; },
                             .failed = [this](const std::string&, const Status&) { failures_++; }})
            .value();
  }
  ~Side() { carrier_ = nullptr; }

  void Open(const std::string& tablet) {
    const auto opened = shared_->Open(tablet, 0, 0);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    exchanges_[tablet] = TabletExchange::Open(*shared_->Find(tablet), {.gate = &gate_}).value();
    carrier_->Add(exchanges_[tablet]);
    owners_.Set(tablet, name_);
  }
  // As a commit of a page does it.
  Status Send(const std::string& from, const std::string& to, const std::vector<std::string>& urls) {
    std::vector<std::string> records(urls.size());
    std::vector<TabletExchange::Outgoing> outgoing;
    for (size_t i = 0; i < urls.size(); i++) {
      frontier::AppendUrlRecord({.url = urls[i]}, &records[i]);
      outgoing.push_back({.to = to, .record = records[i]});
    }
    kv::Batch batch;
    CRV_TRY(exchanges_[from]->Put(outgoing, &batch));
    Status written = shared_->Find(from)->db().Write(batch, {.sync = true});
    if (written.ok()) written = shared_->Find(from)->Acknowledge();
    exchanges_[from]->Written(written.ok());
    carrier_->Wake();
    return written;
  }
  // The URLs that came through the sieve since the last call.
  std::vector<std::string> Sifted(const std::string& tablet) {
    std::vector<std::string> urls;
    sieve::Sieve& sieve = shared_->Find(tablet)->sieve();
    EXPECT_TRUE(sieve.Flush({.wait = true}).ok());
    EXPECT_TRUE(sieve
                    .Take(UINT64_MAX,
                          [&](std::string_view bytes) {
                            const auto record = frontier::ParseUrlRecord(bytes);
                            urls.emplace_back(record ? record->url : "?");
                          })
                    .ok());
    return urls;
  }
  TabletExchange& exchange(const std::string& tablet) { return *exchanges_[tablet]; }
  SharedCollection& shared() { return *shared_; }
  Carrier& carrier() { return *carrier_; }
  int failures() const { return failures_; }

 private:
  const std::string name_;
  Owners& owners_;
  collection::Gate gate_;
  std::unique_ptr<SharedCollection> shared_;
  std::map<std::string, std::shared_ptr<TabletExchange>> exchanges_;
  std::atomic<int> failures_ = 0;
  std::unique_ptr<Carrier> carrier_;
};

// URLs of hosts that belong to a tablet.
inline std::vector<std::string> UrlsOf(const std::string& tablet, size_t count, size_t begin = 0) {
  const web::TabletId id = web::TabletId::Parse(tablet).value();
  std::vector<std::string> urls;
  for (size_t i = begin; urls.size() < count; i++) {
    const std::string host = fmt::format("host{}.test", i);
    if (id.Contains(web::HostHash(host))) urls.push_back(fmt::format("https://{}/page", host));
  }
  return urls;
}

}  // namespace crivello::cluster
