// SPDX-License-Identifier: Apache-2.0
#include "serve/api/result_items.h"

#include <fmt/format.h>

#include "base/civil_time.h"
#include "serve/http/target.h"
#include "serve/pages/page_frame.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

class ResultWriter {
 public:
  ResultWriter(HtmlWriter& html, const ResultItems& items) : html_(html), items_(items) {}

  void Write(const search::SearchResult& result, bool nested) {
    html_.Open("li", {{"class", "nested", nested}});
    html_.Open("article", {{"class", "result"}});
    html_.Open("div", {{"class", "crumbs"}});
    WriteCrumbs(html_, result.url);
    html_.Close();
    html_.Open("h2");
    html_.Open("a", {{"href", LiveTarget(result.url)},
                     {"rel", "noopener noreferrer"},
                     {"lang", result.language, !result.language.empty()}});
    if (result.title.text.empty()) {
      html_.Text(result.url);
    } else {
      html_.Open("bdi");
      WriteMarked(result.title);
      html_.Close();
    }
    html_.Close();
    html_.Close();
    if (!result.snippet.text.empty()) {
      html_.Open(
          "p", {{"class", "snippet"}, {"dir", "auto"}, {"lang", result.language, !result.language.empty()}});
      WriteMarked(result.snippet);
      html_.Close();
    }
    if (!result.missing.empty()) {
      html_.Element("p", {{"class", "missing"}}, fmt::format("Missing: {}", fmt::join(result.missing, ", ")));
    }
    WriteFacts(result);
    html_.Close();
    html_.Close();
  }

 private:
  void WriteMarked(const search::HighlightedText& text) {
    if (items_.form == nullptr) {
      html_.Text(text.text);
    } else {
      WriteHighlighted(html_, text);
    }
  }

  void WriteFacts(const search::SearchResult& result) {
    html_.Open("div", {{"class", "facts"}});
    if (!result.type.empty() && !IsHtmlType(result.type)) {
      html_.Element("span", {{"class", "kind"}}, TypeName(result.type));
    }
    if (result.date_seconds != 0) {
      html_.Element("time", {{"datetime", FormatRfc3339(result.date_seconds)}}, DayOf(result.date_seconds));
    } else if (result.time_seconds != 0) {
      html_.Element("time", {{"datetime", FormatRfc3339(result.time_seconds)}},
                    "Fetched " + DayOf(result.time_seconds));
    }
    if (!result.language.empty()) html_.Element("span", {}, LanguageName(result.language));
    if (result.more_from_site > 0 && items_.form != nullptr) {
      SearchForm within = *items_.form;
      within.site = result.site;
      within.page = 1;
      html_.Element("a", {{"href", within.ToTarget()}},
                    fmt::format("{} more from {}", Grouped(result.more_from_site), result.site));
    }
    WriteMenu(result);
    WriteTranslations(result);
    WriteCopies(result);
    html_.Close();
  }

  void WriteTranslations(const search::SearchResult& result) {
    if (result.translations.empty()) return;
    html_.Open("span", {{"class", "translations"}});
    html_.Text("Also in ");
    for (size_t i = 0; i < result.translations.size(); i++) {
      const search::Translation& other = result.translations[i];
      if (i > 0) html_.Text(", ");
      html_.Element("a",
                    {{"href", LiveTarget(other.url)},
                     {"rel", "noopener noreferrer"},
                     {"hreflang", other.language, !other.language.empty()}},
                    LanguageName(other.language));
    }
    html_.Close();
  }

  void WriteCopies(const search::SearchResult& result) {
    if (result.duplicates.empty()) return;
    html_.Open("details", {{"class", "copies"}});
    html_.Element("summary", {}, Counted(result.duplicates.size(), "similar page", "similar pages"));
    html_.Open("ul");
    for (const std::string& url : result.duplicates) {
      html_.Open("li");
      WriteLiveLink(html_, url, url);
      html_.Close();
    }
    html_.Close();
    html_.Close();
  }

  void WriteMenu(const search::SearchResult& result) {
    const auto item = [&](const Target& target, std::string_view text) {
      html_.Open("li");
      html_.Element("a", {{"href", target.text()}}, text);
      html_.Close();
    };
    const std::string& name = result.title.text.empty() ? result.url : result.title.text;
    html_.Open("details", {{"class", "menu"}});
    html_.Element("summary", {{"aria-label", "More about: " + name}}, "More");
    html_.Open("ul");
    if (items_.cached_copies) item(Target("/cached").With("url", result.url), "Cached copy");
    item(Target("/similar").With("url", result.url), "Similar pages");
    if (!items_.query.empty()) {
      item(Target("/explain").With("q", items_.query).With("url", result.url), "How this result was ranked");
    }
    item(Target("/why").With("url", result.url), "Crawl history of this page");
    html_.Close();
    html_.Close();
  }

  HtmlWriter& html_;
  const ResultItems& items_;
};

}  // namespace

void WriteResults(HtmlWriter& html, const ResultItems& items) {
  ResultWriter writer(html, items);
  html.Open("ol", {{"class", "results"}});
  const search::SearchResult* before = nullptr;
  for (const search::SearchResult& result : items.results) {
    // Results of one site are grouped under its best one.
    const bool same_site = before != nullptr && !result.site.empty() && before->site == result.site;
    writer.Write(result, items.form != nullptr && same_site);
    before = &result;
  }
  html.Close();
}

}  // namespace crivello::serve
