// SPDX-License-Identifier: Apache-2.0
// Pages and requests that try to become part of our pages: whatever they contain is shown as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/site_test_support.h"
#include "serve/http/target.h"
#include "serve/pages/markup_test_support.h"

namespace crivello::engine {
namespace {

using namespace std::string_literals;
using testing::IsEmpty;

const std::vector<std::string>& Vectors() {
  static const std::vector<std::string> vectors = {
      "<script>alert(1)</script>",
      "</title><script>alert(1)</script>",
      "\"><script>alert(1)</script>",
      "'><img src=x onerror=alert(1)>",
      "<img src=x onerror=alert(1)//",
      "<svg/onload=alert(1)>",
      "<svg><script>alert&lpar;1&rpar;</script></svg>",
      "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 "
      "onerror=alert(1)&gt;\">",
      "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
      "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
      "<object data=\"javascript:alert(1)\"></object><embed src=javascript:alert(1)>",
      "<form action=javascript:alert(1)><input type=submit formaction=javascript:alert(1)>",
      "<a href=\"javascript:alert(1)\">x</a>",
      "<a href=\"  JaVa\tScRiPt:alert(1)\">x</a>",
      "<a href=\"java&#0000115cript:alert(1)\">x</a>",
      "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
      "<a href=\"vbscript:msgbox(1)\">x</a>",
      "<base href=\"//evil.example/\"><link rel=stylesheet href=//evil.example/x.css>",
      "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
      "<style>@import 'http://evil.example/x.css';body{background:url(http://evil.example/)}</style>",
      "<div style=\"background:url('javascript:alert(1)')\" onmouseover=alert(1)>x</div>",
      "\" onmouseover=\"alert(1)\" x=\"",
      "' onfocus='alert(1)' autofocus='",
      "`onmouseover=alert(1)`",
      "--><script>alert(1)</script><!--",
      "]]><script>alert(1)</script>",
      "<!--<img src=\"--><img src=x onerror=alert(1)//\">",
      "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",  // UTF-7
      "\x1b$B<script>alert(1)</script>\x1b(B",      // ISO-2022-JP
      "\xC0\xBCscript\xC0\xBE"
      "alert(1)\xC0\xBC/script\xC0\xBE",  // overlong
      "\xE0\x80\xBCscript>alert(1)</script>",
      "<scr\0ipt>alert(1)</scr\0ipt>"s,
      "\0<script>alert(1)</script>"s,
      "\xE2\x80\xAE>tpircs/<)1(trela>tpircs<",  // right-to-left override
      "\xEF\xBC\x9Cscript\xEF\xBC\x9E",         // full-width brackets
      "\xF0\x80\x80\xBCscript>",
      "<plaintext>",
      "<xmp><script>alert(1)</script>",
      "<textarea><script>alert(1)</script>",
      "<template><script>alert(1)</script></template>",
      "{{constructor.constructor('alert(1)')()}}${alert(1)}",
      "<a id=q><form id=q><input name=parentNode>",
      "<details open ontoggle=alert(1)>",
      "<video><source onerror=alert(1)>",
      "<isindex type=image src=1 onerror=alert(1)>",
  };
  return vectors;
}

std::string HtmlEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

TEST(HostilePagesTest, RequestsShowAsText) {
  TestSite site;
  site.AddText("https://a.example/", "Plain",
               "A plain page about walnuts, to be found by whoever asks for walnuts.");
  site.Open();
  for (const std::string& vector : Vectors()) {
    SCOPED_TRACE(vector);
    for (const std::string_view field : {"q", "site", "lang", "date", "type", "page"}) {
      const std::string alone = Target("/").With(field, vector).text();
      EXPECT_THAT(StrangeMarkup(site.Body(alone)), IsEmpty()) << alone;
      const std::string beside =
          Target("/").With(field, vector).With(field == "q" ? "lang" : "q", "walnuts").text();
      EXPECT_THAT(StrangeMarkup(site.Body(beside)), IsEmpty()) << beside;
    }
    for (const std::string_view path : {"/cached", "/cached/content", "/similar", "/why", "/explain"}) {
      for (const std::string& url : {vector, "https://a.example/" + vector, "javascript:" + vector}) {
        EXPECT_THAT(StrangeMarkup(site.Body(Target(path).With("q", vector).With("url", url).text())),
                    IsEmpty());
      }
    }
    EXPECT_THAT(
        StrangeMarkup(site.Body(
            Target("/explain").With("q", "walnuts " + vector).With("url", "https://a.example/").text())),
        IsEmpty());
    HttpRequest odd;
    odd.path = "/" + vector;
    odd.headers = {{"host", vector}};
    EXPECT_THAT(StrangeMarkup(site.site().Handle(odd).body), IsEmpty());
  }
}

TEST(HostilePagesTest, PagesShowAsText) {
  TestSite site;
  std::vector<std::string> urls;
  for (size_t i = 0; i < Vectors().size(); ++i) {
    const std::string& vector = Vectors()[i];
    // In the title, the text, the anchors and their targets, the URL, and verbatim in the markup.
    urls.push_back("https://h" + std::to_string(i) + ".example/" + vector);
    const std::string body =
        "<title>walnut " + HtmlEscaped(vector) + "</title><p>A walnut, " + HtmlEscaped(vector) +
        ", and enough other words for a passage of some length to be shown.</p><a href=\"https://h" +
        std::to_string((i + 1) % Vectors().size()) + ".example/" +
        HtmlEscaped(Vectors()[(i + 1) % Vectors().size()]) + "\">walnut " + HtmlEscaped(vector) + "</a>" +
        vector;
    site.Add({.url = urls.back(), .body = body});
  }
  // Bytes that are markup in one encoding and not in another.
  site.Add({.url = "https://seven.example/",
            .body = "<title>walnut +ADw-script+AD4-alert(1)+ADw-/script+AD4-</title><p>walnut",
            .head = "Content-Type: text/html; charset=utf-7\r\n"});
  site.Add({.url = "https://japan.example/",
            .body = "<title>walnut \x1b$B<script>\x1b(B</title><p>walnut <img alt=\"\x1b$B\"><b "
                    "title=\"\x1b(B onerror=alert(1) x=\">",
            .head = "Content-Type: text/html; charset=iso-2022-jp\r\n"});
  site.Open({.results_per_page = 100, .results_per_site = 0});

  const std::string results = site.Body("/?q=walnut");
  EXPECT_THAT(StrangeMarkup(results), IsEmpty());
  EXPECT_GT(TextsOf(results, "result").size(), Vectors().size() / 2);  // some are copies of others
  for (const std::string& url : urls) {
    SCOPED_TRACE(url);
    for (const std::string_view path : {"/cached", "/similar", "/why", "/explain"}) {
      EXPECT_THAT(StrangeMarkup(site.Body(Target(path).With("q", "walnut").With("url", url).text())),
                  IsEmpty());
    }
    const HttpResponse copy = site.Get(Target("/cached/content").With("url", url).text());
    EXPECT_EQ(copy.status, 200u);
    EXPECT_THAT(HarmfulMarkup(copy.body), IsEmpty());
  }
  for (const std::string_view url : {"https://seven.example/", "https://japan.example/"}) {
    EXPECT_THAT(HarmfulMarkup(site.Body(Target("/cached/content").With("url", url).text())), IsEmpty());
  }
}

}  // namespace
}  // namespace crivello::engine
