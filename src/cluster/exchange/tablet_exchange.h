// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "cluster/exchange/inbox.h"
#include "cluster/exchange/outbox.h"
#include "collection/gate.h"
#include "collection/tablet.h"
#include "kv/database.h"

namespace crivello::cluster {

// The keys of an exchange, in the database of a tablet: what is put waits for the next write, which is Sync()
// or the batch of somebody else.  One thread at a time.
class TabletStore final : public ExchangeStore {
 public:
  explicit TabletStore(collection::Tablet& tablet) : tablet_(tablet) {}

  Status Put(const std::string& key, std::string_view value) override;
  Status Delete(const std::string& key) override;
  Status Sync() override { return Write(/*sync=*/true); }
  Status StillMine() override { return tablet_.Acknowledge(); }
  Status Scan(
      std::string_view prefix,
      const std::function<Status(std::string_view key, std::string_view value)>& visit) const override;

  bool waits() const { return !waiting_.empty(); }
  Status Write(bool sync);
  // Moves what waits into a batch that the caller writes.
  void MoveTo(kv::Batch* batch);

 private:
  collection::Tablet& tablet_;
  std::vector<std::pair<std::string, std::optional<std::string>>> waiting_;  // nothing: to be deleted
};

struct TabletExchangeOptions {
  uint64_t outbox_bytes = 64 << 20;  // above which full() is true
  collection::Gate* gate = nullptr;  // REQUIRED: passed by each write; outlives the exchange
};

// Outbox and inbox of a tablet that is open here: what joins the two state machines with its database, its
// sieve and the commits of its pages.
//
// The committer of pages calls Put(), writes the batch, and calls Written(); a carrier calls the others.
// Sending and receiving have locks of their own, so neither waits for the other, nor receiving for a commit
// of pages. After Close() nothing happens any more, whoever calls.  Thread-safe.
class TabletExchange {
 public:
  // Reads what is in the database of the tablet, which outlives it.
  static Result<std::unique_ptr<TabletExchange>> Open(collection::Tablet& tablet,
                                                      const TabletExchangeOptions& options);

  const std::string& name() const { return name_; }

  // A URL record (frontier/url_record.h) for a tablet.
  struct Outgoing {
    std::string_view to;
    std::string_view record;
  };
  // Adds records to the outbox, in the batch.  Then Written() must follow: until then nothing is sent.
  Status Put(std::span<const Outgoing> urls, kv::Batch* batch) CRV_EXCLUDES(out_mu_);
  // The batch is on the disk and acknowledged; or not, and then nothing is sent any more.
  void Written(bool written) CRV_EXCLUDES(out_mu_);
  bool full() const CRV_EXCLUDES(out_mu_);
  uint64_t waiting_urls() const CRV_EXCLUDES(out_mu_);
  // Nothing waits to be sent or confirmed.
  bool outbox_empty() const CRV_EXCLUDES(out_mu_);

  // Sending.  While a batch of pages is being written, there is nothing to send.
  void ForEachInFlight(const std::function<void(const std::string& target, uint64_t bytes)>& visit) const
      CRV_EXCLUDES(out_mu_);
  std::vector<UrlBatch> ToSend(MonotonicTime now, const Outbox::Room& room) CRV_EXCLUDES(out_mu_);
  Status OnConfirmations(std::span<const Confirmation> confirmations) CRV_EXCLUDES(out_mu_);

  // Receiving.
  Status OnBatch(const UrlBatch& batch) CRV_EXCLUDES(in_mu_);
  // Makes durable what was received, and returns what may be confirmed.
  Result<std::vector<Confirmation>> Commit() CRV_EXCLUDES(in_mu_);
  std::vector<Confirmation> ToAsk(MonotonicTime now) CRV_EXCLUDES(in_mu_);
  // Records that came and were not URLs of this tablet.
  uint64_t strange_records() const CRV_EXCLUDES(in_mu_);

  // Waits for calls that are under way.
  void Close() CRV_EXCLUDES(out_mu_, in_mu_);

 private:
  // The sieve of the tablet.
  class Sink final : public UrlSink {
   public:
    explicit Sink(collection::Tablet& tablet) : tablet_(tablet) {}
    Status Offer(std::string_view urls) override;
    Status Sync() override { return tablet_.sieve().Sync(); }
    uint64_t strange() const { return strange_; }

   private:
    collection::Tablet& tablet_;
    uint64_t strange_ = 0;
  };

  TabletExchange(collection::Tablet& tablet, const TabletExchangeOptions& options);

  const std::string name_;
  const TabletExchangeOptions options_;

  mutable Mutex out_mu_;
  std::condition_variable_any free_;
  TabletStore out_store_ CRV_GUARDED_BY(out_mu_);
  std::optional<Outbox> outbox_ CRV_GUARDED_BY(out_mu_);
  bool committing_ CRV_GUARDED_BY(out_mu_) = false;  // between Put() and Written()
  bool out_closed_ CRV_GUARDED_BY(out_mu_) = false;
  std::vector<Confirmation> confirmations_ CRV_GUARDED_BY(out_mu_);  // that came meanwhile

  mutable Mutex in_mu_;
  TabletStore in_store_ CRV_GUARDED_BY(in_mu_);
  Sink sink_ CRV_GUARDED_BY(in_mu_);
  std::optional<Inbox> inbox_ CRV_GUARDED_BY(in_mu_);
  bool in_closed_ CRV_GUARDED_BY(in_mu_) = false;
};

}  // namespace crivello::cluster
