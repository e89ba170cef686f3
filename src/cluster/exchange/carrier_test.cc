// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/carrier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>

#include "base/test_support.h"
#include "base/test_waiting.h"
#include "cluster/agent/memory_bus_test_support.h"
#include "cluster/exchange/carrier_test_support.h"
#include "cluster/nats/nats_bus.h"
#include "cluster/nats/nats_server_test_support.h"

namespace crivello::cluster {
namespace {

class CarrierTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  MemoryBus bus_;
  Owners owners_;
};

TEST_F(CarrierTest, CarriesUrlsToTheSieveOfAnotherAgentAndHearsThatTheyAreThere) {
  Side red(bus_, folder_, "red", owners_), blue(bus_, folder_, "blue", owners_);
  red.Open("t-0");
  blue.Open("t-1");
  const std::vector<std::string> urls = UrlsOf("t-1", 5000);
  ASSERT_TRUE(red.Send("t-0", "t-1", urls).ok());
  ASSERT_TRUE(WaitFor([&] { return red.exchange("t-0").outbox_empty(); }));
  EXPECT_EQ(red.exchange("t-0").waiting_urls(), 0u);
  EXPECT_EQ(blue.Sifted("t-1"), urls);
  // Some 200 KB of URLs are a few batches of 32 KB, joined.
  EXPECT_LT(bus_.messages(), 12u);
  // What is not a URL of the tablet is dropped there.
  ASSERT_TRUE(red.Send("t-0", "t-1", UrlsOf("t-0", 3)).ok());
  ASSERT_TRUE(WaitFor([&] { return red.exchange("t-0").outbox_empty(); }));
  EXPECT_THAT(blue.Sifted("t-1"), testing::IsEmpty());
  EXPECT_EQ(blue.exchange("t-1").strange_records(), 3u);
}

TEST_F(CarrierTest, SendsAgainWhatWasLost) {
  bus_.LoseEvery(3);
  Side red(bus_, folder_, "red", owners_), blue(bus_, folder_, "blue", owners_);
  red.Open("t-0");
  blue.Open("t-1");
  const std::vector<std::string> urls = UrlsOf("t-1", 3000);
  std::set<std::string> seen;
  for (size_t i = 0; i < 3; i++) {
    ASSERT_TRUE(red.Send("t-0", "t-1",
                         {urls.begin() + static_cast<ptrdiff_t>(i) * 1000,
                          urls.begin() + static_cast<ptrdiff_t>(i + 1) * 1000})
                    .ok());
  }
  ASSERT_TRUE(WaitFor([&] { return red.exchange("t-0").outbox_empty(); }));
  const std::vector<std::string> sifted = blue.Sifted("t-1");
  seen.insert(sifted.begin(), sifted.end());
  EXPECT_EQ(sifted.size(), seen.size());  // a repetition does not come through
  EXPECT_EQ(seen, std::set<std::string>(urls.begin(), urls.end()));
}

TEST_F(CarrierTest, TheNextOwnerSendsWhatTheLastOneCouldNot) {
  const std::vector<std::string> urls = UrlsOf("t-1", 10);
  Side blue(bus_, folder_, "blue", owners_);
  auto red = std::make_unique<Side>(bus_, folder_, "red", owners_);
  red->Open("t-0");
  ASSERT_TRUE(red->Send("t-0", "t-1", urls).ok());  // nobody has t-1
  EXPECT_EQ(red->exchange("t-0").waiting_urls(), 10u);
  // Another agent takes the tablet over while red has it open.
  Side green(bus_, folder_, "green", owners_);
  green.Open("t-0");
  EXPECT_EQ(red->Send("t-0", "t-1", UrlsOf("t-1", 1, 5000)).code(), StatusCode::kUnavailable);
  red = nullptr;
  blue.Open("t-1");
  ASSERT_TRUE(WaitFor([&] { return green.exchange("t-0").outbox_empty(); }));
  EXPECT_EQ(blue.Sifted("t-1"), urls);
}

TEST_F(CarrierTest, AnOwnerThatLostItsTabletConfirmsNothing) {
  Side red(bus_, folder_, "red", owners_), blue(bus_, folder_, "blue", owners_),
      green(bus_, folder_, "green", owners_);
  red.Open("t-0");
  blue.Open("t-1");
  green.Open("t-1");           // takes it over, and
  owners_.Set("t-1", "blue");  // red has not heard of it
  const std::vector<std::string> urls = UrlsOf("t-1", 10);
  ASSERT_TRUE(red.Send("t-0", "t-1", urls).ok());
  ASSERT_TRUE(WaitFor([&] { return blue.failures() > 0; }));
  EXPECT_FALSE(red.exchange("t-0").outbox_empty());
  owners_.Set("t-1", "green");
  ASSERT_TRUE(WaitFor([&] { return red.exchange("t-0").outbox_empty(); }));
  EXPECT_EQ(green.Sifted("t-1"), urls);
}

TEST_F(CarrierTest, SendsNoMoreThanAWindowToAnAgentThatDoesNotAnswer) {
  Side red(bus_, folder_, "red", owners_);
  red.Open("t-0");
  owners_.Set("t-1", "blue");  // who is not there
  std::vector<std::string> urls = UrlsOf("t-1", 3000);
  for (std::string& url : urls) url += "?" + std::string(2000, 'x');
  for (int i = 0; i < 2; i++) ASSERT_TRUE(red.Send("t-0", "t-1", urls).ok());  // 12 MB
  uint64_t in_flight = 0;
  ASSERT_TRUE(WaitFor([&] {
    in_flight = 0;
    red.exchange("t-0").ForEachInFlight([&](const std::string&, uint64_t bytes) { in_flight += bytes; });
    return in_flight > (4 << 20) - (64 << 10);
  }));
  EXPECT_LE(in_flight, uint64_t{4} << 20);
  EXPECT_EQ(red.exchange("t-0").waiting_urls(), 6000u);
}

TEST_F(CarrierTest, WorksOverNats) {
  if (const std::string missing = MissingForNats(); !missing.empty()) GTEST_SKIP() << "no " << missing;
  const NatsServer server;
  const auto red_bus = NatsBus::Open({.urls = server.url(), .name = "red", .bucket = "test"}).value();
  const auto blue_bus = NatsBus::Open({.urls = server.url(), .name = "blue", .bucket = "test"}).value();
  Side red(*red_bus, folder_, "red", owners_), blue(*blue_bus, folder_, "blue", owners_);
  red.Open("t-0");
  blue.Open("t-1");
  const std::vector<std::string> urls = UrlsOf("t-1", 20000);
  const std::vector<std::string> back = UrlsOf("t-0", 20000);
  ASSERT_TRUE(red.Send("t-0", "t-1", urls).ok());
  ASSERT_TRUE(blue.Send("t-1", "t-0", back).ok());
  ASSERT_TRUE(
      WaitFor([&] { return red.exchange("t-0").outbox_empty() && blue.exchange("t-1").outbox_empty(); }));
  EXPECT_EQ(blue.Sifted("t-1"), urls);
  EXPECT_EQ(red.Sifted("t-0"), back);
}

// What a URL costs from the outbox of one agent to the sieve of another: CPU time of both, without the
// server.  Only with CRIVELLO_URLS, how many (bench/exchange).
TEST_F(CarrierTest, CostsSoMuch) {
  const char* const wanted = std::getenv("CRIVELLO_URLS");
  if (wanted == nullptr) GTEST_SKIP() << "a measurement: bench/exchange";
  if (const std::string missing = MissingForNats(); !missing.empty()) GTEST_SKIP() << "no " << missing;
  const size_t count = std::strtoull(wanted, nullptr, 10);
  const NatsServer server;
  const auto red_bus = NatsBus::Open({.urls = server.url(), .name = "red", .bucket = "test"}).value();
  const auto blue_bus = NatsBus::Open({.urls = server.url(), .name = "blue", .bucket = "test"}).value();
  Side red(*red_bus, folder_, "red", owners_, "mercator"),
      blue(*blue_bus, folder_, "blue", owners_, "mercator");
  red.Open("t-0");
  blue.Open("t-1");
  const std::vector<std::string> hosts = UrlsOf("t-1", 1000);
  // Commits of 5,000 links, each a URL of some 60 bytes.
  std::vector<std::vector<std::string>> commits;
  for (size_t i = 0; i < count; i++) {
    if (i % 5000 == 0) commits.emplace_back();
    commits.back().push_back(hosts[i % hosts.size()] + "/section/articles/" + std::to_string(i) + ".html");
  }
  const auto cpu = [] {
    timespec now = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const double before = cpu();
  for (const auto& urls : commits) {
    ASSERT_TRUE(WaitFor([&] { return !red.exchange("t-0").full(); }));
    ASSERT_TRUE(red.Send("t-0", "t-1", urls).ok());
  }
  ASSERT_TRUE(WaitFor([&] { return red.exchange("t-0").outbox_empty(); }, std::chrono::minutes(10)));
  const double spent = cpu() - before;
  std::printf("exchange: %zu URLs in %.2f CPU-seconds, %.0f URLs per CPU-second\n", count, spent,
              static_cast<double>(count) / spent);
}

}  // namespace
}  // namespace crivello::cluster
