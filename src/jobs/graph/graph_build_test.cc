// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/random.h"
#include "graph/names/name_list.h"
#include "jobs/graph/page_states.h"
#include "jobs/links/links_folder.h"
#include "jobs/links/links_test_support.h"

namespace crivello::jobs {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

// A graph by the names of its nodes: how many links each arc represents.
struct NamedGraph {
  std::vector<std::string> nodes;
  std::map<std::pair<std::string, std::string>, uint64_t> arcs;
  friend bool operator==(const NamedGraph&, const NamedGraph&) = default;
};

struct Setting {
  GraphLevel level = GraphLevel::kPage;
  bool keep_nofollow = false;
  bool frontier = false;
};

std::string RowKeyOf(const std::string& url) { return web::RowKey(web::ParseUrl(url).value()).value(); }

// The straightforward construction: maps in memory, and one walk after another.
class GraphJudge {
 public:
  GraphJudge(const std::vector<index::Rows::Page>& pages, Setting setting) : setting_(setting) {
    for (const index::Rows::Page& page : pages) pages_[page.url] = &page;
  }

  NamedGraph Build() {
    std::set<std::string> nodes;
    NamedGraph graph;
    for (const auto& [url, page] : pages_) {
      if (IsNode(url)) nodes.insert(NameOf(url));
      // The target of a redirect is known, even if no page links to the redirect.
      const auto next = Next(url);
      if (page->status / 100 != 3 || !next) continue;
      if (setting_.level == GraphLevel::kPage && setting_.frontier && !pages_.contains(*next)) {
        nodes.insert(NameOf(*next));
      }
      const auto end = Target(url);
      if (setting_.level != GraphLevel::kPage && end) nodes.insert(NameOf(*end));
    }
    for (const auto& [url, page] : pages_) {
      for (const store::OutLink& link : page->links) {
        if (!Counts(*page, link)) continue;
        if (setting_.level != GraphLevel::kPage || (setting_.frontier && !pages_.contains(link.url))) {
          nodes.insert(NameOf(link.url));
        }
      }
    }
    for (const auto& [url, page] : pages_) {
      if (!IsNode(url)) continue;
      for (const store::OutLink& link : page->links) {
        if (!Counts(*page, link)) continue;
        std::optional<std::string> target = Target(link.url);
        if (setting_.level != GraphLevel::kPage) target = target.value_or(link.url);
        if (!target || !nodes.contains(NameOf(*target))) continue;
        uint64_t& count = graph.arcs[{NameOf(url), NameOf(*target)}];
        count++;
      }
    }
    graph.nodes.assign(nodes.begin(), nodes.end());
    return graph;
  }

 private:
  bool Counts(const index::Rows::Page& page, const store::OutLink& link) const {
    if (page.status != 200 || link.url.starts_with("mailto")) return false;
    if (link.kind > 4 && link.kind != 8) return false;
    return setting_.keep_nofollow || (!page.nofollow && !link.nofollow);
  }
  std::string NameOf(const std::string& url) const {
    return setting_.level == GraphLevel::kPage ? RowKeyOf(url)
                                               : HostNameOfRow(setting_.level, RowKeyOf(url)).value();
  }
  std::optional<std::string> Next(const std::string& url) const {
    const auto page = pages_.find(url);
    if (page == pages_.end()) return std::nullopt;
    const std::string& next = page->second->status == 200       ? page->second->canonical
                              : page->second->status / 100 == 3 ? page->second->location
                                                                : "";
    if (next.empty() || next == url) return std::nullopt;
    return next;
  }
  bool IsPage(const std::string& url) const {
    const auto page = pages_.find(url);
    return page != pages_.end() && page->second->status == 200;
  }
  // The page where a walk of at most ten steps ends, and which leads nowhere.
  std::optional<std::string> End(std::string url) const {
    for (unsigned hops = 0; hops <= 10; hops++) {
      const auto next = Next(url);
      if (!next) return IsPage(url) ? std::optional(url) : std::nullopt;
      url = *next;
    }
    return std::nullopt;
  }
  bool IsNode(const std::string& url) const {
    if (!IsPage(url)) return false;
    const auto end = End(url);
    return !end || *end == url;
  }
  std::optional<std::string> Target(const std::string& url) const {
    if (const auto end = End(url)) return end;
    std::string at = url;
    for (unsigned hops = 0; hops <= 10; hops++) {
      if (IsPage(at)) return IsNode(at) ? std::optional(at) : std::nullopt;
      const auto next = Next(at);
      if (!next) return pages_.contains(at) ? std::nullopt : std::optional(at);
      at = *next;
    }
    return std::nullopt;
  }

  const Setting setting_;
  std::map<std::string, const index::Rows::Page*> pages_;
};

// Sites of some domains that link, redirect and name canonical pages in all directions, even in circles.
std::vector<index::Rows::Page> RandomWeb(SeededRandom& random) {
  static const char* const kHosts[] = {"a.test",   "www.a.test", "b.co.uk", "www.b.co.uk", "127.0.0.1",
                                       "a-b.test", "x.y.c.test", "c.test",  "never.test",  "sub.never.test"};
  const auto url = [&random](uint64_t hosts) {
    const std::string port = random.Below(6) == 0 ? ":8080" : "";
    return "http://" + std::string(kHosts[random.Below(hosts)]) + port + "/" +
           std::to_string(random.Below(5));
  };
  std::vector<index::Rows::Page> pages;
  std::set<std::string> seen;
  const uint64_t count = random.Below(90);
  for (uint64_t i = 0; i < count; i++) {
    index::Rows::Page page = {.url = url(8), .title = "", .text = "words"};
    if (!seen.insert(page.url).second) continue;
    page.nofollow = random.Below(10) == 0;
    switch (random.Below(8)) {
      case 0:
        page.status = 404;
        break;
      case 1:
      case 2:
        page.status = 301;
        page.location = url(10);
        break;
      case 3:
        page.canonical = url(10);
        break;
      default:
        break;
    }
    std::set<std::string> linked;
    for (uint64_t links = random.Below(12); links > 0; links--) {
      const std::string target = random.Below(20) == 0 ? "mailto:ada@a.test" : url(10);
      if (!linked.insert(target).second) continue;
      page.links.push_back({.url = target,
                            .text = "",
                            .kind = static_cast<uint8_t>(random.Below(9)),
                            .nofollow = random.Below(5) == 0});
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

class GraphBuildTest : public testing::Test {
 protected:
  void Put(const std::vector<index::Rows::Page>& pages, int tablet_bits = 0) {
    rows_ = std::make_unique<index::Rows>(tablet_bits);
    for (const index::Rows::Page& page : pages) rows_->Put(page);
    tablets_ = LinkTabletsOf(*rows_);
    const auto lock = LinksLock::Take(LinkFolders(tablets_));
    ASSERT_TRUE(lock.ok());
    SilentProgress progress;
    ASSERT_TRUE(InvertLinks(tablets_, {}, progress).ok());
  }
  Result<NamedGraph> Build(Setting setting, uint64_t memory_bytes = uint64_t{64} << 20,
                           std::function<bool(std::string_view)> excluded = {}) {
    SilentProgress progress;
    CRV_ASSIGN(const LinksFiles links, LinksFiles::Open(tablets_));
    std::vector<std::pair<std::vector<graph::Node>, std::vector<uint32_t>>> lists;
    const BuildGraphOptions options = {.level = setting.level,
                                       .keep_nofollow = setting.keep_nofollow,
                                       .frontier = setting.frontier,
                                       .memory_bytes = memory_bytes,
                                       .names_path = folder_ / "names",
                                       .folder = folder_ / "scratch",
                                       .excluded = std::move(excluded)};
    CRV_ASSIGN(summary_,
               BuildGraph(
                   tablets_, links, options,
                   [&lists](std::span<const graph::Node> nodes, std::span<const uint32_t> counts) {
                     EXPECT_EQ(nodes.size(), counts.size());
                     lists.push_back({{nodes.begin(), nodes.end()}, {counts.begin(), counts.end()}});
                     return Status::Ok();
                   },
                   progress));
    CRV_ASSIGN(const auto names, Mapped<graph::NameList>::Open(folder_ / "names"));
    EXPECT_EQ(names->Check(), Status::Ok());
    EXPECT_EQ(names->identity(), summary_.names_identity);
    EXPECT_EQ(summary_.nodes, names->size());
    EXPECT_EQ(lists.size(), names->size());
    NamedGraph graph;
    uint64_t arcs = 0;
    for (graph::Node node = 0; node < names->size(); node++) {
      graph.nodes.push_back(names->Name(node));
      const auto& [successors, counts] = lists[node];
      EXPECT_TRUE(std::adjacent_find(successors.begin(), successors.end(), std::greater_equal<>()) ==
                  successors.end());
      for (size_t i = 0; i < successors.size(); i++) {
        graph.arcs[{names->Name(node), names->Name(successors[i])}] = counts[i];
        arcs++;
      }
    }
    EXPECT_EQ(summary_.arcs, arcs);
    return graph;
  }
  // The arcs between pages of http://h.test, by their paths.
  std::set<std::pair<std::string, std::string>> Arcs(Setting setting = {}) {
    const auto graph = Build(setting);
    EXPECT_TRUE(graph.ok()) << graph.status().ToString();
    std::set<std::pair<std::string, std::string>> arcs;
    const auto path = [](const std::string& name) { return name.substr(name.find("80/") + 2); };
    for (const auto& [arc, count] : graph->arcs) arcs.insert({path(arc.first), path(arc.second)});
    return arcs;
  }
  static index::Rows::Page Page(const std::string& path, const std::vector<std::string>& links = {}) {
    index::Rows::Page page = {.url = "http://h.test" + path, .title = "", .text = "x"};
    for (const std::string& link : links) page.links.push_back({.url = "http://h.test" + link});
    return page;
  }
  static index::Rows::Page Redirect(const std::string& path, const std::string& to) {
    index::Rows::Page page = Page(path);
    page.status = 302;
    page.location = "http://h.test" + to;
    return page;
  }
  static index::Rows::Page Copy(const std::string& path, const std::string& of,
                                const std::vector<std::string>& links = {}) {
    index::Rows::Page page = Page(path, links);
    page.canonical = "http://h.test" + of;
    return page;
  }

  TemporaryFolder folder_;
  std::unique_ptr<index::Rows> rows_;
  std::vector<LinkTablet> tablets_;
  GraphBuildSummary summary_;
};

TEST_F(GraphBuildTest, IsWhatTheObviousConstructionFindsWhateverTheTabletsAndTheMemory) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  for (int round = 0; round < 12; round++) {
    const std::vector<index::Rows::Page> pages = RandomWeb(random);
    std::map<std::string, std::string> names;  // files, by setting
    for (const int bits : {0, 2}) {
      ASSERT_NO_FATAL_FAILURE(Put(pages, bits));
      for (const GraphLevel level : kGraphLevels) {
        for (const bool keep : {false, true}) {
          for (const bool frontier : {false, true}) {
            const Setting setting = {level, keep, frontier};
            const NamedGraph expected = GraphJudge(pages, setting).Build();
            for (const uint64_t memory : {uint64_t{64} << 20, uint64_t{5000}}) {
              const auto graph = Build(setting, memory);
              ASSERT_TRUE(graph.ok()) << graph.status().ToString();
              ASSERT_EQ(graph->nodes, expected.nodes) << GraphLevelName(level) << keep << frontier;
              ASSERT_EQ(graph->arcs, expected.arcs) << GraphLevelName(level) << keep << frontier;
              EXPECT_EQ(summary_.rows, pages.size());
              std::string& bytes =
                  names[std::string(GraphLevelName(level)) + (keep ? "k" : "") + (frontier ? "f" : "")];
              const std::string now = ReadFile(folder_ / "names").value();
              EXPECT_TRUE(bytes.empty() || bytes == now);
              bytes = now;
            }
          }
        }
      }
    }
  }
}

TEST_F(GraphBuildTest, AnArcGoesToWhereItsTargetLeads) {
  Put({Page("/", {"/old", "/print", "/gone", "/never", "/"}),
       Redirect("/old", "/older"),
       Redirect("/older", "/new"),
       Page("/new", {"/"}),
       Copy("/print", "/new", {"/"}),
       {.url = "http://h.test/gone", .title = "", .text = "", .status = 410}});
  EXPECT_THAT(Arcs(), UnorderedElementsAre(Pair("/", "/"), Pair("/", "/new"), Pair("/new", "/")));
  EXPECT_EQ(summary_.nodes, 2u);
  EXPECT_THAT(Arcs({.frontier = true}), UnorderedElementsAre(Pair("/", "/"), Pair("/", "/new"),
                                                             Pair("/", "/never"), Pair("/new", "/")));
  EXPECT_EQ(summary_.nodes, 3u);
}

TEST_F(GraphBuildTest, TenStepsAreFollowedAndElevenAreNot) {
  for (const int steps : {10, 11}) {
    std::vector<index::Rows::Page> pages = {Page("/", {"/1"}), Page("/end")};
    for (int i = 1; i <= steps; i++) {
      pages.push_back(Redirect("/" + std::to_string(i), i == steps ? "/end" : "/" + std::to_string(i + 1)));
    }
    Put(pages);
    EXPECT_EQ(Arcs().size(), steps == 10 ? 1u : 0u);
  }
}

TEST_F(GraphBuildTest, ACanonicalURLCountsOnlyIfItLeadsToAPage) {
  // Two pages that name each other, one that names an unfetched URL, one whose canonical URL redirects back
  // to it, and redirects in a circle.
  Put({Page("/", {"/a", "/b", "/c", "/d", "/d2", "/loop"}), Copy("/a", "/b"), Copy("/b", "/a"),
       Copy("/c", "/never"), Copy("/d", "/d2"), Redirect("/d2", "/d"), Redirect("/loop", "/loop2"),
       Redirect("/loop2", "/loop")});
  EXPECT_THAT(Arcs(),
              UnorderedElementsAre(Pair("/", "/a"), Pair("/", "/b"), Pair("/", "/c"), Pair("/", "/d")));
  EXPECT_EQ(summary_.nodes, 5u);
}

TEST_F(GraphBuildTest, HostsAndDomainsCountLinksAndHoldWhatWasNeverFetched) {
  const auto page = [](const std::string& url, const std::vector<std::string>& links) {
    index::Rows::Page made = {.url = url, .title = "", .text = "x"};
    for (const std::string& link : links) made.links.push_back({.url = link});
    return made;
  };
  Put({page("https://www.a.co.uk/1", {"https://www.a.co.uk/2", "http://b.test:81/x", "http://b.test/y"}),
       page("https://www.a.co.uk/2", {"http://b.test/y", "http://c.d.test/"}), page("http://a.co.uk/", {})},
      1);
  const auto hosts = Build({.level = GraphLevel::kHost});
  ASSERT_TRUE(hosts.ok());
  EXPECT_THAT(hosts->nodes, ElementsAre("test.b", "test.d.c", "uk.co.a", "uk.co.a.www"));
  EXPECT_THAT(hosts->arcs, UnorderedElementsAre(Pair(Pair("uk.co.a.www", "test.b"), 3),
                                                Pair(Pair("uk.co.a.www", "test.d.c"), 1),
                                                Pair(Pair("uk.co.a.www", "uk.co.a.www"), 1)));
  EXPECT_EQ(summary_.links, 5u);
  const auto domains = Build({.level = GraphLevel::kDomain});
  ASSERT_TRUE(domains.ok());
  EXPECT_THAT(domains->nodes, ElementsAre("test.b", "test.d", "uk.co.a"));
}

TEST_F(GraphBuildTest, NamesNothingThatIsExcluded) {
  Put({Page("/", {"/secret", "/known"}), Page("/secret", {"/known"}), Page("/known", {"/secret"}),
       Redirect("/moved", "/secret"), Copy("/copy", "/secret")});
  const auto secret = [](std::string_view key) { return key.ends_with("secret"); };
  for (const GraphLevel level : kGraphLevels) {
    const auto graph = Build({.level = level, .frontier = true}, 1 << 20, secret);
    ASSERT_TRUE(graph.ok());
    for (const std::string& name : graph->nodes) EXPECT_EQ(name.find("secret"), std::string::npos);
  }
  EXPECT_EQ(ReadFile(folder_ / "names")->find("secret"), std::string::npos);
}

TEST_F(GraphBuildTest, StopsWhenItIsToldTo) {
  Put({Page("/", {"/"})});
  SilentProgress progress;
  std::stop_source stop;
  stop.request_stop();
  const LinksFiles links = LinksFiles::Open(tablets_).value();
  const auto stopped = BuildGraph(
      tablets_, links, {.names_path = folder_ / "names", .folder = folder_ / "s", .stop = stop.get_token()},
      [](auto, auto) { return Status::Ok(); }, progress);
  EXPECT_EQ(stopped.status().code(), StatusCode::kUnavailable);
}

TEST_F(GraphBuildTest, KnowsWhetherTheLinksAreThoseOfTheRows) {
  Put({Page("/", {"/a"})}, 1);
  const LinksFiles links = LinksFiles::Open(tablets_).value();
  EXPECT_TRUE(links.Current(tablets_));
  rows_->Put(Page("/a"));
  EXPECT_FALSE(links.Current(tablets_));
}

TEST(GraphNamesTest, AHostIsReversedAndBack) {
  for (const auto& [host, reversed] :
       {std::pair("www.example.org", "org.example.www"), std::pair("org", "org"),
        std::pair("127.0.0.1", "127.0.0.1"), std::pair("[::1]", "[::1]"), std::pair("a..b", "b..a"),
        std::pair("a.", ".a")}) {
    EXPECT_EQ(ReverseHost(host), reversed);
    EXPECT_EQ(ReverseHost(reversed), host);
  }
  EXPECT_EQ(DisplayName(kRowKeyForm, "org,example)https:443/a"), "https://example.org/a");
  EXPECT_EQ(NameOfText(kRowKeyForm, "https://EXAMPLE.org/a").value(), "org,example)https:443/a");
  EXPECT_EQ(NameOfText(kHostForm, "https://www.example.org/a").value(), "org.example.www");
  EXPECT_EQ(NameOfText(kHostForm, "www.example.org").value(), "org.example.www");
  EXPECT_EQ(ParseGraphLevel("host").value(), GraphLevel::kHost);
  EXPECT_EQ(ParseGraphLevel("sites").status().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace crivello::jobs
