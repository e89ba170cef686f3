// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/random.h"
#include "cli/cli_test_support.h"
#include "sieve/memory_sieve.h"
#include "sieve/sieve_factory.h"
#include "sieve/sieve_lines.h"
#include "sieve/z_stream.h"
#include "web/url/canonical.h"
#include "web/url/signature.h"

namespace crivello::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> LineList(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> UrlsOf(const std::string& text) {
  std::vector<std::string> urls;
  for (const auto& line : LineList(text)) urls.push_back(line.substr(line.rfind('\t') + 1));
  return urls;
}

std::string LineOf(const std::string& url, uint64_t ordinal) {
  const auto canonical = web::CanonicalUrl(url);
  std::string line;
  sieve::AppendSieveLine(
      {.signature = web::UrlSignature(*canonical), .ordinal = ordinal, .url = canonical->href()}, &line);
  return line;
}

// Links as in a crawl: few hosts, many repeats, different spellings.
std::string RandomLinks(uint64_t seed, int count) {
  SeededRandom random(seed);
  std::string text;
  for (int i = 0; i < count; i++) {
    const uint64_t page = random.Below(static_cast<uint64_t>(count));
    text += random.Below(2) == 0 ? "http://" : "HTTP://";
    text += "host" + std::to_string(page % 7) + (random.Below(2) == 0 ? ".it/" : ".IT:80/") +
            std::to_string(page) + (random.Below(3) == 0 ? "#top\n" : "\n");
  }
  return text;
}

// The result of our sieve for the same lines.
std::vector<std::string> Sieved(sieve::Sieve& sieve, const std::string& links) {
  for (const auto& link : LineList(links)) {
    const auto url = web::CanonicalUrl(link);
    const sieve::Key key[] = {{.signature = web::UrlSignature(*url), .bytes = url->href()}};
    EXPECT_TRUE(sieve.Offer(key).ok());
  }
  EXPECT_TRUE(sieve.Flush({.wait = true}).ok());
  std::vector<std::string> out;
  EXPECT_TRUE(sieve.Take(UINT64_MAX, [&](std::string_view bytes) { out.emplace_back(bytes); }).ok());
  return out;
}

TEST(SieveCommandTest, SortsAsSortDoes) {
  const TemporaryFolder folder;
  WriteText(folder / "links", RandomLinks(1, 3000));
  const Outcome sorted = Crivello({"sieve", "sort", folder / "links"});
  const Outcome signed_only = Crivello({"sieve", "sort", "--unsorted", folder / "links"});
  ASSERT_EQ(sorted.code, kDone) << sorted.err;
  EXPECT_EQ(LineList(signed_only.out).size(), 3000u);
  WriteText(folder / "signed", signed_only.out);
  // -s -u by the first field keeps the first of each signature.
  EXPECT_EQ(sorted.out, Shell("LC_ALL=C sort " + (folder / "signed") + " | LC_ALL=C sort -s -u -k1,1"));
  EXPECT_EQ(Crivello({"sieve", "sort", "--memory", "1", "--temporary", folder.path(), folder / "links"}).out,
            sorted.out);
}

// MapReduce: the shuffle sends each reducer a range of signatures, and each has the part of Z in that range.
TEST(SieveCommandTest, ReducersWithRangesOfZGiveTogetherWhatOneGives) {
  const TemporaryFolder folder;
  WriteText(folder / "Z", "");
  // The first digit determines the reducer of a line: four ranges.
  const auto range_of = [](const std::string& line) {
    return std::string("0123456789abcdef").find(line[0]) / 4;
  };
  const auto split = [&](const std::string& from, const std::string& to) {
    std::vector<std::string> parts(4);
    for (const std::string& line : LineList(from)) parts[range_of(line)] += line + "\n";
    for (size_t i = 0; i < parts.size(); i++) WriteText(folder / (to + std::to_string(i)), parts[i]);
    return parts;
  };
  for (uint64_t round = 0; round < 3; round++) {
    WriteText(folder / "A", RandomLinks(round, 1000));
    const std::string sorted = Crivello({"sieve", "sort", folder / "A"}).out;
    WriteText(folder / "A.sorted", sorted);
    const std::string seen = ReadFile(folder / "Z").value();
    const Outcome whole = Crivello({"sieve", "merge", "--seen", folder / "Z", folder / "A.sorted"});
    ASSERT_EQ(whole.code, kDone) << whole.err;
    for (const std::string& part : split(sorted, "A.")) EXPECT_FALSE(part.empty());
    split(seen, "Z.");
    std::string fresh, seen_now;
    for (int reducer = 0; reducer < 4; reducer++) {
      const std::string z = folder / ("Z." + std::to_string(reducer));
      fresh += Crivello({"sieve", "merge", "--seen", z, folder / ("A." + std::to_string(reducer))}).out;
      seen_now += ReadFile(z).value();
    }
    EXPECT_EQ(fresh, whole.out);
    EXPECT_EQ(seen_now, ReadFile(folder / "Z").value());
  }
}

TEST(SieveCommandTest, GivesWhatASieveGivesRoundAfterRound) {
  for (const bool other_sort : {false, true}) {
    for (const bool z_file : {false, true}) {
      const TemporaryFolder folder;
      if (z_file) {
        auto empty = sieve::ZSink::Create(folder / "Z");
        ASSERT_TRUE(empty.ok() && empty->Finish().ok());
      } else {
        WriteText(folder / "Z", "");
      }
      auto sieve = sieve::OpenMemorySieve(folder / "sieve");
      ASSERT_TRUE(sieve.ok());
      for (uint64_t round = 0; round < 4; round++) {
        const std::string links = RandomLinks(round, 1000);
        WriteText(folder / "A", links);
        WriteText(folder / "A.signed", Crivello({"sieve", "sort", "--unsorted", folder / "A"}).out);
        WriteText(folder / "A.sorted", other_sort ? Shell("LC_ALL=C sort " + (folder / "A.signed"))
                                                  : Crivello({"sieve", "sort", folder / "A"}).out);
        const Outcome merged =
            Crivello({"sieve", "merge", "--seen", folder / "Z", "--by-arrival", folder / "A.sorted"});
        ASSERT_EQ(merged.code, kDone) << merged.err;
        EXPECT_EQ(UrlsOf(merged.out), Sieved(**sieve, links));
        if (round == 1) {
          EXPECT_FALSE(merged.out.empty());
        }
      }
      EXPECT_EQ(Crivello({"sieve", "merge", "--seen", folder / "Z", folder / "A.sorted"}).out, "");
    }
  }
}

TEST(SieveCommandTest, WritesTheNewZWhereItIsTold) {
  const TemporaryFolder folder;
  const std::string a = LineOf("http://a.it/", 1), b = LineOf("http://b.it/", 2);
  WriteText(folder / "Z", a.substr(0, 17 - 1) + "\n");
  std::vector<std::string> sorted = {a, b};
  std::sort(sorted.begin(), sorted.end());
  WriteText(folder / "A", sorted[0] + sorted[1]);
  const Outcome merged =
      Crivello({"sieve", "merge", "--seen", folder / "Z", "--to", folder / "Z2", folder / "A"});
  EXPECT_EQ(merged.out, b);
  EXPECT_EQ(*ReadFile(folder / "Z"), a.substr(0, 16) + "\n");
  EXPECT_EQ(*ReadFile(folder / "Z2"), sorted[0].substr(0, 16) + "\n" + sorted[1].substr(0, 16) + "\n");
}

TEST(SieveCommandTest, TakesOrdinalsAndSkipsWhatIsNoPage) {
  const TemporaryFolder folder;
  WriteText(folder / "A", "70\thttp://a.it/\r\n5\tHTTP://a.it:80\nmailto:x@a.it\nftp://a.it/x\n");
  const Outcome sorted = Crivello({"sieve", "sort", folder / "A"});
  EXPECT_EQ(sorted.code, kDone);
  EXPECT_EQ(sorted.out, LineOf("http://a.it/", 5));
  EXPECT_THAT(sorted.err, HasSubstr("skipped 2 of 4 lines"));
}

TEST(SieveCommandTest, NamesTheBadLine) {
  const TemporaryFolder folder;
  const std::string a = LineOf("http://a.it/", 1), b = LineOf("http://b.it/", 2);
  const bool a_first = a < b;
  const struct {
    std::string verb, text, says;
  } cases[] = {
      {"sort", "http://a.it/\n\nhttp://b.it/\n", "line 2: the line is empty"},
      {"sort", "http://a.it/\nx\thttp://b.it/", "line 2: invalid ordinal 'x'"},
      {"sort", "http://[/\n", "line 1: invalid URL 'http://[/'"},
      {"sort", "99999999999999999999999\thttp://b.it/", "invalid ordinal"},
      {"merge", "http://a.it/\n",
       "line 1: invalid line 'http://a.it/': expected SIGNATURE TAB ORDINAL TAB URL"},
      {"merge", "0011\t1\thttp://a.it/\n", "line 1: invalid signature '0011'"},
      {"merge", "00112233AABBCCDD\t1\thttp://a.it/\n", "invalid signature"},
      {"merge", "00112233aabbccdd\t-1\thttp://a.it/\n", "invalid ordinal '-1'"},
      {"merge", "00112233aabbccdd\t1\t\n", "the URL is missing"},
      {"merge", (a_first ? b : a) + (a_first ? a : b), "line 2: the lines are not sorted"},
      {"merge", LineOf("http://a.it/", 2) + a, "line 2: the lines are not sorted"},
  };
  for (const auto& c : cases) {
    WriteText(folder / "A", c.text);
    WriteText(folder / "Z", "");
    std::vector<std::string> words = {"sieve", c.verb, folder / "A"};
    if (c.verb == "merge") words.insert(words.end(), {"--seen", folder / "Z"});
    const Outcome run = Crivello(words);
    EXPECT_EQ(run.code, kBadData) << c.text;
    EXPECT_THAT(run.err, HasSubstr(c.says));
    EXPECT_EQ(*ReadFile(folder / "Z"), "");
  }
  WriteText(folder / "A", a);
  WriteText(folder / "Z", "0000000000000002\n0000000000000001\n");
  EXPECT_THAT(Crivello({"sieve", "merge", "--seen", folder / "Z", folder / "A"}).err,
              HasSubstr("Z: line 2: signatures must increase"));
  EXPECT_EQ(Crivello({"sieve", "merge", "--seen", folder / "none", folder / "A"}).code, kIoFailure);
  EXPECT_EQ(Crivello({"sieve", "sort", folder / "none"}).code, kIoFailure);
  EXPECT_EQ(Crivello({"sieve", "sort", "--memory", "lots", folder / "A"}).code, kWrongUsage);
}

TEST(SieveCommandTest, MeasuresEachKindAtEachSize) {
  const TemporaryFolder folder;
  const Outcome run = Crivello({"--json", "-q", "sieve", "bench", "--keys", "3k", "--known", "0", "5k",
                                "--repeats", "0.5", "--memory", "32M", "--folder", folder.path()});
  ASSERT_EQ(run.code, kDone) << run.err;
  std::set<std::string> kinds;
  std::map<uint64_t, uint64_t> fresh;  // at each size: the load is the same for all kinds
  for (const auto& line : LineList(run.out)) {
    const auto row = nlohmann::json::parse(line);
    kinds.insert(row["kind"]);
    const uint64_t known = row["known"];
    EXPECT_EQ(row["offered"], 3000);
    EXPECT_TRUE(fresh.try_emplace(known, row["new"]).second || fresh[known] == row["new"]) << line;
    EXPECT_EQ(row["passed"].get<uint64_t>() + row["lost"].get<uint64_t>(), row["new"]) << line;
    EXPECT_LT(row["lost"], 100) << line;
    EXPECT_GT(row["keys_per_cpu_second"], 0);
    EXPECT_GT(row["disk_bytes"], 0);
    EXPECT_GT(row["written_bytes_per_key"], 0);
  }
  EXPECT_EQ(kinds.size(), sieve::SieveKinds().size());
  EXPECT_EQ(LineList(run.out).size(), 2 * kinds.size());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_NEAR(static_cast<double>(fresh[5000]), 1500, 200);
  EXPECT_THAT(
      Crivello({"sieve", "bench", "--kind", "memory", "--keys", "100", "--folder", folder.path()}).out,
      HasSubstr("keys/CPU-s"));
  EXPECT_EQ(Crivello({"sieve", "bench", "--kind", "colander"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"sieve", "bench", "--repeats", "2"}).code, kWrongUsage);
}

TEST(SieveCommandTest, HasAWorkedExampleThatWorks) {
  const TemporaryFolder folder;
  WriteText(folder / "Z", "");
  WriteText(folder / "A", "http://b.it/\nhttp://a.it/\nHTTP://b.it:80\n");
  WriteText(folder / "A.sorted", Crivello({"sieve", "sort", folder / "A"}).out);
  const Outcome merged =
      Crivello({"sieve", "merge", "--seen", folder / "Z", "--by-arrival", folder / "A.sorted"});
  EXPECT_THAT(UrlsOf(merged.out), ElementsAre("http://b.it/", "http://a.it/"));
  EXPECT_EQ(LineList(*ReadFile(folder / "Z")).size(), 2u);
  EXPECT_THAT(Crivello({"sieve", "merge", "--help"}).out,
              HasSubstr("http://b.it/ http://a.it/ HTTP://b.it:80"));
}

TEST(SieveCommandTest, PlansABloomFilter) {
  const auto plan =
      nlohmann::json::parse(Crivello({"--json", "sieve", "plan", "--keys", "1G", "--error", "2^-20"}).out);
  EXPECT_EQ(plan["keys"], 1'000'000'000);
  EXPECT_EQ(plan["error"], 0x1p-20);
  EXPECT_EQ(plan["hashes"], 20);
  EXPECT_NEAR(plan["bits"].get<double>(), 28.8539e9, 1e6);
  EXPECT_EQ(plan["bytes"].get<uint64_t>() * 8, plan["bits"].get<uint64_t>());
  EXPECT_NEAR(plan["probes_negative"].get<double>(), 2, 0.001);
  const Outcome text = Crivello({"sieve", "plan", "--keys", "1M", "--error", "2^-10"});
  EXPECT_EQ(text.code, kDone);
  EXPECT_THAT(text.out, testing::HasSubstr("44.3%"));
  EXPECT_EQ(Crivello({"sieve", "plan", "--keys", "1M", "--error", "2"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"sieve", "plan", "--keys", "0"}).code, kWrongUsage);
  EXPECT_EQ(Crivello({"sieve", "plan"}).code, kWrongUsage);
}

}  // namespace
}  // namespace crivello::cli
