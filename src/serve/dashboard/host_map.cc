// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/host_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "serve/dashboard/host_tables.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

using collection::HostSurvey;

constexpr double kWidth = 880, kHeight = 880;
constexpr double kRadius = 235;
constexpr double kLargest = 15, kSmallest = 3;  // discs
constexpr size_t kMaxName = 30;

// "it,unimi,di" of "di.unimi.it".
std::string Reversed(std::string_view host) {
  std::string reversed;
  while (true) {
    const size_t dot = host.rfind('.');
    reversed += host.substr(dot == std::string_view::npos ? 0 : dot + 1);
    if (dot == std::string_view::npos) return reversed;
    reversed += ',';
    host = host.substr(0, dot);
  }
}

struct Place {
  double x = 0, y = 0;
  double angle = 0;
};

// The links between the hosts of the picture, the most frequent first.
std::vector<HostSurvey::Link> ShownLinks(const HostSurvey& survey, const std::vector<uint32_t>& hosts) {
  std::vector<bool> shown(survey.hosts.size());
  for (const uint32_t host : hosts) shown[host] = true;
  std::vector<HostSurvey::Link> links;
  for (const HostSurvey::Link& link : survey.links) {
    if (shown[link.from] && shown[link.to]) links.push_back(link);
  }
  std::sort(links.begin(), links.end(), [](const HostSurvey::Link& a, const HostSurvey::Link& b) {
    return std::tie(b.count, a.from, a.to) < std::tie(a.count, b.from, b.to);
  });
  if (links.size() > kMapLinks) links.resize(kMapLinks);
  return links;
}

std::map<uint32_t, Place> OnACircle(const HostSurvey& survey, std::vector<uint32_t> hosts) {
  std::sort(hosts.begin(), hosts.end(), [&](uint32_t a, uint32_t b) {
    return Reversed(survey.hosts[a].report.host) < Reversed(survey.hosts[b].report.host);
  });
  std::map<uint32_t, Place> places;
  for (size_t i = 0; i < hosts.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(hosts.size()) -
                         std::numbers::pi / 2;
    places[hosts[i]] = {kWidth / 2 + kRadius * std::cos(angle), kHeight / 2 + kRadius * std::sin(angle),
                        angle};
  }
  return places;
}

void WriteLink(HtmlWriter& html, const Place& from, const Place& to, double share) {
  // Half way to the centre, and a little to the side, so that the two directions are two lines.
  const double side = 0.12;
  const double x = (from.x + to.x + kWidth / 2 * 2) / 4 - side * (to.y - from.y);
  const double y = (from.y + to.y + kHeight / 2 * 2) / 4 + side * (to.x - from.x);
  html.Element(
      "path",
      {{"d", fmt::format("M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", from.x, from.y, x, y, to.x, to.y)},
       {"stroke-width", fmt::format("{:.2f}", 0.6 + 3.4 * share)}},
      "");
}

void WriteHost(HtmlWriter& html, const HostSurvey::Host& host, const Place& place, double share) {
  const double radius = kSmallest + (kLargest - kSmallest) * std::sqrt(share);
  const double away = kRadius + radius + 7;
  const double x = kWidth / 2 + away * std::cos(place.angle);
  const double y = kHeight / 2 + away * std::sin(place.angle);
  const bool right = std::cos(place.angle) >= 0;
  const bool fails = host.report.given_up || host.failures > 0;
  html.Element("circle",
               {{"cx", fmt::format("{:.1f}", place.x)},
                {"cy", fmt::format("{:.1f}", place.y)},
                {"r", fmt::format("{:.1f}", radius)},
                {"class", fails ? "fails" : "well"}},
               "");
  std::string name = host.report.host;
  if (name.size() > kMaxName) name = "…" + name.substr(name.size() - kMaxName);
  // Along the spoke, and never upside down.
  const double degrees = place.angle * 180 / std::numbers::pi + (right ? 0 : 180);
  html.Element("text",
               {{"transform", fmt::format("translate({:.1f} {:.1f}) rotate({:.1f})", x, y, degrees)},
                {"text-anchor", right ? "start" : "end"},
                {"dy", "0.35em"}},
               name);
}

}  // namespace

void WriteHostMap(HtmlWriter& html, const HostSurvey& survey) {
  const std::vector<uint32_t> hosts = LargestHosts(survey, kMapHosts);
  const std::map<uint32_t, Place> places = OnACircle(survey, hosts);
  const std::vector<HostSurvey::Link> links = ShownLinks(survey, hosts);
  uint64_t most_pages = 1;
  for (const uint32_t host : hosts) most_pages = std::max(most_pages, survey.hosts[host].report.pages);
  const double most_links = std::log1p(links.empty() ? 1.0 : static_cast<double>(links.front().count));
  html.Open("svg", {{"class", "map"},
                    {"viewbox", fmt::format("0 0 {} {}", kWidth, kHeight)},
                    {"role", "img"},
                    {"aria-label", fmt::format("{} and {} between them; the table below has the same data",
                                               Counted(hosts.size(), "host", "hosts"),
                                               Counted(links.size(), "link line", "link lines"))}});
  html.Open("g", {{"class", "lines"}});
  for (const HostSurvey::Link& link : links) {
    WriteLink(html, places.at(link.from), places.at(link.to),
              std::log1p(static_cast<double>(link.count)) / most_links);
  }
  html.Close();
  for (const auto& [host, place] : places) {
    WriteHost(html, survey.hosts[host], place,
              static_cast<double>(survey.hosts[host].report.pages) / static_cast<double>(most_pages));
  }
  html.Close();
}

void WriteHostLinks(HtmlWriter& html, const HostSurvey& survey) {
  html.Open("div", {{"class", "scrolls"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Links"}});
  html.Open("table", {{"class", "rows"}});
  html.Open("thead");
  html.Open("tr");
  html.Element("th", {{"scope", "col"}}, "from");
  html.Element("th", {{"scope", "col"}}, "to");
  html.Element("th", {{"scope", "col"}, {"class", "n"}}, "links");
  html.Close();
  html.Close();
  html.Open("tbody");
  for (const HostSurvey::Link& link : ShownLinks(survey, LargestHosts(survey, kMapHosts))) {
    html.Open("tr");
    html.Element("td", {}, survey.hosts[link.from].report.host);
    html.Element("td", {}, survey.hosts[link.to].report.host);
    html.Element("td", {{"class", "n"}}, Grouped(link.count));
    html.Close();
  }
  html.Close();
  html.Close();
  html.Close();
}

}  // namespace crivello::serve
