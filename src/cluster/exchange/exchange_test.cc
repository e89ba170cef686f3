// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cluster/exchange/exchange_simulation_test_support.h"
#include "cluster/exchange/inbox.h"
#include "cluster/exchange/message.h"
#include "cluster/exchange/outbox.h"
#include "cluster/fence/simulation_seeds_test_support.h"

namespace crivello::cluster {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ExchangeSimulationTest, LosesNoUrlInAnyHistory) {
  ExchangeSimulationStats all;
  const uint64_t seeds = SimulationSeeds(200);
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    ExchangeSimulation simulation(seed, ExchangeBug::kNone);
    ASSERT_EQ(simulation.Run(), "") << "seed " << seed;
    all.Add(simulation.stats());
  }
  std::printf(
      "exchange: %zu seeds, %zu rows, %zu URLs; %zu messages, of which %zu lost, %zu repeated, %zu damaged; "
      "%zu early; "
      "%zu crashes, %zu take-overs, %zu stale owners stopped, %zu restores, %zu gaps, %zu derivations "
      "again\n",
      static_cast<size_t>(seeds), static_cast<size_t>(all.rows), static_cast<size_t>(all.urls),
      static_cast<size_t>(all.messages), static_cast<size_t>(all.lost), static_cast<size_t>(all.repeated),
      static_cast<size_t>(all.damaged), static_cast<size_t>(all.early), static_cast<size_t>(all.crashes),
      static_cast<size_t>(all.takeovers), static_cast<size_t>(all.stale_wakes),
      static_cast<size_t>(all.restores), static_cast<size_t>(all.gaps),
      static_cast<size_t>(all.derived_again));
  for (const uint64_t met : {all.lost, all.repeated, all.damaged, all.early, all.crashes, all.takeovers,
                             all.stale_wakes, all.restores, all.derived_again}) {
    EXPECT_GT(met, 0u);
  }
}

class ExchangeBugTest : public testing::TestWithParam<ExchangeBug> {};

TEST_P(ExchangeBugTest, IsFound) {
  if (kIsSanitized) GTEST_SKIP() << "the release build looks for deliberate bugs";
  for (uint64_t seed = 1; seed <= 2000; seed++) {
    const std::string violation = ExchangeSimulation(seed, GetParam()).Run();
    if (violation.empty()) continue;
    std::printf("bug: %-46s found by seed %4zu: %s\n", std::string(ExchangeBugName(GetParam())).c_str(),
                static_cast<size_t>(seed), violation.c_str());
    return;
  }
  ADD_FAILURE() << ExchangeBugName(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, ExchangeBugTest, testing::ValuesIn(kExchangeBugs));

// ---- The machines by themselves.

class MapStore final : public ExchangeStore, public UrlSink {
 public:
  Status Put(const std::string& key, std::string_view value) override {
    map[key] = std::string(value);
    return Status::Ok();
  }
  Status Delete(const std::string& key) override {
    map.erase(key);
    return Status::Ok();
  }
  Status Sync() override { return Status::Ok(); }
  Status StillMine() override { return mine ? Status::Ok() : Status::Unavailable("taken over"); }
  Status Scan(std::string_view prefix,
              const std::function<Status(std::string_view, std::string_view)>& visit) const override {
    for (auto at = map.lower_bound(std::string(prefix)); at != map.end() && at->first.starts_with(prefix);
         ++at) {
      CRV_TRY(visit(at->first, at->second));
    }
    return Status::Ok();
  }
  Status Offer(std::string_view urls) override {
    for (RecordReader in(urls); in.left() > 0;) offered.emplace_back(in.Text());
    return Status::Ok();
  }
  std::map<std::string, std::string> map;
  std::vector<std::string> offered;
  bool mine = true;
};

MonotonicTime AtSecond(int second) { return MonotonicTime(std::chrono::seconds(second)); }

Outbox MustOpenOutbox(MapStore& store, OutboxOptions options = {}) {
  options.tablet = "t-0";
  return std::move(Outbox::Open(store, options)).value();
}
Inbox MustOpenInbox(MapStore& store, InboxOptions options = {}) {
  options.tablet = "t-1";
  return std::move(Inbox::Open(store, store, options)).value();
}
void AddAndCommit(Outbox& outbox, const std::vector<std::string>& urls) {
  for (const std::string& url : urls) outbox.Add("t-1", url);
  ASSERT_TRUE(outbox.Flush().ok());
  outbox.Committed();
}

TEST(OutboxTest, SendsOnlyWhatIsCommittedAndKeepsItUntilItIsConfirmed) {
  MapStore store;
  Outbox outbox = MustOpenOutbox(store);
  outbox.Add("t-1", "http://a/");
  EXPECT_THAT(outbox.ToSend(AtSecond(0)), IsEmpty());
  ASSERT_TRUE(outbox.Flush().ok());
  EXPECT_THAT(outbox.ToSend(AtSecond(0)), IsEmpty());
  outbox.Committed();
  const auto sent = outbox.ToSend(AtSecond(0));
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0].sequence, 1u);
  EXPECT_THAT(outbox.ToSend(AtSecond(0)), IsEmpty());
  EXPECT_EQ(outbox.ToSend(AtSecond(2)).size(), 1u);    // not confirmed in time
  EXPECT_THAT(outbox.ToSend(AtSecond(3)), IsEmpty());  // and later more patiently
  EXPECT_EQ(outbox.ToSend(AtSecond(4)).size(), 1u);

  // Another process finds it again.
  Outbox again = MustOpenOutbox(store);
  EXPECT_EQ(again.ToSend(AtSecond(0)), sent);
  ASSERT_TRUE(again.OnConfirmation({.stream = sent[0].stream, .through = 1}).ok());
  EXPECT_TRUE(again.empty());
  EXPECT_TRUE(MustOpenOutbox(store).empty());
}

TEST(OutboxTest, KeepsToBatchesAndTheWindow) {
  MapStore store;
  Outbox outbox = MustOpenOutbox(store, {.batch_bytes = 20, .window_bytes = 50, .capacity_bytes = 100});
  std::vector<std::string> urls(12, "http://a/");  // 10 bytes with its length
  urls.push_back(std::string(60, 'u'));
  AddAndCommit(outbox, urls);
  EXPECT_TRUE(outbox.full());
  auto sent = outbox.ToSend(AtSecond(0));
  EXPECT_EQ(sent.size(), 2u);
  for (const UrlBatch& batch : sent) EXPECT_EQ(batch.urls.size(), 20u);
  ASSERT_TRUE(outbox.OnConfirmation({.stream = sent[0].stream, .through = 2}).ok());
  EXPECT_EQ(outbox.ToSend(AtSecond(0)).size(), 2u);
  ASSERT_TRUE(outbox.OnConfirmation({.stream = sent[0].stream, .through = 6}).ok());
  sent = outbox.ToSend(AtSecond(0));
  ASSERT_EQ(sent.size(), 1u);  // larger than the window, but alone
  EXPECT_EQ(sent[0].urls.size(), 61u);
  EXPECT_EQ(sent[0].oldest_kept, 7u);
}

TEST(InboxTest, OffersInOrderOnceAndConfirmsWhatIsDurable) {
  MapStore sender, receiver;
  Outbox outbox = MustOpenOutbox(sender, {.batch_bytes = 1});
  Inbox inbox = MustOpenInbox(receiver);
  AddAndCommit(outbox, {"a", "b", "c"});
  const auto sent = outbox.ToSend(AtSecond(0));
  ASSERT_EQ(sent.size(), 3u);
  for (const int i : {2, 0, 0, 1, 2}) ASSERT_TRUE(inbox.OnBatch(sent[static_cast<size_t>(i)]).ok());
  EXPECT_THAT(receiver.offered, ElementsAre("a", "b", "c"));
  EXPECT_EQ(inbox.early(), 1u);
  EXPECT_EQ(inbox.repetitions(), 2u);
  const auto confirmed = inbox.Commit();
  ASSERT_TRUE(confirmed.ok());
  EXPECT_THAT(*confirmed, ElementsAre(Confirmation{.stream = sent[0].stream, .through = 3}));
  EXPECT_THAT(*inbox.Commit(), IsEmpty());
  // Another process knows what was there.
  Inbox again = MustOpenInbox(receiver);
  ASSERT_TRUE(again.OnBatch(sent[2]).ok());
  EXPECT_THAT(*again.Commit(), ElementsAre(Confirmation{.stream = sent[0].stream, .through = 3}));
  EXPECT_EQ(receiver.offered.size(), 3u);
}

TEST(InboxTest, ConfirmsNothingOnceTheTabletIsTaken) {
  MapStore store;
  Inbox inbox = MustOpenInbox(store);
  ASSERT_TRUE(
      inbox
          .OnBatch(
              {.stream = {.from = "t-0", .to = "t-1", .incarnation = 1}, .sequence = 1, .oldest_kept = 1})
          .ok());
  store.mine = false;
  EXPECT_EQ(inbox.Commit().status().code(), StatusCode::kUnavailable);
}

TEST(InboxTest, TellsASenderThatItLacksWhatItConfirmedOnce) {
  MapStore sender, receiver;
  Outbox outbox = MustOpenOutbox(sender, {.epoch = 3, .batch_bytes = 1});
  AddAndCommit(outbox, {"a", "b", "c"});
  const auto sent = outbox.ToSend(AtSecond(0));
  ASSERT_TRUE(outbox.OnConfirmation({.stream = sent[0].stream, .through = 2}).ok());
  Inbox inbox = MustOpenInbox(receiver);  // has lost everything
  for (const UrlBatch& batch : outbox.ToSend(AtSecond(9))) ASSERT_TRUE(inbox.OnBatch(batch).ok());
  const auto answer = inbox.Commit();
  ASSERT_EQ(answer->size(), 1u);
  EXPECT_TRUE(answer->at(0).lacks);
  ASSERT_TRUE(outbox.OnConfirmation(answer->at(0)).ok());
  EXPECT_THAT(outbox.rederivations(), ElementsAre("t-1"));
  // The order survives the process.
  Outbox again = MustOpenOutbox(sender, {.epoch = 4, .batch_bytes = 1});
  EXPECT_THAT(again.rederivations(), ElementsAre("t-1"));
  ASSERT_TRUE(again.Rederived("t-1").ok());
  AddAndCommit(again, {"a", "b"});
  for (const UrlBatch& batch : again.ToSend(AtSecond(0))) {
    EXPECT_GT(batch.stream.incarnation, sent[0].stream.incarnation);
    ASSERT_TRUE(inbox.OnBatch(batch).ok());
  }
  EXPECT_THAT(receiver.offered, ElementsAre("c", "a", "b"));
  ASSERT_TRUE(inbox.OnBatch(sent[0]).ok());  // of the old incarnation, late
  EXPECT_EQ(receiver.offered.size(), 3u);
}

TEST(ExchangeMessageTest, ReadsWhatItWritesAndNothingElse) {
  const StreamId stream = {.from = "t-0", .to = "t-1", .incarnation = 7};
  const ExchangeMessage messages[] = {
      UrlBatch{.stream = stream, .sequence = 300, .oldest_kept = 299, .answers = 2, .urls = "some URLs"},
      Confirmation{.stream = stream, .through = 9, .lacks = true, .question = 4}};
  for (const ExchangeMessage& message : messages) {
    const std::string bytes = EncodeMessage(message);
    EXPECT_EQ(*DecodeMessage(bytes), message);
    for (size_t i = 0; i < bytes.size(); i++) {
      for (int bit = 0; bit < 8; bit++) {
        std::string flipped = bytes;
        flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
        EXPECT_EQ(DecodeMessage(flipped).status().code(), StatusCode::kCorruption);
      }
      EXPECT_EQ(DecodeMessage(std::string_view(bytes).substr(0, i)).status().code(), StatusCode::kCorruption);
    }
    EXPECT_FALSE(DecodeMessage(bytes + "x").ok());
  }
}

}  // namespace
}  // namespace crivello::cluster
