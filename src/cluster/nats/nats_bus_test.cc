// SPDX-License-Identifier: Apache-2.0
#include "cluster/nats/nats_bus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/test_waiting.h"
#include "cluster/nats/nats_server_test_support.h"

namespace crivello::cluster {
namespace {

using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

class NatsBusTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string missing = MissingForNats(); !missing.empty()) GTEST_SKIP() << "no " << missing;
  }
};

std::unique_ptr<NatsBus> MustOpenNats(const std::string& urls, NatsOptions options = {}) {
  options.urls = urls;
  options.name = "test";
  options.bucket = "crivello-test";
  auto bus = NatsBus::Open(std::move(options));
  EXPECT_TRUE(bus.ok()) << bus.status().message();
  return std::move(*bus);
}

// Waits until the bucket can be read: the server starts, or JetStream elects.
std::map<std::string, std::string> ReadWhenReady(NatsBus& bus, const NatsServer& server) {
  std::map<std::string, std::string> values;
  std::string last;
  EXPECT_TRUE(WaitFor([&] {
    const auto entries = bus.ReadAll();
    if (!entries.ok()) {
      last = entries.status().message();
      return false;
    }
    for (const BusEntry& entry : *entries) values[entry.key] = entry.value;
    return true;
  })) << last
      << server.log();
  return values;
}

TEST_F(NatsBusTest, ComparesAndSets) {
  NatsServer server;
  const auto bus = MustOpenNats(server.url());
  EXPECT_TRUE(ReadWhenReady(*bus, server).empty());

  const UpdateReply first = bus->Update("tablet.t-0", "a", 0);
  ASSERT_EQ(first.outcome, UpdateOutcome::kDone) << first.error;
  EXPECT_GT(first.revision, 0u);
  EXPECT_EQ(bus->Update("tablet.t-0", "b", 0).outcome, UpdateOutcome::kConflict);
  const UpdateReply second = bus->Update("tablet.t-0", "b", first.revision);
  ASSERT_EQ(second.outcome, UpdateOutcome::kDone);
  EXPECT_GT(second.revision, first.revision);
  EXPECT_EQ(bus->Update("tablet.t-0", "c", first.revision).outcome, UpdateOutcome::kConflict);
  EXPECT_EQ(bus->Update("tablet.t-1", "c", second.revision).outcome, UpdateOutcome::kConflict);

  ASSERT_TRUE(bus->Put("member.red", "1").ok());
  ASSERT_TRUE(bus->Put("member.red", "2").ok());
  const auto other = MustOpenNats(server.url());
  EXPECT_THAT(ReadWhenReady(*other, server),
              UnorderedElementsAre(Pair("tablet.t-0", "b"), Pair("member.red", "2")));
  const auto entries = other->ReadAll();
  ASSERT_TRUE(entries.ok());
  for (const BusEntry& entry : *entries) {
    if (entry.key == "tablet.t-0") {
      EXPECT_EQ(entry.revision, second.revision);
    }
  }
}

TEST_F(NatsBusTest, CarriesMessagesAndAnswers) {
  NatsServer server;
  const auto bus = MustOpenNats(server.url());
  ReadWhenReady(*bus, server);
  EXPECT_EQ(bus->Request("crivello.ask", "x", std::chrono::seconds(5)).status().code(),
            StatusCode::kUnavailable);

  std::atomic<int> received = 0;
  {
    auto subscription = bus->Subscribe("crivello.ask", [&](const Bus::Message& message) {
      received++;
      if (!message.reply_to.empty()) {
        bus->Publish(message.reply_to, message.subject + " " + message.bytes).IgnoreError();
      }
    });
    ASSERT_TRUE(subscription.ok());
    EXPECT_EQ(bus->Request("crivello.ask", "who", std::chrono::seconds(30)).value(), "crivello.ask who");
    const std::string bytes("\0binary\n", 8);
    ASSERT_TRUE(bus->Publish("crivello.ask", bytes).ok());
    EXPECT_TRUE(WaitFor([&] { return received == 2; }));
  }
  // Nobody listens any more.
  EXPECT_FALSE(bus->Request("crivello.ask", "x", std::chrono::seconds(5)).ok());
  EXPECT_EQ(received, 2);
}

TEST_F(NatsBusTest, SurvivesTheServerAndTheLossOfItsBucket) {
  NatsServer server;
  const auto bus = MustOpenNats(server.url(), {.limit = std::chrono::milliseconds(500)});
  ReadWhenReady(*bus, server);
  ASSERT_TRUE(bus->Put("member.red", "1").ok());
  server.Kill();
  EXPECT_TRUE(WaitFor([&] { return !bus->connected(); }));
  EXPECT_FALSE(bus->ReadAll().ok());
  EXPECT_EQ(bus->Update("tablet.t-0", "a", 0).outcome, UpdateOutcome::kUnknown);
  EXPECT_FALSE(bus->Put("member.red", "2").ok());

  // What was written meanwhile does not come later.
  server.Start();
  EXPECT_EQ(ReadWhenReady(*bus, server).at("member.red"), "1");
  server.Kill();
  server.LoseJetStream();
  server.Start();
  EXPECT_TRUE(ReadWhenReady(*bus, server).empty());
  EXPECT_TRUE(bus->Put("member.red", "3").ok());
}

TEST_F(NatsBusTest, ConnectsWhenTheServerComesLater) {
  NatsServer server;
  server.Kill();
  const auto bus = MustOpenNats(server.url(), {.limit = std::chrono::milliseconds(500)});
  EXPECT_FALSE(bus->connected());
  EXPECT_FALSE(bus->ReadAll().ok());
  server.Start();
  EXPECT_TRUE(ReadWhenReady(*bus, server).empty());
  EXPECT_TRUE(bus->connected());
}

// A reading must not depend on a server that is dead, as one by a consumer does that was placed there.
TEST_F(NatsBusTest, ReadsAndWritesWithTwoOfThreeServers) {
  NatsTrio servers;
  const auto bus = MustOpenNats(servers.urls(), {.replicas = 3, .limit = std::chrono::seconds(2)});
  const auto whole = [&] {
    const auto replicas = bus->BucketReplicas();
    return replicas.ok() && replicas->servers == 3 && replicas->current == 3;
  };
  ASSERT_TRUE(WaitFor([&] { return bus->ReadAll().ok() && whole(); })) << servers.logs();
  for (const char* key : {"member.red", "member.blue", "tablet.t-0"}) {
    ASSERT_TRUE(WaitFor([&] { return bus->Put(key, "before").ok(); }));
  }
  servers[1].Kill();
  ASSERT_TRUE(WaitFor([&] { return bus->Put("member.red", "after").ok(); })) << servers.logs();
  // A machine under load may elect once more; a dead server stays dead.
  int failures = 0;
  for (int i = 0; i < 20; i++) {
    ASSERT_TRUE(WaitFor([&] {
      const auto entries = bus->ReadAll();
      if (!entries.ok()) failures++;
      if (!entries.ok()) return false;
      EXPECT_EQ(entries->size(), 3u);
      return true;
    })) << servers.logs();
  }
  EXPECT_LE(failures, 4);
  servers[1].Start();
  EXPECT_TRUE(WaitFor(whole)) << servers.logs();
}

TEST_F(NatsBusTest, LogsIn) {
  NatsServer server("authorization { user: agent, password: secret }");
  const auto bus = MustOpenNats(server.url("agent:secret"));
  EXPECT_TRUE(ReadWhenReady(*bus, server).empty());
  const auto stranger = MustOpenNats(server.url(), {.limit = std::chrono::milliseconds(500)});
  EXPECT_FALSE(stranger->ReadAll().ok());
  // It gives up, and says so.
  const auto wrong = MustOpenNats(server.url("agent:wrong"));
  EXPECT_TRUE(WaitFor([&] { return !wrong->refused().ok(); }));
  EXPECT_EQ(wrong->ReadAll().status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(wrong->Subscribe("a", [](const auto&) {}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(wrong->refused().message(), HasSubstr("refused this client"));
  EXPECT_TRUE(bus->refused().ok());
}

TEST_F(NatsBusTest, SpeaksTlsWithCertificatesOnBothSides) {
  TemporaryFolder folder;
  const std::string script = "set -e; cd " + folder.path() + R"(
    key() { openssl ecparam -name prime256v1 -genkey -noout -out $1.key; }
    key ca; openssl req -x509 -new -key ca.key -subj '/CN=test authority' -days 30 -out ca.pem
    sign() {
      key $1; openssl req -new -key $1.key -subj "/CN=$1" -out $1.csr
      echo "subjectAltName=DNS:localhost" > $1.ext
      openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile $1.ext -out $1.pem
    }
    sign server; sign agent)";
  if (std::system("command -v openssl >/dev/null 2>&1") != 0) GTEST_SKIP() << "no openssl";
  ASSERT_EQ(std::system(("(" + script + ") >" + (folder / "log") + " 2>&1").c_str()), 0);
  NatsServer server("tls { cert_file: \"" + (folder / "server.pem") + "\", key_file: \"" +
                    (folder / "server.key") + "\", ca_file: \"" + (folder / "ca.pem") + "\", verify: true }");
  const std::string url = "tls://localhost:" + std::to_string(server.port());
  const auto bus = MustOpenNats(url, {.tls_authority = folder / "ca.pem",
                                      .tls_certificate = folder / "agent.pem",
                                      .tls_key = folder / "agent.key"});
  EXPECT_TRUE(ReadWhenReady(*bus, server).empty());
  const auto stranger =
      MustOpenNats(url, {.limit = std::chrono::milliseconds(500), .tls_authority = folder / "ca.pem"});
  EXPECT_FALSE(stranger->ReadAll().ok());
}

TEST(NatsOptionsTest, ShowsNoPasswords) {
  EXPECT_EQ(WithoutSecrets("nats://agent:se@cret@one:4222,tls://two:4222,three,token@four"),
            "nats://one:4222,tls://two:4222,three,four");
  const auto bus = MustOpenNats("nats://agent:secret@127.0.0.1:1", {.limit = std::chrono::milliseconds(100)});
  const std::string error = bus->ReadAll().status().message();
  EXPECT_THAT(error, HasSubstr("nats://127.0.0.1:1"));
  EXPECT_THAT(error, testing::Not(HasSubstr("secret")));
}

TEST(NatsOptionsTest, NamesWhatIsWrong) {
  const auto error = [](NatsOptions options) { return NatsBus::Open(std::move(options)).status(); };
  EXPECT_THAT(error({.urls = "", .bucket = "b"}).message(), HasSubstr("no URL of a NATS server"));
  EXPECT_THAT(error({.urls = "nats://127.0.0.1:1", .bucket = "a b"}).message(), HasSubstr("'a b'"));
  const Status missing =
      error({.urls = "nats://127.0.0.1:1", .bucket = "b", .tls_authority = "/nowhere/ca.pem"});
  EXPECT_EQ(missing.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(missing.message(), HasSubstr("/nowhere/ca.pem"));
}

}  // namespace
}  // namespace crivello::cluster
