// SPDX-License-Identifier: Apache-2.0
#include "web/http/http_message.h"

#include <gtest/gtest.h>

#include "web/http/http_chunked.h"

namespace crivello::web {
namespace {

TEST(HttpMessageTest, ReadsAResponse) {
  const std::string bytes =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nSet-Cookie: a=1\r\nset-cookie:b=2 \r\n\r\n<p>body";
  const HttpResponse response = ParseHttpResponse(bytes);
  EXPECT_EQ(response.version, (HttpVersion{1, 1}));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.reason, "OK");
  EXPECT_EQ(response.fields.Find("content-type"), "text/html");
  EXPECT_EQ(response.fields.Count("SET-COOKIE"), 2u);
  EXPECT_EQ(response.fields.Joined("Set-Cookie"), "a=1, b=2");
  EXPECT_EQ(response.fields.Find("Absent"), std::nullopt);
  EXPECT_EQ(response.body, "<p>body");
  EXPECT_TRUE(response.complete_head);
  EXPECT_EQ(response.head_bytes + 7, bytes.size());
  EXPECT_EQ(response.body.data(), bytes.data() + response.head_bytes);
}

TEST(HttpMessageTest, ReadsStatusLinesOfAllTimes) {
  EXPECT_EQ(ParseHttpResponse("HTTP/1.0 404\n\n").status, 404);
  EXPECT_EQ(ParseHttpResponse("HTTP/1.0 404\n\n").reason, "");
  EXPECT_EQ(ParseHttpResponse("HTTP/2 200\n\n").version, (HttpVersion{2, 0}));
  EXPECT_EQ(ParseHttpResponse("http/1.1  302  Moved Temporarily \n\n").reason, "Moved Temporarily");
  EXPECT_EQ(ParseHttpResponse("HTTP 500 Oops\n\n").status, 500);
  EXPECT_EQ(ParseHttpResponse("ICY 200 OK\n\n").status, 200);
  EXPECT_EQ(ParseHttpResponse("HTTP/1.1 OK\n\n").status, 0);
  EXPECT_EQ(ParseHttpResponse("HTTP/1.1 OK\n\n").reason, "OK");
  EXPECT_EQ(ParseHttpResponse("HTTP/1.1 99999 OK\n\n").status, 0);
  EXPECT_EQ(ParseHttpResponse("HTTP/1.1").status, 0);
}

TEST(HttpMessageTest, TakesBytesWithoutAStatusLineAsABody) {
  const HttpResponse response = ParseHttpResponse("<html>\nx: y\n\n");
  EXPECT_EQ(response.version, (HttpVersion{0, 9}));
  EXPECT_EQ(response.body, "<html>\nx: y\n\n");
  EXPECT_EQ(response.head_bytes, 0u);
}

TEST(HttpMessageTest, JoinsFoldedLines) {
  const HttpFieldBlock block =
      ParseHttpFields("A: one\r\n  two\r\n\tthree\r\nB:\r\n four\r\nC: x\r\n\r\nrest");
  ASSERT_EQ(block.fields.all().size(), 3u);
  EXPECT_EQ(block.fields.all()[0].Unfolded(), "one two three");
  EXPECT_TRUE(block.fields.all()[0].folded);
  EXPECT_EQ(block.fields.all()[1].Unfolded(), "four");
  EXPECT_EQ(block.fields.Find("C"), "x");
  EXPECT_TRUE(block.complete);
}

TEST(HttpMessageTest, KeepsAndCountsWhatIsNoField) {
  const HttpFieldBlock block = ParseHttpFields(" lost\nnonsense\nA : 1\n: no name\nB: 2:3\n");
  EXPECT_EQ(block.fields.malformed(), 2u);
  ASSERT_EQ(block.fields.all().size(), 4u);
  EXPECT_EQ(block.fields.all()[0].value, "nonsense");
  EXPECT_EQ(block.fields.Find("a"), "1");
  EXPECT_EQ(block.fields.Find("B"), "2:3");
  EXPECT_FALSE(block.complete);
}

TEST(HttpMessageTest, StopsAtItsLimits) {
  std::string bytes;
  for (int i = 0; i < 50; i++) bytes += "A: 1\n";
  bytes += "\nbody";
  const HttpFieldBlock block = ParseHttpFields(bytes, {.max_fields = 10});
  EXPECT_EQ(block.fields.all().size(), 10u);
  EXPECT_TRUE(block.fields.cut());
  EXPECT_TRUE(block.complete);
  EXPECT_EQ(bytes.substr(block.bytes), "body");
  EXPECT_FALSE(ParseHttpFields(bytes, {.max_head_bytes = 20}).complete);
}

TEST(HttpMessageTest, ReadsARequest) {
  const HttpRequest request = ParseHttpRequest("GET /a b?c HTTP/1.1\nHost: example.org\n\n");
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/a b?c");
  EXPECT_EQ(request.version, (HttpVersion{1, 1}));
  EXPECT_EQ(request.fields.Find("host"), "example.org");
  EXPECT_EQ(ParseHttpRequest("GET /old").target, "/old");
  EXPECT_EQ(ParseHttpRequest("GET /old").version, (HttpVersion{0, 9}));
}

TEST(HttpChunkedTest, JoinsChunks) {
  const std::string bytes =
      "4\r\nWiki\r\n6;ext=1\r\npedia \r\nE\nin \r\n\r\nchunks.\n0\r\nTrailer: x\r\n\r\nnext";
  const Dechunked body = Dechunk(bytes);
  EXPECT_EQ(body.body, "Wikipedia in \r\n\r\nchunks.");
  EXPECT_TRUE(body.complete);
  EXPECT_EQ(bytes.substr(body.bytes), "next");
}

TEST(HttpChunkedTest, KeepsWhatThereIsOfABodyCutShort) {
  EXPECT_EQ(Dechunk("4\r\nWi").body, "Wi");
  EXPECT_FALSE(Dechunk("4\r\nWi").complete);
  EXPECT_EQ(Dechunk("4\r\nWiki\r\nzz\r\n").body, "Wiki");
  EXPECT_EQ(Dechunk("ffffffffffffffff\r\nall").body, "all");
  EXPECT_FALSE(Dechunk("ffffffffffffffff1\r\nall").chunked);
}

TEST(HttpChunkedTest, TellsABodyThatIsNotChunked) {
  EXPECT_FALSE(Dechunk("<html>").chunked);
  EXPECT_FALSE(Dechunk("").chunked);
  EXPECT_FALSE(Dechunk("2 be or not").chunked);
}

}  // namespace
}  // namespace crivello::web
