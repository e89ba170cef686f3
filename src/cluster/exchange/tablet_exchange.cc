// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/tablet_exchange.h"

#include <fmt/format.h>

#include "base/record.h"
#include "frontier/url_record.h"
#include "web/url/signature.h"

namespace crivello::cluster {
namespace {

// The end of the keys that begin with `prefix`, whose last byte is below 255.
std::string EndOf(std::string_view prefix) {
  std::string end(prefix);
  if (!end.empty()) end.back()++;
  return end;
}

}  // namespace

Status TabletStore::Put(const std::string& key, std::string_view value) {
  waiting_.emplace_back(key, std::string(value));
  return Status::Ok();
}

Status TabletStore::Delete(const std::string& key) {
  waiting_.emplace_back(key, std::nullopt);
  return Status::Ok();
}

void TabletStore::MoveTo(kv::Batch* batch) {
  for (const auto& [key, value] : waiting_) {
    if (value) {
      batch->Put(tablet_.exchange(), key, *value);
    } else {
      batch->Delete(tablet_.exchange(), key);
    }
  }
  waiting_.clear();
}

Status TabletStore::Write(bool sync) {
  kv::Batch batch;
  MoveTo(&batch);
  return tablet_.db().Write(batch, {.sync = sync});
}

Status TabletStore::Scan(
    std::string_view prefix,
    const std::function<Status(std::string_view key, std::string_view value)>& visit) const {
  kv::Cursor cursor = tablet_.db().Scan(tablet_.exchange(), prefix, EndOf(prefix));
  for (; cursor.valid(); cursor.Next()) CRV_TRY(visit(cursor.key(), cursor.value()));
  return cursor.status();
}

Status TabletExchange::Sink::Offer(std::string_view urls) {
  std::vector<sieve::Key> keys;
  RecordReader in(urls);
  while (in.left() > 0) {
    const std::string_view bytes = in.Text();
    const auto record = frontier::ParseUrlRecord(bytes);
    const auto parts = record ? frontier::SplitUrl(record->url) : std::nullopt;
    const uint64_t host = parts ? web::HostHash(parts->host) : 0;
    if (!parts || !tablet_.id().Contains(host)) {
      strange_++;
      continue;
    }
    keys.push_back({.signature = web::UrlSignature(host, record->url), .bytes = bytes});
  }
  return keys.empty() ? Status::Ok() : tablet_.sieve().Offer(keys);
}

TabletExchange::TabletExchange(collection::Tablet& tablet, const TabletExchangeOptions& options)
    : name_(tablet.id().Name()), options_(options), out_store_(tablet), in_store_(tablet), sink_(tablet) {}

Result<std::unique_ptr<TabletExchange>> TabletExchange::Open(collection::Tablet& tablet,
                                                             const TabletExchangeOptions& options) {
  std::unique_ptr<TabletExchange> exchange(new TabletExchange(tablet, options));
  const uint64_t epoch = tablet.lease().epoch();
  {
    MutexLock lock(exchange->out_mu_);
    CRV_ASSIGN(Outbox outbox, Outbox::Open(exchange->out_store_, {.tablet = exchange->name_,
                                                                  .epoch = epoch,
                                                                  .capacity_bytes = options.outbox_bytes}));
    exchange->outbox_.emplace(std::move(outbox));
  }
  MutexLock lock(exchange->in_mu_);
  CRV_ASSIGN(Inbox inbox,
             Inbox::Open(exchange->in_store_, exchange->sink_, {.tablet = exchange->name_, .epoch = epoch}));
  exchange->inbox_.emplace(std::move(inbox));
  return exchange;
}

// ---- Sending.

Status TabletExchange::Put(std::span<const Outgoing> urls, kv::Batch* batch) {
  MutexLock lock(out_mu_);
  if (out_closed_) return Status::Unavailable(fmt::format("tablet {}: is being closed", name_));
  for (const Outgoing& url : urls) outbox_->Add(std::string(url.to), url.record);
  CRV_TRY(outbox_->Flush());
  out_store_.MoveTo(batch);
  committing_ = true;
  return Status::Ok();
}

void TabletExchange::Written(bool written) {
  MutexLock lock(out_mu_);
  committing_ = false;
  // Numbers that are not on the disk must not be given to anyone: the next owner gives them to other URLs.
  out_closed_ |= !written;
  if (written) outbox_->Committed();
  free_.notify_all();
}

bool TabletExchange::full() const {
  MutexLock lock(out_mu_);
  return outbox_->full();
}

uint64_t TabletExchange::waiting_urls() const {
  MutexLock lock(out_mu_);
  return outbox_->kept_urls();
}

bool TabletExchange::outbox_empty() const {
  MutexLock lock(out_mu_);
  return outbox_->empty();
}

void TabletExchange::ForEachInFlight(
    const std::function<void(const std::string& target, uint64_t bytes)>& visit) const {
  MutexLock lock(out_mu_);
  if (!out_closed_) outbox_->ForEachInFlight(visit);
}

std::vector<UrlBatch> TabletExchange::ToSend(MonotonicTime now, const Outbox::Room& room) {
  MutexLock lock(out_mu_);
  if (out_closed_) return {};
  return outbox_->ToSend(now, room);
}

Status TabletExchange::OnConfirmations(std::span<const Confirmation> confirmations) {
  const collection::Gate::Pass pass(*options_.gate);
  MutexLock lock(out_mu_);
  if (out_closed_) return Status::Ok();
  confirmations_.insert(confirmations_.end(), confirmations.begin(), confirmations.end());
  // What they put must not come between the numbers of that batch.
  if (committing_ || confirmations_.empty()) return Status::Ok();
  const size_t questions = outbox_->rederivations().size();
  for (const Confirmation& confirmation : std::exchange(confirmations_, {})) {
    CRV_TRY(outbox_->OnConfirmation(confirmation));
  }
  if (outbox_->rederivations().size() == questions) {
    // A crash brings them back, and then they are sent once more.
    return out_store_.waits() ? out_store_.Write(/*sync=*/false) : Status::Ok();
  }
  CRV_TRY(out_store_.Sync());
  CRV_TRY(out_store_.StillMine());
  outbox_->Committed();
  return Status::Ok();
}

// ---- Receiving.

Status TabletExchange::OnBatch(const UrlBatch& batch) {
  const collection::Gate::Pass pass(*options_.gate);
  MutexLock lock(in_mu_);
  return in_closed_ ? Status::Ok() : inbox_->OnBatch(batch);
}

Result<std::vector<Confirmation>> TabletExchange::Commit() {
  const collection::Gate::Pass pass(*options_.gate);
  MutexLock lock(in_mu_);
  if (in_closed_) return std::vector<Confirmation>();
  return inbox_->Commit();
}

std::vector<Confirmation> TabletExchange::ToAsk(MonotonicTime now) {
  MutexLock lock(in_mu_);
  if (in_closed_) return {};
  return inbox_->ToAsk(now);
}

uint64_t TabletExchange::strange_records() const {
  MutexLock lock(in_mu_);
  return sink_.strange();
}

void TabletExchange::Close() {
  {
    MutexLock lock(out_mu_);
    free_.wait(out_mu_, [this]() CRV_REQUIRES(out_mu_) { return !committing_; });
    out_closed_ = true;
  }
  MutexLock lock(in_mu_);
  in_closed_ = true;
}

}  // namespace crivello::cluster
