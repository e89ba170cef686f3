// SPDX-License-Identifier: Apache-2.0
#include "store/trec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "web/http/http_message.h"

namespace crivello::store {
namespace {

std::vector<TrecDocument> ReadTrec(std::string_view bytes) {
  TrecReader reader(bytes);
  std::vector<TrecDocument> documents;
  while (const auto document = reader.Next()) documents.push_back(*document);
  return documents;
}

TEST(TrecTest, ReadsWebDocuments) {
  const auto found = ReadTrec(
      "<DOC>\n<DOCNO> W-1 </DOCNO>\n<DOCOLDNO>old</DOCOLDNO>\n<DOCHDR>\nhttp://e.org/ 1.2.3.4 1997 text/html "
      "5\n"
      "HTTP/1.0 200 OK\nContent-type: text/html\n\n</DOCHDR>\n<html>\n<p>one\n</html>\n</DOC>\n\n"
      "<doc>\r\n<docno>W-2</docno>\r\n<dochdr>\r\nhttp://f.org/\r\nHTTP/1.0 404 "
      "No\r\n</dochdr>\r\ntwo\r\n</doc>\r\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].docno, "W-1");
  EXPECT_TRUE(found[0].has_header);
  EXPECT_EQ(found[0].url(), "http://e.org/");
  EXPECT_EQ(found[0].url_line, "http://e.org/ 1.2.3.4 1997 text/html 5");
  EXPECT_EQ(found[0].http_head, "HTTP/1.0 200 OK\nContent-type: text/html\n");
  EXPECT_EQ(web::ParseHttpResponse(found[0].http_head).fields.Find("content-type"), "text/html");
  EXPECT_EQ(found[0].content, "<html>\n<p>one\n</html>");
  EXPECT_TRUE(found[0].whole);
  EXPECT_EQ(found[1].docno, "W-2");
  EXPECT_EQ(found[1].url(), "http://f.org/");
  EXPECT_EQ(found[1].http_head, "HTTP/1.0 404 No");
  EXPECT_EQ(found[1].content, "two");
}

TEST(TrecTest, ReadsTextDocuments) {
  const auto found = ReadTrec(
      "<DOC>\n<DOCNO>T-1</DOCNO>\n<TEXT>\n a <b>\n</TEXT>\n</DOC>\n<DOC><DOCNO>T-2</DOCNO>in one line</DOC>");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[0].has_header);
  EXPECT_EQ(found[0].content, "<TEXT>\n a <b>\n</TEXT>");
  EXPECT_EQ(found[1].docno, "T-2");
  EXPECT_EQ(found[1].content, "in one line");
}

TEST(TrecTest, EndsWhatHasNoEnd) {
  const std::string file =
      "stray <DOC>\n<DOCNO>1</DOCNO>\nfirst <doc> is a word "
      "here\n<DOC>\n<DOCNO>2</DOCNO>\n<DOCHDR>\nhttp://e/\n"
      "HTTP/1.0 200 OK\n\nsecond\n</DOC>\n<DOC>\nno number\n</DOC>\n<DOC><DOCNO>4\nfourth";
  TrecReader reader(file);
  const auto first = reader.Next();
  EXPECT_EQ(first->docno, "1");
  EXPECT_EQ(first->content, "first <doc> is a word here");
  EXPECT_FALSE(first->whole);
  const auto second = reader.Next();
  EXPECT_EQ(second->docno, "2");
  EXPECT_EQ(second->http_head, "HTTP/1.0 200 OK");
  EXPECT_EQ(second->content, "\nsecond");
  EXPECT_FALSE(second->whole);
  const auto third = reader.Next();
  EXPECT_EQ(third->docno, "");
  EXPECT_EQ(third->content, "no number");
  EXPECT_FALSE(third->whole);
  const auto fourth = reader.Next();
  EXPECT_EQ(fourth->docno, "4");
  EXPECT_EQ(fourth->content, "fourth");
  EXPECT_FALSE(reader.Next());
  EXPECT_EQ(reader.stray_bytes(), 5u);
}

TEST(TrecTest, RefusesOrEscapesWhatTheFormatCannotHold) {
  for (const char* content :
       {"a</DOC>b", "</doc >", "x <DOC>\n<DOCNO>", "\n<DOCHDR>x", " <docoldno>1</docoldno>"}) {
    const TrecDocument document = {.docno = "1", .content = content};
    std::string out = "before";
    EXPECT_EQ(AppendTrec(document, TrecUnsafe::kRefuse, &out).code(), StatusCode::kInvalidArgument)
        << content;
    EXPECT_EQ(out, "before");
    std::string escaped;
    ASSERT_TRUE(AppendTrec(document, TrecUnsafe::kEscape, &escaped).ok()) << content;
    const auto found = ReadTrec(escaped);
    ASSERT_EQ(found.size(), 1u);
    std::string expected = content;
    expected.replace(expected.find('<'), 1, "&lt;");
    EXPECT_EQ(found[0].content, expected);
  }
  std::string out;
  for (const TrecDocument& bad :
       {TrecDocument{.docno = ""}, TrecDocument{.docno = "a b"}, TrecDocument{.docno = "a<b"},
        TrecDocument{.docno = "1", .url_line = "http://no-header/"},
        TrecDocument{.docno = "1", .has_header = true, .url_line = "a\nb"},
        TrecDocument{.docno = "1", .has_header = true, .http_head = "</DOCHDR>"},
        TrecDocument{.docno = "1", .has_header = true, .http_head = "</DOC>"}}) {
    EXPECT_FALSE(AppendTrec(bad, TrecUnsafe::kEscape, &out).ok());
  }
  EXPECT_EQ(out, "");
}

TEST(TrecTest, ReadsWhatItWrote) {
  const uint64_t seed = 11;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  constexpr std::string_view kPieces[] = {"<", "DOC", ">",        "/",      "\n",      "\r\n",
                                          " ", "x",   "<DOCHDR>", "<TEXT>", "HTTP/1.0"};
  const auto text = [&] {
    std::string out;
    for (uint64_t n = random.Next() % 8; n > 0; n--) out += kPieces[random.Next() % std::size(kPieces)];
    return out;
  };
  int written = 0;
  for (int i = 0; i < 5000; i++) {
    const std::string head = text(), content = text();
    TrecDocument document = {.docno = "N-1", .has_header = i % 2 == 0, .content = content};
    if (document.has_header) document.url_line = "http://e.org/ 1", document.http_head = head;
    std::string file;
    if (!AppendTrec(document, TrecUnsafe::kRefuse, &file).ok()) continue;
    written++;
    ASSERT_TRUE(AppendTrec(document, TrecUnsafe::kRefuse, &file).ok());
    const auto found = ReadTrec(file);
    ASSERT_EQ(found.size(), 2u) << file;
    for (const TrecDocument& f : found) {
      ASSERT_EQ(f.content, content);
      ASSERT_EQ(f.http_head, document.http_head);
      ASSERT_EQ(f.url(), document.has_header ? "http://e.org/" : "");
    }
  }
  EXPECT_GT(written, 3000);
}

TEST(TrecTest, TakesLinearTimeWhateverTheTags) {
  for (const char* piece : {"<DOC>", "<", "<DOC>\n<DOCNO>", "<DOC><DOCNO>1</DOCNO><DOCHDR>\n", "</DOC>",
                            "<DOC                >"}) {
    std::string file;
    while (file.size() < 4 << 20) file += piece;
    size_t documents = 0;
    TrecReader reader(file);
    while (reader.Next()) documents++;
    EXPECT_LE(documents, file.size() / 5);
  }
}

}  // namespace
}  // namespace crivello::store
