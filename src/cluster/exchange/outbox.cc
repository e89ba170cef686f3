// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/outbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/record.h"

namespace crivello::cluster {
namespace {

constexpr std::string_view kHeads = "out-head/";
constexpr std::string_view kBatches = "out/";
constexpr std::string_view kRederive = "out-again/";
constexpr int kCounterBits = 20;  // of an incarnation, below the epoch that it began in

std::string HeadKey(const std::string& target) { return std::string(kHeads) + target; }
std::string BatchKey(const std::string& target, uint64_t sequence) {
  return fmt::format("{}{}/{:016x}", kBatches, target, sequence);
}

uint64_t CountUrls(std::string_view urls) {
  uint64_t count = 0;
  for (RecordReader in(urls); in.left() > 0; count++) in.Text();
  return count;
}

}  // namespace

Result<Outbox> Outbox::Open(ExchangeStore& store, OutboxOptions options) {
  Outbox outbox(store, std::move(options));
  CRV_TRY(outbox.Load());
  return outbox;
}

Status Outbox::Load() {
  CRV_TRY(store_->Scan(kHeads, [this](std::string_view key, std::string_view value) -> Status {
    Stream& stream = streams_[std::string(key.substr(kHeads.size()))];
    RecordReader in(value);
    stream.incarnation = in.Number();
    stream.next = in.Number();
    stream.answers = in.Number();
    return in.finished() && stream.next > 0
               ? Status::Ok()
               : Status::Corruption(fmt::format("tablet {}: damaged outbox: {}", options_.tablet, key));
  }));
  CRV_TRY(store_->Scan(kBatches, [this](std::string_view key, std::string_view value) -> Status {
    const std::string_view name = key.substr(kBatches.size());
    const size_t slash = name.rfind('/');
    const auto stream = streams_.find(std::string(name.substr(0, slash)));
    uint64_t sequence = 0;
    if (slash != std::string_view::npos) {
      std::from_chars(name.data() + slash + 1, name.data() + name.size(), sequence, 16);
    }
    if (stream == streams_.end() || sequence == 0 || sequence >= stream->second.next) {
      return Status::Corruption(fmt::format("tablet {}: damaged outbox: {}", options_.tablet, key));
    }
    const uint64_t count = CountUrls(value);
    stream->second.kept.push_back(
        {.sequence = sequence, .urls = std::string(value), .count = count, .committed = true});
    kept_bytes_ += value.size();
    kept_urls_ += count;
    return Status::Ok();
  }));
  CRV_TRY(store_->Scan(kRederive, [this](std::string_view key, std::string_view) -> Status {
    rederive_.emplace(key.substr(kRederive.size()));
    return Status::Ok();
  }));
  if (options_.new_incarnation) {
    for (auto& [target, stream] : streams_) CRV_TRY(NewIncarnation(target, stream));
  }
  return Status::Ok();
}

Status Outbox::PutHead(const std::string& target, const Stream& stream) {
  RecordWriter out;
  out.Number(stream.incarnation);
  out.Number(stream.next);
  out.Number(stream.answers);
  return store_->Put(HeadKey(target), out.bytes());
}

Status Outbox::PutBatch(const std::string& target, Stream& stream, std::string urls) {
  CRV_TRY(store_->Put(BatchKey(target, stream.next), urls));
  const uint64_t count = CountUrls(urls);
  kept_bytes_ += urls.size();
  kept_urls_ += count;
  stream.kept.push_back({.sequence = stream.next++, .urls = std::move(urls), .count = count});
  return Status::Ok();
}

void Outbox::Dropped(Stream& stream, const Kept& batch) {
  kept_bytes_ -= batch.urls.size();
  kept_urls_ -= batch.count;
  if (batch.sent > 0) stream.in_flight -= batch.urls.size();
}

// What is not confirmed gets new numbers; everything else is to be derived again.
Status Outbox::NewIncarnation(const std::string& target, Stream& stream) {
  std::deque<Kept> old = std::exchange(stream.kept, {});
  for (const Kept& batch : old) {
    CRV_TRY(store_->Delete(BatchKey(target, batch.sequence)));
    Dropped(stream, batch);
  }
  // An earlier life that this one knows nothing of had a lower epoch.
  stream.incarnation = std::max(stream.incarnation + 1, options_.epoch << kCounterBits);
  stream.next = 1;
  for (Kept& batch : old) CRV_TRY(PutBatch(target, stream, std::move(batch.urls)));
  // The receiver has to hear of it, even if there is nothing to say.
  if (stream.kept.empty()) CRV_TRY(PutBatch(target, stream, ""));
  CRV_TRY(PutHead(target, stream));
  rederive_.insert(target);
  return store_->Put(std::string(kRederive) + target, "");
}

void Outbox::Add(const std::string& target, std::string_view url) {
  RecordWriter out(&open_[target]);
  out.Text(url);
}

Status Outbox::Flush() {
  for (auto& [target, urls] : open_) {
    Stream& stream = streams_[target];
    if (stream.incarnation == 0) stream.incarnation = std::max<uint64_t>(1, options_.epoch << kCounterBits);
    for (RecordReader in(urls); in.left() > 0;) {
      // As many whole URLs as fit; one that is longer than a batch is a batch of its own.
      const std::string_view rest = std::string_view(urls).substr(urls.size() - in.left());
      size_t end = 0;
      while (in.left() > 0) {
        in.Text();
        const size_t size = rest.size() - in.left();
        if (end > 0 && size > options_.batch_bytes) break;
        end = size;
      }
      in = RecordReader(rest.substr(end));
      CRV_TRY(PutBatch(target, stream, std::string(rest.substr(0, end))));
    }
    CRV_TRY(PutHead(target, stream));
  }
  open_.clear();
  return Status::Ok();
}

void Outbox::Committed() {
  for (auto& [target, stream] : streams_) {
    for (auto batch = stream.kept.rbegin(); batch != stream.kept.rend() && !batch->committed; ++batch) {
      batch->committed = true;
    }
  }
}

std::vector<UrlBatch> Outbox::ToSend(MonotonicTime now) {
  uint64_t unlimited = 0;
  return ToSend(now, [&unlimited](const std::string&) {
    unlimited = UINT64_MAX;
    return &unlimited;
  });
}

std::vector<UrlBatch> Outbox::ToSend(MonotonicTime now, const Room& room) {
  std::vector<UrlBatch> batches;
  for (auto& [target, stream] : streams_) {
    if (stream.kept.empty() || !stream.kept.front().committed) continue;
    uint64_t* const left = room(target);
    if (left == nullptr) continue;
    uint64_t in_window = 0;
    for (Kept& batch : stream.kept) {
      in_window += batch.urls.size();
      if (!batch.committed || (in_window > options_.window_bytes && &batch != &stream.kept.front())) break;
      if (batch.sent > 0 && now < batch.resend) continue;
      if (batch.sent == 0) {
        if (*left < batch.urls.size()) break;
        *left -= batch.urls.size();
        stream.in_flight += batch.urls.size();
      }
      Duration wait = options_.resend_first;
      for (int i = 0; i < batch.sent && wait < options_.resend_last; i++) wait *= 2;
      if (batch.sent++ > 0) repetitions_++;
      batch.resend = now + std::min(wait, options_.resend_last);
      batches.push_back({.stream = {.from = options_.tablet, .to = target, .incarnation = stream.incarnation},
                         .sequence = batch.sequence,
                         .oldest_kept = stream.kept.front().sequence,
                         .answers = stream.answers,
                         .urls = batch.urls});
    }
  }
  return batches;
}

void Outbox::ForEachInFlight(
    const std::function<void(const std::string& target, uint64_t bytes)>& visit) const {
  for (const auto& [target, stream] : streams_) {
    if (stream.in_flight > 0) visit(target, stream.in_flight);
  }
}

Status Outbox::OnConfirmation(const Confirmation& confirmation) {
  if (confirmation.stream.from != options_.tablet) return Status::Ok();
  if (confirmation.question != 0) {
    Stream& asked = streams_[confirmation.stream.to];
    if (asked.answers >= confirmation.question) return Status::Ok();  // answered already
    asked.answers = confirmation.question;
    return NewIncarnation(confirmation.stream.to, asked);
  }
  const auto found = streams_.find(confirmation.stream.to);
  if (found == streams_.end()) return Status::Ok();
  Stream& stream = found->second;
  if (confirmation.stream.incarnation != stream.incarnation) return Status::Ok();  // of an earlier one
  if (confirmation.lacks) return NewIncarnation(found->first, stream);
  while (!stream.kept.empty() && stream.kept.front().sequence <= confirmation.through) {
    CRV_TRY(store_->Delete(BatchKey(found->first, stream.kept.front().sequence)));
    Dropped(stream, stream.kept.front());
    stream.kept.pop_front();
  }
  return Status::Ok();
}

bool Outbox::empty() const {
  return open_.empty() && rederive_.empty() &&
         std::all_of(streams_.begin(), streams_.end(),
                     [](const auto& entry) { return entry.second.kept.empty(); });
}

Status Outbox::Rederived(const std::string& target) {
  rederive_.erase(target);
  return store_->Delete(std::string(kRederive) + target);
}

}  // namespace crivello::cluster
