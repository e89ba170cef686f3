// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/search_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "serve/api/result_items.h"
#include "serve/http/target.h"
#include "serve/pages/page_frame.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

// How many pages there are, and whether their number grows: then the script keeps updating it.
void WriteCounts(HtmlWriter& html, const Facets::Values& facets, const CollectionStats& counts,
                 const std::string& standstill) {
  html.Open("p", {{"id", "counts"},
                  {"class", "counts"},
                  {"data-growing", counts.queued > 0 && standstill.empty() ? "true" : "false"},
                  {"data-documents", std::to_string(facets.documents)}});
  html.Text(Counted(facets.documents, "page", "pages") + " to search");
  if (counts.hosts > 0) html.Text(" from " + Counted(counts.hosts, "site", "sites"));
  if (counts.queued > 0 && standstill.empty()) {
    html.Text("; " + Grouped(counts.queued) + " more in the queue");
  } else if (counts.queued > 0) {
    html.Text("; " + Grouped(counts.queued) + " more are queued but not being fetched: " + standstill);
  }
  html.Close();
}

std::string DateName(std::string_view date) {
  return date == "day" || date == "week" || date == "month" || date == "year" ? fmt::format("Past {}", date)
                                                                              : std::string(date);
}

void WriteChips(HtmlWriter& html, const SearchForm& form) {
  if (!form.has_filters()) return;
  html.Open("ul", {{"class", "chips"}, {"aria-label", "Filters"}});
  const auto chip = [&](std::string SearchForm::*field, const std::string& text) {
    if ((form.*field).empty()) return;
    SearchForm without = form;
    (without.*field).clear();
    without.page = 1;
    html.Open("li");
    html.Element("a", {{"href", without.ToTarget()}, {"aria-label", "Remove the filter: " + text}}, text);
    html.Close();
  };
  chip(&SearchForm::site, form.site);
  chip(&SearchForm::language, LanguageName(form.language));
  chip(&SearchForm::date, DateName(form.date));
  chip(&SearchForm::type, TypeName(form.type));
  html.Close();
}

// How the results are sorted, and the other orders to choose from.
void WriteSorting(HtmlWriter& html, const SearchForm& form) {
  html.Open("p", {{"class", "sorting"}});
  html.Text(" · Sorted by ");
  const bool by_date = !form.sort.empty();
  SearchForm other = form;
  other.page = 1;
  other.sort = by_date ? "" : search::kSortByDate;
  html.Element("b", {}, by_date ? "date" : "relevance");
  html.Text(" or ");
  html.Element("a", {{"href", other.ToTarget()}}, by_date ? "relevance" : "date");
  html.Close();
}

void WriteFound(HtmlWriter& html, const ResultsView& view) {
  const search::SearchAnswer& answer = view.answer;
  html.Open("div", {{"class", "found"}});
  std::string text;
  if (!answer.results.empty() || answer.total > 0) {
    const bool about = answer.total_kind == search::TotalKind::kEstimate;
    text = answer.total_kind == search::TotalKind::kNone
               ? std::string("Results")
               : (about ? "About " : "") + Counted(answer.total, "matching page", "matching pages");
    if (view.form.page > 1) text += fmt::format(", page {}", view.form.page);
    text += fmt::format(" in {} ms", std::max<int64_t>(view.milliseconds, 1));
    if (answer.folded > 0) {
      text += fmt::format(" · {} hidden",
                          Counted(answer.folded, "copy or translation", "copies or translations"));
    }
  } else {
    text = "No results";
  }
  html.Element("p", {{"id", "found"}, {"role", "status"}, {"data-total", std::to_string(answer.total)}},
               text);
  html.Text(" ");
  html.Open("p", {{"id", "newer"}, {"hidden", ""}, {"role", "status"}});
  html.Text("· ");
  html.Element("a", {{"href", view.form.ToTarget()}}, "Show more");
  html.Close();
  if (!answer.results.empty()) WriteSorting(html, view.form);
  html.Close();
}

void WriteNotes(HtmlWriter& html, const search::SearchAnswer& answer) {
  for (const std::string& note : answer.notes) html.Element("p", {{"class", "note"}}, note);
  if (answer.partial && answer.notes.empty()) {
    html.Element("p", {{"class", "note"}}, "These results are partial: there may be better ones.");
  }
}

void WriteNothingFound(HtmlWriter& html, const ResultsView& view) {
  html.Open("div", {{"class", "prose"}});
  if (view.form.page > 1 && view.answer.total > 0) {
    SearchForm first = view.form;
    first.page = 1;
    html.Element("h1", {}, "There are no more results");
    html.Open("p");
    html.Element("a", {{"href", first.ToTarget()}}, "Back to the first page");
    html.Close();
    html.Close();
    return;
  }
  html.Element(
      "h1", {},
      view.form.words.empty() ? "No results with these filters" : "No results for “" + view.form.words + "”");
  html.Open("p", {{"class", "about"}});
  html.Text("Searched " + Counted(view.facets.documents, "page", "pages") + " for ");
  html.Element("code", {}, view.answer.query.empty() ? view.query : view.answer.query);
  html.Text(".");
  html.Close();
  html.Element("h2", {}, "Suggestions");
  html.Open("ul", {{"class", "tips"}});
  if (view.form.has_filters()) {
    SearchForm everywhere;
    everywhere.words = view.form.words;
    html.Open("li");
    html.Element("a", {{"href", everywhere.ToTarget()}}, "Search without filters");
    html.Close();
  }
  if (view.form.words.find_first_of("\"-+:(") != std::string::npos) {
    html.Element("li", {}, "Remove quotation marks, signs and fields: plain words find the most.");
  }
  html.Element("li", {}, "Check the spelling, or try synonyms.");
  html.Open("li");
  html.Text("Search for the beginning of a word: ");
  html.Element("code", {}, "garden*");
  html.Text(", or for similar words: ");
  html.Element("code", {}, "gardn~");
  html.Text(".");
  html.Close();
  if (view.counts.queued > 0 && !view.standstill.empty()) {
    html.Element("li", {},
                 Counted(view.counts.queued, "page is", "pages are") +
                     " queued but not being fetched: " + view.standstill + ".");
  } else if (view.counts.queued > 0) {
    html.Element(
        "li", {},
        "Wait a little: " + Counted(view.counts.queued, "page is", "pages are") + " waiting to be fetched.");
  }
  html.Close();
  html.Close();
}

void WritePages(HtmlWriter& html, const ResultsView& view) {
  const bool full = view.answer.results.size() >= view.per_page;
  const size_t known = view.answer.total_kind == search::TotalKind::kNone
                           ? view.form.page + (full ? 1 : 0)
                           : static_cast<size_t>((view.answer.total + view.per_page - 1) / view.per_page);
  // Folding and grouping show fewer than were counted: a page that is not full is the last.
  const size_t last = full ? std::min(std::max(known, view.form.page), SearchForm::kMaxPage) : view.form.page;
  if (last <= 1) return;
  html.Open("nav", {{"class", "pages"}, {"aria-label", "Pages of results"}});
  const auto link = [&](size_t page, std::string_view text, std::string_view rel) {
    SearchForm other = view.form;
    other.page = page;
    html.Element("a",
                 {{"href", other.ToTarget()},
                  {"rel", rel, !rel.empty()},
                  {"aria-label", fmt::format("Page {}", page), rel.empty()}},
                 text);
  };
  if (view.form.page > 1) link(view.form.page - 1, "Previous", "prev");
  const size_t from = view.form.page > 4 ? view.form.page - 4 : 1;
  for (size_t page = from; page <= std::min(last, from + 8); ++page) {
    if (page == view.form.page) {
      html.Element("b", {{"aria-current", "page"}}, std::to_string(page));
    } else {
      link(page, std::to_string(page), "");
    }
  }
  if (view.form.page < last) link(view.form.page + 1, "Next", "next");
  html.Close();
}

std::string ExportTarget(const ResultsView& view, std::string_view format) {
  const size_t offset = (view.form.page - 1) * view.per_page;
  return Target("/api/v1/search")
      .With("q", view.query)
      .With("n", std::to_string(view.per_page))
      .With("offset", offset > 0 ? std::to_string(offset) : "")
      .With("sort", view.form.sort)
      .With("profile", view.form.profile)
      .With("format", format)
      .text();
}

void WriteExports(HtmlWriter& html, const ResultsView& view) {
  html.Open("p", {{"class", "exports"}});
  html.Text("Download these results as");
  html.Element("a", {{"href", ExportTarget(view, "json")}}, "JSON");
  html.Element("a", {{"href", ExportTarget(view, "csv")}}, "CSV");
  html.Element("a", {{"href", ExportTarget(view, "rss")}}, "RSS");
  html.Close();
}

}  // namespace

HttpResponse HomePage(const Facets::Values& facets, const CollectionStats& counts,
                      const std::string& standstill) {
  HtmlWriter html = BeginHomePage();
  html.Open("form", {{"role", "search"}, {"action", "/"}, {"method", "get"}});
  WriteSearchBox(html, {}, /*focus=*/true);
  html.Close();
  WriteCounts(html, facets, counts, standstill);
  if (!facets.languages.empty()) {
    constexpr size_t kShown = 8;
    std::string languages;
    for (size_t i = 0; i < std::min(kShown, facets.languages.size()); ++i) {
      languages += (i == 0 ? "" : ", ") + LanguageName(facets.languages[i].value);
    }
    if (facets.languages.size() > kShown) languages += " and others";
    html.Element("p", {{"class", "languages"}}, languages);
  }
  html.Open("section", {{"class", "hints"}});
  html.Element("h2", {}, "Search tips");
  html.Open("dl");
  const std::pair<std::string_view, std::string_view> hints[] = {
      {"\"red apples\"", "words next to each other"},
      {"apples -pears", "without a word"},
      {"title:apples", "in the title"},
      {"site:example.org", "from one site; also lang:it, type:pdf, date:2026"},
      {"appl*", "words that start with appl"},
  };
  for (const auto& [query, meaning] : hints) {
    html.Open("dt");
    html.Element("code", {}, query);
    html.Close();
    html.Element("dd", {}, meaning);
  }
  html.Close();
  html.Close();
  return EndPage(std::move(html));
}

HttpResponse ResultsPage(const ResultsView& view) {
  const std::string& asked = view.form.words.empty() ? view.query : view.form.words;
  HtmlWriter html = BeginPage({.title = asked + " – Crivello",
                               .form = &view.form,
                               .facets = &view.facets,
                               .feed = ExportTarget(view, "rss")},
                              "sheet");
  WriteChips(html, view.form);
  if (!view.answer.results.empty()) html.Element("h1", {{"class", "unseen"}}, "Results for " + asked);
  WriteFound(html, view);
  if (!view.answer.results.empty()) html.Element("div", {{"id", "facets"}, {"hidden", ""}}, "");
  WriteNotes(html, view.answer);
  if (!view.meant.empty()) {
    SearchForm other = view.form;
    other.words = view.meant;
    other.page = 1;
    html.Open("p", {{"class", "meant"}});
    html.Text("Did you mean ");
    html.Element("a", {{"href", other.ToTarget()}}, view.meant);
    html.Text("?");
    html.Close();
  }
  if (view.answer.results.empty()) {
    WriteNothingFound(html, view);
  } else {
    WriteResults(html, {.results = view.answer.results,
                        .query = view.query,
                        .form = &view.form,
                        .cached_copies = view.cached_copies});
    WritePages(html, view);
    WriteExports(html, view);
  }
  html.Open("div", {{"hidden", ""}});
  WriteCounts(html, view.facets, view.counts, view.standstill);
  html.Close();
  return EndPage(std::move(html));
}

HttpResponse FacetsFragment(const SearchForm& form, const std::vector<search::Facet>& facets) {
  HtmlWriter html;
  constexpr std::pair<std::string_view, std::string_view> kHeadings[] = {
      {"site", "Sites"}, {"lang", "Languages"}, {"type", "Types"}, {"year", "Years"}};
  constexpr size_t kShown = 6;
  for (const search::Facet& facet : facets) {
    if (facet.values.size() < 2) continue;  // nothing to choose from
    const auto heading = std::find_if(std::begin(kHeadings), std::end(kHeadings),
                                      [&](const auto& h) { return h.first == facet.name; });
    html.Open("section", {{"class", "facet"}});
    html.Element("h2", {}, heading == std::end(kHeadings) ? facet.name : heading->second);
    html.Open("ul");
    for (size_t i = 0; i < std::min(kShown, facet.values.size()); i++) {
      const std::string& value = facet.values[i].value;
      SearchForm narrower = form;
      narrower.page = 1;
      std::string name = value;
      if (facet.name == "site") narrower.site = value;
      if (facet.name == "year") narrower.date = value;
      if (facet.name == "lang") {
        narrower.language = value;
        name = LanguageName(value);
      }
      if (facet.name == "type") {
        narrower.type = value;
        name = TypeName(value);
      }
      html.Open("li");
      html.Element("a", {{"href", narrower.ToTarget()}}, name);
      html.Element("span", {}, (facet.about ? "about " : "") + Grouped(facet.values[i].pages));
      html.Close();
    }
    html.Close();
    html.Close();
  }
  return {.type = "text/html; charset=utf-8", .body = std::move(html).Finish()};
}

HttpResponse SimilarPage(const SimilarView& view) {
  HtmlWriter html = BeginPage({.title = "Similar pages – Crivello"}, "sheet");
  html.Open("div", {{"class", "prose"}});
  html.Element("h1", {}, "Similar pages");
  html.Open("p", {{"class", "about"}});
  html.Text("Like ");
  WriteLiveLink(html, view.url, view.url);
  html.Close();
  html.Close();
  WriteNotes(html, view.answer);
  if (view.answer.results.empty()) {
    html.Element("p", {{"class", "note"}}, "No other page has its characteristic words.");
  } else {
    html.Open("section", {{"class", "similar"}});
    WriteResults(html, {.results = view.answer.results, .cached_copies = view.cached_copies});
    html.Close();
  }
  return EndPage(std::move(html));
}

}  // namespace crivello::serve
