// SPDX-License-Identifier: Apache-2.0
#include "serve/pages/page_frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "charset/utf8.h"
#include "page/imported_document.h"
#include "serve/http/assets.h"
#include "serve/http/target.h"
#include "serve/pages/wording.h"
#include "web/url/percent.h"
#include "web/url/url.h"

namespace crivello::serve {
namespace {

constexpr std::string_view kName = "Crivello";

struct Choice {
  std::string_view value;
  std::string name;
};

void WriteSelect(HtmlWriter& html, MarkupName name, std::string_view label, std::string_view chosen,
                 const std::vector<Choice>& choices) {
  html.Open("select", {{"name", name.text()}, {"aria-label", label}, {"class", "set", !chosen.empty()}});
  bool known = chosen.empty();
  for (const Choice& choice : choices) {
    const bool selected = choice.value == chosen;
    known = known || selected;
    html.Element("option", {{"value", choice.value}, {"selected", "", selected}}, choice.name);
  }
  if (!known) html.Element("option", {{"value", chosen}, {"selected", ""}}, chosen);
  html.Close();
}

void WriteFilters(HtmlWriter& html, const SearchForm& form, const Facets::Values& facets) {
  html.Open("div", {{"class", "filters"}});
  WriteSelect(html, "date", "Date", form.date,
              {{"", "Any time"},
               {"day", "Past day"},
               {"week", "Past week"},
               {"month", "Past month"},
               {"year", "Past year"}});
  std::vector<Choice> languages = {{"", "Any language"}};
  for (const Facet& facet : facets.languages) languages.push_back({facet.value, LanguageName(facet.value)});
  WriteSelect(html, "lang", "Language", form.language, languages);
  std::vector<Choice> types = {{"", "Any type"}};
  for (const Facet& facet : facets.types) types.push_back({facet.value, TypeName(facet.value)});
  WriteSelect(html, "type", "Type", form.type, types);
  html.Void("input", {{"name", "site"},
                      {"value", form.site},
                      {"placeholder", "Any site"},
                      {"aria-label", "Site"},
                      {"autocomplete", "off"},
                      {"autocapitalize", "none"},
                      {"spellcheck", "false"},
                      {"class", "set", !form.site.empty()}});
  if (!form.sort.empty()) html.Void("input", {{"type", "hidden"}, {"name", "sort"}, {"value", form.sort}});
  if (!form.profile.empty()) {
    html.Void("input", {{"type", "hidden"}, {"name", "profile"}, {"value", form.profile}});
  }
  html.Close();
}

void WriteHead(HtmlWriter& html, const PageFrame& frame) {
  html.Open("html", {{"lang", "en"}});
  html.Open("head");
  html.Void("meta", {{"charset", "utf-8"}});
  html.Void("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  html.Void("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  html.Void("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
  html.Void("meta", {{"name", "robots"}, {"content", "noindex"}});
  html.Element("title", {}, frame.title);
  html.Void("link", {{"rel", "icon"}, {"type", "image/svg+xml"}, {"href", AssetPath("favicon.svg")}});
  html.Void("link", {{"rel", "stylesheet"}, {"href", AssetPath("style.css")}});
  html.Void("link", {{"rel", "search"},
                     {"type", "application/opensearchdescription+xml"},
                     {"title", kName},
                     {"href", "/opensearch.xml"}});
  if (!frame.feed.empty()) {
    html.Void("link", {{"rel", "alternate"},
                       {"type", "application/rss+xml"},
                       {"title", "These results"},
                       {"href", frame.feed}});
  }
  html.Element("script", {{"src", AssetPath("theme.js")}}, "");
  html.Element("script", {{"src", AssetPath("main.js")}, {"defer", ""}}, "");
  if (!frame.script.empty()) html.Element("script", {{"src", AssetPath(frame.script)}, {"defer", ""}}, "");
  html.Close();
  html.Open("body");
  html.Element("a", {{"class", "skip"}, {"href", "#main"}}, "Skip to content");
}

void WriteThemeSwitch(HtmlWriter& html) {
  html.Element("button", {{"id", "theme"}, {"type", "button"}, {"hidden", ""}, {"aria-label", "Colours"}},
               "");
}

void WriteBrand(HtmlWriter& html) {
  html.Open("a", {{"class", "brand"}, {"href", "/"}, {"aria-label", "Crivello: home"}});
  html.Void("img", {{"src", AssetPath("logo.svg")}, {"alt", ""}, {"width", "28"}, {"height", "28"}});
  html.Element("span", {}, kName);
  html.Close();
}

unsigned StatusOf(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return 200;
    case StatusCode::kInvalidArgument:
      return 400;
    case StatusCode::kNotFound:
      return 404;
    case StatusCode::kUnavailable:
      return 503;
    case StatusCode::kCorruption:
    case StatusCode::kIoError:
      break;
  }
  return 500;
}

}  // namespace

void WriteSearchBox(HtmlWriter& html, const SearchForm& form, bool focus) {
  html.Open("div", {{"class", "box"}});
  html.Void("input", {{"id", "q"},
                      {"name", "q"},
                      {"type", "search"},
                      {"value", form.words},
                      {"aria-label", "Search"},
                      {"placeholder", "Search"},
                      {"autocomplete", "off"},
                      {"autocapitalize", "none"},
                      {"spellcheck", "false"},
                      {"enterkeyhint", "search"},
                      {"autofocus", "", focus}});
  html.Element("button", {{"type", "submit"}, {"aria-label", "Search"}}, "");
  html.Close();
}

HtmlWriter BeginPage(const PageFrame& frame, std::string_view main_class) {
  HtmlWriter html = HtmlWriter::Html5();
  WriteHead(html, frame);
  html.Open("header", {{"class", "top"}});
  html.Open("form", {{"class", "top-in"}, {"role", "search"}, {"action", "/"}, {"method", "get"}});
  WriteBrand(html);
  const SearchForm none;
  const SearchForm& form = frame.form == nullptr ? none : *frame.form;
  WriteSearchBox(html, form, /*focus=*/false);
  WriteThemeSwitch(html);
  if (frame.facets != nullptr) WriteFilters(html, form, *frame.facets);
  html.Close();
  html.Close();
  html.Open("main", {{"id", "main"}, {"class", main_class}, {"tabindex", "-1"}});
  return html;
}

HtmlWriter BeginHomePage() {
  HtmlWriter html = HtmlWriter::Html5();
  WriteHead(html, {.title = std::string(kName)});
  html.Open("header", {{"class", "home-top"}});
  WriteThemeSwitch(html);
  html.Close();
  html.Open("main", {{"id", "main"}, {"class", "home"}, {"tabindex", "-1"}});
  html.Open("h1", {{"class", "brand"}});
  html.Void("img", {{"src", AssetPath("logo.svg")}, {"alt", ""}, {"width", "68"}, {"height", "68"}});
  html.Element("span", {}, kName);
  html.Close();
  return html;
}

HttpResponse EndPage(HtmlWriter html, unsigned status) {
  html.Close();  // main
  html.Open("footer", {{"class", "foot"}});
  html.Open("div", {{"class", "foot-in"}});
  html.Element("span", {}, "No cookies, no trackers: these pages load nothing from other sites.");
  html.Element("a", {{"href", "/dashboard"}}, "Dashboard");
  html.Element("a", {{"href", "/shape"}}, "Shape of the web");
  html.Open("label", {{"hidden", ""}});
  html.Void("input", {{"id", "slash"}, {"type", "checkbox"}, {"checked", ""}});
  html.Element("span", {}, "/ goes to the search box");
  html.Close();
  html.Close();
  html.Close();
  return {.status = status, .type = "text/html; charset=utf-8", .body = std::move(html).Finish()};
}

HttpResponse MessagePage(unsigned status, std::string_view heading, std::string_view text) {
  HtmlWriter html = BeginPage({.title = std::string(heading) + " – Crivello"}, "sheet");
  html.Open("div", {{"class", "prose"}});
  html.Element("h1", {}, heading);
  html.Element("p", {}, text);
  html.Close();
  return EndPage(std::move(html), status);
}

HttpResponse ErrorPage(const Status& status) {
  const unsigned code = StatusOf(status.code());
  const std::string_view heading = code == 404   ? "Page not found"
                                   : code == 400 ? "Bad request"
                                   : code == 503 ? "Temporarily unavailable"
                                                 : "Something went wrong";
  return MessagePage(code, heading, status.message());
}

void WriteHighlighted(HtmlWriter& html, const search::HighlightedText& text) {
  const std::string_view all = text.text;
  size_t at = 0;
  for (const search::Highlight& highlight : text.highlights) {
    const size_t begin = std::clamp<size_t>(highlight.begin, at, all.size());
    const size_t end = std::clamp<size_t>(highlight.end, begin, all.size());
    html.Text(all.substr(at, begin - at));
    if (end > begin) html.Element("mark", {}, all.substr(begin, end - begin));
    at = end;
  }
  html.Text(all.substr(at));
}

void WriteCrumbs(HtmlWriter& html, std::string_view url) {
  web::Url parsed;
  if (!parsed.Parse(url) || parsed.hostname().empty()) {
    html.Element("bdi", {}, url);
    return;
  }
  html.Element("b", {}, parsed.host());
  std::string path;
  web::AppendPercentDecoded(parsed.path_and_query(), &path);
  std::string_view rest = path;
  constexpr size_t kMaxPart = 60;
  while (!rest.empty()) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (part.empty()) continue;
    html.Element("i", {{"aria-hidden", "true"}}, "›");
    const std::string_view shown = charset::CutUtf8(part, kMaxPart);
    html.Element("bdi", {}, shown.size() < part.size() ? std::string(shown) + "…" : std::string(shown));
  }
}

std::string LiveTarget(std::string_view url) {
  const std::string made_up = fmt::format("https://{}/", page::kImportHost);
  return url.starts_with(made_up) ? Target("/cached").With("url", url).text() : std::string(url);
}

void WriteLiveLink(HtmlWriter& html, std::string_view url, std::string_view text) {
  html.Element("a", {{"href", LiveTarget(url)}, {"rel", "noopener noreferrer"}}, text);
}

}  // namespace crivello::serve
