// SPDX-License-Identifier: Apache-2.0
// A real tablet that changes hands while its old owner is alive and writing.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/test_support.h"
#include "cluster/fence/epoch_lease.h"
#include "collection/tablet.h"
#include "store/capture.h"

namespace crivello::cluster {
namespace {

using collection::Tablet;

class TabletTakeoverTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Tablet>> Take(const std::string& owner) {
    CRV_ASSIGN(auto lease,
               EpochLease::Take(files_, {.tablet = folder_ / "t-", .owner = owner, .nonce = ++nonce_}));
    collection::TabletOptions options;
    options.sieve = "mercator";
    return Tablet::Open(std::move(lease), web::TabletId(), options);
  }
  static std::string UrlOf(uint64_t i) { return fmt::format("https://a.example/{}", i); }
  // A commit as the crawler makes one.  Ok if it was acknowledged.
  static Status Commit(Tablet& tablet, uint64_t i) {
    store::CaptureEncoder encoder({.compression = store::WarcCompression::kGzip});
    store::EncodedCapture encoded;
    store::Capture capture;
    const std::string url = UrlOf(i);
    capture.url = url;
    capture.date = 1;
    capture.response_head = "HTTP/1.1 200 OK\r\n\r\n";
    capture.body = capture.url;
    CRV_TRY(encoder.Encode(capture, Sha1Of(capture.url), nullptr, &encoded));
    CRV_TRY(tablet.archive()->Append(encoded));
    CRV_TRY(tablet.archive()->Sync());
    const sieve::Key key = {.signature = i, .bytes = url};
    CRV_TRY(tablet.sieve().Offer({&key, 1}));
    CRV_TRY(tablet.sieve().Sync());
    kv::Batch batch;
    store::FetchCell fetch;
    CRV_TRY(tablet.table().Put(url, {.time = 1, .fetch = &fetch}, &batch));
    CRV_TRY(tablet.db().Write(batch, {.sync = true}));
    return tablet.Acknowledge();
  }
  static bool Has(Tablet& tablet, uint64_t i) {
    const auto row = tablet.table().Get(UrlOf(i), {});
    return row.ok() && !row->empty();
  }

  TemporaryFolder folder_;
  PosixSharedFiles files_;
  uint64_t nonce_ = 0;
};

TEST_F(TabletTakeoverTest, KeepsWhatWasAcknowledgedAndStopsTheOldOwner) {
  auto old_owner = Take("red");
  ASSERT_TRUE(old_owner.ok()) << old_owner.status().ToString();
  uint64_t next = 0;
  std::set<uint64_t> refused;
  for (int hand = 0; hand < 3; hand++) {
    for (int i = 0; i < 20; i++) ASSERT_EQ(Commit(**old_owner, next++), Status::Ok());
    // The old owner writes on while the new one takes over.
    std::atomic<uint64_t> acknowledged = next;
    std::thread writer([&] {
      while (Commit(**old_owner, acknowledged).ok()) acknowledged++;
    });
    auto new_owner = Take(fmt::format("agent{}", hand));
    writer.join();  // it was told
    ASSERT_TRUE(new_owner.ok()) << new_owner.status().ToString();
    EXPECT_EQ((*old_owner)->Acknowledge().code(), StatusCode::kUnavailable);
    next = acknowledged;
    for (uint64_t i = 0; i < next; i++) {
      ASSERT_TRUE(refused.contains(i) || Has(**new_owner, i)) << i << " of " << next;
    }
    refused.insert(next++);  // it may be there or not
    old_owner = std::move(new_owner);
  }
  EXPECT_EQ((*old_owner)->directory(), folder_ / "t-/e000000000004");
  EXPECT_TRUE(Commit(**old_owner, next).ok());
  EXPECT_TRUE((*old_owner)->Close().ok());
}

}  // namespace
}  // namespace crivello::cluster
