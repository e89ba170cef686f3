// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/hosts_page.h"

#include <fmt/format.h>

#include <utility>

#include "serve/dashboard/host_map.h"
#include "serve/dashboard/host_tables.h"
#include "serve/pages/page_frame.h"
#include "serve/pages/wording.h"

namespace crivello::serve {
namespace {

constexpr size_t kShownHosts = 200;

void WriteSection(HtmlWriter& html, std::string_view heading, std::string_view about) {
  html.Open("section", {{"class", "wide"}});
  html.Element("h2", {}, heading);
  html.Element("p", {{"class", "about"}}, about);
}

}  // namespace

HttpResponse HostsPage(const collection::HostSurvey& survey, const std::string& standstill) {
  HtmlWriter html = BeginPage({.title = "Hosts – Crivello"}, "board");
  html.Open("div", {{"class", "board-head"}});
  html.Element("h1", {}, "Hosts");
  html.Open("p", {{"class", "idle"}});
  html.Text(Counted(survey.hosts.size(), "host is", "hosts are") + " known. " +
            (standstill.empty() ? "" : "Nothing is being fetched: " + standstill + ". ") +
            "The state of the crawl is on the ");
  html.Element("a", {{"href", "/dashboard"}}, "dashboard");
  html.Text(", the ");
  html.Element("a", {{"href", "/shape"}}, "shape of the whole web");
  html.Text(" on a page of its own.");
  html.Close();
  html.Close();

  WriteSection(
      html, "Which hosts link to which",
      survey.hosts.size() > kMapHosts
          ? fmt::format("The {} hosts with the most pages and queued URLs.", kMapHosts)
          : "The size of a disc shows the number of pages, the width of a line the number of links.");
  html.Open("div", {{"class", "scrolls"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", "Picture"}});
  WriteHostMap(html, survey);
  html.Close();
  html.Open("details");
  html.Element("summary", {}, "The same as a table");
  WriteHostLinks(html, survey);
  html.Close();
  html.Close();

  WriteSection(html, "Contents",
               survey.hosts.size() > kShownHosts
                   ? fmt::format("The first {} of {}; “crivello report” lists all.", kShownHosts,
                                 Grouped(survey.hosts.size()))
                   : std::string("Languages come from at most 500 pages of each host.") +
                         (survey.ranked_hosts == 0
                              ? ""
                              : fmt::format(" The rank is the place among {} by PageRank of the graph of "
                                            "hosts.",
                                            Counted(survey.ranked_hosts, "host", "hosts"))));
  WriteHostContents(html, survey, kShownHosts);
  html.Close();
  return EndPage(std::move(html));
}

}  // namespace crivello::serve
