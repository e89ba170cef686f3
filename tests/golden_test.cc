// SPDX-License-Identifier: Apache-2.0
// Reads the golden files with the current program.  `golden_test --write` writes missing ones; it never
// replaces one.
#include "golden.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "base/atomic_file.h"
#include "base/file_header.h"
#include "base/file_system.h"
#include "base/test_paths.h"
#include "base/test_support.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;

fs::path GoldenFolder() { return fs::path(SourceDirectory()) / "tests/golden"; }

std::vector<Golden> AllGoldens() {
  std::vector<Golden> all;
  for (const auto& part : {SuccinctGoldens(), SieveGoldens(), IndexGoldens(), JobsGoldens(), DedupGoldens(),
                           GraphNamesGoldens(), ArchiveGoldens(), RecordGoldens(), CollectionGoldens()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

// The files of a golden by their relative paths; if the golden is a file, by its name.
std::map<std::string, std::string> FilesOf(const fs::path& golden) {
  std::map<std::string, std::string> files;
  if (fs::is_regular_file(golden)) {
    files[golden.filename().string()] = GoldenText(golden.string());
    return files;
  }
  for (const auto& entry : fs::recursive_directory_iterator(golden)) {
    if (entry.is_regular_file()) {
      files[fs::relative(entry.path(), golden).string()] = GoldenText(entry.path().string());
    }
  }
  return files;
}

class GoldenFiles : public testing::TestWithParam<Golden> {
 protected:
  const fs::path original_ = GoldenFolder() / GetParam().name;
  TemporaryFolder folder_;
  // Has the same name, because some readers depend on it.
  const std::string copy_ = folder_ / GetParam().name;
};

TEST_P(GoldenFiles, AreReadAsTheyWereWritten) {
  ASSERT_TRUE(fs::exists(original_)) << "write it with: golden_test --write";
  fs::copy(original_, copy_, fs::copy_options::recursive);
  GetParam().check(copy_);
}

// If the bytes change, the format has changed, and needs a new version and a new golden
// file.
TEST_P(GoldenFiles, AreWrittenAsBefore) {
  const Golden& golden = GetParam();
  if (!golden.write) return;
  const Status written = golden.write(copy_);
  ASSERT_TRUE(written.ok()) << written.ToString();
  const auto before = FilesOf(original_);
  const auto now = FilesOf(copy_);
  std::set<std::string> names_before, names_now;
  for (const auto& [name, text] : before) names_before.insert(name);
  for (const auto& [name, text] : now) names_now.insert(name);
  ASSERT_EQ(names_now, names_before);
  for (const auto& [name, text] : before) {
    const std::string last = fs::path(name).filename().string();
    if (std::find(golden.varying.begin(), golden.varying.end(), last) != golden.varying.end()) continue;
    EXPECT_TRUE(now.at(name) == text) << golden.name << ": the bytes of " << name << " have changed";
  }
}

std::string TestName(const testing::TestParamInfo<Golden>& info) {
  return std::regex_replace(info.param.name, std::regex("[^A-Za-z0-9]"), "_");
}
INSTANTIATE_TEST_SUITE_P(All, GoldenFiles, testing::ValuesIn(AllGoldens()), TestName);

// The sources of the program.
std::vector<fs::path> Sources() {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(SourceDirectory()) / "src")) {
    const std::string name = entry.path().filename().string();
    if (name.find("_test") != std::string::npos || name.find("_fuzz") != std::string::npos) continue;
    if (name.ends_with(".h") || name.ends_with(".cc")) sources.push_back(entry.path());
  }
  return sources;
}

TEST(GoldenCompletenessTest, HasAFileOfEveryKindAndVersion) {
  std::set<std::pair<std::string, std::string>> golden;  // kind and version, from the headers
  uint64_t bytes = 0;
  for (const auto& [name, text] : FilesOf(GoldenFolder())) {
    bytes += text.size();
    const auto header = DecodeFileHeader(name, AsBytes(text));
    if (header.ok()) golden.emplace(std::string(header->kind), std::to_string(header->version));
  }
  EXPECT_LT(bytes, 300u << 10) << "keep the golden files small";

  const std::regex kind(
      "FileKind k[A-Za-z]+ = \\{(?:\\.name = )?\"([a-z0-9-]+)\", (?:\\.version = )?([0-9]+)"
      "(?:, \\.least_version = [0-9]+)?\\}");
  int kinds = 0;
  for (const auto& file : Sources()) {
    const std::string text = GoldenText(file.string());
    for (std::sregex_iterator it(text.begin(), text.end(), kind), end; it != end; ++it) {
      kinds++;
      EXPECT_TRUE(golden.contains({(*it)[1], (*it)[2]}))
          << file << ": no golden file of '" << (*it)[1] << "' version " << (*it)[2];
    }
  }
  EXPECT_GE(kinds, 32);
}

// Records without an envelope contain their version: a constant in the file that encodes them.
TEST(GoldenCompletenessTest, HasARecordOfEveryVersion) {
  const std::map<std::string, std::string> known = {
      {"cluster/exchange/message.cc kMessageVersion", "exchange-batch"},
      {"cluster/politeness/turn_message.cc kTurnVersion", "turn-request"},
      {"collection/collection_file.h kVersion", "crivello-toml"},
      {"collection/robots_keeper.cc kRecordVersion", "robots-record"},
      {"collection/tablet_journal.cc kStateVersion", "tablet-journal"},
      {"kv/manifest_end.cc kEndVersion", "manifest-end"},
      {"feeds/feed_record.cc kFeedRecordVersion", "feed-record"},
      {"feeds/subscription.cc kSubscriptionsVersion", "subscriptions"},
      {"fetch/cookie_jar_format.cc kVersion", "cookies"},
      {"frontier/agenda.cc kAgendaVersion", "agenda-entry"},
      {"frontier/host_queues_format.cc kCountsVersion", "host-counts"},
      {"frontier/host_queues_format.cc kJournalVersion", "host-journal"},
      {"frontier/host_state.cc kHostStateVersion", "host-state"},
      {"frontier/url_record.cc kRecordVersion", "url-record"},
      {"collection/page_schedule_record.cc kScheduleVersion", "schedule"},
      {"collection/page_schedule_record.cc kHostLoadVersion", "host-load"},
      {"collection/page_schedule_record.cc kHintedHostVersion", "host-load"},
      {"revisit/host_schedule.cc kHostScheduleVersion", "host-schedule"},
      {"revisit/host_schedule.cc kSitemapsVersion", "host-schedule"},
      {"store/cells.cc kFetchVersion", "fetch-cell"},
      {"store/cells.cc kLinkVersion", "link-cell"},
      {"store/cells.cc kTextVersion", "text-cell"},
      {"store/dup_cells.cc kDupVersion", "dup-cell"},
      {"store/ledger.cc kEventVersion", "ledger-event"},
  };
  // The envelope's version is in every file with an envelope, one of these is the length of a word, and
  // messages are not files (MessageReaderTest, FrameTest and CrawlReportTest pin their bytes).
  const std::set<std::string> others = {"base/file_header.cc kEnvelopeVersion",
                                        "store/warc_reader.cc kVersion", "wire/message.h kProtocolVersion",
                                        "cluster/exchange/frame.cc kFrameVersion",
                                        "cluster/agent/crawl_report.cc kOrderVersion"};
  const std::regex version("constexpr [a-z0-9_]+ (k[A-Za-z]*Version) = ([0-9]+);");
  std::set<std::string> found;
  for (const auto& file : Sources()) {
    const std::string text = GoldenText(file.string());
    const std::string path = fs::relative(file, fs::path(SourceDirectory()) / "src").string();
    for (std::sregex_iterator it(text.begin(), text.end(), version), end; it != end; ++it) {
      const std::string constant = path + " " + (*it)[1].str();
      if (others.contains(constant)) continue;
      const auto record = known.find(constant);
      EXPECT_TRUE(record != known.end()) << constant << ": add a golden record and a line to this table";
      if (record == known.end()) continue;
      found.insert(constant);
      const std::string name = record->second + "-v" + (*it)[2].str();
      EXPECT_TRUE(fs::exists(GoldenFolder() / name)) << constant << ": there is no " << name;
    }
  }
  EXPECT_EQ(found.size(), known.size()) << "the table names a constant that is not there";
}

TEST(GoldenCompletenessTest, EveryFileIsRead) {
  std::set<std::string> names = {"README.md"};
  for (const Golden& golden : AllGoldens()) EXPECT_TRUE(names.insert(golden.name).second) << golden.name;
  for (const auto& entry : fs::directory_iterator(GoldenFolder())) {
    EXPECT_TRUE(names.contains(entry.path().filename().string())) << entry.path() << " is not in any list";
  }
}

int WriteMissing() {
  int failures = 0;
  for (const Golden& golden : AllGoldens()) {
    const fs::path path = GoldenFolder() / golden.name;
    if (fs::exists(path)) {
      std::printf("kept     %s\n", golden.name.c_str());
      continue;
    }
    const Status status = golden.write ? golden.write(path.string())
                                       : Status::NotFound("this program does not write that version");
    std::printf("%s %s%s%s\n", status.ok() ? "written " : "FAILED  ", golden.name.c_str(),
                status.ok() ? "" : ": ", status.ok() ? "" : status.ToString().c_str());
    if (status.ok()) continue;
    failures++;
    fs::remove_all(path);  // remove a partial golden
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace

std::string GoldenText(const std::string& path) {
  auto text = ReadFile(path);
  EXPECT_TRUE(text.ok()) << text.status().ToString();
  return text.ok() ? std::move(text).value() : "";
}

Status WriteGoldenText(const std::string& path, std::string_view text) {
  return WriteFileAtomically(path, AsBytes(text));
}

}  // namespace crivello

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--write") return crivello::WriteMissing();
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
