// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/conformance_suite.h"
#include "base/digest.h"
#include "base/mapped_file.h"
#include "store/warc_reader.h"

namespace crivello::store {
namespace {

using nlohmann::json;

struct Found {
  std::string type, uri, block;
  uint64_t offset, stored_bytes;
  bool whole;
};

std::vector<Found> ReadAll(const std::string& path) {
  const auto file = MappedFile::Open(path);
  EXPECT_TRUE(file.ok()) << path;
  WarcReader reader(AsText(file->bytes()));
  std::vector<Found> records;
  while (const auto record = reader.Next()) {
    records.push_back({.type = record->type_name,
                       .uri = record->target_uri,
                       .block = std::string(record->block),
                       .offset = record->offset,
                       .stored_bytes = record->stored_bytes,
                       .whole = record->whole});
  }
  return records;
}

std::string Difference(const json& expected, const std::vector<Found>& found, uint64_t count) {
  if (found.size() != count)
    return "records " + std::to_string(found.size()) + " of " + std::to_string(count);
  for (size_t i = 0; i < expected.size(); i++) {
    const json& e = expected[i];
    const Found& f = found[i];
    const std::string at = "record " + std::to_string(i) + ": ";
    // The reference keeps the space of a folded value and shows it as %20 in URIs.
    std::string type = e["type"], uri = e["uri"].is_null() ? "" : e["uri"];
    type.erase(0, type.find_first_not_of(" \t"));
    if (uri.starts_with("%20")) uri.erase(0, 3);
    if (f.type != type) return at + "type " + f.type + " for " + type;
    if (f.uri != uri) return at + "uri " + f.uri + " for " + uri;
    if (f.block.size() != e["block_bytes"]) return at + "bytes " + std::to_string(f.block.size());
    bool known = false;
    if (!DigestMatches("sha1:" + e["block_sha1"].get<std::string>(), f.block, &known)) return at + "digest";
    if (f.offset != e["offset"]) return at + "offset " + std::to_string(f.offset);
    if (f.stored_bytes != e["length"]) return at + "length " + std::to_string(f.stored_bytes);
  }
  return "";
}

using WarcConformanceTest = ConformanceSuite;
CRV_CONFORMANCE_SUITE(WarcConformanceTest);

TEST_P(WarcConformanceTest, ReadsOrdinaryFilesAsTheReferenceAndSavesWhatItCanOfOthers) {
  const std::string folder = SuitePath("warc");
  if (folder.empty()) GTEST_SKIP() << kNoSuite;
  Score ordinary(ScoreName("warc-ordinary")), rest(ScoreName("warc-rest"));
  std::ifstream manifest(folder + "/manifest.jsonl");
  for (std::string line; std::getline(manifest, line);) {
    const json entry = json::parse(line);
    const std::string path = entry["path"];
    SCOPED_TRACE(path);
    const auto found = ReadAll(folder + "/" + path);
    const bool reference_failed = !entry["ref_error"].is_null() && entry["ref_error"] != "";
    if (entry["kind"] == "ordinary" && !reference_failed) {
      const std::string difference = Difference(entry["records"], found, entry["ref_records"]);
      ordinary.Case(difference.empty(), path + ": " + difference);
    } else {
      const auto whole = static_cast<uint64_t>(
          std::count_if(found.begin(), found.end(), [](const Found& f) { return f.whole; }));
      const json& truth = entry.value("complete_or_recoverable_records", json());
      const uint64_t least = truth.is_null() ? 0 : truth.get<uint64_t>();
      rest.Case(whole >= least, path + ": " + std::to_string(whole) + " of " + std::to_string(least));
    }
  }
  ExpectScore(ordinary, {.percent = 100});
  ExpectScore(rest, {.percent = 100});
}

}  // namespace
}  // namespace crivello::store
