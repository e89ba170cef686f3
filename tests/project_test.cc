// SPDX-License-Identifier: Apache-2.0
// The project about itself: its documents name things that exist, and its folders are as CONTRIBUTING.md
// says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/test_paths.h"

namespace crivello {
namespace {

namespace fs = std::filesystem;
const fs::path kRoot = SourceDirectory();

std::string Text(const fs::path& path) {
  auto text = ReadFile(path.string());
  EXPECT_TRUE(text.ok()) << text.status().ToString();
  return text.ok() ? *text : "";
}

// The project's own files with one of these endings, build folders left out.
std::vector<fs::path> Files(const std::vector<std::string>& endings) {
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(kRoot); it != fs::recursive_directory_iterator(); ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() && (name == "build" || name == ".git" || name == "node_modules"))
      it.disable_recursion_pending();
    for (const auto& ending : endings) {
      if (it->is_regular_file() && name.ends_with(ending)) files.push_back(it->path());
    }
  }
  return files;
}

// A folder of src/ and the folders that it may include.
using Folders = std::map<std::string, std::set<std::string>>;

// What CMakeLists.txt declares: crv_module(NAME USES ... LIBS ...) and crv_program(PROGRAM NAME USES ...).
Folders DeclaredFolders() {
  const std::string text = Text(kRoot / "CMakeLists.txt");
  const std::regex call("\\ncrv_(module|program)\\(([^)]*)\\)");
  Folders folders;
  for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it) {
    std::istringstream words((*it)[2].str());
    std::string word, name;
    words >> name;
    if ((*it)[1] == "program") words >> name;
    auto& uses = folders[name];
    bool is_use = false;
    while (words >> word) {
      if (word == "USES" || word == "LIBS" || word == "PEERS" || word == "COLD" || word == "HEADERS") {
        is_use = word == "USES";
      } else if (is_use) {
        uses.insert(word);
      }
    }
  }
  return folders;
}

// What the table of ARCHITECTURE.md says: | `src/NAME` | what lives there | a, b |, and "–" for none.
Folders DocumentedFolders() {
  std::istringstream lines(Text(kRoot / "ARCHITECTURE.md"));
  const std::regex row("\\| `src/([a-z]+)` \\|.*\\| ([^|]*) \\|");
  const std::regex name("[a-z]+");
  Folders folders;
  std::string line;
  std::smatch match;
  while (std::getline(lines, line)) {
    if (!std::regex_match(line, match, row)) continue;
    EXPECT_FALSE(folders.contains(match[1])) << "two rows for src/" << match[1];
    auto& uses = folders[match[1]];
    const std::string list = match[2];
    for (std::sregex_iterator it(list.begin(), list.end(), name), end; it != end; ++it)
      uses.insert(it->str());
  }
  return folders;
}

// Whether it is code of the program: neither a test, benchmark or fuzzer nor what only they include.
bool IsProgramSource(const fs::path& file) {
  if (file.extension() != ".h" && file.extension() != ".cc") return false;
  const std::string stem = file.stem().string();
  for (const char* part : {"_test", "test_", "_bench", "bench_", "_fuzz", "conformance"}) {
    if (stem.find(part) != std::string::npos) return false;
  }
  return true;
}

int64_t ProgramLines(const std::string& folder) {
  int64_t lines = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src" / folder)) {
    if (!entry.is_regular_file() || !IsProgramSource(entry.path())) continue;
    const std::string text = Text(entry.path());
    lines += std::count(text.begin(), text.end(), '\n');
  }
  return lines;
}

TEST(FoldersTest, AreInArchitectureMdAsInCMakeLists) {
  const Folders declared = DeclaredFolders();
  const Folders documented = DocumentedFolders();
  EXPECT_GT(declared.size(), 20);
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(declared.contains(name)) << "CMakeLists.txt has no crv_module line for src/" << name;
    EXPECT_TRUE(documented.contains(name)) << "the table of ARCHITECTURE.md has no row for src/" << name;
  }
  for (const auto& [name, uses] : declared) {
    EXPECT_TRUE(fs::is_directory(kRoot / "src" / name)) << "CMakeLists.txt names src/" << name;
    const auto row = documented.find(name);
    if (row == documented.end()) continue;  // reported above: its folder exists
    const bool is_all = name == "cli" && row->second == std::set<std::string>{"all"};
    EXPECT_TRUE(is_all || row->second == uses)
        << "src/" << name << " uses " << testing::PrintToString(uses) << " in CMakeLists.txt, but "
        << testing::PrintToString(row->second) << " in ARCHITECTURE.md";
  }
  for (const auto& [name, uses] : documented) {
    EXPECT_TRUE(declared.contains(name))
        << "ARCHITECTURE.md has a row for src/" << name << ", CMakeLists.txt not";
  }
}

// A folder with more files than a reader takes in at a glance is divided into shelves (subfolders).
TEST(FoldersTest, HaveAtMostSixtySourceFilesOnAShelf) {
  std::map<std::string, int> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src")) {
    if (entry.is_regular_file() && IsProgramSource(entry.path())) {
      files[fs::relative(entry.path().parent_path(), kRoot).string()]++;
    }
  }
  EXPECT_GT(files.size(), 20);
  for (const auto& [folder, count] : files) EXPECT_LE(count, 60) << folder << ": divide it into shelves";
}

// Output that cannot be written is a value (cli/writer.h); other ways to print throw, end the process by a
// signal, or lose the error.
TEST(CommandLineTest, PrintsThroughTheWriterAlone) {
  const std::regex printing(
      "fmt::v?print|printf\\(|\\bf?puts\\(|\\bf?putc\\(|putchar|fwrite\\(|fflush\\(|perror|\\b(cout|cerr|"
      "clog)\\b|"
      "\\b(stdout|stderr)\\b");
  int looked_at = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src" / "cli")) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_regular_file() || !IsProgramSource(entry.path())) continue;
    if (name == "writer.cc" || name == "main.cc") continue;
    looked_at++;
    std::istringstream lines(Text(entry.path()));
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      // Help and examples may speak of a shell's printf.
      const std::string code = std::regex_replace(line, std::regex("\"([^\"\\\\]|\\\\.)*\""), "\"\"");
      EXPECT_FALSE(std::regex_search(code, printing))
          << entry.path().string() << ":" << number << ": " << line << "\nprint through cli/writer.h";
    }
  }
  EXPECT_GT(looked_at, 50);
}

// The two folders that all others end in, and that new code is put into when it has no better place.
TEST(FoldersTest, CrawlAndCliStaySmall) {
  for (const auto& [folder, cap] : {std::pair("crawl", 6000), std::pair("cli", 8200)}) {
    const int64_t lines = ProgramLines(folder);
    EXPECT_GT(lines, 500) << folder;
    EXPECT_LT(lines, cap) << "src/" << folder << ": move what other folders could use down to them";
  }
}

TEST(DocumentsTest, NameOnlyPathsThatExist) {
  // In documents: `src/...` and friends in backquotes, and the targets of links.
  const std::regex quoted("`((?:src|docs|cmake|tests|bench|fuzz|tools|changes|include)/[A-Za-z0-9_./-]*)`");
  const std::regex link("\\]\\(([^)#:]+)\\)");
  int paths = 0;
  for (const auto& document : Files({".md"})) {
    const std::string text = Text(document);
    for (const auto& [pattern, base] : {std::pair(quoted, kRoot), std::pair(link, document.parent_path())}) {
      for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
        paths++;
        EXPECT_TRUE(fs::exists(base / (*it)[1].str())) << document << " names " << (*it)[1];
      }
    }
  }
  EXPECT_GT(paths, 20);
}

TEST(DocumentsTest, AreNamedByCommentsOnlyIfTheyExist) {
  const std::regex named("docs/[a-z0-9/-]+\\.md");
  for (const auto& file : Files({".h", ".cc"})) {
    const std::string text = Text(file);
    for (std::sregex_iterator it(text.begin(), text.end(), named), end; it != end; ++it) {
      EXPECT_TRUE(fs::exists(kRoot / it->str())) << file << " names " << it->str();
    }
  }
}

TEST(SourcesTest, HaveALicenceAndAReadmeForEachFolder) {
  for (const auto& file : Files({".h", ".cc"})) {
    EXPECT_THAT(Text(file), testing::StartsWith("// SPDX-License-Identifier: Apache-2.0\n")) << file;
  }
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path();
  }
}

TEST(SourcesTest, HaveAFormatPageForEachKindOfFile) {
  const std::regex kind("kFileKind = \\{(?:\\.name = )?\"([a-z0-9-]+)\"");
  int kinds = 0;
  for (const auto& file : Files({".h"})) {
    const std::string text = Text(file);
    for (std::sregex_iterator it(text.begin(), text.end(), kind), end; it != end; ++it) {
      kinds++;
      bool described = false;
      for (const auto& page : fs::directory_iterator(kRoot / "docs/formats")) {
        described |= Text(page.path()).find("`" + (*it)[1].str() + "`") != std::string::npos;
      }
      EXPECT_TRUE(described) << file << ": kind " << (*it)[1] << " stands on no page of docs/formats";
    }
  }
  EXPECT_GT(kinds, 3);
}

TEST(DocumentsTest, NameEveryEventOfTheLog) {
  const std::string page = Text(kRoot / "docs/logging.md");
  const std::regex written("Write\\([^\"();]*,\\s*\"([a-z_.]+)\"");
  int events = 0;
  for (const auto& file : Files({".cc"})) {
    const std::string path = fs::relative(file, kRoot / "src").string();
    if (!path.starts_with("cli/") || path.ends_with("_test.cc")) continue;
    const std::string text = Text(file);
    for (std::sregex_iterator it(text.begin(), text.end(), written), end; it != end; ++it) {
      events++;
      const bool named = page.find("`" + (*it)[1].str() + "`") != std::string::npos;
      EXPECT_TRUE(named) << file << " writes the event " << (*it)[1];
    }
  }
  EXPECT_GT(events, 12);
}

// The program refuses variables of its name that it does not know, and those of tests are in its environment
// too.
TEST(SourcesTest, ReadNoVariableThatTheProgramWouldRefuse) {
  const std::string known = Text(kRoot / "src/cli/config/config.cc");
  const std::regex read("(?:getenv\\(\"|env\\.)(CRIVELLO_[A-Z_]+)");
  int variables = 0;
  for (const auto& file : Files({".h", ".cc", ".mjs"})) {
    const std::string text = Text(file);
    for (std::sregex_iterator it(text.begin(), text.end(), read), end; it != end; ++it) {
      variables++;
      const bool listed = known.find("\"" + (*it)[1].str() + "\"") != std::string::npos;
      EXPECT_TRUE(listed) << file << " reads " << (*it)[1];
    }
  }
  EXPECT_GT(variables, 5);
}

// Docker is not among what the tests install; what it is told can be held against what is here.
TEST(DockerfileTest, CopiesAndBuildsWhatIsThere) {
  const std::string text = Text(kRoot / "Dockerfile");
  const std::regex copied("\nCOPY ([a-z][^ ]*) ");
  int copies = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), copied), end; it != end; ++it) {
    copies++;
    EXPECT_TRUE(fs::exists(kRoot / (*it)[1].str())) << it->str();
  }
  EXPECT_EQ(copies, 2);
  EXPECT_THAT(text, testing::HasSubstr("install-packages build package"));
  EXPECT_THAT(Text(kRoot / "packages.txt"), testing::HasSubstr("\n[package]\n"));
  EXPECT_THAT(text, testing::HasSubstr("cmake --preset package"));
  EXPECT_THAT(Text(kRoot / "CMakePresets.json"), testing::HasSubstr("\"name\": \"package\""));
}

}  // namespace
}  // namespace crivello
