// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/links_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <vector>

#include "base/atomic_file.h"
#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"
#include "jobs/links/links_writer.h"

namespace crivello::jobs {
namespace {

// A link that owns its strings.
struct OwnedLink {
  std::string target, source;
  LinkKind kind = LinkKind::kAnchor;
  uint8_t flags = 0;
  std::string text = {};

  LinkRecord view() const {
    return {.target = target, .source = source, .kind = kind, .flags = flags, .text = text};
  }
  explicit OwnedLink(const LinkRecord& link)
      : target(link.target), source(link.source), kind(link.kind), flags(link.flags), text(link.text) {}
  friend bool operator==(const OwnedLink&, const OwnedLink&) = default;
};

const LinksOrigin kOrigin = {
    .tablet = {1, 1},
    .sources = {{.tablet = {1, 0}, .sequence = 7}, {.tablet = {1, 1}, .sequence = uint64_t{1} << 40}}};

std::vector<OwnedLink> RandomLinks(SeededRandom& random, uint64_t count) {
  std::vector<OwnedLink> links;
  const auto key = [&random] {
    return "org,h" + std::to_string(random.Below(5)) + ")https:443/" +
           std::string(random.Below(3) * 40, 'p') + std::to_string(random.Below(50));
  };
  for (uint64_t i = 0; i < count; i++) {
    const std::string target = key(), source = key(), text(random.Below(4), 'x');
    links.emplace_back(LinkRecord{.target = target,
                                  .source = source,
                                  .kind = static_cast<LinkKind>(random.Below(kMaxLinkKind + 1)),
                                  .flags = static_cast<uint8_t>(random.Below(link_flag::kAll + 1)),
                                  .text = text});
  }
  std::stable_sort(links.begin(), links.end(), [](const OwnedLink& a, const OwnedLink& b) {
    return std::tie(a.target, a.source) < std::tie(b.target, b.source);
  });
  return links;
}

Status WriteLinks(const std::string& path, const std::vector<OwnedLink>& links,
                  FileSystem& fs = PosixFileSystem()) {
  CRV_ASSIGN(LinksWriter writer, LinksWriter::Create(path, kOrigin, fs));
  for (const OwnedLink& link : links) CRV_TRY(writer.Add(link.view()));
  return writer.Finish();
}

std::vector<OwnedLink> ReadAll(LinksCursor& cursor) {
  std::vector<OwnedLink> links;
  while (cursor.Next()) links.emplace_back(cursor.link());
  return links;
}

TEST(LinksFileTest, HoldsWhatWasWrittenAndIsSoughtByTarget) {
  const TemporaryFolder folder;
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  for (const uint64_t count : {0U, 1U, 30U, 20'000U}) {
    const std::vector<OwnedLink> links = RandomLinks(random, count);
    ASSERT_TRUE(WriteLinks(folder / "links", links).ok());
    const auto file = Mapped<LinksFile>::Open(folder / "links");
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    EXPECT_EQ((*file)->origin(), kOrigin);
    EXPECT_EQ((*file)->links(), count);
    EXPECT_EQ((*file)->Check(), Status::Ok());
    EXPECT_GE((*file)->blocks(), count / 4000);
    LinksCursor cursor(**file);
    EXPECT_EQ(ReadAll(cursor), links);
    EXPECT_TRUE(cursor.status().ok());
    for (int i = 0; i < 50 && count > 0; i++) {
      std::string target = links[random.Below(count)].target;
      if (i % 3 == 1) target += '0';  // mostly a target without links
      if (i % 3 == 2) target.pop_back();
      const auto at = std::find_if(links.begin(), links.end(),
                                   [&](const OwnedLink& link) { return link.target >= target; });
      ASSERT_EQ(cursor.SeekTo(target), at != links.end()) << target;
      if (at == links.end()) continue;
      EXPECT_EQ(OwnedLink(cursor.link()), *at);
      EXPECT_EQ(ReadAll(cursor), std::vector<OwnedLink>(at + 1, links.end()));
    }
    EXPECT_FALSE(cursor.SeekTo("org,i"));
    EXPECT_TRUE(cursor.status().ok());
  }
}

TEST(LinksFileTest, DescribesItself) {
  const TemporaryFolder folder;
  SeededRandom random(1);
  ASSERT_TRUE(WriteLinks(folder / "links", RandomLinks(random, 10)).ok());
  const auto file = Mapped<LinksFile>::Open(folder / "links");
  const Description description = (*file)->Describe();
  EXPECT_EQ(description[0].name, "tablet");
  EXPECT_EQ(std::get<std::string>(description[0].value), "t-1");
  EXPECT_EQ(std::get<uint64_t>(description[1].value), 10u);
  EXPECT_EQ(description.back().name, "changes-of-t-1");
  EXPECT_EQ(std::get<uint64_t>(description.back().value), uint64_t{1} << 40);
}

TEST(LinksFileTest, TheWriterRefusesLinksThatAreNotInOrder) {
  const TemporaryFolder folder;
  auto writer = LinksWriter::Create(folder / "links", kOrigin);
  ASSERT_TRUE(writer->Add({.target = "b", .source = "y"}).ok());
  ASSERT_TRUE(writer->Add({.target = "b", .source = "y"}).ok());
  EXPECT_EQ(writer->Add({.target = "b", .source = "x"}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(writer->Add({.target = "a", .source = "z"}).code(), StatusCode::kInvalidArgument);
}

TEST(LinksFileTest, IsThereWholeOrAsItWasWhenTheDiskFails) {
  const TemporaryFolder folder;
  SeededRandom random(2);
  const std::vector<OwnedLink> before = RandomLinks(random, 3);
  const std::vector<OwnedLink> after = RandomLinks(random, 5000);
  ASSERT_TRUE(WriteLinks(folder / "links", before).ok());
  for (uint64_t fails = 1;; fails++) {
    FaultFileSystem fs({.fail_at = fails, .tear = true});
    const bool written = WriteLinks(folder / "links", after, fs).ok();
    const auto file = Mapped<LinksFile>::Open(folder / "links");
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    EXPECT_EQ((*file)->Check(), Status::Ok());
    if (written) {
      EXPECT_EQ((*file)->links(), after.size());
      break;
    }
    ASSERT_LT(fails, 1000u);
  }
}

// Flips every bit of a small file and cuts it at every length: the envelope detects it, and without the
// envelope's checksum the file itself does.
TEST(LinksFileTest, EveryFlippedBitAndEveryCutIsFound) {
  const TemporaryFolder folder;
  SeededRandom random(3);
  ASSERT_TRUE(WriteLinks(folder / "links", RandomLinks(random, 8)).ok());
  const std::string whole = ReadFile(folder / "links").value();
  const auto damaged = [&](const std::string& bytes) {
    EXPECT_TRUE(WriteFileAtomically(folder / "damaged", AsBytes(bytes)).ok());
    for (const Verify verify : {Verify::kPayload, Verify::kEnvelope}) {
      const auto file = Mapped<LinksFile>::Open(folder / "damaged", {.verify = verify});
      const Status status = file.ok() ? (*file)->Check() : file.status();
      if (status.code() != StatusCode::kCorruption) return false;
    }
    return true;
  };
  for (size_t size = 0; size < whole.size(); size++) EXPECT_TRUE(damaged(whole.substr(0, size))) << size;
  // Verifying only the envelope does not check its checksum of the payload.
  const size_t checksum = whole.size() - 24;
  for (size_t at = 0; at < whole.size(); at++) {
    if (at >= checksum && at < checksum + 8) continue;
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
    EXPECT_TRUE(damaged(bytes)) << at;
  }
}

// Blocks with valid checksums that our writer never produces.
TEST(LinksFileTest, LinksOutOfOrderAreDamage) {
  const auto check = [](const std::vector<std::vector<std::string>>& blocks, uint64_t records,
                        uint64_t targets) {
    std::string image;
    LinksTail tail = {.origin = kOrigin.Encode(), .offsets = {}, .records = records, .targets = targets};
    for (const std::vector<std::string>& block : blocks) {
      std::string bytes;
      for (const std::string& record : block) bytes += record;
      tail.offsets.push_back(image.size());
      image += SealLinksBlock(tail.offsets.size() - 1, block.size(), bytes);
    }
    image += SealLinksTail(tail, image.size());
    std::vector<uint64_t> words(image.size() / 8);
    std::memcpy(words.data(), image.data(), image.size());
    const auto file = LinksFile::FromImage(std::as_bytes(std::span(words)));
    return file.ok() ? file->Check().code() : file.status().code();
  };
  // lead, shared and rest of the target, shared and rest of the source; the text is the previous one.
  const auto link = [](const char* target, const char* source) {
    return std::string("\2\0\1", 3) + target + std::string("\0\1", 2) + source;
  };
  const auto same_target = [](const char* source) { return std::string("\3\0\1", 3) + source; };
  constexpr StatusCode kGood = StatusCode::kOk, kBad = StatusCode::kCorruption;
  EXPECT_EQ(check({}, 0, 0), kGood);
  EXPECT_EQ(check({{link("b", "x"), same_target("x"), link("c", "a")}}, 3, 2), kGood);
  EXPECT_EQ(check({{link("b", "x")}, {link("b", "x")}}, 2, 1), kGood);
  EXPECT_EQ(check({{link("b", "x")}, {link("b", "w")}}, 2, 1), kBad);
  EXPECT_EQ(check({{link("b", "x")}, {link("a", "x")}}, 2, 2), kBad);
  EXPECT_EQ(check({{link("b", "x"), link("a", "x")}}, 2, 2), kBad);
  EXPECT_EQ(check({{link("b", "x"), link("b", "x")}}, 2, 1), kBad);
  EXPECT_EQ(check({{link("b", "x"), same_target("w")}}, 2, 1), kBad);
  EXPECT_EQ(check({{same_target("x")}}, 1, 1), kBad);
  EXPECT_EQ(check({{link("b", "x")}}, 2, 1), kBad);
  EXPECT_EQ(check({{link("b", "x")}}, 1, 2), kBad);
  EXPECT_EQ(check({{}}, 0, 0), kBad);
  EXPECT_EQ(check({{link("b", "x") + "x"}}, 1, 1), kBad);
}

}  // namespace
}  // namespace crivello::jobs
