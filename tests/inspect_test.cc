// SPDX-License-Identifier: Apache-2.0
// `inspect` recognises every file that the program writes.
#include <filesystem>
#include <set>

#include "crawl_scenario.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;

class InspectScenario : public CrawlScenario {
 protected:
  // The kinds of the files below a folder, according to `inspect`; fails for unknown files.
  std::set<std::string> KindsBelow(const fs::path& folder) const {
    std::set<std::string> kinds;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      EXPECT_EQ(Run({"inspect", entry.path().string(), "--json"}), 0) << entry.path() << ": " << Text("err");
      const json told = json::parse(Text("out"), nullptr, /*allow_exceptions=*/false);
      if (told.contains("kind")) kinds.insert(told["kind"].get<std::string>());
    }
    return kinds;
  }
};

TEST_F(InspectScenario, KnowsEveryFileOfACollectionAndOfABackup) {
  std::vector<std::string> crawl = CrawlArguments();
  crawl.insert(crawl.end(), {"--max-pages", "40"});
  ASSERT_EQ(Run(crawl), 0) << Text("err");
  ASSERT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
  std::ofstream(folder_ / "documents.jsonl") << "{\"id\": \"one\", \"text\": \"a quixotic zeppelin\"}\n";
  ASSERT_EQ(Run({"import", folder_ / "documents.jsonl", "--quiet"}), 0) << Text("err");
  ASSERT_EQ(Run({"index", "--quiet"}), 0) << Text("err");
  ASSERT_EQ(Run({"backup", folder_ / "backups", "--quiet"}), 0) << Text("err");
  ASSERT_EQ(Run({"forget", "doc.example", "--reason", "asked", "--quiet"}), 0) << Text("err");

  const std::set<std::string> kinds = KindsBelow(folder_ / "collection");
  for (const char* kind :
       {"segment", "postings", "counts", "positions", "lengths", "text-store", "seen-texts", "trap-memory",
        "sieve-manifest", "tablet-journal", "manifest-end", "index-manifest", "forgotten"}) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
  }
  EXPECT_TRUE(KindsBelow(folder_ / "backups").contains("backup"));
}

TEST_F(InspectScenario, KnowsTheFilesOfEverySieve) {
  for (const std::string sieve : {"memory", "bloom", "blocked-bloom", "rocksdb", "offline", "mercator"}) {
    fs::remove_all(folder_ / "collection");
    std::vector<std::string> crawl = CrawlArguments();
    crawl.insert(crawl.end(), {"--max-pages", "10", "--sieve", sieve});
    ASSERT_EQ(Run(crawl), 0) << sieve << ": " << Text("err");
    KindsBelow(folder_ / "collection/tablets/t-/sieve");
  }
}

TEST_F(InspectScenario, RefusesWhatIsNotAFileOfTheProgram) {
  EXPECT_EQ(Run({"inspect", "/etc/passwd"}), 3);
  EXPECT_EQ(Run({"inspect", folder_ / "missing"}), 4);
}

}  // namespace
}  // namespace crivello
