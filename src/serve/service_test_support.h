// SPDX-License-Identifier: Apache-2.0
// A service over a small index, and a server in front of it.  Included by _test.cc files only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "index/build/segment_builder.h"
#include "index/segments/document_values.h"
#include "search/index_searcher.h"
#include "serve/dashboard/dashboard_site.h"
#include "serve/http/http_test_client.h"
#include "serve/service.h"

namespace crivello::serve {

inline index::IndexDocument TestPage(const std::string& host, const std::string& path,
                                     const std::string& title, const std::string& body,
                                     const std::string& language) {
  index::IndexDocument page;
  page.url = "https://" + host + path;
  page.title = title;
  page.text = body;
  page.language = language;
  page.texts = {{"title", title}, {"body", body}};
  page.labels = {{"language", language}, {"site", host}};
  page.keywords = {{"site", host}, {"lang", language}, {"type", "html"}};
  page.numbers = {{std::string(index::column::kTime), 1'600'000'000}};  // 2020-09-13
  page.scores = {{"inlinks", static_cast<float>(path.size())}};
  return page;
}

inline std::vector<index::IndexDocument> TestPages() {
  return {TestPage("a.it", "/crivello", "Il crivello di Eratostene",
                   "Un crivello lascia passare i numeri primi.", "it"),
          TestPage("a.it", "/primi", "Numeri primi", "I numeri primi sono infiniti, dice Euclide.", "it"),
          TestPage("b.org", "/sieve", "The sieve", "A sieve of Eratosthenes finds prime numbers.", "en"),
          TestPage("b.org", "/primes", "=Prime numbers",
                   "Prime numbers are found by a sieve, \"quickly\" & well.", "en"),
          TestPage("c.org", "/trees", "<script>alert(1)</script>", "Trees grow in prime forests.", "en")};
}

inline std::shared_ptr<const index::Snapshot> TestSnapshot(const std::vector<index::IndexDocument>& pages,
                                                           uint64_t generation) {
  const std::string analyser(text::kStandardAnalyser);
  index::MemorySink sink;
  auto builder = index::SegmentBuilder::Create({.analyser = analyser}, sink);
  EXPECT_TRUE(builder.ok()) << builder.status().ToString();
  for (const index::IndexDocument& page : pages) EXPECT_TRUE((*builder)->Add(page).ok());
  EXPECT_TRUE((*builder)->Finish().ok());
  auto segment = index::Segment::FromParts(std::move(sink).Release());
  EXPECT_TRUE(segment.ok()) << segment.status().ToString();
  return std::make_shared<index::Snapshot>(std::vector<index::SegmentView>{{*segment, nullptr}}, generation,
                                           analyser);
}

class TestPageSource final : public PageSource {
 public:
  Result<std::vector<PageVersion>> Versions(std::string_view url) override {
    if (url != "https://a.it/primi") return Status::NotFound(std::string(url) + " has no row");
    PageVersion kept;
    kept.time_seconds = 1'600'000'000;
    kept.status = 200;
    kept.type = "text/html";
    PageVersion hidden = kept;
    kept.text = "I numeri \xff";  // not all that is kept is UTF-8
    kept.links = {{"https://b.org/", "b"}};
    hidden.text = "secret";
    hidden.noarchive = true;
    return std::vector<PageVersion>{kept, hidden};
  }
  Result<PageRecord> Record(std::string_view) override { return Status::NotFound("none"); }
  Result<std::vector<collection::Reason>> Why(std::string_view) override {
    return std::vector<collection::Reason>{{1'600'000'000'000'000, "fetched", "fetched: 200"},
                                           {0, "queued", "is queued"}};
  }
  Result<CollectionStats> Stats() override { return CollectionStats{.pages = 5, .hosts = 3, .queued = 7}; }
};

class TestCrawl final : public CrawlControl {
 public:
  State state() const override { return state_.load(); }
  CrawlStatus status() const override {
    MutexLock lock(mu_);
    return status_;
  }
  // What status() shows, and that nothing is left to do.
  void Finish(const std::string& why, uint64_t queued = 7272) {
    state_ = State::kFinished;
    MutexLock lock(mu_);
    status_.idle = why;
    status_.queued = queued;
  }
  void SetTroubles(CrawlStatus::Seeds troubled) {
    MutexLock lock(mu_);
    status_.seeds = std::move(troubled);
  }
  void SetRevisits(CrawlStatus::Revisits revisits) {
    MutexLock lock(mu_);
    status_.revisits = std::move(revisits);
  }
  std::vector<std::string> seeds() const override { return seeds_; }
  Status AddSeeds(const std::vector<std::string>& urls) override {
    for (const std::string& url : urls) {
      if (!url.starts_with("http")) return Status::InvalidArgument(url + " is no URL");
    }
    seeds_.insert(seeds_.end(), urls.begin(), urls.end());
    return Status::Ok();
  }
  Status Offer(const CrawlOffer& offer) override {
    offered.push_back(offer);
    return Status::Ok();
  }
  CrawlLimits limits() const override { return limits_; }
  Status SetLimits(const CrawlLimits& limits) override {
    limits_ = limits;
    return Status::Ok();
  }
  Status Pause() override {
    state_ = State::kPaused;
    return Status::Ok();
  }
  Status Resume() override {
    state_ = State::kRunning;
    return Status::Ok();
  }
  std::vector<policy::Exclusion> exclusions() const override { return exclusions_; }
  Result<ExclusionPreview> Preview(const policy::Exclusion& exclusion) override {
    return ExclusionPreview{
        .queued = 2, .queued_hosts = 1, .queued_examples = {"https://" + exclusion.text + "/"}, .rows = 3};
  }
  Result<std::optional<uint64_t>> Exclude(const policy::Exclusion& exclusion) override {
    exclusions_.push_back(exclusion);
    return std::optional<uint64_t>(2);
  }
  std::vector<CrawlOffer> offered;
  Status Include(const policy::Exclusion& exclusion) override {
    const auto found = std::find(exclusions_.begin(), exclusions_.end(), exclusion);
    if (found == exclusions_.end()) return Status::NotFound("no such exclusion");
    exclusions_.erase(found);
    return Status::Ok();
  }

 private:
  static CrawlStatus AtStart() {
    CrawlStatus status;
    status.pages = 42;
    status.statuses[2] = 41;
    return status;
  }

  mutable Mutex mu_;  // a thread of the server asks for the status
  CrawlStatus status_ CRV_GUARDED_BY(mu_) = AtStart();
  CrawlLimits limits_ = {.pages = 100};
  std::vector<policy::Exclusion> exclusions_;
  std::atomic<State> state_ = State::kRunning;  // the monitor looks at it
  std::vector<std::string> seeds_;
};

// Forgets at once, or, once it is `slow`, never ends.
class TestForget final : public ForgetControl {
 public:
  State state() const override { return {.running = running_, .entries = entries_}; }
  Result<ForgetPreview> Preview(const collection::ForgetTarget& target) override {
    return ForgetPreview{.rows = 2, .versions = 3, .bytes = 4000, .examples = {target.text}};
  }
  Status Begin(const collection::ForgetTarget& target, const std::string& reason) override {
    if (running_) return Status::Unavailable("one at a time");
    running_ = slow;
    entries_.push_back({.target = target, .reason = reason, .begun = 1'600'000'000});
    if (!slow) {
      entries_.back().done = 1'600'000'060;
      entries_.back().rows = 2;
    }
    return Status::Ok();
  }
  bool slow = false;

 private:
  bool running_ = false;
  std::vector<collection::ForgottenEntry> entries_;
};

// Two hosts that link to each other, one of them with what a page might show wrongly.
class TestHosts final : public HostSource {
 public:
  Result<std::shared_ptr<const collection::HostSurvey>> Hosts() override {
    auto survey = std::make_shared<collection::HostSurvey>();
    survey->hosts.resize(2);
    survey->hosts[0].report.host = "a.it";
    survey->hosts[0].report.pages = 3;
    survey->hosts[0].report.statuses = {0, 0, 2, 0, 1, 0};
    survey->hosts[0].languages = {{"it", 2}};
    survey->hosts[0].rank_place = 17;
    survey->ranked_hosts = 4242;
    survey->hosts[1].report.host = "b.org";
    survey->hosts[1].report.last_error = "<img src=x onerror=alert(1)>";
    survey->hosts[1].robots = "forbids all (403)";
    survey->hosts[1].report.given_up = true;
    survey->links = {{0, 1, 7}, {1, 0, 1}};
    survey->troubles = {{"https://a.it/\"><script>", 1'600'000'000'000'000, "status-404", "answered <404>"}};
    survey->trouble_counts = {{"status-404", 1}};
    return std::shared_ptr<const collection::HostSurvey>(survey);
  }
};

// A small web, one of whose hosts has a name that a page might show wrongly; or `status`.
class TestShape final : public ShapeSource {
 public:
  Result<std::shared_ptr<const WebShape>> Shape() override {
    if (!status.ok()) return status;
    WebShape shape = {.time = 1'600'000'000, .pages = 10, .links = 21, .components = 4};
    shape.bow_tie = {{"core", 5}, {"in", 2}, {"out", 2}, {"tendrils", 1}, {"disconnected", 0}};
    shape.outdegrees = {{0, 2}, {1, 3}, {3, 4}, {100, 1}};
    shape.indegrees = {{0, 1}, {2, 9}};
    shape.distances = {0.25, 0.5, 0.25};
    shape.average_distance = 1;
    shape.effective_distance = 1.6;
    shape.reachable = 0.4;
    shape.error = 0.03;
    shape.hosts = 3;
    shape.host_links = 4;
    shape.best_hosts = {{"a.it", 1, 0.5}, {"<b>.org", 2, 0.25}};
    return std::make_shared<const WebShape>(std::move(shape));
  }
  Status status;
};

// Takes lines that begin with '{', `room` of them before it is full.
class TestSink final : public DocumentSink {
 public:
  Status Add(std::string_view line) override {
    if (!line.starts_with('{')) return Status::InvalidArgument("no object");
    if (lines.size() == room) return Status::Unavailable("full");
    lines.emplace_back(line);
    return Status::Ok();
  }
  Result<uint64_t> Remove(const DocumentName& name) override {
    removed.push_back(name);
    return uint64_t{name.url.find("nowhere") == std::string::npos ? 1u : 0u};
  }
  std::vector<DocumentName> removed;
  Status Commit() override {
    committed = lines.size();
    return Status::Ok();
  }
  size_t room = 3;
  std::vector<std::string> lines;
  size_t committed = 0;
};

class ServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    auto searcher = search::IndexSearcher::Create(TestSnapshot(TestPages(), 7));
    ASSERT_TRUE(searcher.ok()) << searcher.status().ToString();
    searcher_ = *std::move(searcher);
    parts_.searcher = searcher_.get();
    parts_.index = [this] {
      const auto snapshot = searcher_->snapshot();
      return IndexStats{.ready = ready_.load(),
                        .snapshot = snapshot->generation(),
                        .documents = snapshot->live_documents(),
                        .segments = snapshot->segments().size()};
    };
    parts_.disk = [] { return DiskStats{.known = true, .archive = 1200, .free = 5000, .total = 10000}; };
    parts_.pages = &pages_;
    parts_.crawl = &crawl_;
    parts_.hosts = &hosts_;
    parts_.shape = &shape_;
    parts_.forget = &forget_;
    parts_.memory_budget = 1 << 30;
    monitor_ = std::make_unique<CrawlMonitor>(parts_);
    parts_.monitor = monitor_.get();
    dashboard_ = std::make_unique<DashboardSite>(parts_, monitor_.get());
    parts_.dashboard = dashboard_.get();
    parts_.sink = &sink_;
    parts_.http = &counters_;
    parts_.version = "1.2.3";
  }
  // Tests change parts_ before.
  void Start() {
    service_ = std::make_unique<Service>(parts_);
    auto server = HttpServer::Open({.port = 0, .counters = &counters_}, *service_);
    ASSERT_TRUE(server.ok()) << server.status().ToString();
    server_ = *std::move(server);
  }
  TestClient::Answer Ask(const std::string& method, const std::string& target, const HttpFields& headers = {},
                         const std::string& body = "") {
    return TestClient(server_->port()).Ask(method, target, headers, body);
  }
  TestClient::Answer Get(const std::string& target, const HttpFields& headers = {}) {
    return Ask("GET", target, headers);
  }
  // Expects this status.
  Json GetJson(const std::string& target, int status = 200) { return JsonOf(Get(target), status); }
  Json PostJson(const std::string& target, const std::string& body, int status = 200) {
    return JsonOf(Ask("POST", target, {{"Content-Type", "application/json"}}, body), status);
  }
  static Json JsonOf(const TestClient::Answer& answer, int status) {
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_EQ(answer.Header("Content-Type"), "application/json");
    return Json::parse(answer.body, nullptr, /*allow_exceptions=*/false);
  }

  std::atomic<bool> ready_ = true;
  std::unique_ptr<search::IndexSearcher> searcher_;
  TestPageSource pages_;
  TestCrawl crawl_;
  TestForget forget_;
  TestHosts hosts_;
  TestShape shape_;
  TestSink sink_;
  HttpStats counters_;
  ServiceParts parts_;
  std::unique_ptr<CrawlMonitor> monitor_;
  std::unique_ptr<DashboardSite> dashboard_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace crivello::serve
