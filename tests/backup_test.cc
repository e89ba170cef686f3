// SPDX-License-Identifier: Apache-2.0
// `crivello backup`, `restore` and `check --repair`.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>

#include "base/test_paths.h"
#include "care_scenario.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class BackupTest : public CareScenario {
 protected:
  std::string Backups() const { return folder_ / "backups"; }
  int Backup() const { return Run({"backup", Backups(), "--json", "--quiet"}); }
  // The contents of the folder of backups.
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    if (!fs::exists(Backups())) return names;
    for (const auto& entry : fs::directory_iterator(Backups())) {
      if (entry.is_directory()) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // Replaces the collection by the last backup, or by a given one.
  int Restore(const std::string& at = "") const {
    fs::remove_all(Collection());
    std::vector<std::string> arguments = {"restore", Backups(), "--quiet"};
    if (!at.empty()) arguments.insert(arguments.end(), {"--at", at});
    return Run(arguments);
  }
  // The files of a collection with their contents, except those that any reading program writes.
  static std::map<std::string, std::string> Files(const fs::path& collection) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(collection)) {
      const std::string name = entry.path().filename();
      if (!entry.is_regular_file() || name == "lock" || name.starts_with("LOG")) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files[fs::relative(entry.path(), collection)] = {std::istreambuf_iterator<char>(file), {}};
    }
    return files;
  }
  // The folders that repairs have left beside the collection.
  std::vector<fs::path> Beside() const {
    std::vector<fs::path> beside;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.path().filename().string().starts_with("collection.")) beside.push_back(entry.path());
    }
    return beside;
  }
  std::string Answers() const {
    EXPECT_EQ(Run({"scan", "--json"}), 0) << Text("err");
    std::string answers = Text("out");
    EXPECT_EQ(Run({"search", std::string(kKept), "--json"}), 0) << Text("err");
    const json answer = Lines().at(0);
    for (const json& result : answer["results"]) answers += result["url"].get<std::string>() + "\n";
    return answers;
  }
};

TEST_F(BackupTest, BringsBackWhatWas) {
  Import(Pages());
  const std::string before = Answers();
  ASSERT_EQ(Backup(), 0) << Text("err");
  const std::string first = Lines().at(0)["name"];
  ASSERT_EQ(Run({"forget", "https://one.example/other", "--reason", "x", "--quiet"}), 0) << Text("err");
  ASSERT_EQ(Backup(), 0) << Text("err");
  EXPECT_THAT(Names(), SizeIs(2));

  EXPECT_EQ(Run({"restore", Backups()}), 2);
  EXPECT_THAT(Text("err"), HasSubstr("already exists"));
  ASSERT_EQ(Restore(), 0) << Text("err");
  EXPECT_EQ(Run({"get", "https://one.example/other"}), 1);
  EXPECT_EQ(Run({"get", "https://one.example/secret"}), 0);
  ASSERT_EQ(Restore(first), 0) << Text("err");
  EXPECT_EQ(Answers(), before);
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
}

TEST_F(BackupTest, SharesWhatHasNotChanged) {
  Import(Pages());
  ASSERT_EQ(Backup(), 0) << Text("err");
  ASSERT_EQ(Backup(), 0) << Text("err");
  uint64_t shared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(Backups()) / Names().back())) {
    if (entry.is_regular_file() && entry.hard_link_count() >= 3) shared += entry.file_size();
  }
  uint64_t all = 0;
  for (const auto& entry : fs::recursive_directory_iterator(Collection() / "tablets/t-/archive")) {
    all += entry.file_size();
  }
  EXPECT_GE(shared, all);
}

// A folder on another file system than the test's; empty if there is none.
class OtherFileSystem {
 public:
  explicit OtherFileSystem(const std::string& here) {
    for (const fs::path& parent : {fs::path("/dev/shm"), fs::temp_directory_path(), fs::current_path()}) {
      if (DeviceOf(parent) == DeviceOf(here) || access(parent.c_str(), W_OK) != 0) continue;
      std::string name = parent / "crivello-XXXXXX";
      if (mkdtemp(name.data()) == nullptr) continue;
      path_ = name;
      return;
    }
  }
  ~OtherFileSystem() {
    if (!path_.empty()) fs::remove_all(path_);
  }
  const std::string& path() const { return path_; }

 private:
  static dev_t DeviceOf(const std::string& path) {
    struct stat found = {};
    return stat(path.c_str(), &found) == 0 ? found.st_dev : 0;
  }
  std::string path_;
};

TEST_F(BackupTest, CopiesToAnotherFileSystemAndSharesWithTheBackupBefore) {
  const OtherFileSystem other(folder_.path());
  if (other.path().empty()) GTEST_SKIP() << "there is no second file system to write to";
  Import(Pages());
  ASSERT_EQ(link((Collection() / "crivello.toml").c_str(), (other.path() + "/linked").c_str()), -1);
  ASSERT_EQ(errno, EXDEV);
  const std::string before = Answers();
  const std::vector<std::string> backup = {"backup", other.path(), "--json", "--quiet"};
  ASSERT_EQ(Run(backup), 0) << Text("err");
  const json first = Lines().at(0);
  EXPECT_EQ(first["copied_bytes"], first["bytes"]);
  ASSERT_EQ(Run(backup), 0) << Text("err");
  const json second = Lines().at(0);
  EXPECT_LT(second["copied_bytes"].get<uint64_t>(), second["bytes"].get<uint64_t>() / 2);
  EXPECT_FALSE(fs::exists(Collection() / "backup-staging"));
  // Each is independent of the other.
  for (const json& made : {first, second}) {
    const std::string name = made["name"];
    fs::remove_all(Collection());
    ASSERT_EQ(Run({"restore", other.path(), "--at", name, "--quiet"}), 0) << Text("err");
    EXPECT_EQ(Answers(), before);
    EXPECT_EQ(Run({"check"}), 0) << Text("out");
    fs::remove_all(other.path() + "/" + name);
  }
}

TEST_F(BackupTest, TellsWhichFileIsDamagedAndMakesNothing) {
  Import(Pages());
  ASSERT_EQ(Backup(), 0) << Text("err");
  fs::path victim;
  for (const auto& entry : fs::recursive_directory_iterator(Backups())) {
    if (entry.path().extension() == ".gz") victim = entry.path();
  }
  ASSERT_FALSE(victim.empty());
  fs::rename(victim, folder_ / "good");
  fs::copy_file(folder_ / "good", victim);  // a copy, so that the collection does not share it
  std::fstream(victim, std::ios::in | std::ios::out | std::ios::binary).seekp(200).put('X');
  EXPECT_EQ(Restore(), 3);
  EXPECT_THAT(Text("err"), HasSubstr(victim.filename().string()));
  EXPECT_FALSE(fs::exists(Collection()));
}

TEST_F(BackupTest, OfARunningCrawlGoesOnFromThere) {
  const pid_t crawler = Start(CrawlArguments());
  const std::string program = std::string(ProgramPath()) + " -C " + Collection().string() + " ";
  int code = 4;
  for (int i = 0; i < 100 && code == 4; ++i) {  // 4: not yet listening
    usleep(100'000);
    code = WEXITSTATUS(system((program + "backup " + Backups() + " --quiet > /dev/null 2>&1").c_str()));
  }
  EXPECT_EQ(code, 0);
  EXPECT_EQ(Wait(crawler), 0) << Text("err");
  const auto all = Rows();
  ASSERT_EQ(Restore(), 0) << Text("err");
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
  ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
  // Nothing that was in progress was lost.
  const auto again = Rows();
  for (const auto& [url, status] : all) EXPECT_TRUE(again.contains(url)) << url;
}

TEST_F(BackupTest, IsThereOrNotAfterAKill) {
  Import(Pages());
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  const std::string before = Answers();
  const std::vector<std::string> backup = {"backup", Backups(), "--quiet"};
  const Duration whole = TimeOf(backup);
  for (int i = 0; i < Kills(); ++i) RunAndKill(backup, whole, i, random);
  ASSERT_EQ(Backup(), 0) << Text("err");
  EXPECT_FALSE(fs::exists(Collection() / "backup-staging"));
  for (const std::string& name : Names()) {
    EXPECT_FALSE(name.starts_with("unfinished")) << name;
    fs::rename(Collection(), folder_ / "kept");
    EXPECT_EQ(Restore(name), 0) << Text("err");
    EXPECT_EQ(Answers(), before);
    fs::remove_all(Collection());
    fs::rename(folder_ / "kept", Collection());
  }
  EXPECT_EQ(Answers(), before);
}

TEST_F(BackupTest, ARestoreIsThereOrNotAfterAKill) {
  Import(Pages());
  const std::string before = Answers();
  ASSERT_EQ(Backup(), 0) << Text("err");
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  const std::vector<std::string> restore = {"restore", Backups(), "--quiet"};
  fs::remove_all(Collection());
  const Duration whole = TimeOf(restore);
  for (int i = 0; i < Kills(); ++i) {
    fs::remove_all(Collection());
    RunAndKill(restore, whole, i, random);
    if (!fs::exists(Collection())) {
      ASSERT_EQ(Run(restore), 0) << Text("err");
    }
    EXPECT_EQ(Answers(), before);
    EXPECT_FALSE(fs::exists(Collection().string() + ".unfinished"));
  }
}

TEST_F(BackupTest, RepairMakesRowsAndIndexFromTheArchive) {
  Import(Pages());
  const std::string before = Answers();
  EXPECT_EQ(Run({"check", "--repair"}), 0) << Text("out");
  EXPECT_THAT(Text("out"), HasSubstr("no damage"));

  for (const auto& entry : fs::directory_iterator(Collection() / "tablets/t-/db")) {
    if (entry.path().extension() != ".sst" && entry.path().extension() != ".blob") continue;
    std::fstream(entry.path(), std::ios::in | std::ios::out | std::ios::binary).seekp(40).put('X').put('Y');
  }
  fs::remove_all(Collection() / "tablets/t-/db/CURRENT");
  EXPECT_NE(Run({"check"}), 0);
  ASSERT_EQ(Run({"check", "--repair"}), 0) << Text("out") << Text("err");
  EXPECT_THAT(Text("out"), HasSubstr("queues again"));
  EXPECT_EQ(Run({"check"}), 0) << Text("out");
  EXPECT_EQ(Answers(), before);
}

// URLs that were linked to and not yet fetched are queued after a repair as before it; documents without a
// record are copied.  This holds for damaged and for missing files.
TEST_F(BackupTest, RepairMakesUpForFilesThatAreMissing) {
  const auto first_of = [&](const std::string& folder, const std::string& begin, const std::string& end) {
    for (const auto& entry : fs::directory_iterator(Collection() / "tablets/t-" / folder)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(begin) && name.ends_with(end)) return entry.path();
    }
    return fs::path();
  };
  std::vector<std::string> some = CrawlArguments();
  some.insert(some.end(), {"--max-pages", "30"});
  ASSERT_EQ(Run(some), 0) << Text("err");
  std::ofstream(folder_ / "documents.jsonl") << R"({"id": "7", "text": "a document of nobody's web"})"
                                             << "\n";
  ASSERT_EQ(Run({"import", folder_ / "documents.jsonl", "--quiet"}), 0) << Text("err");
  fs::rename(Collection(), folder_ / "stopped");
  std::map<std::string, int> all;
  for (const std::string what : {"nothing", "manifest", "sieve", "forgotten"}) {
    SCOPED_TRACE(what);
    fs::remove_all(Collection());
    fs::copy(folder_ / "stopped", Collection(), fs::copy_options::recursive);
    fs::path gone;
    if (what == "manifest") gone = first_of("db", "MANIFEST-", "");
    if (what == "sieve") gone = first_of("sieve", "z-", "");
    if (what == "forgotten") {
      ASSERT_EQ(Run({"forget", "nobody.test", "--reason", "a test"}), 0) << Text("err");
      gone = Collection() / "forgotten";
      std::ofstream(gone) << "no list";
    } else if (what != "nothing") {
      ASSERT_FALSE(gone.empty());
      fs::remove(gone);
    }
    if (what != "nothing") {
      EXPECT_EQ(Run({"check"}), 1) << Text("err");
      EXPECT_THAT(Text("out"), HasSubstr(gone.filename().string()));
      ASSERT_EQ(Run({"check", "--repair"}), 0) << Text("out") << Text("err");
      EXPECT_EQ(Run({"check"}), 0) << Text("out");
    }
    ASSERT_EQ(Run(CrawlArguments()), 0) << Text("err");
    std::map<std::string, int> rows = Rows();
    // Only its own table has it, and a database without a manifest cannot be read.
    EXPECT_EQ(rows.erase("https://import.invalid/7"), what == "manifest" ? 0u : 1u);
    if (what == "nothing") all = rows;
    EXPECT_EQ(rows, all);
    for (const fs::path& path : Beside()) fs::remove_all(path);
  }
}

TEST_F(BackupTest, ARepairIsThereOrNotAfterAKill) {
  Import(Pages());
  fs::remove(Collection() / "tablets/t-/db/CURRENT");
  fs::rename(Collection(), folder_ / "damaged");
  const auto damaged = Files(folder_ / "damaged");
  const auto put_back = [this] {
    for (const fs::path& path : Beside()) fs::remove_all(path);
    fs::remove_all(Collection());
    fs::copy(folder_ / "damaged", Collection(), fs::copy_options::recursive);
  };
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  const std::vector<std::string> repair = {"check", "--repair"};
  put_back();
  const Duration whole = TimeOf(repair);
  const std::string repaired = Answers();
  int cut = 0;
  for (int i = 0; MoreKills(i, cut); ++i) {
    SCOPED_TRACE(testing::Message() << "kill " << i);
    put_back();
    RunAndKill(repair, whole, i, random);
    if (Files(Collection()) == damaged) {
      if (!Beside().empty()) cut++;
      ASSERT_EQ(Run(repair), 0) << Text("err");
    }
    EXPECT_EQ(Answers(), repaired);
    EXPECT_EQ(Run({"check"}), 0) << Text("out");
    // The old one is unchanged, and there is nothing half done left by a kill.
    int old = 0;
    for (const fs::path& path : Beside()) {
      EXPECT_THAT(path.filename().string(), testing::StartsWith("collection.damaged-"));
      if (Files(path) == damaged) old++;
    }
    EXPECT_EQ(old, 1);
  }
  EXPECT_GT(cut, 0);
}

TEST_F(BackupTest, RepairDoesNotBringBackWhatIsForgotten) {
  Import(Pages());
  ASSERT_EQ(Run({"forget", "https://one.example/secret", "--reason", "x", "--quiet"}), 0) << Text("err");
  fs::remove(Collection() / "tablets/t-/db/CURRENT");
  ASSERT_EQ(Run({"check", "--repair"}), 0) << Text("out") << Text("err");
  EXPECT_EQ(Run({"get", "https://one.example/secret"}), 1);
  EXPECT_EQ(Run({"get", "https://one.example/other"}), 0);
  EXPECT_THAT(FilesWith(kSecret, Collection()), IsEmpty());
}

}  // namespace
}  // namespace crivello
