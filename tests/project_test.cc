// SPDX-License-Identifier: Apache-2.0
// Checks of the project itself: its documents name things that exist, and its folders follow
// CONTRIBUTING.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
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
  for (const auto& [folder, cap] : {std::pair("crawl", 6000), std::pair("cli", 12500)}) {
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
      EXPECT_TRUE(described) << file << ": kind " << (*it)[1] << " is not described in docs/formats";
    }
  }
  EXPECT_GT(kinds, 3);
}

// The text with everything but the characters of string literals replaced: line breaks stay, other white
// space becomes a space, and code becomes '|'.  So adjacent literals read as one text, and literals with
// code between them do not.
std::string OnlyLiterals(const std::string& code, bool is_script) {
  std::string text(code.size(), '|');
  size_t at = 0;
  const auto starts = [&](std::string_view what) { return code.compare(at, what.size(), what) == 0; };
  const auto skip_to = [&](size_t end) { at = std::min(end, code.size()); };
  const auto keep_to = [&](size_t end) {
    for (; at < std::min(end, code.size()); at++) text[at] = code[at];
  };
  while (at < code.size()) {
    const char c = code[at];
    if (c == '\n' || c == ' ') {
      text[at++] = c;
    } else if (starts("//")) {
      skip_to(code.find('\n', at));
    } else if (starts("/*")) {
      const size_t end = std::min(code.find("*/", at + 2), code.size());
      for (; at < end; at++) text[at] = code[at] == '\n' ? '\n' : ' ';
      skip_to(end + 2);
    } else if (!is_script && starts("R\"")) {
      const size_t open = std::min(code.find('(', at), code.size());
      const std::string close = ")" + code.substr(at + 2, open - at - 2) + "\"";
      at = open;
      keep_to(code.find(close, at));
      skip_to(at + close.size());
    } else if (c == '"' || (is_script && (c == '`' || c == '\''))) {
      text[at++] = ' ';
      while (at < code.size() && code[at] != c && (code[at] != '\n' || c == '`')) {
        const size_t escaped = code[at] == '\\' ? 2 : 1;
        keep_to(at + escaped);
      }
      if (at < code.size()) {
        text[at] = code[at] == '\n' ? '\n' : ' ';
        at++;
      }
    } else if (c == '\'' && at > 0 && std::isalnum(static_cast<unsigned char>(code[at - 1])) == 0) {
      at += at + 1 < code.size() && code[at + 1] == '\\' ? 4 : 3;  // a character: '"'
    } else {
      at++;
    }
  }
  return text;
}

// A word of a text: where it is, and whether only white space is between it and the word before.
struct Word {
  std::string_view text;
  size_t at = 0;
  bool follows = false;
};

std::vector<Word> WordsOf(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_-'";
  std::vector<Word> words;
  size_t last_end = 0;
  for (size_t at = text.find_first_of(kLetters); at != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_not_of(kLetters, at), text.size());
    const std::string_view between = text.substr(last_end, at - last_end);
    words.push_back(
        {text.substr(at, end - at), at, between.find_first_not_of(" \n") == std::string_view::npos});
    last_end = end;
    at = text.find_first_of(kLetters, end);
  }
  return words;
}

// A phrase: for each of its words the ones that it may be.
using Phrase = std::vector<std::set<std::string, std::less<>>>;

// Reads "is|are no".
Phrase PhraseOf(const std::string& text) {
  Phrase phrase;
  std::istringstream words(text);
  std::string word, choice;
  while (words >> word) {
    std::istringstream choices(word);
    auto& all = phrase.emplace_back();
    while (std::getline(choices, choice, '|')) all.insert(choice);
  }
  return phrase;
}

bool IsAt(const Phrase& phrase, const std::vector<Word>& words, size_t at) {
  if (at + phrase.size() > words.size()) return false;
  for (size_t i = 0; i < phrase.size(); i++) {
    if (!phrase[i].contains(words[at + i].text) || (i > 0 && !words[at + i].follows)) return false;
  }
  return true;
}

// What tests/phrases.txt says.
struct Phrases {
  std::vector<Phrase> forbidden;
  std::vector<Phrase> allowed;
  std::vector<std::string> not_yet;
};

Phrases ReadPhrases() {
  Phrases phrases;
  std::istringstream lines(Text(kRoot / "tests/phrases.txt"));
  std::string line;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string kind, rest;
    words >> kind >> std::ws;
    std::getline(words, rest);
    EXPECT_FALSE(rest.empty()) << "tests/phrases.txt: " << line;
    if (kind == "forbid") {
      phrases.forbidden.push_back(PhraseOf(rest));
    } else if (kind == "allow") {
      phrases.allowed.push_back(PhraseOf(rest));
    } else if (kind == "not_yet") {
      phrases.not_yet.push_back(rest + "/");
    } else {
      ADD_FAILURE() << "tests/phrases.txt: '" << kind << "' is not forbid, allow or not_yet";
    }
  }
  return phrases;
}

// "LINE: 'phrase'" for each forbidden phrase of a text that is not within an allowed one.
std::vector<std::string> FindPhrases(const Phrases& phrases, const std::string& original) {
  const std::string text = ToAsciiLower(original);
  const std::vector<Word> words = WordsOf(text);
  const auto is_allowed = [&](size_t at) {
    for (const Phrase& good : phrases.allowed) {
      for (size_t before = 0; before < std::min(good.size(), at + 1); before++) {
        if (IsAt(good, words, at - before)) return true;
      }
    }
    return false;
  };
  std::vector<std::string> found;
  for (size_t at = 0; at < words.size(); at++) {
    for (const Phrase& bad : phrases.forbidden) {
      if (!IsAt(bad, words, at) || is_allowed(at)) continue;
      const auto line =
          1 + std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(words[at].at), '\n');
      std::string phrase;
      for (size_t i = 0; i < bad.size(); i++) {
        phrase += i > 0 ? " " : "";
        phrase += words[at + i].text;
      }
      found.push_back(std::to_string(line) + ": '" + phrase + "'");
    }
  }
  return found;
}

TEST(PhrasesTest, AreFoundInLiteralsAndNotInCodeOrComments) {
  const Phrases phrases = ReadPhrases();
  const auto of = [&](const std::string& code) { return FindPhrases(phrases, OnlyLiterals(code, false)); };
  EXPECT_THAT(of("f(\"a\",\n  \"that is \"\n  \"no page\");"), testing::SizeIs(1)) << "adjacent literals";
  EXPECT_THAT(of("a;\nf(\"it goes on\");"), testing::ElementsAre("2: 'goes on'"));
  EXPECT_THAT(of("f(R\"(b \"it\" is no page)\", '\"');"), testing::SizeIs(1)) << "raw literals";
  EXPECT_THAT(of("f(\"is\", \"no\");"), testing::IsEmpty()) << "two literals with code between them";
  EXPECT_THAT(of("f('\"');  // which is no page"), testing::IsEmpty()) << "a comment";
  EXPECT_THAT(of("f(\"there is no page, and it is no longer there\");"), testing::IsEmpty());
}

TEST(PhrasesTest, ThatReadersStumbleOverAreInNoTextForPeople) {
  const Phrases phrases = ReadPhrases();
  EXPECT_GT(phrases.forbidden.size(), 5);
  int files = 0;
  for (const auto& file : Files({".md", ".h", ".cc", ".ts"})) {
    const std::string path = fs::relative(file, kRoot).string();
    if (std::any_of(phrases.not_yet.begin(), phrases.not_yet.end(),
                    [&](const std::string& folder) { return path.starts_with(folder); }))
      continue;
    const bool is_document = path.ends_with(".md") || path.starts_with("include/");
    const bool is_script = path.starts_with("ui/") && path.ends_with(".ts");
    if (!is_document && !is_script && !(path.starts_with("src/") && IsProgramSource(file))) continue;
    files++;
    const std::string text = Text(file);
    for (const std::string& phrase : FindPhrases(phrases, is_document ? text : OnlyLiterals(text, is_script)))
      ADD_FAILURE() << path << ":" << phrase << " (tests/phrases.txt says what to write)";
  }
  EXPECT_GT(files, 500);
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
