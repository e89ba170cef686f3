// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/cached_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/pages/markup_test_support.h"
#include "web/url/canonical.h"

namespace crivello::serve {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string Copy(const std::string& html, const std::string& charset = "") {
  const web::Url url = web::CanonicalUrl("https://example.org/a/b").value();
  return ReadableCopy({"text/html", charset, html}, url, [](const std::vector<std::string>& urls) {
    std::vector<bool> archived;
    for (const std::string& one : urls) archived.push_back(one.find("kept") != std::string::npos);
    return archived;
  });
}

TEST(CachedCopyTest, KeepsWhatIsRead) {
  EXPECT_THAT(
      Copy("<title>T</title><h1 id=x>A</h1><ul><li>b<li>c</ul><table><tr><td colspan=2>d</table><br>"),
      HasSubstr("<body><h1 id=\"x\">A</h1><ul><li>b</li><li>c</li></ul><table><tbody><tr><td "
                "colspan=\"2\">d</td></tr></tbody></table><br></body>"));
}

TEST(CachedCopyTest, KeepsTheTextOfElementsThatItDoesNotKnow) {
  EXPECT_THAT(Copy("<x-card><p>in a card</p></x-card><blink>b</blink>"),
              HasSubstr("<body><p>in a card</p>b</body>"));
}

TEST(CachedCopyTest, LinksLeadToCopiesWhereThereAreAny) {
  const std::string copy = Copy(
      "<base href='/c/'><a href=kept>1</a><a href='//x.example/'>2</a><a href='#here'>3</a><a "
      "href='javascript:x'>4</a><a href=mailto:a@b>5</a>");
  EXPECT_THAT(
      copy, HasSubstr("<a href=\"/cached?url=https%3A%2F%2Fexample.org%2Fc%2Fkept\" target=\"_top\">1</a>"));
  EXPECT_THAT(copy,
              HasSubstr("<a href=\"https://x.example/\" target=\"_top\" rel=\"noopener noreferrer\">2</a>"));
  EXPECT_THAT(copy, HasSubstr("<a href=\"#here\">3</a><a>4</a><a>5</a>"));
  EXPECT_THAT(copy, Not(HasSubstr("<base")));
}

TEST(CachedCopyTest, LoadsNothing) {
  const std::string copy = Copy(
      "<link rel=stylesheet href=x.css><style>p{color:red}</style><style>p{background:URL(x)}</style>"
      "<style>@import 'x'</style><style>p{background:u\\72l(x)}</style>"
      "<img src=x.png alt=X><img src='data:image/png;base64,AAAA'><p style='color:blue'>a<p "
      "style='background:url(x)'>b<iframe src=x>c</iframe><object data=x>d</object><svg><image href=x></svg>"
      "<video poster=x>e</video><body background=x>");
  EXPECT_THAT(HarmfulMarkup(copy), IsEmpty());
  EXPECT_THAT(copy, HasSubstr("<style>p{color:red}</style>"));
  EXPECT_THAT(copy, HasSubstr("<img alt=\"X\"><img src=\"data:image/png;base64,AAAA\">"));
  EXPECT_THAT(copy, HasSubstr("<p style=\"color:blue\">a</p><p>b"));
}

TEST(CachedCopyTest, RunsAndSendsNothing) {
  const std::string copy = Copy(
      "<script>alert(1)</script><p onclick=alert(1)>a</p><form action=/x><input "
      "name=y><button>Go</button></form>"
      "<meta http-equiv=refresh content=0><noscript>plain</noscript><template><p>t</template>");
  EXPECT_THAT(HarmfulMarkup(copy), IsEmpty());
  EXPECT_THAT(copy, HasSubstr("<p>a</p>"));
  EXPECT_THAT(copy, Not(HasSubstr("alert")));
}

TEST(CachedCopyTest, IsUtf8WhateverItWas) {
  EXPECT_THAT(Copy("<p>caf\xE9", "iso-8859-1"), HasSubstr("<p>café</p>"));
  EXPECT_THAT(Copy("<meta charset=shift_jis><p>\x93\xFA\x96{"), HasSubstr("<p>日本</p>"));
}

TEST(CachedCopyTest, TakesDeepPages) {
  std::string html;
  for (int i = 0; i < 100000; i++) html += "<div>";
  EXPECT_THAT(Copy(html + "deep"), HasSubstr("deep"));
}

TEST(CachedCopyTest, UndoesTheCodingsOfTheWire) {
  PageRecord record;
  record.response =
      "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
  const ArchivedBody body = ReadArchivedBody(record);
  EXPECT_EQ(body.type, "text/html");
  EXPECT_EQ(body.charset, "latin1");
  EXPECT_EQ(body.bytes, "abc");
}

}  // namespace
}  // namespace crivello::serve
