// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/host_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/civil_time.h"
#include "serve/http/target.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

using collection::HostReport;
using collection::HostSurvey;

struct Column {
  std::string_view name;
  bool number = false;
};

// A table that scrolls on its own if the screen is narrow.
void OpenTable(HtmlWriter& html, std::string_view label, std::initializer_list<Column> columns) {
  html.Open("div", {{"class", "scrolls"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", label}});
  html.Open("table", {{"class", "rows"}});
  html.Open("thead");
  html.Open("tr");
  for (const Column& column : columns) {
    html.Element("th", {{"scope", "col"}, {"class", "n", column.number}}, column.name);
  }
  html.Close();
  html.Close();
  html.Open("tbody");
}

void CloseTable(HtmlWriter& html) {
  html.Close();
  html.Close();
  html.Close();
}

void NumberCell(HtmlWriter& html, uint64_t number) {
  html.Element("td", {{"class", number == 0 ? "n zero" : "n"}}, Grouped(number));
}

// A share of the pages that were answered 2xx.
void ShareCell(HtmlWriter& html, uint64_t part, uint64_t pages) {
  const bool none = part == 0 || pages == 0;
  html.Element(
      "td", {{"class", none ? "n zero" : "n"}},
      none ? "0" : fmt::format("{:.0f}%", 100 * static_cast<double>(part) / static_cast<double>(pages)));
}

std::string DelayOf(const HostSurvey::Host& host) {
  if (host.crawl_delay == Duration::zero()) return "default";
  return fmt::format("{:.3g} s, by robots.txt", std::chrono::duration<double>(host.crawl_delay).count());
}

std::string NextOf(const HostSurvey::Host& host, const HostTableMoment& moment) {
  if (host.report.given_up) return "never (given up)";
  if (host.report.queued == 0) return "nothing queued";
  if (moment.standstill) return "when the crawl continues";
  const double left = std::chrono::duration<double>(host.next_fetch - moment.now).count();
  return left < 1 ? "in turn" : "in " + LastingOf(left);
}

std::string LanguagesOf(const HostSurvey::Host& host) {
  constexpr size_t kShown = 3;
  std::vector<std::pair<uint64_t, std::string>> languages;
  for (const auto& [language, pages] : host.languages) languages.emplace_back(pages, language);
  std::sort(languages.begin(), languages.end(), [](const auto& a, const auto& b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  std::string text;
  for (size_t i = 0; i < std::min(languages.size(), kShown); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", LanguageName(languages[i].second),
                        Grouped(languages[i].first));
  }
  return languages.size() > kShown ? text + ", …" : text;
}

std::string KindName(std::string_view kind) {
  constexpr std::string_view kStatus = "status-";
  if (kind.starts_with(kStatus)) return fmt::format("answered {}", kind.substr(kStatus.size()));
  std::string name(kind);
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

}  // namespace

std::vector<uint32_t> LargestHosts(const HostSurvey& survey, size_t limit) {
  std::vector<uint32_t> places(survey.hosts.size());
  std::iota(places.begin(), places.end(), 0);
  const auto size = [&](uint32_t place) {
    const HostReport& report = survey.hosts[place].report;
    return report.pages + report.queued;
  };
  std::sort(places.begin(), places.end(),
            [&](uint32_t a, uint32_t b) { return std::pair(size(b), a) < std::pair(size(a), b); });
  if (places.size() > limit) places.resize(limit);
  return places;
}

void WriteHostTable(HtmlWriter& html, const HostSurvey& survey, size_t limit, const HostTableMoment& moment) {
  OpenTable(html, "Hosts",
            {{"host"},
             {"pages", true},
             {"copies", true},
             {"near copies", true},
             {"queued", true},
             {"failed", true},
             {"refused", true},
             {"robots.txt"},
             {"delay"},
             {"next"},
             {"last error"}});
  for (const uint32_t place : LargestHosts(survey, limit)) {
    const HostSurvey::Host& host = survey.hosts[place];
    html.Open("tr");
    html.Element("th", {{"scope", "row"}}, host.report.host);
    NumberCell(html, host.report.pages);
    ShareCell(html, host.report.copies, host.report.statuses[2]);
    ShareCell(html, host.report.near_copies, host.report.statuses[2]);
    NumberCell(html, host.report.queued);
    NumberCell(html, host.report.failed);
    NumberCell(html, host.report.refused);
    html.Element("td", {}, host.robots.empty() ? "not fetched yet" : host.robots);
    html.Element("td", {}, DelayOf(host));
    html.Element("td", {}, NextOf(host, moment));
    html.Element("td", {}, host.report.last_error);
    html.Close();
  }
  CloseTable(html);
}

void WriteHostContents(HtmlWriter& html, const HostSurvey& survey, size_t limit) {
  OpenTable(html, "Contents of the hosts",
            {{"host"},
             {"rank", true},
             {"pages", true},
             {"size", true},
             {"2xx", true},
             {"3xx", true},
             {"4xx", true},
             {"5xx", true},
             {"languages"}});
  for (const uint32_t place : LargestHosts(survey, limit)) {
    const HostSurvey::Host& host = survey.hosts[place];
    html.Open("tr");
    html.Element("th", {{"scope", "row"}}, host.report.host);
    html.Element("td", {{"class", host.rank_place == 0 ? "n zero" : "n"}},
                 host.rank_place == 0 ? "–" : Grouped(host.rank_place));
    NumberCell(html, host.report.pages);
    html.Element("td", {{"class", "n"}}, SizeOf(host.report.bytes));
    for (const size_t hundreds : {size_t{2}, size_t{3}, size_t{4}, size_t{5}}) {
      NumberCell(html, host.report.statuses[hundreds]);
    }
    html.Element("td", {}, LanguagesOf(host));
    html.Close();
  }
  CloseTable(html);
}

void WriteTroubles(HtmlWriter& html, const HostSurvey& survey, size_t limit) {
  if (survey.troubles.empty()) {
    html.Element("p", {{"class", "about"}}, "None yet.");
    return;
  }
  html.Open("ul", {{"class", "reasons"}});
  for (const auto& [kind, count] : survey.trouble_counts) {
    html.Open("li");
    html.Element("b", {}, Grouped(count));
    html.Text(" " + KindName(kind));
    html.Close();
  }
  html.Close();
  OpenTable(html, "Pages that failed or were skipped", {{"page"}, {"what happened"}, {"when"}});
  for (size_t i = 0; i < std::min(survey.troubles.size(), limit); ++i) {
    const HostSurvey::Trouble& trouble = survey.troubles[i];
    html.Open("tr");
    html.Open("th", {{"scope", "row"}});
    html.Element("a", {{"href", Target("/why").With("url", trouble.url).text()}}, trouble.url);
    html.Close();
    html.Element("td", {}, trouble.sentence);
    html.Element("td", {{"class", "when"}}, MomentOf(trouble.time / 1'000'000));
    html.Close();
  }
  CloseTable(html);
}

}  // namespace crivello::serve
