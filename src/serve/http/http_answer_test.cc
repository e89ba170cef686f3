// SPDX-License-Identifier: Apache-2.0
#include "serve/http/http_answer.h"

#include <gtest/gtest.h>

#include "serve/http/access_line.h"
#include "serve/http/host_names.h"

namespace crivello::serve {
namespace {

TEST(HttpAnswerTest, ReadsWhatCodingsAreAccepted) {
  for (const char* yes :
       {"gzip", "GZIP", "br, gzip", "gzip;q=0.1", "*", "x-gzip", "br;q=1, *;q=0.2", " gzip ; q=1.0"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const char* no :
       {"", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "gzip;q=0, *", "identity", ",,;", "gzipped"}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

TEST(HttpAnswerTest, ComparesTagsWeakly) {
  EXPECT_TRUE(MatchesTag("\"a\"", "W/\"a\""));
  EXPECT_TRUE(MatchesTag("W/\"b\", W/\"a\"", "\"a\""));
  EXPECT_TRUE(MatchesTag("*", "\"a\""));
  EXPECT_FALSE(MatchesTag("\"b\"", "\"a\""));
  EXPECT_FALSE(MatchesTag("", "\"a\""));
  EXPECT_FALSE(MatchesTag("a", "\"a\""));
}

TEST(HttpAnswerTest, LeavesWhatTheHandlerSet) {
  HttpResponse answer = {.type = "image/png",
                         .body = std::string(5000, 'x'),
                         .headers = {{"content-security-policy", "sandbox"}, {"ETag", "\"mine\""}}};
  FinishAnswer({.headers = {{"accept-encoding", "gzip"}}}, &answer);
  EXPECT_EQ(answer.body.size(), 5000u);  // images are compressed already
  size_t policies = 0;
  for (const auto& [name, value] : answer.headers) {
    policies += name == "content-security-policy" || name == "Content-Security-Policy" ? 1 : 0;
    EXPECT_FALSE(name == "ETag" && value != "\"mine\"");
  }
  EXPECT_EQ(policies, 1u);
  FinishAnswer({.headers = {{"if-none-match", "\"mine\""}}}, &answer);
  EXPECT_EQ(answer.status, 304);
}

TEST(AccessLineTest, ShortensAddresses) {
  EXPECT_EQ(ShortenedAddress("192.0.2.77"), "192.0.2.0");
  EXPECT_EQ(ShortenedAddress("::ffff:192.0.2.77"), "192.0.2.0");
  EXPECT_EQ(ShortenedAddress("2001:db8:1:2:3:4:5:6"), "2001:db8:1::");
  EXPECT_EQ(ShortenedAddress("fe80::1%eth0"), "fe80::");
  EXPECT_EQ(ShortenedAddress("?"), "");
}

TEST(HostNamesTest, TakesAnyNameWhereOthersMayConnectAndNoneIsGiven) {
  const HostNames open(false, {});
  EXPECT_TRUE(open.Admits("anything.example"));
  const HostNames named(false, {"search.example"});
  EXPECT_TRUE(named.Admits("search.example."));
  EXPECT_TRUE(named.Admits("192.0.2.1:80"));
  EXPECT_TRUE(named.Admits("[2001:db8::1]"));
  EXPECT_TRUE(named.Admits("localhost"));
  EXPECT_FALSE(named.Admits("anything.example"));
}

}  // namespace
}  // namespace crivello::serve
