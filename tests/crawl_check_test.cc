// SPDX-License-Identifier: Apache-2.0
// `crivello check` finds damage to any file of a collection, and names the file.
#include <algorithm>
#include <filesystem>

#include "base/test_paths.h"
#include "crawl_scenario.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CheckTest : public CrawlScenario {
 protected:
  // A crawl that was stopped by its limit, so that queues and sieve are not empty.
  void SetUp() override {
    CrawlScenario::SetUp();
    std::vector<std::string> arguments = CrawlArguments();
    arguments.insert(arguments.end(), {"--max-pages", "100"});
    ASSERT_EQ(Run(arguments), 0) << Text("err");
    fs::rename(Collection(), folder_ / "good");
  }
  fs::path Collection() const { return folder_ / "collection"; }
  void Restore() const {
    fs::remove_all(Collection());
    fs::copy(folder_ / "good", Collection(), fs::copy_options::recursive);
  }
  // Relative paths of the non-empty files of the collection.
  std::vector<fs::path> Files() const {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "good")) {
      if (entry.is_regular_file() && entry.file_size() > 0) {
        files.push_back(fs::relative(entry.path(), folder_ / "good"));
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  void Flip(const fs::path& path, double share) const {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto at = static_cast<std::streamoff>(share * static_cast<double>(fs::file_size(path)));
    file.seekg(at);
    const char byte = static_cast<char>(file.get() ^ 0x04);
    file.seekp(at);
    file.put(byte);
  }
};

TEST_F(CheckTest, FindsNothingInAGoodCollection) {
  Restore();
  EXPECT_EQ(Run({"check"}), 0) << Text("out") << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("no damage"));
  ASSERT_EQ(Run({"check", "--json"}), 0);
  const json summary = Lines().back();
  EXPECT_EQ(summary["problems"], 0);
  EXPECT_GE(summary["rows"], 100);
  EXPECT_GT(summary["queued"], 0);
}

TEST_F(CheckTest, NamesEveryFileThatIsDamaged) {
  // Once with the last writes in the database's log, and once with them in tables.
  for (const bool opened : {false, true}) {
    if (opened) {
      Restore();
      ASSERT_EQ(Run({"scan"}), 0);
      fs::remove_all(folder_ / "good");
      fs::rename(Collection(), folder_ / "good");
    }
    int kinds = 0;
    for (const fs::path& file : Files()) {
      const std::string name = file.filename().string();
      // Texts for people, settings, and files whose contents cannot be lost.
      if (name == "LOG" || name.starts_with("LOG.old") || name == "lock" || name.starts_with("OPTIONS-") ||
          name == "IDENTITY" || name == "crivello.toml") {
        continue;
      }
      Restore();
      // Seeds are text that anyone may edit: damage shows only if a line is no longer a URL.  Tables begin
      // with their data; for damage to what follows, RocksDB may name the manifest instead.
      Flip(Collection() / file, name == "seeds.txt" ? 0 : name.ends_with(".sst") ? 0.02 : 0.5);
      const uint64_t size = fs::file_size(Collection() / file);
      // The last record of a log may have been torn by a crash: only what precedes it counts as damage.
      if ((name.ends_with(".log") || name == "manifest-end") && size < 2000) continue;
      kinds++;
      EXPECT_EQ(Run({"check"}), 1) << file << ": " << Text("out") << Text("err");
      EXPECT_THAT(Text("out"), HasSubstr(name == "CURRENT" ? "db" : name)) << file;
    }
    EXPECT_GT(kinds, 8);
  }
}

TEST_F(CheckTest, WorksWhileItIsCrawled) {
  Restore();
  const pid_t crawler = Start(CrawlArguments());
  int code = -1;
  const std::string command = std::string(ProgramPath()) + " -C " + Collection().string() + " check > " +
                              (folder_ / "checked") + " 2>&1";
  for (int i = 0; i < 5; i++) {
    usleep(100'000);
    code = WEXITSTATUS(system(command.c_str()));
    EXPECT_TRUE(code == 0 || code == 4) << Text("checked");  // 4: not yet listening, or about to end
  }
  kill(crawler, SIGINT);
  EXPECT_EQ(Wait(crawler), 0);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

}  // namespace
}  // namespace crivello
