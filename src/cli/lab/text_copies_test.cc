// SPDX-License-Identifier: Apache-2.0
// `crivello text` on the examples of the lecture notes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cli_test_support.h"
#include "cli/json.h"

namespace crivello::cli {
namespace {

using testing::HasSubstr;

constexpr const char* kFish =
    "Tropical fish include fish found in tropical environments around the world, including both freshwater "
    "and salt water species.";

TEST(TextCopiesTest, ShowsChecksumsByteByByte) {
  const TemporaryFolder folder;
  WriteText(folder / "fish.txt", "Tropical fish");
  const Outcome shown = Crivello({"text", folder / "fish.txt", "--checksums"});
  EXPECT_EQ(shown.code, kDone) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("54   T               54"));
  EXPECT_THAT(shown.out, HasSubstr("sum of the bytes       508 (base 16), 1288"));
  const Json json = Json::parse(Crivello({"--json", "text", folder / "fish.txt", "--checksums"}).out);
  EXPECT_EQ(json["sum"], 0x508);
  ASSERT_EQ(json["steps"].size(), 13u);
  EXPECT_EQ(json["steps"][12]["sum"], 0x508);
  EXPECT_EQ(json["steps"][12]["crc32"], json["crc32"]);
  EXPECT_EQ(json["normal_form"], "tropical fish");
}

TEST(TextCopiesTest, ShowsShinglesAndWhichAreSelected) {
  const TemporaryFolder folder;
  WriteText(folder / "fish.txt", kFish);
  const Json json = Json::parse(Crivello({"--json", "text", folder / "fish.txt", "--shingles",
                                          "--shingle-size", "3", "--select", "mod:4"})
                                    .out);
  EXPECT_EQ(json["words"], 18);
  ASSERT_EQ(json["shingles"].size(), 16u);
  EXPECT_EQ(json["shingles"][4]["shingle"], "found in tropical");
  uint64_t selected = 0;
  for (const Json& row : json["shingles"]) {
    const uint64_t fingerprint = std::stoull(row["fingerprint"].get<std::string>(), nullptr, 16);
    EXPECT_EQ(row["selected"], fingerprint % 4 == 0);
    selected += row["selected"].get<bool>() ? 1 : 0;
  }
  EXPECT_EQ(json["selected"], selected);
  EXPECT_THAT(Crivello({"text", folder / "fish.txt", "--shingles"}).out,
              HasSubstr("18 words, 14 shingles, 14 of them distinct, 14 selected by min:32"));
  EXPECT_THAT(Crivello({"text", folder / "fish.txt", "--shingles", "--shingle-unit", "characters",
                        "--no-overlap", "--shingle-size", "4", "--select", "all"})
                  .out,
              HasSubstr("trop"));
  const Outcome wrong = Crivello({"text", folder / "fish.txt", "--shingles", "--select", "most"});
  EXPECT_EQ(wrong.code, kWrongUsage);
  EXPECT_THAT(wrong.err, HasSubstr("unknown selection 'most'"));
}

TEST(TextCopiesTest, ShowsHowASimHashIsMade) {
  const TemporaryFolder folder;
  WriteText(folder / "fish.txt", kFish);
  const Json json =
      Json::parse(Crivello({"--json", "text", folder / "fish.txt", "--simhash", "--bits", "8"}).out);
  ASSERT_EQ(json["vector"].size(), 8u);
  EXPECT_EQ(json["features"][0]["feature"], "tropical");
  EXPECT_EQ(json["features"][0]["weight"], 2);
  for (size_t bit = 0; bit < 8; bit++) {
    int64_t sum = 0;
    for (const Json& feature : json["features"]) {
      const auto weight = feature["weight"].get<int64_t>();
      sum += feature["hash"].get<std::string>()[bit] == '1' ? weight : -weight;
    }
    EXPECT_EQ(json["vector"][bit], sum);
    EXPECT_EQ(json["fingerprint"].get<std::string>()[bit], sum > 0 ? '1' : '0');
  }
  EXPECT_THAT(Crivello({"text", folder / "fish.txt", "--simhash"}).out, HasSubstr("SimHash of the crawl"));
  EXPECT_EQ(Crivello({"text", folder / "fish.txt", "--simhash", "--bits", "129"}).code, kWrongUsage);
}

TEST(TextCopiesTest, ShowsTheWordsThatAreCompared) {
  const TemporaryFolder folder;
  WriteText(folder / "date.txt", "Tropical FISH, 12 May 2026");
  WriteText(folder / "page.html", "<p>Tropical <b>FISH</b>, 12 May 2026");
  for (const char* name : {"date.txt", "page.html"}) {
    EXPECT_EQ(Crivello({"text", folder / name, "--words"}).out, "tropical\nfish\n0\nmay\n0\n") << name;
  }
  EXPECT_EQ(Crivello({"text", folder / "date.txt", "--tokens"}).out, "tropical\nfish\n0\nmay\n0\n");
  EXPECT_EQ(Json::parse(Crivello({"--json", "text", folder / "date.txt", "--words"}).out)["words"][1],
            "fish");
  EXPECT_EQ(Crivello({"text", folder / "date.txt", "--words", "--shingles"}).code, kWrongUsage);
}

}  // namespace
}  // namespace crivello::cli
