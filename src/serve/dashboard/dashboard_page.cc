// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/dashboard_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "serve/dashboard/host_tables.h"
#include "serve/pages/page_frame.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

constexpr size_t kShownSeeds = 20;
constexpr size_t kDashboardHosts = 25;
constexpr size_t kShownTroubles = 50;
constexpr size_t kShownSegments = 50;
constexpr size_t kShownForgotten = 20;

struct Fact {
  std::string_view label;
  std::string_view live;  // a name of TextsOf()
};

class DashboardWriter {
 public:
  DashboardWriter(const DashboardView& view, HtmlWriter& html) : view_(view), html_(html) {
    for (auto& [name, text] : TextsOf(view.moment)) texts_.emplace(name, std::move(text));
  }

  void Write() {
    WriteHead();
    WriteTiles();
    WriteCharts();
    html_.Open("div", {{"class", "panels"}});
    WriteFacts("Queues", {{"queued URLs", "queued"},
                          {"URLs with a date", "scheduled"},
                          {"being fetched", "in-flight"},
                          {"waiting to be parsed", "to-read"},
                          {"waiting to be committed", "to-commit"},
                          {"new URLs being checked", "to-sift"},
                          {"time left", "end"}});
    WriteFacts("Responses since the start", {{"pages", "pages"},
                                             {"2xx (success)", "2xx"},
                                             {"3xx (redirects)", "3xx"},
                                             {"4xx (client errors)", "4xx"},
                                             {"5xx (server errors)", "5xx"},
                                             {"no answer", "failures"},
                                             {"retried", "retries"}});
    WriteFacts("Skipped", {{"by robots.txt", "refused"},
                           {"by filter, scope or exclusion", "filtered"},
                           {"links found", "links"},
                           {"duplicates", "copies"}});
    WriteFacts("Freshness", {{"copies that are current (estimate)", "revisit-fresh"},
                             {"average age of a copy", "revisit-age"},
                             {"scheduled pages", "revisit-pages"},
                             {"planned revisits", "revisit-planned"},
                             {"visits of new pages", "revisit-new"},
                             {"revisits", "revisit-again"},
                             {"revisits that found a change", "revisit-changes"},
                             {"pages that fail", "revisit-failing"}});
    WriteFacts("Hosts", {{"known", "hosts-known"},
                         {"ready or being fetched", "hosts-ready"},
                         {"waiting (politeness delay)", "hosts-waiting"},
                         {"inactive, on disk", "hosts-sleeping"},
                         {"given up", "hosts-given-up"}});
    WriteFacts("Feeds", {{"followed", "feeds"},
                         {"failed at the last poll", "feeds-failing"},
                         {"polls since the start", "feed-polls"},
                         {"new items since the start", "feed-items"},
                         {"WebSub subscriptions that hubs verified", "feed-subscriptions"},
                         {"WebSub deliveries since the start", "feed-deliveries"},
                         {"WebSub requests refused", "feed-refused"}});
    WriteFacts("Index", {{"searchable pages", "documents"},
                         {"changes not yet indexed", "backlog"},
                         {"segments", "segments"},
                         {"merging", "building"}});
    WriteFacts("Memory", {{"used by the process", "resident"},
                          {"budget", "budget"},
                          {"of it page bodies", "bodies"},
                          {"hosts in memory", "awake"}});
    html_.Close();
    WriteSegments();
    if (view_.hosts != nullptr) WriteHosts();
    WriteSeeds();
    WriteOffers();
    WriteLimits();
    WriteExclusions();
    if (view_.forget) WriteForgotten(*view_.forget);
  }

 private:
  std::string_view Text(std::string_view live) const {
    const auto found = texts_.find(live);
    return found == texts_.end() ? std::string_view() : found->second;
  }
  void Live(MarkupName element, std::string_view live) {
    html_.Element(element, {{"data-live", live}}, Text(live));
  }

  void WriteHead() {
    const bool paused = view_.moment.state == CrawlControl::State::kPaused;
    html_.Open("div", {{"class", "board-head"}});
    html_.Open("h1");
    html_.Text("Crawl ");
    html_.Element("span", {{"class", "state"}, {"data-live", "state"}, {"role", "status"}}, Text("state"));
    html_.Close();
    html_.Element("p", {{"class", "idle"}, {"data-live", "idle"}}, Text("idle"));
    html_.Open("p", {{"class", "steer"}, {"id", "steer"}, {"hidden", ""}});
    html_.Element("button", {{"type", "button"}, {"id", "pause"}, {"hidden", "", paused}},
                  "Pause (stays paused after a restart)");
    html_.Element("button", {{"type", "button"}, {"id", "resume"}, {"hidden", "", !paused}}, "Resume");
    html_.Element("span", {{"id", "said"}, {"role", "status"}}, "");
    html_.Close();
    html_.Open("noscript");
    html_.Open("p", {{"class", "note"}});
    html_.Text("Without scripts this page shows one moment only: ");
    html_.Element("a", {{"href", "/dashboard"}}, "refresh it");
    html_.Text(". Control the crawl with the API; see docs/dashboard.md.");
    html_.Close();
    html_.Close();
    html_.Element("p", {{"class", "note"}, {"id", "lost"}, {"role", "status"}, {"hidden", ""}},
                  "The server does not respond. The numbers are from its last response.");
    html_.Close();
  }

  void WriteTiles() {
    constexpr Fact kTiles[] = {{"pages per second", "pages-rate"}, {"received", "bytes-rate"},
                               {"pages crawled", "rows"},          {"queued URLs", "queued"},
                               {"searchable", "documents"},        {"time left", "end"}};
    html_.Open("dl", {{"class", "tiles"}});
    for (const Fact& tile : kTiles) {
      html_.Open("div");
      html_.Element("dt", {}, tile.label);
      Live("dd", tile.live);
      html_.Close();
    }
    html_.Close();
  }

  void WriteCharts() {
    const bool near = view_.span == CrawlHistory::kNearSpan;
    html_.Open("div", {{"class", "board-line"}});
    html_.Element("h2", {}, "Over time");
    html_.Open("p", {{"class", "spans"}});
    html_.Element("a", {{"href", "/dashboard"}, {"aria-current", "true", near}}, "10 minutes");
    html_.Text(" ");
    html_.Element("a", {{"href", "/dashboard?span=6h"}, {"aria-current", "true", !near}}, "6 hours");
    html_.Close();
    html_.Close();
    html_.Open("div", {{"class", "charts"}, {"data-span", std::to_string(view_.span)}});
    for (const CrawlChart& chart : view_.charts) WriteChart(chart);
    html_.Close();
  }

  void WriteChart(const CrawlChart& chart) {
    constexpr std::string_view kLines[] = {"line-0", "line-1"};
    std::string now;
    for (const CrawlChart::Line& line : chart.lines) {
      now += fmt::format("{}{} {}", now.empty() ? "" : ", ", line.name, line.now);
    }
    html_.Open("figure", {{"data-chart", chart.id}});
    html_.Open("figcaption");
    html_.Element("span", {}, chart.title);
    for (size_t i = 0; i < chart.lines.size(); ++i) {
      html_.Open("span", {{"class", kLines[std::min<size_t>(i, 1)]}});
      html_.Element("b", {}, chart.lines[i].now);
      if (chart.lines.size() > 1) html_.Text(fmt::format(" {}", chart.lines[i].name));
      html_.Close();
    }
    html_.Close();
    html_.Open("div", {{"class", "plot"}});
    html_.Open("svg", {{"viewbox", fmt::format("0 0 {} {}", kChartWidth, kChartHeight)},
                       {"preserveaspectratio", "none"},
                       {"role", "img"},
                       {"aria-label", fmt::format("{} since {}; now {}", chart.title, chart.since, now)}});
    for (size_t i = 0; i < chart.lines.size(); ++i) {
      html_.Element("path", {{"class", kLines[std::min<size_t>(i, 1)]}, {"d", chart.lines[i].path}}, "");
    }
    html_.Close();
    html_.Element("span", {{"class", "top-value"}}, chart.top);
    html_.Close();
    html_.Open("p", {{"class", "times"}});
    html_.Element("span", {}, chart.since);
    html_.Element("span", {}, "now");
    html_.Close();
    html_.Close();
  }

  void WriteFacts(std::string_view heading, std::initializer_list<Fact> facts) {
    html_.Open("section");
    html_.Element("h2", {}, heading);
    html_.Open("dl");
    for (const Fact& fact : facts) {
      html_.Open("div");
      html_.Element("dt", {}, fact.label);
      Live("dd", fact.live);
      html_.Close();
    }
    html_.Close();
    html_.Close();
  }

  void WriteSegments() {
    const std::vector<IndexStats::Segment>& parts = view_.moment.index.parts;
    html_.Open("section", {{"class", "wide"}, {"data-fresh", "segments"}});
    html_.Element("h2", {}, "Segments of the index");
    html_.Open("ul", {{"class", "reasons"}});
    for (size_t i = 0; i < std::min(parts.size(), kShownSegments); ++i) {
      html_.Open("li");
      html_.Element("b", {}, Counted(parts[i].documents, "page", "pages"));
      if (parts[i].deleted > 0) html_.Text(fmt::format(", {} of them replaced", Grouped(parts[i].deleted)));
      html_.Close();
    }
    html_.Close();
    html_.Element("p", {{"class", "about"}},
                  "Small segments are merged in the background; a full build replaces all of them by one.");
    html_.Close();
  }

  void WriteHosts() {
    html_.Open("section", {{"class", "wide"}, {"data-fresh", "hosts"}});
    html_.Element("h2", {}, "Hosts");
    html_.Open("p", {{"class", "about"}});
    html_.Text(fmt::format("The first {}, by pages and queued URLs. ", kDashboardHosts));
    html_.Element("a", {{"href", "/hosts"}}, "Which hosts link to which");
    html_.Text(" ");
    html_.Element("a", {{"href", "/shape"}}, "Shape of the web");
    html_.Close();
    WriteHostTable(html_, *view_.hosts, kDashboardHosts,
                   {.now = SystemClock().Wall(),
                    .standstill = !StandstillOf(view_.moment.state, view_.moment.crawl).empty()});
    html_.Close();
    html_.Open("section", {{"class", "wide"}, {"data-fresh", "troubles"}});
    html_.Element("h2", {}, "Failed and skipped");
    WriteTroubles(html_, *view_.hosts, kShownTroubles);
    html_.Close();
  }

  void WriteSeeds() {
    html_.Open("section", {{"class", "wide"}});
    html_.Element("h2", {}, "Seeds");
    html_.Open("ul", {{"class", "plain"}, {"id", "seeds"}});
    for (size_t i = 0; i < std::min(view_.seeds.size(), kShownSeeds); ++i) {
      html_.Element("li", {}, view_.seeds[i]);
    }
    html_.Close();
    if (view_.seeds.size() > kShownSeeds) {
      html_.Element("p", {{"class", "about"}},
                    fmt::format("and {} more", Grouped(view_.seeds.size() - kShownSeeds)));
    }
    WriteSeedTroubles();
    html_.Open("form", {{"class", "ask"}, {"id", "add-seeds"}, {"hidden", ""}});
    html_.Element("label", {{"for", "seed"}}, "Add seeds, one URL per line");
    html_.Element("textarea", {{"id", "seed"}, {"rows", "2"}, {"spellcheck", "false"}, {"required", ""}}, "");
    html_.Element("button", {{"type", "submit"}}, "Add");
    html_.Element("p", {{"id", "seeds-said"}, {"role", "status"}}, "");
    html_.Close();
    html_.Close();
  }

  void WriteSeedTroubles() {
    const CrawlStatus::Seeds& seeds = view_.moment.crawl.seeds;
    html_.Open("div", {{"data-fresh", "seed-troubles"}});
    if (seeds.failed > 0) {
      html_.Element("p", {{"class", "note"}, {"role", "status"}},
                    Counted(seeds.failed, "seed", "seeds") + " could not be fetched:");
      html_.Open("ul", {{"class", "plain"}, {"id", "seed-troubles"}});
      for (const CrawlStatus::Seeds::Trouble& trouble : seeds.troubles) {
        html_.Element("li", {}, trouble.url + ": " + trouble.reason);
      }
      html_.Close();
    }
    html_.Close();
  }

  void WriteOffers() {
    html_.Open("section", {{"class", "wide"}});
    html_.Element("h2", {}, "Fetch pages");
    html_.Element("p", {{"class", "about"}},
                  "URLs to fetch next on their host, even if they were fetched before.");
    html_.Open("form", {{"class", "ask"}, {"id", "offer"}, {"hidden", ""}});
    html_.Element("label", {{"for", "offer-urls"}}, "URLs, one per line");
    html_.Element("textarea",
                  {{"id", "offer-urls"}, {"rows", "2"}, {"spellcheck", "false"}, {"required", ""}}, "");
    html_.Element("label", {{"for", "offer-date"}}, "Not before (empty: now)");
    html_.Void("input", {{"id", "offer-date"}, {"type", "datetime-local"}});
    html_.Element("button", {{"type", "submit"}}, "Fetch");
    html_.Element("p", {{"id", "offer-said"}, {"role", "status"}}, "");
    html_.Close();
    html_.Close();
  }

  void WriteLimits() {
    html_.Open("section", {{"class", "wide"}});
    html_.Element("h2", {}, "Limits");
    html_.Element("p", {{"class", "about"}},
                  "0 means no limit. Changes last until the program ends; the next start uses the limits of "
                  "its options.");
    html_.Open("form", {{"class", "ask"}, {"id", "limits"}, {"hidden", ""}});
    WriteLimit("max_pages", "Pages", view_.limits.pages);
    WriteLimit("max_bytes", "Bytes received", view_.limits.bytes);
    WriteLimit("max_seconds", "Seconds", view_.limits.seconds);
    WriteLimit("max_per_host", "URLs of one host", view_.limits.per_host);
    WriteLimit("max_per_directory", "URLs of one directory", view_.limits.per_directory);
    WriteLimit("max_depth", "Links from a seed", view_.limits.depth);
    html_.Element("button", {{"type", "submit"}}, "Set");
    html_.Element("p", {{"id", "limits-said"}, {"role", "status"}}, "");
    html_.Close();
    html_.Close();
  }

  void WriteLimit(std::string_view name, std::string_view label, uint64_t value) {
    html_.Element("label", {{"for", name}}, label);
    html_.Void("input", {{"id", name},
                         {"name", name},
                         {"type", "number"},
                         {"min", "0"},
                         {"required", ""},
                         {"value", std::to_string(value)}});
  }

  void WriteExclusions() {
    html_.Open("section", {{"class", "wide"}});
    html_.Element("h2", {}, "Exclusions");
    html_.Element("p", {{"class", "about"}},
                  "What the crawl no longer fetches, now and after a restart. Pages already fetched stay.");
    html_.Open("ul", {{"class", "plain"}, {"id", "exclusions"}});
    for (const policy::Exclusion& exclusion : view_.exclusions) html_.Element("li", {}, exclusion.Line());
    html_.Close();
    html_.Open("form", {{"class", "ask"}, {"id", "exclude"}, {"hidden", ""}});
    html_.Element("label", {{"for", "exclude-kind"}}, "Exclude");
    html_.Open("select", {{"id", "exclude-kind"}});
    html_.Element("option", {{"value", "host"}}, "a host");
    html_.Element("option", {{"value", "prefix"}}, "URLs that start with");
    html_.Element("option", {{"value", "filter"}}, "URLs that match a filter");
    html_.Close();
    html_.Void("input", {{"id", "exclude-value"},
                         {"aria-label", "Host, URL prefix or filter"},
                         {"placeholder", "ads.example"},
                         {"autocapitalize", "none"},
                         {"autocomplete", "off"},
                         {"spellcheck", "false"},
                         {"required", ""}});
    html_.Element("button", {{"type", "submit"}}, "Preview exclusion");
    html_.Element("div", {{"id", "preview"}, {"role", "status"}}, "");
    html_.Element("button", {{"type", "button"}, {"id", "exclude-now"}, {"hidden", ""}}, "Exclude it");
    html_.Element("p", {{"id", "exclude-said"}, {"role", "status"}}, "");
    html_.Close();
    html_.Close();
  }

  void WriteForgotten(const ForgetControl::State& state) {
    html_.Open("section", {{"class", "wide"}});
    html_.Element("h2", {}, "Forgotten");
    html_.Element("p", {{"class", "about"}},
                  "Pages that were deleted permanently from every file and are kept out. The reason is "
                  "stored too.");
    html_.Open("div", {{"data-fresh", "forgotten"}});
    html_.Open("ul", {{"class", "plain"}, {"id", "forgotten"}});
    const size_t shown = std::min(state.entries.size(), kShownForgotten);
    for (size_t i = 0; i < shown; ++i) {
      const collection::ForgottenEntry& entry = state.entries[state.entries.size() - 1 - i];
      html_.Open("li");
      html_.Element("b", {}, entry.target.ToString());
      html_.Text(fmt::format(": {} ", entry.reason));
      html_.Element("span", {{"class", "when"}}, HowFar(entry, state));
      html_.Close();
    }
    html_.Close();
    if (state.entries.size() > shown) {
      html_.Element("p", {{"class", "about"}},
                    fmt::format("and {} earlier; “crivello forget --list” lists all",
                                Grouped(state.entries.size() - shown)));
    }
    html_.Close();
    html_.Open("form", {{"class", "ask"}, {"id", "forget"}, {"hidden", ""}});
    html_.Element("label", {{"for", "forget-target"}},
                  "A URL, a host, *.domain, or a URL prefix followed by *");
    html_.Void("input", {{"id", "forget-target"},
                         {"placeholder", "https://example.org/people/*"},
                         {"autocapitalize", "none"},
                         {"autocomplete", "off"},
                         {"spellcheck", "false"},
                         {"required", ""}});
    html_.Element("label", {{"for", "forget-reason"}}, "Why");
    html_.Void("input", {{"id", "forget-reason"},
                         {"placeholder", "letter of 3 May"},
                         {"maxlength", "250"},
                         {"autocomplete", "off"}});
    html_.Element("button", {{"type", "submit"}}, "Preview deletion");
    html_.Element("div", {{"id", "forget-preview"}, {"role", "status"}}, "");
    html_.Element("button", {{"type", "button"}, {"id", "forget-now"}, {"hidden", ""}}, "Forget permanently");
    html_.Element("p", {{"id", "forget-said"}, {"role", "status"}}, "");
    html_.Close();
    html_.Close();
  }

  static std::string HowFar(const collection::ForgottenEntry& entry, const ForgetControl::State& state) {
    if (entry.done != 0) {
      return fmt::format("({}, {})", Counted(entry.rows, "page", "pages"), MomentOf(entry.done));
    }
    return state.running ? "(in progress)" : "(interrupted; the next start of the program completes it)";
  }

  const DashboardView& view_;
  HtmlWriter& html_;
  std::map<std::string_view, std::string> texts_;
};

}  // namespace

HttpResponse DashboardPage(const DashboardView& view) {
  HtmlWriter html = BeginPage({.title = "Crawl – Crivello", .script = "dashboard.js"}, "board");
  DashboardWriter(view, html).Write();
  return EndPage(std::move(html));
}

HttpResponse CollectionPage(const IndexStats& index, const CollectionStats& counts) {
  HtmlWriter html = BeginPage({.title = "Collection – Crivello"}, "board");
  html.Open("div", {{"class", "board-head"}});
  html.Element("h1", {}, "Collection");
  html.Element("p", {{"class", "idle"}},
               "This process only serves the collection. “crivello up” also crawls, and shows more here.");
  html.Close();
  const std::pair<std::string_view, uint64_t> tiles[] = {{"pages crawled", counts.pages},
                                                         {"hosts", counts.hosts},
                                                         {"queued URLs", counts.queued},
                                                         {"searchable", index.documents},
                                                         {"segments of the index", index.segments}};
  html.Open("dl", {{"class", "tiles"}});
  for (const auto& [label, number] : tiles) {
    html.Open("div");
    html.Element("dt", {}, label);
    html.Element("dd", {}, Grouped(number));
    html.Close();
  }
  html.Close();
  html.Element(
      "p", {{"class", "about"}},
      "To delete pages permanently, run “crivello forget URL --reason …” on the machine of the collection.");
  return EndPage(std::move(html));
}

}  // namespace crivello::serve
