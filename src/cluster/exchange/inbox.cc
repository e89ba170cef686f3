// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/inbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/record.h"

namespace crivello::cluster {
namespace {

constexpr std::string_view kMarks = "in/";
constexpr std::string_view kQuestions = "in-ask/";

}  // namespace

Result<Inbox> Inbox::Open(ExchangeStore& store, UrlSink& sink, InboxOptions options) {
  Inbox inbox(store, sink, std::move(options));
  CRV_TRY(inbox.Load());
  return inbox;
}

Status Inbox::Load() {
  const auto damaged = [this](std::string_view key) {
    return Status::Corruption(fmt::format("tablet {}: damaged inbox: {}", options_.tablet, key));
  };
  CRV_TRY(store_->Scan(kMarks, [&](std::string_view key, std::string_view value) -> Status {
    Sender& sender = senders_[std::string(key.substr(kMarks.size()))];
    RecordReader in(value);
    sender.incarnation = in.Number();
    sender.through = in.Number();
    return in.finished() ? Status::Ok() : damaged(key);
  }));
  CRV_TRY(store_->Scan(kQuestions, [&](std::string_view key, std::string_view value) -> Status {
    RecordReader in(value);
    asked_[std::string(key.substr(kQuestions.size()))] = {.number = in.Number(), .durable = true};
    return in.finished() ? Status::Ok() : damaged(key);
  }));
  for (const std::string& from : options_.ask) {
    Question& question = asked_[from];
    question = {.number = std::max(question.number + 1, options_.epoch)};
    RecordWriter out;
    out.Number(question.number);
    CRV_TRY(store_->Put(std::string(kQuestions) + from, out.bytes()));
    asked_changed_ = true;
  }
  return Status::Ok();
}

Status Inbox::Answered(const std::string& from, uint64_t question) {
  const auto asked = asked_.find(from);
  if (asked == asked_.end() || question < asked->second.number) return Status::Ok();
  asked_.erase(asked);
  asked_changed_ = true;
  return store_->Delete(std::string(kQuestions) + from);
}

Status Inbox::OnBatch(const UrlBatch& batch) {
  if (batch.stream.to != options_.tablet) return Status::Ok();
  Sender& sender = senders_[batch.stream.from];
  if (batch.stream.incarnation < sender.incarnation) return Status::Ok();  // was under way for long
  if (batch.stream.incarnation > sender.incarnation) {
    sender = {.incarnation = batch.stream.incarnation, .changed = true};
  }
  sender.answer = true;
  CRV_TRY(Answered(batch.stream.from, batch.answers));
  if (batch.sequence <= sender.through) {
    repetitions_++;
    return Status::Ok();
  }
  if (batch.oldest_kept > sender.through + 1) {
    sender.lacks = true;
    gaps_++;
    return Status::Ok();
  }
  if (batch.sequence > sender.through + 1) {
    early_++;
    if (sender.held_bytes + batch.urls.size() > options_.held_bytes) return Status::Ok();  // it comes again
    if (sender.held.emplace(batch.sequence, batch.urls).second) sender.held_bytes += batch.urls.size();
    return Status::Ok();
  }
  CRV_TRY(sink_->Offer(batch.urls));
  sender.through++;
  sender.changed = true;
  while (!sender.held.empty() && sender.held.begin()->first <= sender.through + 1) {
    const auto next = sender.held.begin();
    if (next->first == sender.through + 1) {
      CRV_TRY(sink_->Offer(next->second));
      sender.through++;
    }
    sender.held_bytes -= next->second.size();
    sender.held.erase(next);
  }
  return Status::Ok();
}

Result<std::vector<Confirmation>> Inbox::Commit() {
  std::vector<Confirmation> confirmations;
  bool changed = std::exchange(asked_changed_, false);
  bool answers = false;
  for (const auto& [from, sender] : senders_) {
    changed |= sender.changed;
    answers |= sender.answer;
  }
  if (!changed && !answers) return confirmations;
  if (changed) {
    // A number must not be durable before the URLs that it counts.
    CRV_TRY(sink_->Sync());
    for (auto& [from, sender] : senders_) {
      if (!std::exchange(sender.changed, false)) continue;
      RecordWriter out;
      out.Number(sender.incarnation);
      out.Number(sender.through);
      CRV_TRY(store_->Put(std::string(kMarks) + from, out.bytes()));
    }
    CRV_TRY(store_->Sync());
  }
  CRV_TRY(store_->StillMine());
  for (auto& [from, question] : asked_) question.durable = true;
  for (auto& [from, sender] : senders_) {
    if (!std::exchange(sender.answer, false)) continue;
    confirmations.push_back(
        {.stream = {.from = from, .to = options_.tablet, .incarnation = sender.incarnation},
         .through = sender.through,
         .lacks = std::exchange(sender.lacks, false)});
  }
  return confirmations;
}

std::vector<Confirmation> Inbox::ToAsk(MonotonicTime now) {
  std::vector<Confirmation> questions;
  for (auto& [from, question] : asked_) {
    if (!question.durable || now < question.next) continue;
    question.next = now + options_.ask_again;
    questions.push_back({.stream = {.from = from, .to = options_.tablet, .incarnation = 0},
                         .lacks = true,
                         .question = question.number});
  }
  return questions;
}

}  // namespace crivello::cluster
