// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/page_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/civil_time.h"
#include "serve/http/target.h"
#include "serve/pages/page_frame.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

// The numbers of search/query/query_explain.cc in words that people use; others, the words of the query, are
// returned as is.
std::string LabelOf(std::string_view what) {
  if (what == "score") return "Score";
  return what == "sum" ? "All words" : std::string(what);
}

// A row for each number, and below it the numbers that add up to it.
class NumberTable {
 public:
  NumberTable(HtmlWriter& html, double score) : html_(html), score_(score) {}

  void Write(const search::Explanation& number, size_t depth) {
    constexpr std::string_view kDepths[] = {"d0", "d1", "d2", "d3", "d4"};
    constexpr size_t kMaxDepth = 60;
    const std::string name = LabelOf(number.what);
    html_.Open("tr");
    html_.Open("th", {{"scope", "row"}, {"class", kDepths[std::min<size_t>(depth, 4)]}});
    html_.Text(name);
    if (!number.how.empty()) html_.Element("span", {{"class", "factors"}}, number.how);
    html_.Close();
    html_.Element("td", {}, fmt::format("{:.4g}", number.value));
    html_.Open("td", {{"class", "drawn"}});
    if (score_ > 0 && number.value >= 0) {
      html_.Element("meter",
                    {{"min", "0"},
                     {"max", "1"},
                     {"value", fmt::format("{:.3f}", std::min(number.value / score_, 1.0))},
                     {"aria-label", "Part of the score: " + name}},
                    "");
    }
    html_.Close();
    html_.Close();
    if (depth >= kMaxDepth) return;
    for (const search::Explanation& part : number.parts) Write(part, depth + 1);
  }

 private:
  HtmlWriter& html_;
  const double score_;
};

void WriteInlinks(HtmlWriter& html, const ExplainView& view) {
  html.Element("h2", {}, "Pages that link here");
  if (view.inlink_count == 0) {
    html.Element("p", {{"class", "about"}}, "No page in this index links to it.");
    return;
  }
  html.Element("p", {{"class", "about"}},
               Counted(view.inlink_count, "page links", "pages link") + " to it" +
                   (view.inlink_count > view.inlinks.size() ? ", among them:" : ":"));
  html.Open("ul", {{"class", "inlinks"}});
  for (const Inlink& inlink : view.inlinks) {
    html.Open("li");
    for (size_t i = 0; i < inlink.texts.size(); ++i) {
      if (i > 0) html.Text(", ");
      html.Element("q", {}, inlink.texts[i]);
    }
    html.Text(inlink.texts.empty() ? "without text, on " : " on ");
    WriteLiveLink(html, inlink.url, inlink.title.empty() ? inlink.url : inlink.title);
    html.Close();
  }
  html.Close();
}

void WriteActions(HtmlWriter& html, const ExplainView& view) {
  html.Open("p", {{"class", "actions"}});
  if (view.cached_copies)
    html.Element("a", {{"href", Target("/cached").With("url", view.url).text()}}, "Cached copy");
  html.Element("a", {{"href", Target("/similar").With("url", view.url).text()}}, "Similar pages");
  html.Element("a", {{"href", Target("/why").With("url", view.url).text()}}, "Crawl history of this page");
  html.Element("a", {{"href", Target("/").With("q", view.query).text()}}, "Back to the results");
  html.Close();
}

}  // namespace

HttpResponse CachedPage(const CachedView& view) {
  HtmlWriter html = BeginPage({.title = "Copy of " + view.url + " – Crivello"}, "copy");
  html.Element("h1", {{"class", "unseen"}}, "Copy of " + view.url);
  html.Open("div", {{"class", "banner"}});
  html.Open("p");
  html.Text(view.text_only ? "The text of " : "A copy of ");
  WriteLiveLink(html, view.url, view.url);
  html.Text(" as it was on ");
  html.Element("time", {{"datetime", FormatRfc3339(view.time_seconds)}}, MomentOf(view.time_seconds));
  html.Text(". It cannot run scripts, submit forms or load anything.");
  html.Close();
  WriteLiveLink(html, view.url, "Live page");
  html.Element("a", {{"href", Target("/why").With("url", view.url).text()}}, "Crawl history of this page");
  html.Close();
  html.Element("iframe",
               {{"src", Target("/cached/content").With("url", view.url).text()},
                {"sandbox", "allow-top-navigation-by-user-activation"},
                {"referrerpolicy", "no-referrer"},
                {"title", "Copy of " + view.url}},
               "");
  return EndPage(std::move(html));
}

HttpResponse ExplainPage(const ExplainView& view) {
  SearchForm form;
  form.words = view.query;
  HtmlWriter html = BeginPage({.title = "How this result was ranked – Crivello", .form = &form}, "sheet");
  html.Open("div", {{"class", "prose"}});
  html.Element("h1", {}, "How this result was ranked");
  html.Open("p");
  WriteLiveLink(html, view.url, view.result.title.text.empty() ? view.url : view.result.title.text);
  html.Close();
  html.Open("div", {{"class", "crumbs"}});
  WriteCrumbs(html, view.url);
  html.Close();
  html.Open("p", {{"class", "about"}});
  html.Text(view.place ? fmt::format("Result {} for ", *view.place)
                       : std::string("A result far down the list for "));
  html.Element("code", {}, view.query);
  html.Text(fmt::format(", with a score of {:.4f}.", view.result.score));
  html.Close();
  WriteActions(html, view);
  if (view.result.explanation) {
    html.Element("h2", {}, "How the score is computed");
    html.Open("table", {{"class", "score"}});
    html.Open("thead");
    html.Open("tr");
    html.Element("th", {{"scope", "col"}}, "What");
    html.Element("th", {{"scope", "col"}}, "Value");
    html.Element("th", {{"scope", "col"}, {"class", "drawn"}}, "Share");
    html.Close();
    html.Close();
    html.Open("tbody");
    NumberTable(html, view.result.explanation->value).Write(*view.result.explanation, 0);
    html.Close();
    html.Close();
  }
  WriteInlinks(html, view);
  html.Close();
  return EndPage(std::move(html));
}

HttpResponse WhyPage(const std::string& url, const std::vector<collection::Reason>& reasons) {
  HtmlWriter html = BeginPage({.title = "Crawl history of a page – Crivello"}, "sheet");
  html.Open("div", {{"class", "prose"}});
  html.Element("h1", {}, "Crawl history of this page");
  html.Open("p");
  WriteLiveLink(html, url, url);
  html.Close();
  html.Element("p", {{"class", "about"}},
               reasons.empty() ? "Nothing is known about this URL: the crawl has never found it."
                               : "Every decision about this URL, oldest first.");
  html.Open("ol", {{"class", "ledger"}});
  for (const collection::Reason& reason : reasons) {
    html.Open("li", {{"class", "now", reason.time == 0}, {"data-kind", reason.kind}});
    if (reason.time == 0) {
      html.Element("span", {{"class", "when"}}, "Now");
    } else {
      const int64_t seconds = reason.time / 1'000'000;
      html.Element("time", {{"datetime", FormatRfc3339(seconds)}}, MomentOf(seconds));
    }
    html.Text(reason.sentence);
    html.Close();
  }
  html.Close();
  html.Close();
  return EndPage(std::move(html));
}

}  // namespace crivello::serve
