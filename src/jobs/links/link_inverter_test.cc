// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/link_inverter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>
#include <tuple>

#include "base/atomic_file.h"
#include "base/random.h"
#include "jobs/links/link_anchors.h"
#include "jobs/links/links_file.h"
#include "jobs/links/links_folder.h"
#include "jobs/links/links_test_support.h"

namespace crivello::jobs {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

// Target, source, kind, flags, text.
using Arc = std::tuple<std::string, std::string, int, int, std::string>;

std::string Key(const std::string& url) { return web::RowKey(web::ParseUrl(url).value()).value(); }

// A few hosts that link to one another, to pages that were never fetched and to other schemes.
std::vector<index::Rows::Page> RandomPages(SeededRandom& random) {
  std::vector<index::Rows::Page> pages;
  const auto url = [&random](uint64_t hosts) {
    return "https://h" + std::to_string(random.Below(hosts)) + ".test/" + std::to_string(random.Below(6));
  };
  std::set<std::string> seen;
  const uint64_t count = random.Below(80);
  for (uint64_t i = 0; i < count; i++) {
    index::Rows::Page page = {.url = url(8), .title = "", .text = "some words"};
    if (!seen.insert(page.url).second) continue;
    page.noindex = random.Below(8) == 0;
    page.nofollow = random.Below(8) == 0;
    page.status = random.Below(8) == 0 ? 404 : 200;
    if (random.Below(10) == 0) {
      page.status = 301;
      page.location = url(10);
    }
    std::set<std::string> linked;
    for (uint64_t links = random.Below(12); links > 0; links--) {
      const std::string target = random.Below(15) == 0 ? "mailto:ada@h1.test" : url(10);
      if (!linked.insert(target).second) continue;
      page.links.push_back(
          {.url = target,
           .text = random.Below(40) == 0 ? std::string(1000, 'l') : std::string(random.Below(3), 't'),
           .kind = static_cast<uint8_t>(random.Below(9)),
           .nofollow = random.Below(5) == 0});
    }
    pages.push_back(std::move(page));
  }
  return pages;
}

// The straightforward inversion.
std::vector<Arc> Judge(const std::vector<index::Rows::Page>& pages) {
  std::vector<Arc> arcs;
  for (const index::Rows::Page& page : pages) {
    const int flags = (page.nofollow ? link_flag::kSourceNofollow : 0) |
                      (page.noindex ? link_flag::kSourceNoindex : 0) |
                      (page.status != 200 ? link_flag::kSourceFailed : 0);
    if (!page.location.empty()) {
      arcs.emplace_back(Key(page.location), Key(page.url), static_cast<int>(LinkKind::kRedirect), flags, "");
    }
    for (const store::OutLink& link : page.links) {
      if (link.url.starts_with("mailto")) continue;
      arcs.emplace_back(Key(link.url), Key(page.url), link.kind,
                        flags | (link.nofollow ? link_flag::kNofollow : 0), link.text.substr(0, 256));
    }
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

std::vector<Arc> ArcsOf(const LinkTablet& tablet) {
  const auto file = Mapped<LinksFile>::Open(LinksPath(tablet.folder));
  EXPECT_TRUE(file.ok()) << file.status().ToString();
  std::vector<Arc> arcs;
  LinksCursor cursor(**file);
  while (cursor.Next()) {
    const LinkRecord link = cursor.link();
    arcs.emplace_back(link.target, link.source, static_cast<int>(link.kind), link.flags, link.text);
  }
  EXPECT_TRUE(cursor.status().ok()) << cursor.status().ToString();
  return arcs;
}

Result<LinksSummary> Invert(const std::vector<LinkTablet>& tablets, const InvertLinksOptions& options = {}) {
  CRV_ASSIGN(const LinksLock lock, LinksLock::Take(LinkFolders(tablets)));
  SilentProgress progress;
  return InvertLinks(tablets, options, progress);
}

TEST(LinkInverterTest, WritesWhatTheObviousInversionFindsWhateverTheTabletsAndTheMemory) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  for (int round = 0; round < 6; round++) {
    const std::vector<index::Rows::Page> pages = RandomPages(random);
    const std::vector<Arc> expected = Judge(pages);
    for (const int bits : {0, 1, 2}) {
      index::Rows rows(bits);
      for (const index::Rows::Page& page : pages) rows.Put(page);
      const std::vector<LinkTablet> tablets = LinkTabletsOf(rows);
      std::map<std::string, std::string> files;
      for (const uint64_t memory : {uint64_t{64} << 20, uint64_t{300}}) {
        const auto summary = Invert(tablets, {.memory_bytes = memory});
        ASSERT_TRUE(summary.ok()) << summary.status().ToString();
        EXPECT_EQ(summary->rows, pages.size());
        EXPECT_EQ(summary->links, expected.size());
        std::vector<Arc> found;
        for (const LinkTablet& tablet : tablets) {
          EXPECT_EQ(CheckLinksOf(tablet), Status::Ok());
          const std::vector<Arc> arcs = ArcsOf(tablet);
          EXPECT_TRUE(std::is_sorted(arcs.begin(), arcs.end()));
          for (const Arc& arc : arcs) {
            const web::Url url = web::UrlOfRowKey(std::get<0>(arc)).value();
            EXPECT_TRUE(tablet.id.Contains(web::HostHash(url.hostname()))) << url.href();
          }
          found.insert(found.end(), arcs.begin(), arcs.end());
          std::string& bytes = files[tablet.folder];
          const std::string now = ReadFile(LinksPath(tablet.folder)).value();
          EXPECT_TRUE(bytes.empty() || bytes == now) << "other bytes with less memory";
          bytes = now;
        }
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
      }
    }
  }
}

TEST(LinkInverterTest, TheIndexOfItsFilesIsThatOfTheJudge) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  for (const int bits : {0, 1, 2}) {
    index::Rows rows(bits);
    for (const index::Rows::Page& page : RandomPages(random)) rows.Put(page);
    // More hosts than the number of texts kept.
    rows.Put({.url = "https://popular.test/", .title = "", .text = "popular"});
    for (int i = 0; i < 300; i++) {
      const std::string number = std::to_string(i);
      rows.Put({.url = "https://fan" + number + ".test/",
                .title = "",
                .text = "fan",
                .links = {{.url = "https://popular.test/", .text = "praise" + number}}});
    }
    index::MemoryAnchors judge = rows.Anchors();
    LinkAnchors anchors(LinkTabletsOf(rows));
    SilentProgress progress;
    ASSERT_TRUE(judge.Gather({}, progress).ok());
    ASSERT_TRUE(anchors.Gather({.memory_bytes = 5000}, progress).ok());
    for (size_t i = 0; i < rows.tablets().size(); i++) {
      auto source = anchors.Open(i);
      ASSERT_TRUE(source.ok()) << source.status().ToString();
      EXPECT_EQ(anchors.Open(i).status().code(), StatusCode::kInvalidArgument);
      for (auto row = rows.tablet(i).table->Scan(); row.valid(); row.NextRow()) {
        const std::string key(row.key());
        const auto found = (*source)->Of(key);
        ASSERT_TRUE(found.ok()) << found.status().ToString();
        EXPECT_EQ(found->pages, judge.Of(key).pages) << key;
        EXPECT_EQ(found->texts, judge.Of(key).texts) << key;
      }
    }
    // The files of the index are identical, too, except for their folder.
    const auto segments = [&rows](index::AnchorProvider& provider) {
      index::TableIndexOptions options;
      options.anchors = &provider;
      rows.Build(options);
      std::map<std::string, std::string> files;
      for (size_t i = 0; i < rows.tablets().size(); i++) {
        const std::string folder = index::SegmentsPath(rows.tablet(i).index);
        if (!std::filesystem::exists(folder)) continue;
        for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
          if (!file.is_regular_file()) continue;
          files[std::to_string(i) + file.path().filename().string()] = ReadFile(file.path().string()).value();
        }
      }
      return files;
    };
    const auto expected = segments(judge);
    EXPECT_THAT(expected, testing::SizeIs(testing::Gt(5u)));
    EXPECT_TRUE(segments(anchors) == expected);
  }
}

TEST(LinkInverterTest, ReadsTheNewestVersionAndSaysUpToWhichChanges) {
  index::Rows rows(1);
  rows.Put({.url = "https://a.test/", .title = "", .text = "x", .links = {{.url = "https://b.test/old"}}});
  rows.Put({.url = "https://a.test/",
            .title = "",
            .text = "x",
            .links = {{.url = "https://b.test/new"}},
            .time = 2'000'000});
  const std::vector<LinkTablet> tablets = LinkTabletsOf(rows);
  ASSERT_TRUE(Invert(tablets).ok());
  std::vector<Arc> all;
  for (const LinkTablet& tablet : tablets) {
    for (Arc& arc : ArcsOf(tablet)) all.push_back(std::move(arc));
    const auto file = Mapped<LinksFile>::Open(LinksPath(tablet.folder));
    EXPECT_EQ((*file)->origin().tablet, tablet.id);
    ASSERT_EQ((*file)->origin().sources.size(), 2u);
    for (size_t i = 0; i < 2; i++) {
      EXPECT_EQ((*file)->origin().sources[i].tablet, tablets[i].id);
      EXPECT_EQ((*file)->origin().sources[i].sequence, tablets[i].changes->last());
    }
  }
  EXPECT_THAT(all, ElementsAre(Arc("test,b)https:443/new", "test,a)https:443/", 0, 0, "")));
}

TEST(LinkInverterTest, NamesNothingThatIsExcluded) {
  index::Rows rows(0);
  rows.Put({.url = "https://a.test/", .title = "", .text = "x", .links = {{.url = "https://gone.test/1"}}});
  rows.Put({.url = "https://gone.test/", .title = "", .text = "x", .links = {{.url = "https://a.test/"}}});
  const std::vector<LinkTablet> tablets = LinkTabletsOf(rows);
  ASSERT_TRUE(Invert(tablets).ok());
  EXPECT_EQ(ArcsOf(tablets[0]).size(), 2u);
  ASSERT_TRUE(
      Invert(tablets, {.excluded = [](std::string_view key) { return key.starts_with("test,gone)"); }}).ok());
  EXPECT_THAT(ArcsOf(tablets[0]), IsEmpty());
}

TEST(LinkInverterTest, StopsWhenItIsToldTo) {
  index::Rows rows(0);
  rows.Put({.url = "https://a.test/", .title = "", .text = "x"});
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = Invert(LinkTabletsOf(rows), {.stop = stop.get_token()});
  EXPECT_EQ(stopped.status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(CheckLinksOf(LinkTabletsOf(rows)[0]).code(), StatusCode::kNotFound);
}

TEST(LinkInverterTest, NeedsTabletsThatHoldEveryHostOnce) {
  index::Rows rows(1);
  std::vector<LinkTablet> tablets = LinkTabletsOf(rows);
  tablets.pop_back();
  EXPECT_EQ(Invert(tablets).status().code(), StatusCode::kInvalidArgument);
  // A tablet of one bit and two of two bits.
  index::Rows three(2);
  three.Put({.url = "https://a.test/", .title = "", .text = "x", .links = {{.url = "https://b.test/"}}});
  tablets = LinkTabletsOf(three);
  tablets.erase(tablets.begin() + 1);
  tablets[0].id = {1, 0};
  const auto summary = Invert(tablets);
  ASSERT_TRUE(summary.ok()) << summary.status().ToString();
}

TEST(LinkInverterTest, AFileOfAnotherTabletIsDamage) {
  index::Rows rows(1);
  const std::vector<LinkTablet> tablets = LinkTabletsOf(rows);
  ASSERT_TRUE(Invert(tablets).ok());
  std::filesystem::copy_file(LinksPath(tablets[0].folder), LinksPath(tablets[1].folder),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(CheckLinksOf(tablets[0]), Status::Ok());
  EXPECT_EQ(CheckLinksOf(tablets[1]).code(), StatusCode::kCorruption);
}

TEST(LinksFolderTest, WhatACrashLeftGoesWithTheNextJobAndAllGoesWhenItIsRemoved) {
  index::Rows rows(1);
  const std::vector<LinkTablet> tablets = LinkTabletsOf(rows);
  const std::vector<std::string> folders = LinkFolders(tablets);
  ASSERT_TRUE(RemoveLinks(folders).ok());  // there is nothing to remove
  EXPECT_FALSE(std::filesystem::exists(folders[0]));
  ASSERT_TRUE(Invert(tablets).ok());
  const auto leftover = [&] { return LinksPath(folders[1]) + ".tmp-1-1"; };
  const auto names = [&](const std::string& folder) {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) all.insert(entry.path().filename());
    return all;
  };
  ASSERT_TRUE(WriteFileAtomically(leftover(), AsBytes("half a file")).ok());
  ASSERT_TRUE(Invert(tablets).ok());
  EXPECT_THAT(names(folders[0]), ElementsAre("by-target", "lock"));
  EXPECT_THAT(names(folders[1]), ElementsAre("by-target"));
  ASSERT_TRUE(WriteFileAtomically(leftover(), AsBytes("half a file")).ok());
  ASSERT_TRUE(RemoveLinks(folders).ok());
  EXPECT_THAT(names(folders[0]), ElementsAre("lock"));
  EXPECT_THAT(names(folders[1]), IsEmpty());
}

// A file that was returned by Open() can be read to its end, even if it was removed.
TEST(LinkAnchorsTest, ReadWhatWasGatheredThoughTheFilesAreRemoved) {
  index::Rows rows(0);
  rows.Put({.url = "https://a.test/",
            .title = "",
            .text = "x",
            .links = {{.url = "https://a.test/b", .text = "bee"}}});
  LinkAnchors anchors(LinkTabletsOf(rows));
  SilentProgress progress;
  ASSERT_TRUE(anchors.Gather({}, progress).ok());
  ASSERT_TRUE(RemoveLinks(LinkFolders(LinkTabletsOf(rows))).ok());
  const auto source = anchors.Open(0);
  ASSERT_TRUE(source.ok());
  EXPECT_THAT((*source)->Of("test,a)https:443/b")->texts, ElementsAre("bee"));
}

TEST(LinkAnchorsTest, TellWhichFileIsDamaged) {
  index::Rows rows(0);
  rows.Put({.url = "https://a.test/", .title = "", .text = "x", .links = {{.url = "https://b.test/"}}});
  const std::vector<LinkTablet> tablets = LinkTabletsOf(rows);
  ASSERT_TRUE(Invert(tablets).ok());
  const std::string path = LinksPath(tablets[0].folder);
  std::string bytes = ReadFile(path).value();
  bytes[kHeaderBytes + kLinksBlockHeadBytes] =
      static_cast<char>(bytes[kHeaderBytes + kLinksBlockHeadBytes] ^ 4);
  ASSERT_TRUE(WriteFileAtomically(path, AsBytes(bytes)).ok());
  auto file = Mapped<LinksFile>::Open(path, {.verify = Verify::kEnvelope});
  ASSERT_TRUE(file.ok());
  const auto found = AnchorsOf(*std::move(file))->Of("test,b)https:443/");
  EXPECT_EQ(found.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(found.status().message(), testing::HasSubstr(path));
}

}  // namespace
}  // namespace crivello::jobs
