// SPDX-License-Identifier: Apache-2.0
// Servers that misbehave: each case ends in an outcome, in bounded time and memory, and the fetcher keeps
// working.
#include <gtest/gtest.h>

#include <chrono>

#include "base/random.h"
#include "fetch/collector.h"
#include "fetch/scripted_server.h"

namespace crivello::fetch {
namespace {

using std::chrono::milliseconds;
using Connection = ScriptedServer::Connection;

struct Case {
  const char* name;
  std::string answer;  // after that the connection is closed
  Outcome outcome;
  int status = 0;
  std::string body = {};
  Truncation truncation = Truncation::kNone;
};

const Case kCases[] = {
    {"BareLineFeeds", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", Outcome::kOk, 200, "ok"},
    {"NoReason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", Outcome::kOk, 200, "ok"},
    {"EndsWithTheConnection", "HTTP/1.1 200 OK\r\n\r\nall of it", Outcome::kOk, 200, "all of it"},
    {"Http10", "HTTP/1.0 200 OK\r\n\r\nold", Outcome::kOk, 200, "old"},
    {"FoldedField", "HTTP/1.1 200 OK\r\nX: a\r\n  b\r\nContent-Length: 2\r\n\r\nok", Outcome::kOk, 200, "ok"},
    {"Interim",
     "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
     Outcome::kOk, 200, "ok"},
    {"LongerThanPromised", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok, and more", Outcome::kOk, 200,
     "ok"},
    {"ShorterThanPromised", "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nshort", Outcome::kClosedEarly, 200,
     "short", Truncation::kDisconnect},
    {"CutInTheHead", "HTTP/1.1 200 OK\r\nContent-Le", Outcome::kClosedEarly, 200},
    {"CutChunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nwo",
     Outcome::kClosedEarly, 200, "hellowo", Truncation::kDisconnect},
    {"BadChunkSize", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n",
     Outcome::kMalformed, 200, "hello", Truncation::kDisconnect},
    {"HugeChunkSize", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
     Outcome::kMalformed, 200, "", Truncation::kDisconnect},
    {"Http09", "<html>just a page</html>\n", Outcome::kMalformed},
    {"NotHttp", "SSH-2.0-OpenSSH_9.2\r\n", Outcome::kMalformed},
    {"NegativeLength", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nok", Outcome::kMalformed, 200},
    {"TwoLengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 20\r\n\r\nok",
     Outcome::kMalformed, 200},
    {"OneLengthTwice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length:2\r\n\r\nok", Outcome::kOk,
     200, "ok"},
    {"UnknownVersion", "HTTP/7.3 200 OK\r\nContent-Length: 2\r\n\r\nok", Outcome::kMalformed},
    {"BareCrInAFieldName", "HTTP/1.1 200 OK\r\nX\rY: a\r\nContent-Length: 2\r\n\r\nok", Outcome::kMalformed,
     200},
    {"BareCrInAFieldValue", "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 2\r\n\r\nok", Outcome::kMalformed,
     200},
    {"BareCrBeforeAField", "HTTP/1.1 200 OK\r\n\rX: a\r\nContent-Length: 2\r\n\r\nok", Outcome::kMalformed,
     200},
    {"BareCrInTheStatusLine", "HTTP/1.1 200 O\rK\r\nContent-Length: 2\r\n\r\nok", Outcome::kMalformed},
    {"BareCrInTheEmptyLine", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\r\nok", Outcome::kMalformed, 200},
    {"TwoCrsEndAField", "HTTP/1.1 200 OK\r\nX: a\r\r\nContent-Length: 2\r\n\r\nok", Outcome::kOk, 200, "ok"},
    {"FieldWithoutColon", "HTTP/1.1 200 OK\r\nX\r\nContent-Length: 2\r\n\r\nok", Outcome::kMalformed, 200},
    {"FoldedLineFirst", "HTTP/1.1 200 OK\r\n X: a\r\nContent-Length: 2\r\n\r\nok", Outcome::kMalformed, 200},
    {"TrailerWithoutColon",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX\r\n\r\n", Outcome::kMalformed,
     200, "hello", Truncation::kDisconnect},
    {"Nothing", "", Outcome::kNoAnswer},
    {"GzipAsATransferCodingIsLeft",
     "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", Outcome::kOk, 200,
     "hello"},
};

class HostileAnswerTest : public testing::TestWithParam<Case> {};

TEST_P(HostileAnswerTest, HasItsOutcome) {
  const Case& expected = GetParam();
  ScriptedServer server(ScriptedServer::Once(expected.answer));
  TestFetcher fetcher;
  for (int i = 0; i < 2; i++) {
    const Response response = fetcher.Get(server.Url());
    EXPECT_EQ(OutcomeName(response.outcome), OutcomeName(expected.outcome)) << response.message;
    EXPECT_EQ(response.status, expected.status);
    EXPECT_EQ(response.body, expected.body);
    EXPECT_EQ(response.truncation, expected.truncation);
    EXPECT_EQ(response.message.empty(), response.ok());
  }
}

INSTANTIATE_TEST_SUITE_P(All, HostileAnswerTest, testing::ValuesIn(kCases),
                         [](const auto& param) { return param.param.name; });

TEST(HostileServerTest, KeepsOnlyTheFinalHead) {
  ScriptedServer server(
      ScriptedServer::Always("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                             "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n"));
  TestFetcher fetcher;
  EXPECT_EQ(fetcher.Get(server.Url()).head, "HTTP/1.1 204 No Content\r\nX: y\r\n\r\n");
}

TEST(HostileServerTest, SaysWhatIsWrongWithAHead) {
  ScriptedServer name(ScriptedServer::Once("HTTP/1.1 200 OK\r\nX\rY: a\r\n\r\n"));
  ScriptedServer value(ScriptedServer::Once("HTTP/1.1 200 OK\r\nV: w\r\nX: a\rb\r\n\r\n"));
  TestFetcher fetcher;
  EXPECT_EQ(fetcher.Get(name.Url()).message, "a header line is not a header field");
  const Response response = fetcher.Get(value.Url());
  EXPECT_EQ(response.message, "a header line with a bare CR in it");
  EXPECT_EQ(response.head, "HTTP/1.1 200 OK\r\nV: w\r\n");
}

// libcurl 7.88 takes such a line as the continuation of the last field of the handle's previous transfer,
// whose memory is already freed.
TEST(HostileServerTest, ALineThatContinuesNothingTouchesNoEarlierHead) {
  ScriptedServer server([](Connection& connection) {
    for (int i = 0; !connection.ReadHead().empty(); i++) {
      connection.Write(i % 3 < 2 ? "HTTP/1.1 200 OK\r\nServer: x\r\nX: a\r\nContent-Length: 2\r\n\r\nok"
                                 : "HTTP/1.1 200 OK\r\n X: a\r\nContent-Length: 2\r\n\r\nok");
    }
  });
  TestFetcher fetcher;
  for (int i = 0; i < 30; i++) {
    const Response response = fetcher.Get(server.Url());
    EXPECT_EQ(OutcomeName(response.outcome), i % 3 < 2 ? "ok" : "malformed") << response.message;
    EXPECT_EQ(response.reused_connection, i % 3 > 0);
    EXPECT_EQ(response.body, i % 3 < 2 ? "ok" : "");
  }
  EXPECT_EQ(server.connections(), 10);
}

TEST(HostileServerTest, CutsHeadsThatAreTooLarge) {
  const std::string many = [] {
    std::string lines = "HTTP/1.1 200 OK\r\n";
    for (int i = 0; i < 10'000; i++) lines += "X-" + std::to_string(i) + ": y\r\n";
    return lines + "\r\nbody";
  }();
  const std::string long_line = "HTTP/1.1 200 OK\r\nX: " + std::string(1 << 20, 'y') + "\r\n\r\nbody";
  const std::string endless_interim = [] {
    std::string text;
    for (int i = 0; i < 10'000; i++) text += "HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n";
    return text;
  }();
  for (const std::string& answer : {many, long_line, endless_interim}) {
    ScriptedServer server(ScriptedServer::Once(answer));
    TestFetcher fetcher;
    const Response response = fetcher.Get(server.Url());
    EXPECT_EQ(OutcomeName(response.outcome), "head-too-large") << response.message;
    EXPECT_LE(response.head.size(), Limits().head_bytes);
    EXPECT_EQ(response.body, "");
  }
}

TEST(HostileServerTest, CutsAnEndlessTrailer) {
  ScriptedServer server([](Connection& connection) {
    connection.ReadHead();
    connection.Write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n");
    while (connection.Write("X-Trailer: yes\r\n")) {
    }
  });
  TestFetcher fetcher;
  const Response response = fetcher.Get(server.Url());
  EXPECT_FALSE(response.ok());
  EXPECT_EQ(response.body, "ok");
}

TEST(HostileServerTest, SurvivesResets) {
  ScriptedServer before([](Connection& connection) {
    connection.ReadHead();
    connection.Reset();
  });
  ScriptedServer within([](Connection& connection) {
    connection.ReadHead();
    connection.Write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
    connection.Pause(milliseconds(50));
    connection.Reset();
  });
  TestFetcher fetcher;
  EXPECT_EQ(OutcomeName(fetcher.Get(before.Url()).outcome), "no-answer");
  const Response response = fetcher.Get(within.Url());
  EXPECT_EQ(OutcomeName(response.outcome), "closed-early") << response.message;
  EXPECT_EQ(response.body, "part");
  EXPECT_EQ(response.truncation, Truncation::kDisconnect);
}

TEST(HostileServerTest, EndsSilenceAndDrip) {
  ScriptedServer silence([](Connection& connection) { connection.WaitForEnd(); });
  ScriptedServer drip([](Connection& connection) {
    connection.ReadHead();
    connection.Write("HTTP/1.1 200 OK\r\n\r\n");
    while (connection.Write(".")) connection.Pause(milliseconds(10));
  });
  TestFetcher fetcher;
  auto fetch = MakeFetch(silence.Url());
  fetch->request.limits.total_time = milliseconds(200);
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(OutcomeName(fetch->response.outcome), "timeout");
  EXPECT_EQ(fetch->response.truncation, Truncation::kNone);
  EXPECT_GE(fetch->response.timings.end, milliseconds(200));

  fetch = MakeFetch(drip.Url());
  fetch->request.limits.total_time = milliseconds(300);
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(OutcomeName(fetch->response.outcome), "timeout");
  EXPECT_EQ(fetch->response.truncation, Truncation::kTime);
  EXPECT_EQ(fetch->response.status, 200);
  EXPECT_FALSE(fetch->response.body.empty());

  fetch = MakeFetch(drip.Url());
  fetch->request.limits.min_bytes_per_second = 1000;
  fetch->request.limits.rate_window = milliseconds(200);
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(OutcomeName(fetch->response.outcome), "too-slow") << fetch->response.message;
  EXPECT_EQ(fetch->response.truncation, Truncation::kTime);

  // Fast enough in each window, so it continues until the total time.
  fetch = MakeFetch(drip.Url());
  fetch->request.limits.min_bytes_per_second = 5;
  fetch->request.limits.rate_window = milliseconds(150);
  fetch->request.limits.total_time = milliseconds(600);
  fetch = fetcher.Get(std::move(fetch));
  EXPECT_EQ(OutcomeName(fetch->response.outcome), "timeout") << fetch->response.message;
}

TEST(HostileServerTest, RandomAnswersHarmNothing) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  SeededRandom random(seed);
  // Pieces of HTTP in any order, with some bytes changed.
  const std::vector<std::string> pieces = {"HTTP/1.1 200 OK\r\n",
                                           "HTTP/1.1 100\r\n\r\n",
                                           "HTTP/2 200\r\n",
                                           "\r\n",
                                           "\n",
                                           "Content-Length: 5\r\n",
                                           "Content-Length: 99999999999999999999\r\n",
                                           "Transfer-Encoding: chunked\r\n",
                                           "5\r\nhello\r\n",
                                           "0\r\n\r\n",
                                           "hello",
                                           "Connection: close\r\n",
                                           ": \r\n",
                                           " \r\n",
                                           std::string(300, 'z')};
  std::vector<std::string> answers(60);
  for (std::string& answer : answers) {
    for (uint64_t i = 1 + random.Below(8); i > 0; i--) answer += pieces[random.Below(pieces.size())];
    if (random.Below(2) == 0) answer[random.Below(answer.size())] = static_cast<char>(random.Next());
  }
  ScriptedServer server([&](Connection& connection) {
    const std::string head = connection.ReadHead();
    if (head.empty()) return;
    connection.Write(answers[static_cast<size_t>(std::atoi(head.c_str() + 5)) % answers.size()]);
  });
  TestFetcher fetcher;
  for (size_t i = 0; i < answers.size(); i++) {
    auto fetch = MakeFetch(server.Url("/" + std::to_string(i)));
    fetch->request.limits.total_time = milliseconds(2000);
    fetcher->Submit(std::move(fetch));
  }
  for (const auto& fetch : fetcher.collector().Take(answers.size())) {
    const Response& response = fetch->response;
    EXPECT_NE(response.outcome, Outcome::kInternal) << response.message;
    EXPECT_NE(response.outcome, Outcome::kTimeout) << response.message;
  }
}

}  // namespace
}  // namespace crivello::fetch
