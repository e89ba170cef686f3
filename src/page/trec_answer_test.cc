// SPDX-License-Identifier: Apache-2.0
#include "page/trec_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "page/trec_file.h"

namespace crivello::page {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

store::TrecDocument First(std::string_view bytes) {
  store::TrecReader reader(bytes);
  const auto document = reader.Next();
  EXPECT_TRUE(document.has_value());
  return document.value_or(store::TrecDocument());
}

TEST(TrecAnswerTest, KeepsNumberAndHeaderThroughAnAnswer) {
  for (const std::string file :
       {"<DOC>\n<DOCNO>W-1</DOCNO>\n<DOCHDR>\nhttp://e.org/ 1.2.3.4 19970101013145 text/html 5\nHTTP/1.0 200 "
        "OK\nContent-length: 270\n</DOCHDR>\n<p>50% of\r\nbread\n\n</DOC>\n",
        "<DOC>\n<DOCNO>GX-2</DOCNO>\n<DOCHDR>\nhttp://e.gov\n</DOCHDR>\nplain\n</DOC>\n",
        "<DOC>\n<DOCNO>W-3</DOCNO>\n<DOCHDR>\nhttp://e.org/\nHTTP/1.1 404 No\r\nX: "
        "y%41\r\n\n</DOCHDR>\n\n</DOC>\n"}) {
    SCOPED_TRACE(file);
    const TrecAnswer answer = AnswerOfTrec(First(file)).value();
    EXPECT_THAT(answer.url, StartsWith("http://e."));
    const web::HttpResponse http = web::ParseHttpResponse(answer.block);
    EXPECT_EQ(TrecNumberOf(http), First(file).docno);
    EXPECT_EQ(http.body, First(file).content);
    std::string out;
    ASSERT_TRUE(AppendTrecPage({.url = answer.url, .docno = {}, .block = answer.block}, &out).ok());
    EXPECT_EQ(out, file);
  }
}

TEST(TrecAnswerTest, ReadsAddressAndDateOfWt10g) {
  const TrecAnswer answer =
      AnswerOfTrec({.docno = "W",
                    .has_header = true,
                    .url_line = "http://e.org/ 204.244.59.33 19970101013145 text/html 440"})
          .value();
  EXPECT_EQ(answer.ip, "204.244.59.33");
  EXPECT_EQ(answer.date, "1997-01-01T01:31:45Z");
  EXPECT_EQ(AnswerOfTrec({.docno = "W",
                          .has_header = true,
                          .url_line = "http://e.org/",
                          .http_head = "HTTP/1.0 200 OK\nDate: Wed, 01 Jan 1997 01:21:13 GMT"})
                .value()
                .date,
            "1997-01-01T01:21:13Z");
  EXPECT_FALSE(AnswerOfTrec({.docno = "T"}).ok());
}

TEST(TrecAnswerTest, WritesPagesThatWereCrawled) {
  std::string out;
  ASSERT_TRUE(AppendTrecPage(
                  {.url = "https://a.test/",
                   .docno = "",
                   .time = 1'600'000'000,
                   .block = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>a</DOC>b"},
                  &out)
                  .ok());
  EXPECT_THAT(
      out, HasSubstr("\nhttps://a.test/ 0.0.0.0 20200913122640 text/html 11\nHTTP/1.1 200 OK\nContent-Type: "
                     "text/html; charset=utf-8\n</DOCHDR>\n<p>a&lt;/DOC>b\n</DOC>\n"));
  EXPECT_THAT(out, StartsWith("<DOC>\n<DOCNO>CRV-"));
}

TEST(TrecFileTest, IsKnownByItsStart) {
  EXPECT_TRUE(LooksLikeTrec("\n <doc>\n<docno>1</docno>"));
  EXPECT_FALSE(LooksLikeTrec("{\"text\": \"<DOC>\"}"));
  EXPECT_FALSE(LooksLikeTrec(""));
  EXPECT_FALSE(TrecFile::Read("\x1f\x8b damaged").ok());
  EXPECT_EQ(TrecFile::Read("<DOC>").value().text(), "<DOC>");
}

}  // namespace
}  // namespace crivello::page
