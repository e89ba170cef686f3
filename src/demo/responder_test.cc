// SPDX-License-Identifier: Apache-2.0
#include "demo/responder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "web/http/http_message.h"

namespace crivello::demo {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ResponderTest : public testing::Test {
 protected:
  Exchange Ask(const std::string& request) { return responder_.Respond(request); }
  Exchange Get(const std::string& host, const std::string& target, const std::string& fields = "") {
    return Ask("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n");
  }

  const BuiltInWeb web_{8099};
  const ManualClock clock_{WallTime(std::chrono::seconds(1794700800))};
  Responder responder_{web_, clock_};
};

TEST_F(ResponderTest, AnswersWithThePageAndItsValidators) {
  const Exchange exchange = Get("webring.test:8099", "/");
  EXPECT_EQ(exchange.status, 200);
  EXPECT_FALSE(exchange.close);
  EXPECT_EQ(exchange.host, "webring.test");
  EXPECT_EQ(exchange.target, "/");
  EXPECT_THAT(exchange.response,
              AllOf(StartsWith("HTTP/1.1 200 OK\r\nDate: Sun, 15 Nov 2026"), EndsWith("</html>\n"),
                    HasSubstr("Last-Modified: Thu, 15 Oct 2026 00:00:00 GMT\r\n"), HasSubstr("ETag: \""),
                    Not(HasSubstr("Connection:"))));
}

TEST_F(ResponderTest, AnswersHeadWithTheSameHeadAndNothingMore) {
  const std::string get = Get("webring.test", "/").response;
  const Exchange head = Ask("HEAD / HTTP/1.1\r\nHost: webring.test\r\n\r\n");
  EXPECT_EQ(head.response, get.substr(0, get.find("\r\n\r\n") + 4));
}

TEST_F(ResponderTest, WaitsForTheEndOfTheHead) {
  const std::string request = "GET / HTTP/1.1\r\nHost: webring.test\r\n\r\n";
  // The parser accepts a final CR as the end; the LF after it is skipped.
  for (size_t size = 0; size + 1 < request.size(); size++) {
    EXPECT_EQ(Ask(request.substr(0, size)).consumed, 0u) << size;
  }
  EXPECT_EQ(Ask(request + request).consumed, request.size());
  EXPECT_EQ(Ask("\n" + request).status, 200);
}

TEST_F(ResponderTest, SaysWhenThePageIsAsTheClientHasIt) {
  const std::string response = Get("webring.test", "/").response;
  const std::string etag(*web::ParseHttpResponse(response).fields.Find("ETag"));
  const auto status = [&](const std::string& fields) { return Get("webring.test", "/", fields).status; };
  EXPECT_EQ(status("If-None-Match: " + etag + "\r\n"), 304);
  EXPECT_EQ(status("If-None-Match: \"other\", W/" + etag + "\r\n"), 304);
  EXPECT_EQ(status("If-None-Match: *\r\n"), 304);
  EXPECT_EQ(status("If-None-Match: \"other\"\r\n"), 200);
  EXPECT_EQ(status("If-Modified-Since: Thu, 15 Oct 2026 00:00:00 GMT\r\n"), 304);
  EXPECT_EQ(status("If-Modified-Since: Wed, 14 Oct 2026 23:59:59 GMT\r\n"), 200);
  EXPECT_EQ(status("If-Modified-Since: nonsense\r\n"), 200);
  // The tag has precedence.
  EXPECT_EQ(status("If-None-Match: \"other\"\r\nIf-Modified-Since: Thu, 15 Oct 2026 00:00:00 GMT\r\n"), 200);
  EXPECT_THAT(Get("webring.test", "/", "If-None-Match: *\r\n").response,
              AllOf(StartsWith("HTTP/1.1 304 Not Modified\r\n"), EndsWith("\r\n\r\n"), HasSubstr(etag),
                    Not(HasSubstr("Content-Length"))));
  EXPECT_EQ(Get("webring.test", "/nowhere", "If-None-Match: *\r\n").status, 404);
}

TEST_F(ResponderTest, SendsRedirects) {
  const Exchange exchange = Get("biblioteca-valdombra.test", "/old/projects");
  EXPECT_THAT(exchange.response,
              AllOf(StartsWith("HTTP/1.1 302 Found\r\n"),
                    HasSubstr("Location: http://webring.test:8099/go/valdombra-2019\r\n")));
}

TEST_F(ResponderTest, IsBusyAtTheFirstPageOfOneHostOnly) {
  EXPECT_EQ(Get("baeckerei-lindner.test", "/robots.txt").status, 404);
  const Exchange busy = Get("baeckerei-lindner.test", "/brote.html");
  EXPECT_EQ(busy.status, 503);
  EXPECT_THAT(busy.response, HasSubstr("Retry-After: 1\r\n"));
  EXPECT_EQ(Get("baeckerei-lindner.test", "/brote.html").status, 200);
  EXPECT_EQ(Get("baeckerei-lindner.test", "/").status, 200);
}

TEST_F(ResponderTest, TakesTheHostFromAWholeUrl) {
  const Exchange exchange =
      Ask("GET http://WEBRING.test:8099/about.html HTTP/1.1\r\nHost: other.test\r\n\r\n");
  EXPECT_EQ(exchange.status, 200);
  EXPECT_EQ(exchange.host, "webring.test");
  EXPECT_EQ(exchange.target, "/about.html");
}

TEST_F(ResponderTest, RefusesWhatIsNoRequestForAPage) {
  const auto status = [&](const std::string& request) { return Ask(request).status; };
  EXPECT_EQ(status("POST / HTTP/1.1\r\nHost: webring.test\r\n\r\n"), 405);
  EXPECT_EQ(status("get / HTTP/1.1\r\nHost: webring.test\r\n\r\n"), 405);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: unknown.test\r\n\r\n"), 421);
  EXPECT_EQ(status("GET / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: webring.test\r\nHost: webring.test\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: webring.test\r\nno colon\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: webring.test\r\nContent-Length: 3\r\n\r\nabc"), 400);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nHost: webring.test\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
  EXPECT_EQ(status("OPTIONS * HTTP/1.1\r\nHost: webring.test\r\n\r\n"), 400);
  EXPECT_EQ(status("GET / HTTP/2.0\r\nHost: webring.test\r\n\r\n"), 505);
  EXPECT_EQ(status("nonsense\r\n\r\n"), 505);
  EXPECT_EQ(status("GET / HTTP/1.1\r\nX: " + std::string(Responder::kMaxHeadBytes, 'x')), 431);
  EXPECT_TRUE(Ask("GET / HTTP/1.1\r\n\r\n").close);
}

TEST_F(ResponderTest, ClosesWhenAsked) {
  EXPECT_TRUE(Get("webring.test", "/", "Connection: Close\r\n").close);
  EXPECT_TRUE(Ask("GET / HTTP/1.0\r\nHost: webring.test\r\n\r\n").close);
}

}  // namespace
}  // namespace crivello::demo
