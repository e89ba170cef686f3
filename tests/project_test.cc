// SPDX-License-Identifier: Apache-2.0
// The project about itself: its documents name things that exist, and its folders are as CONTRIBUTING.md
// says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
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
