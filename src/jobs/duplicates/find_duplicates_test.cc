// SPDX-License-Identifier: Apache-2.0
#include "jobs/duplicates/find_duplicates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/test_support.h"
#include "dedup/discovery/planted_copies.h"
#include "graph/names/name_list_writer.h"
#include "graph/rank_file.h"
#include "jobs/duplicates/clusters_file.h"
#include "jobs/duplicates/duplicates_folder.h"
#include "jobs/duplicates/mirrors.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::jobs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::string DupKeyOf(const std::string& url) { return web::RowKey(*web::ParseUrl(url)).value(); }

// A collection with rows written as by a crawl.
class DuplicatePages {
 public:
  struct Page {
    std::string text;
    int status = 200;
    std::string canonical = {};
    store::VersionTime time = 1'000'000;
  };

  explicit DuplicatePages(const std::string& folder, uint32_t tablets = 1) : folder_(folder) {
    collection::CollectionOptions options;
    options.directory = folder;
    options.tablets = tablets;
    store_ = collection::Collection::Open(options).value();
  }

  void Put(const std::string& url, const Page& page) {
    const std::string key = DupKeyOf(url);
    collection::Tablet& tablet = **store_->TabletOfHost(web::ParseUrl(url)->hostname());
    const dedup::PageDigest digest = dedup::PageDigester().Digest(page.text);
    const store::FetchCell fetch = {.status = static_cast<uint16_t>(page.status),
                                    .content_type = "text/html",
                                    .text_digest = digest.text,
                                    .simhash = digest.simhash,
                                    .canonical = page.canonical};
    std::string cell;
    store::EncodeTextCell({.blocks = {{.text = page.text}}}, &cell);
    kv::Batch batch;
    ASSERT_TRUE(tablet.table().Put(key, {.time = page.time, .fetch = &fetch, .text = cell}, &batch).ok());
    ASSERT_TRUE(tablet.db().Write(batch, {.sync = true}).ok());
  }
  void Put(const std::map<std::string, std::string>& pages) {
    for (const auto& [url, text] : pages) Put(url, Page{.text = text});
  }

  Result<FoundDuplicates> TryFind(FindDuplicatesOptions options = {}) {
    SilentProgress progress;
    return FindDuplicates(*store_, options, progress);
  }
  FoundDuplicates Find(FindDuplicatesOptions options = {}) {
    auto found = TryFind(std::move(options));
    EXPECT_TRUE(found.ok()) << found.status().ToString();
    return *std::move(found);
  }
  // The clusters in the cells: URLs by representative.
  std::map<std::string, std::set<std::string>> Clusters() {
    std::map<std::string, std::set<std::string>> clusters;
    for (collection::Tablet* const tablet : store_->tablets()) {
      EXPECT_TRUE(tablet->duplicates()
                      .ForEach([&](std::string_view key, const store::DupCell& cell) {
                        clusters[UrlOf(cell.representative)].insert(UrlOf(key));
                        return Status::Ok();
                      })
                      .ok());
    }
    return clusters;
  }
  // The files of the job, by name.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    const std::string folder = folder_ + "/duplicates";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        files[std::filesystem::relative(entry.path(), folder).string()] = *ReadFile(entry.path().string());
      }
    }
    return files;
  }
  collection::Collection& store() { return *store_; }
  const std::string& folder() const { return folder_; }
  static std::string UrlOf(std::string_view key) { return web::UrlOfRowKey(key)->href(); }

 private:
  const std::string folder_;
  std::unique_ptr<collection::Collection> store_;
};

// Pages with all kinds of copies, on some hosts.
std::map<std::string, std::string> PlantedPages(uint64_t seed, int each) {
  std::map<std::string, std::string> pages;
  dedup::PageMaker maker(seed);
  for (int i = 0; i < each; i++) {
    for (const dedup::Plant plant : dedup::kPlants) {
      const auto [page, copy] = maker.Plants(plant);
      const std::string name = std::to_string(static_cast<int>(plant)) + "-" +
                               std::to_string(seed * 1000 + static_cast<uint64_t>(i));
      pages["https://h" + std::to_string(i % 5) + ".example/" + name] = page;
      pages["https://m" + std::to_string(i % 3) + ".example/copy/" + name] = copy;
    }
  }
  return pages;
}

// The simple way: compares all pairs.
std::set<std::set<std::string>> JudgedClusters(const std::map<std::string, std::string>& pages) {
  std::vector<std::pair<std::string, dedup::WordBag>> bags;
  for (const auto& [url, text] : pages) bags.emplace_back(url, dedup::WordBag(dedup::Words(text)));
  std::vector<size_t> cluster(bags.size());
  for (size_t i = 0; i < bags.size(); i++) cluster[i] = i;
  for (size_t i = 0; i < bags.size(); i++) {
    for (size_t j = 0; j < i; j++) {
      if (dedup::WordShare(bags[i].second, bags[j].second) < dedup::kDefaultWordShare) continue;
      const size_t from = cluster[i], to = cluster[j];
      std::replace(cluster.begin(), cluster.end(), from, to);
    }
  }
  std::map<size_t, std::set<std::string>> sets;
  for (size_t i = 0; i < bags.size(); i++) sets[cluster[i]].insert(bags[i].first);
  std::set<std::set<std::string>> clusters;
  for (const auto& [number, urls] : sets) {
    if (urls.size() > 1) clusters.insert(urls);
  }
  return clusters;
}

std::set<std::set<std::string>> SetsOf(const std::map<std::string, std::set<std::string>>& clusters) {
  std::set<std::set<std::string>> sets;
  for (const auto& [representative, urls] : clusters) {
    EXPECT_TRUE(urls.contains(representative));
    sets.insert(urls);
  }
  return sets;
}

class FindDuplicatesTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
};

TEST_F(FindDuplicatesTest, FindsWhatComparingAllWithAllFindsWhateverTheTabletsAndThreads) {
  const auto pages = PlantedPages(1, 6);
  const auto judged = JudgedClusters(pages);
  ASSERT_EQ(judged.size(), 30u);
  std::map<std::string, std::string> files;
  std::map<std::string, std::set<std::string>> clusters;
  for (const uint32_t tablets : {1u, 16u}) {
    for (const unsigned threads : {1u, 2u}) {
      SCOPED_TRACE(testing::Message() << tablets << " tablets, " << threads << " threads");
      DuplicatePages collection(folder_ / std::to_string(tablets * 10 + threads), tablets);
      collection.Put(pages);
      const FoundDuplicates found = collection.Find({.threads = threads});
      EXPECT_EQ(found.documents, pages.size());
      EXPECT_EQ(found.in_clusters, 60u);
      EXPECT_EQ(found.avoided + found.counts.comparisons, pages.size() * (pages.size() - 1) / 2);
      EXPECT_LT(found.counts.comparisons, 200u);
      EXPECT_EQ(SetsOf(collection.Clusters()), judged);
      if (files.empty()) {
        files = collection.Files();
        clusters = collection.Clusters();
      }
      EXPECT_EQ(collection.Files(), files);
      EXPECT_EQ(collection.Clusters(), clusters);
      uint64_t pairs = 0;
      EXPECT_TRUE(found
                      .ForEachPair([&](uint32_t a, uint32_t b, double similarity) {
                        pairs++;
                        EXPECT_NE(a, b);
                        EXPECT_GE(similarity, 0.7);
                        return Status::Ok();
                      })
                      .ok());
      EXPECT_EQ(pairs, found.pairs + found.equal);
    }
  }
}

TEST_F(FindDuplicatesTest, ReadsOnlyTheTextsThatAreNewAndFindsTheSame) {
  const auto first = PlantedPages(1, 4), second = PlantedPages(2, 3);
  DuplicatePages grown(folder_ / "grown", 4);
  grown.Put(first);
  grown.Find();
  grown.Put(second);
  const FoundDuplicates found = grown.Find();
  EXPECT_EQ(found.pages.pages, first.size() + second.size());
  EXPECT_EQ(found.pages.added, second.size());
  EXPECT_EQ(found.fingerprints.runs(), 2u);
  auto all = first;
  all.insert(second.begin(), second.end());
  EXPECT_EQ(SetsOf(grown.Clusters()), JudgedClusters(all));
  // And again, with nothing new.
  const FoundDuplicates again = grown.Find();
  EXPECT_EQ(again.pages.added, 0u);
  EXPECT_EQ(again.counts.comparisons, found.counts.comparisons);
  EXPECT_EQ(SetsOf(grown.Clusters()), JudgedClusters(all));
  // Documents that connected others but are gone connect nothing: every page that was a copy has a new text.
  int changed = 0;
  for (const auto& [url, text] : first) {
    if (url.find("/copy/") == std::string::npos) continue;
    dedup::PageMaker maker(500 + static_cast<uint64_t>(changed++));
    const std::string other = maker.Page(maker.Article());
    grown.Put(url, {.text = other, .time = 2'000'000});
    all[url] = other;
  }
  EXPECT_EQ(grown.Find().pages.added, static_cast<uint64_t>(changed));
  EXPECT_EQ(SetsOf(grown.Clusters()), JudgedClusters(all));
}

TEST_F(FindDuplicatesTest, GoesOnWhereItWasInterruptedAndLeavesTheSameBytes) {
  const auto pages = PlantedPages(3, 4);
  DuplicatePages collection(folder_ / "c", 2);
  collection.Put(pages);
  const FindDuplicatesOptions options = {.memory_bytes = 1 << 15};  // small, for several runs
  const FoundDuplicates found = collection.Find(options);
  ASSERT_GT(found.fingerprints.runs(), 2u);
  const auto files = collection.Files();
  const auto clusters = collection.Clusters();
  // A kill leaves the files that were complete, in the order in which they are made.
  const std::vector<std::vector<std::string>> missing = {
      {"shingles/words-0.7000/clusters"},
      {"shingles/words-0.7000/clusters", "shingles/words-0.7000/pairs"},
      {"shingles/words-0.7000", "shingles/pages-00001", "shingles/pages-00002"},
      {"shingles/words-0.7000", "shingles/pages-00001", "shingles/run-00001"},
      {"shingles"}};
  for (const auto& gone : missing) {
    SCOPED_TRACE(testing::PrintToString(gone));
    for (const std::string& name : gone)
      ASSERT_TRUE(RemoveFolder(collection.folder() + "/duplicates/" + name).ok());
    if (gone.size() > 2) {
      for (size_t i = 2; i < found.fingerprints.runs(); i++) {
        std::filesystem::remove(RunPagesPath(collection.folder() + "/duplicates/shingles", i));
      }
    }
    if (gone.size() < 3) {  // nor partial files left by it
      for (const std::string temporary :
           {"shingles/pages-00000.tmp-1-2", "shingles/words-0.7000/pairs.tmp-1-3"})
        std::ofstream(collection.folder() + "/duplicates/" + temporary) << "half";
    }
    collection.Find(options);
    EXPECT_TRUE(collection.Files() == files);
    EXPECT_EQ(collection.Clusters(), clusters);
  }
  std::stop_source stop;
  stop.request_stop();
  FindDuplicatesOptions stopped = options;
  stopped.stop = stop.get_token();
  EXPECT_EQ(collection.TryFind(stopped).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(collection.Files(), files);
}

TEST_F(FindDuplicatesTest, MakesDamagedFilesAnew) {
  const auto pages = PlantedPages(4, 2);
  DuplicatePages collection(folder_ / "c");
  collection.Put(pages);
  collection.Find();
  const auto files = collection.Files();
  const std::string folder = collection.folder() + "/duplicates/";
  for (const std::string name : {"shingles/run-00000", "shingles/pages-00000", "shingles/words-0.7000/pairs",
                                 "shingles/words-0.7000/clusters"}) {
    SCOPED_TRACE(name);
    std::string bytes = files.at(name);
    bytes[bytes.size() / 2] ^= 1;
    ASSERT_TRUE(WriteFileAtomically(folder + name, AsBytes(bytes)).ok());
    const auto damage = CheckDuplicates(collection.folder(), DuplicateFolders(collection.store()));
    ASSERT_TRUE(damage.ok());
    ASSERT_EQ(damage->size(), 1u);
    EXPECT_THAT(damage->front().message(), testing::HasSubstr(name));
    collection.Find();
    EXPECT_EQ(collection.Files(), files);
    EXPECT_THAT(*CheckDuplicates(collection.folder(), DuplicateFolders(collection.store())), IsEmpty());
  }
}

TEST_F(FindDuplicatesTest, ChoosesWhoStandsForACluster) {
  dedup::PageMaker maker(5);
  DuplicatePages collection(folder_ / "c", 2);
  const std::string text = maker.Page(maker.Article());
  collection.Put("https://a.example/quite/long", {.text = text, .time = 5});
  collection.Put("https://b.example/short", {.text = text, .time = 9});
  collection.Put("https://c.example/short", {.text = text, .time = 7});
  const auto representative = [&] {
    collection.Find();
    const auto clusters = collection.Clusters();
    EXPECT_EQ(clusters.size(), 1u);
    return clusters.empty() ? "" : clusters.begin()->first;
  };
  EXPECT_EQ(representative(), "https://c.example/short");  // the shortest URL, then the one fetched first
  // A rank has precedence over that.
  const std::string directory = collection.folder();
  std::filesystem::create_directories(directory + "/graph");
  std::filesystem::create_directories(directory + "/ranks");
  auto names = graph::NameListWriter::Create({.path = directory + "/graph/pages.urls", .form = "row-key"});
  for (const std::string url : {"https://a.example/quite/long", "https://b.example/short"}) {
    ASSERT_TRUE(names->Add(DupKeyOf(url)).ok());
  }
  const uint64_t identity = names->Finish().value();
  ASSERT_TRUE(graph::WriteRankVector(directory + "/ranks/pagerank",
                                     {.names = "pages", .names_identity = identity, .how = "a test"},
                                     std::vector<double>{0.5, 0.25})
                  .ok());
  EXPECT_EQ(representative(), "https://a.example/quite/long");
  // The pages' own statements have precedence over everything.
  collection.Put("https://c.example/short",
                 {.text = text, .canonical = "https://b.example/short", .time = 17});
  EXPECT_EQ(representative(), "https://b.example/short");
}

TEST_F(FindDuplicatesTest, ComparesNoErrorsAndNoPagesWithoutWords) {
  dedup::PageMaker maker(6);
  DuplicatePages collection(folder_ / "c");
  const std::string text = maker.Page(maker.Article());
  for (int i = 0; i < 10; i++) {
    const std::string host = "https://h" + std::to_string(i) + ".example/";
    collection.Put(host + "missing", {.text = text, .status = 404});
    collection.Put(host + "empty", {.text = ""});
  }
  collection.Put("https://a.example/", {.text = text});
  const FoundDuplicates found = collection.Find();
  EXPECT_EQ(found.documents, 1u);
  EXPECT_THAT(collection.Clusters(), IsEmpty());
}

TEST_F(FindDuplicatesTest, FindsTheNearDuplicatesOfOnePage) {
  dedup::PageMaker maker(7);
  DuplicatePages collection(folder_ / "c", 4);
  collection.Put(PlantedPages(8, 3));
  const auto [page, copy] = maker.Plants(dedup::Plant::kScatteredTenth);
  collection.Put("https://a.example/", {.text = page});
  for (const dedup::Method method :
       {dedup::Method::kShingles, dedup::Method::kMinHash, dedup::Method::kSimHash}) {
    SCOPED_TRACE(dedup::MethodName(method));
    const FindDuplicatesOptions options = {.method = method};
    EXPECT_EQ(FindNearDuplicatesOf(collection.store(), page, "", options).status().code(),
              StatusCode::kNotFound);
    collection.Find(options);
    const auto same = FindNearDuplicatesOf(collection.store(), page, "", options);
    ASSERT_TRUE(same.ok()) << same.status().ToString();
    ASSERT_EQ(same->pages.size(), 1u);
    EXPECT_EQ(same->pages[0].url, "https://a.example/");
    EXPECT_EQ(same->pages[0].similarity, 1.0);
    const auto itself =
        FindNearDuplicatesOf(collection.store(), page, DupKeyOf("https://a.example/"), options);
    EXPECT_THAT(itself->pages, IsEmpty());
  }
  const auto near = FindNearDuplicatesOf(collection.store(), copy, "", {});
  ASSERT_EQ(near->pages.size(), 1u);
  EXPECT_GT(near->pages[0].similarity, 0.8);
  EXPECT_THAT(FindNearDuplicatesOf(collection.store(), copy, "", {.threshold = 0.99})->pages, IsEmpty());
}

TEST_F(FindDuplicatesTest, ReportsMirrorsAsHosts) {
  dedup::PageMaker maker(9);
  DuplicatePages collection(folder_ / "c", 4);
  for (int i = 0; i < 6; i++) {
    const std::string page = maker.Page(maker.Article());
    const std::string name = "page-" + std::to_string(i);
    collection.Put("https://original.example/" + name, {.text = page});
    if (i > 0) collection.Put("https://mirror.example/copied/" + name, {.text = page});
    if (i < 2) collection.Put("https://quotes.example/" + name, {.text = page});
    collection.Put("https://quotes.example/own/" + name, {.text = maker.Page(maker.Article())});
  }
  collection.Find();
  const auto mirrors = FindMirrors(collection.store());
  ASSERT_TRUE(mirrors.ok()) << mirrors.status().ToString();
  ASSERT_EQ(mirrors->size(), 1u);
  const MirrorHosts& mirror = mirrors->front();
  EXPECT_EQ(std::pair(mirror.host, mirror.original),
            std::pair(std::string("mirror.example"), std::string("original.example")));
  EXPECT_EQ(mirror.shared, 5u);
}

TEST_F(FindDuplicatesTest, TakesNoClusterOfAForgottenPage) {
  dedup::PageMaker maker(10);
  DuplicatePages collection(folder_ / "c");
  const std::string text = maker.Page(maker.Article());
  for (const std::string host : {"a", "b", "c"})
    collection.Put("https://" + host + ".example/", {.text = text});
  ASSERT_TRUE(collection.store()
                  .forgotten()
                  .Replace({{.target = *collection::ForgetTarget::Parse("https://a.example/")}})
                  .ok());
  EXPECT_EQ(collection.Find().documents, 2u);
  EXPECT_THAT(SetsOf(collection.Clusters()),
              UnorderedElementsAre(std::set<std::string>{"https://b.example/", "https://c.example/"}));
  for (const auto& [name, bytes] : collection.Files())
    EXPECT_EQ(bytes.find("example,a)"), std::string::npos) << name;
}

TEST(ClustersFileTest, GivesBackALineAndRefusesOthers) {
  const PageCluster page = {.row_key = "example,a)https:443/",
                            .text_digest = 0xfeedull,
                            .members = 3,
                            .representative = "example,b)https:443/"};
  const std::string line = LineOfCluster(page);
  EXPECT_EQ(line, "example,a)https:443/ example,b)https:443/ 000000000000feed 3");
  const auto parsed = ParseClusterLine(line);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->row_key, page.row_key);
  EXPECT_EQ(parsed->representative, page.representative);
  EXPECT_EQ(parsed->text_digest, page.text_digest);
  EXPECT_EQ(parsed->members, page.members);
  for (const std::string bad :
       {"", "a", "a b", "a b 10", "a b 10 1", "a b xyz 3", "a b 10 3 4", " b 10 3", "a  10 3"}) {
    EXPECT_EQ(ParseClusterLine(bad).status().code(), StatusCode::kCorruption) << bad;
  }
}

}  // namespace
}  // namespace crivello::jobs
