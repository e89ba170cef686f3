// SPDX-License-Identifier: Apache-2.0
#include "fetch/cares_resolver.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "fetch/dns_server.h"

namespace crivello::fetch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Answer = Resolution::Outcome;

IpAddress ParsedIp(const char* text) { return IpAddress::Parse(text).value(); }

class TestResolver {
 public:
  explicit TestResolver(const DnsServer& server, CaresResolverOptions options = {}) {
    options.servers = {server.address()};
    options.clock = &clock;
    auto opened = OpenCaresResolver(std::move(options));
    EXPECT_TRUE(opened.ok()) << opened.status().ToString();
    resolver_ = *std::move(opened);
  }
  ResolutionPtr Resolve(std::string_view host) {
    std::promise<ResolutionPtr> promise;
    resolver_->Resolve(host, [&](const ResolutionPtr& answer) { promise.set_value(answer); });
    return promise.get_future().get();
  }
  Resolver& operator*() { return *resolver_; }
  Resolver* operator->() { return resolver_.get(); }

  // Only advanced while no query is in progress.
  ManualClock clock;

 private:
  std::unique_ptr<Resolver> resolver_;
};

std::vector<std::string> Texts(const Resolution& resolution) {
  std::vector<std::string> texts;
  for (const IpAddress& address : resolution.addresses) texts.push_back(address.ToString());
  return texts;
}

TEST(ResolverTest, FindsAddressesOfBothFamilies) {
  DnsServer server([](const std::string&) {
    return DnsAnswer{.addresses = {ParsedIp("2001:db8::7"), ParsedIp("192.0.2.1"), ParsedIp("192.0.2.2")}};
  });
  TestResolver resolver(server);
  const ResolutionPtr answer = resolver.Resolve("www.example.org");
  EXPECT_EQ(answer->outcome, Answer::kFound);
  EXPECT_EQ(Texts(*answer), (std::vector<std::string>{"192.0.2.1", "192.0.2.2", "2001:db8::7"}));
  EXPECT_EQ(answer->message, "");
  EXPECT_FALSE(answer->from_hosts_file);
  EXPECT_EQ(server.Asked("www.example.org"), 2);

  TestResolver only4(server, {.ipv6 = false});
  EXPECT_EQ(only4.Resolve("a.test")->addresses.size(), 2u);
  EXPECT_EQ(server.Asked("a.test"), 1);
  TestResolver only6(server, {.ipv4 = false});
  EXPECT_EQ(Texts(*only6.Resolve("b.test")), std::vector<std::string>{"2001:db8::7"});
}

TEST(ResolverTest, KeepsAnswersForTheirTtl) {
  std::atomic<int> generation = 1;
  DnsServer server([&](const std::string&) {
    return DnsAnswer{.addresses = {IpAddress::FromIpv4(static_cast<uint32_t>(generation))}, .ttl = 100};
  });
  TestResolver resolver(server);
  EXPECT_EQ(resolver.Resolve("a.test")->addresses[0], ParsedIp("0.0.0.1"));
  generation = 2;
  resolver.clock.Advance(seconds(99));
  EXPECT_EQ(resolver.Resolve("a.test")->addresses[0], ParsedIp("0.0.0.1"));
  EXPECT_EQ(resolver.Resolve("a.test.")->addresses[0], ParsedIp("0.0.0.1"));
  EXPECT_EQ(server.Asked("a.test"), 2);
  resolver.clock.Advance(seconds(2));
  EXPECT_EQ(resolver.Resolve("a.test")->addresses[0], ParsedIp("0.0.0.2"));  // and a guard will check it
  EXPECT_EQ(server.Asked("a.test"), 4);
  const Resolver::Stats stats = resolver->stats();
  EXPECT_EQ(stats.lookups, 4u);
  EXPECT_EQ(stats.asked, 2u);
  EXPECT_EQ(stats.failed, 0u);
  EXPECT_EQ(stats.waiting, 0u);
  EXPECT_EQ(stats.entries, 1u);
}

TEST(ResolverTest, KeepsTtlsWithinBounds) {
  DnsServer server([&](const std::string& name) {
    return DnsAnswer{.addresses = {ParsedIp("192.0.2.1")}, .ttl = name == "short.test" ? 0u : 1u << 30};
  });
  TestResolver resolver(server);
  EXPECT_EQ(resolver.Resolve("short.test")->expires - resolver.clock.Now(), seconds(30));
  EXPECT_EQ(resolver.Resolve("long.test")->expires - resolver.clock.Now(), std::chrono::hours(24));
}

TEST(ResolverTest, TakesTheShortestTtlOfAChain) {
  DnsServer server([](const std::string&) {
    return DnsAnswer{
        .addresses = {ParsedIp("192.0.2.1")}, .ttl = 900, .alias = "edge.cdn.test", .alias_ttl = 60};
  });
  TestResolver resolver(server);
  const ResolutionPtr answer = resolver.Resolve("www.test");
  EXPECT_EQ(Texts(*answer), std::vector<std::string>{"192.0.2.1"});
  EXPECT_EQ(answer->expires - resolver.clock.Now(), seconds(60));
}

TEST(ResolverTest, RemembersWhatIsNotThere) {
  DnsServer server(
      [](const std::string& name) { return name == "gone.test" ? DnsAnswer{.rcode = 3} : DnsAnswer{}; });
  TestResolver resolver(server);
  for (int i = 0; i < 3; i++) {
    const ResolutionPtr gone = resolver.Resolve("gone.test");
    EXPECT_EQ(gone->outcome, Answer::kNoName);
    EXPECT_NE(gone->message.find("gone.test"), std::string::npos);
    EXPECT_EQ(resolver.Resolve("empty.test")->outcome, Answer::kNoAddress);
  }
  EXPECT_EQ(server.Asked("gone.test"), 2);
  EXPECT_EQ(server.Asked("empty.test"), 2);
  resolver.clock.Advance(seconds(601));
  resolver.Resolve("gone.test");
  EXPECT_EQ(server.Asked("gone.test"), 4);
}

TEST(ResolverTest, AsksOverTcpForWhatWasTruncated) {
  DnsServer server([](const std::string&) {
    DnsAnswer answer{.truncated = true};
    for (uint32_t i = 0; i < 100; i++) answer.addresses.push_back(IpAddress::FromIpv4(0xc0000200 + i));
    return answer;
  });
  TestResolver resolver(server, {.ipv6 = false});
  EXPECT_EQ(resolver.Resolve("many.test")->addresses.size(), 100u);
  EXPECT_EQ(server.over_tcp(), 1);
}

TEST(ResolverTest, FailsInTimeAndForAWhileOnly) {
  std::atomic<bool> works = false;
  DnsServer server([&](const std::string& name) {
    if (works) return DnsAnswer{.addresses = {ParsedIp("192.0.2.1")}};
    if (name == "silent.test") return DnsAnswer{.silent = true};
    return DnsAnswer{.rcode = 2};
  });
  TestResolver resolver(server, {.timeout = milliseconds(50), .tries = 2});
  EXPECT_EQ(resolver.Resolve("silent.test")->outcome, Answer::kFailed);
  EXPECT_EQ(resolver.Resolve("servfail.test")->outcome, Answer::kFailed);
  EXPECT_EQ(resolver->stats().failed, 2u);
  works = true;
  EXPECT_EQ(resolver.Resolve("silent.test")->outcome, Answer::kFailed);
  resolver.clock.Advance(seconds(31));
  EXPECT_EQ(resolver.Resolve("silent.test")->outcome, Answer::kFound);
  EXPECT_EQ(resolver.Resolve("servfail.test")->outcome, Answer::kFound);
}

TEST(ResolverTest, SurvivesGarbage) {
  const std::vector<std::string> garbage = {"",
                                            "\x81",
                                            std::string(10, '\xff'),
                                            std::string("\x81\x80\0\1\xff\xff\0\0\0\0", 10),
                                            std::string("\x81\x80\0\1\0\1\0\0\0\0\xc0\x0c\0\1\0\1", 16),
                                            std::string(600, '\xc0')};
  DnsServer server([&](const std::string& name) {
    return DnsAnswer{.raw = garbage[static_cast<size_t>(name[0] - '0') % garbage.size()]};
  });
  TestResolver resolver(server, {.timeout = milliseconds(50), .tries = 1});
  for (size_t i = 0; i < garbage.size(); i++) {
    EXPECT_FALSE(resolver.Resolve(std::to_string(i) + ".test")->found()) << i;
  }
}

TEST(ResolverTest, NeverAsksForNamesOfTheHostsFile) {
  DnsServer server([](const std::string&) { return DnsAnswer{.addresses = {ParsedIp("192.0.2.99")}}; });
  auto hosts = ParseHostsFile(
      "# a comment\n127.0.0.1 one.test Two.TEST # both\r\n\n  127.0.0.2\tone.test\n::1 v6.test");
  ASSERT_TRUE(hosts.ok()) << hosts.status().ToString();
  TestResolver resolver(server, {.hosts = *hosts});
  EXPECT_EQ(Texts(*resolver.Resolve("one.test")), (std::vector<std::string>{"127.0.0.1", "127.0.0.2"}));
  EXPECT_EQ(Texts(*resolver.Resolve("two.test.")), std::vector<std::string>{"127.0.0.1"});
  EXPECT_EQ(Texts(*resolver.Resolve("v6.test")), std::vector<std::string>{"::1"});
  EXPECT_TRUE(resolver.Resolve("v6.test")->from_hosts_file);
  EXPECT_EQ(Texts(*resolver.Resolve("other.test")), std::vector<std::string>{"192.0.2.99"});
  EXPECT_EQ(server.Asked("one.test") + server.Asked("two.test") + server.Asked("v6.test"), 0);
}

TEST(ResolverTest, RefusesHostsFilesWithTheLine) {
  EXPECT_EQ(ParseHostsFile("127.0.0.1 a\nnonsense b\n").status().message(),
            "hosts file, line 2: invalid IP address 'nonsense'");
  EXPECT_EQ(ParseHostsFile("127.0.0.1\n").status().message(), "hosts file, line 1: missing host name");
  EXPECT_TRUE(ParseHostsFile("").ok());
}

TEST(ResolverTest, AnswersLiteralsAndImpossibleNamesItself) {
  DnsServer server([](const std::string&) { return DnsAnswer{.addresses = {ParsedIp("192.0.2.99")}}; });
  TestResolver resolver(server);
  EXPECT_EQ(Texts(*resolver.Resolve("127.0.0.1")), std::vector<std::string>{"127.0.0.1"});
  EXPECT_EQ(Texts(*resolver.Resolve("[2001:db8::1]")), std::vector<std::string>{"2001:db8::1"});
  for (const std::string& host : {std::string(""), std::string("a..b"), std::string(".a"),
                                  std::string(64, 'x') + ".test", std::string(300, 'x')}) {
    EXPECT_EQ(resolver.Resolve(host)->outcome, Answer::kNoName) << host;
  }
  EXPECT_EQ(resolver->stats().asked, 0u);
}

TEST(ResolverTest, JoinsThoseWhoAskForTheSame) {
  DnsServer server([](const std::string&) { return DnsAnswer{.addresses = {ParsedIp("192.0.2.1")}}; });
  TestResolver resolver(server, {.max_queries = 3});
  std::atomic<int> answered = 0;
  std::promise<void> all;
  for (int i = 0; i < 1000; i++) {
    resolver->Resolve("h" + std::to_string(i % 20) + ".test", [&](const ResolutionPtr& answer) {
      EXPECT_TRUE(answer->found());
      if (++answered == 1000) all.set_value();
    });
  }
  all.get_future().wait();
  for (int i = 0; i < 20; i++) EXPECT_EQ(server.Asked("h" + std::to_string(i) + ".test"), 2);
}

TEST(ResolverTest, DropsTheLeastRecentlyUsed) {
  DnsServer server([](const std::string&) { return DnsAnswer{.addresses = {ParsedIp("192.0.2.1")}}; });
  TestResolver resolver(server, {.cache_entries = 2});
  for (const char* name : {"a.test", "b.test", "a.test", "c.test"}) resolver.Resolve(name);
  for (const char* name : {"a.test", "c.test", "b.test"}) resolver.Resolve(name);
  EXPECT_EQ(server.Asked("a.test"), 2);  // once per family: the answer was cached
  EXPECT_EQ(server.Asked("b.test"), 4);
  EXPECT_EQ(server.Asked("c.test"), 2);
}

TEST(ResolverTest, AnswersAllWhenItGoes) {
  DnsServer server([](const std::string&) { return DnsAnswer{.silent = true}; });
  std::atomic<int> failed = 0;
  {
    TestResolver resolver(server, {.max_queries = 5});
    for (int i = 0; i < 50; i++) {
      resolver->Resolve("h" + std::to_string(i) + ".test",
                        [&](const ResolutionPtr& answer) { failed += answer->outcome == Answer::kFailed; });
    }
  }
  EXPECT_EQ(failed, 50);
}

TEST(ResolverTest, MayBeAskedFromItsOwnCallbackAndManyThreads) {
  DnsServer server([](const std::string&) { return DnsAnswer{.addresses = {ParsedIp("192.0.2.1")}}; });
  TestResolver resolver(server);
  std::atomic<int> answered = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; i++) {
        std::promise<void> done;
        resolver->Resolve("h" + std::to_string(i) + ".test", [&](const ResolutionPtr&) {
          resolver->Resolve("t" + std::to_string(t) + ".test", [&](const ResolutionPtr&) {
            answered++;
            done.set_value();
          });
        });
        done.get_future().wait();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, 200);
}

TEST(ResolverTest, RefusesServersThatAreNone) {
  EXPECT_EQ(OpenCaresResolver({.servers = {"no server at all"}}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(OpenCaresResolver({.ipv4 = false, .ipv6 = false}).status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::fetch
