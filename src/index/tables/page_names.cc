// SPDX-License-Identifier: Apache-2.0
#include "index/tables/page_names.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/ascii.h"
#include "text/terms/fold.h"
#include "web/url/language_path.h"
#include "web/url/percent.h"
#include "web/url/public_suffix.h"

namespace crivello::index {
namespace {

constexpr size_t kMaxNameBytes = 120;
// The number of different link texts to use.
constexpr size_t kMaxAnchorNames = 12;

constexpr std::array<std::string_view, 12> kSmallWords = {"a",  "an", "and", "for", "from", "in",
                                                          "of", "on", "or",  "the", "to",   "with"};

// The separators between the parts of a title.
constexpr std::array<std::string_view, 9> kSeparators = {
    " - ", " — ", " – ", " | ", " :: ", " : ", ": ", " · ", " » "};

bool IsSeparator(std::string_view text, size_t at, size_t* bytes) {
  for (const std::string_view separator : kSeparators) {
    if (text.substr(at).starts_with(separator)) {
      *bytes = separator.size();
      return true;
    }
  }
  return false;
}

std::vector<std::string_view> PartsOf(std::string_view title) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t at = 0; at < title.size();) {
    size_t bytes = 0;
    if (!IsSeparator(title, at, &bytes)) {
      at++;
      continue;
    }
    parts.push_back(title.substr(begin, at - begin));
    at += bytes;
    begin = at;
  }
  parts.push_back(title.substr(begin));
  return parts;
}

// "Foo" from "3.2. Foo" or "Chapter 4. Foo".
std::string_view WithoutNumber(std::string_view title) {
  const size_t dot = title.find(". ");
  if (dot == std::string_view::npos || dot > 20) return {};
  const std::string_view before = title.substr(0, dot);
  const bool numbered = std::any_of(before.begin(), before.end(), IsAsciiDigit) ||
                        before.starts_with("Appendix") || before.size() == 1;
  return numbered ? title.substr(dot + 2) : std::string_view();
}

// The length of a UTF-8 character that separates words, such as punctuation; 0 if it is not one.
size_t Punctuation(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<uint8_t>(text[at + i]) : uint8_t{0};
  };
  if (byte(0) < 0x80) return IsAsciiAlnum(text[at]) || text[at] == '+' || text[at] == '#' ? 0 : 1;
  if (byte(0) == 0xc2 && byte(1) < 0xc0) return 2;  // U+0080 to U+00BF
  if (byte(0) == 0xe2 && (byte(1) == 0x80 || byte(1) == 0x81 || byte(1) == 0x86)) return 3;  // dashes, quotes
  if (byte(0) == 0xe3 && byte(1) == 0x80) return 3;                                          // those of CJK
  return 0;
}

text::Folder NameFolder() {
  text::AnalyserDescription description;
  description.fold = text::AnalyserDescription::Fold::kFull;
  description.compatibility = true;
  description.accents = true;
  return text::Folder(description);
}

std::string KeyOf(std::string_view text, text::Folder& folder) {
  if (text.size() > 2 * kMaxNameBytes) return {};
  const std::string_view folded = folder.Fold(text).bare;
  std::vector<std::string_view> words;
  std::vector<std::string_view> telling;
  for (size_t at = 0; at < folded.size();) {
    const size_t begin = at;
    while (at < folded.size() && Punctuation(folded, at) == 0) at++;
    if (at > begin) {
      const std::string_view word = folded.substr(begin, at - begin);
      words.push_back(word);
      if (std::find(kSmallWords.begin(), kSmallWords.end(), word) == kSmallWords.end()) {
        telling.push_back(word);
      }
    }
    while (at < folded.size() && Punctuation(folded, at) > 0) at += Punctuation(folded, at);
  }
  std::string key;
  for (const std::string_view word : telling.empty() ? words : telling) {
    key += key.empty() ? "" : " ";
    key += word;
  }
  return key.size() > kMaxNameBytes ? std::string() : key;
}

// Without parentheses at its end: git-commit from git-commit(1).
std::string_view WithoutParenthesis(std::string_view title) {
  if (!title.ends_with(')')) return {};
  const size_t open = title.rfind('(');
  return open == std::string_view::npos ? std::string_view() : title.substr(0, open);
}

// Collects names without repetitions.
class NameList {
 public:
  void Add(NameKind kind, std::string_view text) {
    const std::string key = KeyOf(text, folder_);
    if (key.empty()) return;
    std::string name = NameTerm(kind, key);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  // Adds a part of a title, with and without its number.
  void AddPart(std::string_view text) {
    Add(NameKind::kPart, text);
    Add(NameKind::kPart, WithoutNumber(text));
    Add(NameKind::kPart, WithoutParenthesis(text));
  }
  std::vector<std::string> names;

 private:
  text::Folder folder_ = NameFolder();
};

void AddTitle(std::string_view title, NameList* list) {
  list->Add(NameKind::kTitle, title);
  list->Add(NameKind::kPart, WithoutNumber(title));
  list->Add(NameKind::kPart, WithoutParenthesis(title));
  const std::vector<std::string_view> parts = PartsOf(title);
  if (parts.size() < 2) return;
  for (const std::string_view part : parts) list->AddPart(part);
  // All but the last, and all but the first: either end may be the name of the site.
  const std::string_view last = parts.back();
  list->AddPart(title.substr(0, title.size() - last.size()));
  list->AddPart(title.substr(static_cast<size_t>(parts[1].data() - title.data())));
}

void AddHost(std::string_view host, NameList* list) {
  if (host.starts_with("www.")) host.remove_prefix(4);
  list->Add(NameKind::kHome, host);
  std::string_view domain = web::PublicSuffixList::BuiltIn().RegistrableDomain(host);
  if (domain.empty()) domain = host;
  const std::string_view word = domain.substr(0, domain.find('.'));
  list->Add(NameKind::kHome, word);
  // Without a version at its end: "sqlite" from sqlite3.org.
  const size_t letters = word.find_last_not_of("0123456789") + 1;
  if (letters > 2) list->Add(NameKind::kHome, word.substr(0, letters));
  // With the labels before it: "docs example" from docs.example.org.
  list->Add(NameKind::kHome, host.substr(0, host.size() - domain.size() + word.size()));
}

// "foreign keys" from /foreign-keys.html, with and without the ending, and with the folder before it.
void AddPath(const web::Url& url, NameList* list) {
  if (!url.search().empty()) return;
  std::string path;
  web::AppendPercentDecoded(url.pathname(), &path);
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos || slash + 1 == path.size()) return;
  const std::string_view last = std::string_view(path).substr(slash + 1);
  list->Add(NameKind::kPart, last);
  list->Add(NameKind::kPart, last.substr(0, last.find('.')));
  const size_t before = slash == 0 ? std::string::npos : path.rfind('/', slash - 1);
  if (before != std::string::npos) list->Add(NameKind::kPart, std::string_view(path).substr(before + 1));
}

}  // namespace

std::string NameKey(std::string_view text) {
  text::Folder folder = NameFolder();
  return KeyOf(text, folder);
}

std::string NameTerm(NameKind kind, std::string_view key) {
  std::string term{static_cast<char>(kind), ':'};
  term += key;
  return term;
}

std::vector<std::string> NamesOf(const web::Url& url, std::string_view title, const Inlinks* inlinks) {
  NameList list;
  AddTitle(title, &list);
  if (web::IsHomePage(url)) AddHost(url.hostname(), &list);
  if (!web::IsHomePage(url)) AddPath(url, &list);
  const size_t others = list.names.size();
  for (size_t i = 0; inlinks != nullptr && i < inlinks->texts.size(); i++) {
    if (list.names.size() == others + kMaxAnchorNames) break;
    list.Add(NameKind::kAnchor, inlinks->texts[i]);
  }
  return std::move(list.names);
}

}  // namespace crivello::index
