// SPDX-License-Identifier: Apache-2.0
#include "text/terms/language.h"

#include <cld2/internal/compact_lang_det_impl.h>
#include <cld2/public/compact_lang_det.h>
#include <cld2/public/encodings.h>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "text/terms/stemmer.h"

namespace crivello::text {
namespace {

// cld2 reads about 25 MB/s, a fifth of the speed of text extraction. Reading more of a page would cost more
// than everything else, and changes nothing.
constexpr size_t kLookBytes = 1 << 10;
constexpr size_t kShortLookBytes = 512;
constexpr int kClearPercent = 90;
constexpr double kDeclaredConfidence = 0.3;

// cld2 uses some obsolete codes, and its own names for scripts.
std::string Bcp47(CLD2::Language language) {
  const std::string_view code = CLD2::LanguageCode(language);
  if (code == "iw") return "he";
  if (code == "jw") return "jv";
  if (code == "in") return "id";
  if (code == "mo") return "ro";
  if (code.starts_with("xx") || code == "un") return "";  // a script, not a language
  return std::string(code);
}

// The language part of a declaration: "it" for "it-IT"; "zh-TW" stays whole.
std::string Declared(std::string_view tag) {
  tag = TrimAsciiSpace(tag.substr(0, tag.find(',')));
  const std::string language = PrimaryLanguage(tag);
  if (language.size() < 2 || language.size() > 3) return "";
  for (const char c : language) {
    if (!IsAsciiAlpha(c)) return "";
  }
  if (language == "und" || language == "mul" || language == "zxx") return "";
  if (language != "zh") return language;
  const std::string lower = ToAsciiLower(tag);
  const bool traditional = lower.find("hant") != std::string::npos || lower.find("tw") != std::string::npos ||
                           lower.find("hk") != std::string::npos;
  return traditional ? "zh-Hant" : "zh";
}

LanguageGuess FromDeclaration(const LanguageHints& hints) {
  for (const std::string_view tag : {hints.declared, hints.content_language}) {
    std::string code = Declared(tag);
    if (!code.empty()) return {std::move(code), kDeclaredConfidence, LanguageSource::kDeclared};
  }
  return {};
}

struct Look {
  std::string code;  // empty if the text is inconclusive
  int percent = 0;
};

Look Ask(std::string_view text, const CLD2::CLDHints& hints) {
  CLD2::Language languages[3];
  int percents[3];
  double scores[3];
  int letters = 0;
  int valid = 0;
  bool reliable = false;
  // Finish: do not read an inconclusive text again to look for repeated words.
  CLD2::ExtDetectLanguageSummaryCheckUTF8(text.data(), static_cast<int>(text.size()), true, &hints,
                                          CLD2::kCLDFlagFinish, languages, percents, scores, nullptr,
                                          &letters, &reliable, &valid);
  // Use the first of the three instead of the summary, which prefers any other language to English, for pages
  // with English menus.
  return {reliable ? Bcp47(languages[0]) : "", percents[0]};
}

Look LookAt(std::string_view text, const CLD2::CLDHints& hints, std::optional<std::string_view> site) {
  if (site && text.size() > kShortLookBytes) {
    Look look = Ask(charset::CutUtf8(text, kShortLookBytes), hints);
    if (look.code == *site && (look.code.empty() || look.percent >= kClearPercent)) return look;
  }
  const std::string_view start = charset::CutUtf8(text, kLookBytes);
  Look look = Ask(start, hints);
  if (start.size() == text.size()) return look;
  if (look.code.empty()) return Ask(charset::CutUtf8(text.substr(start.size()), kShortLookBytes), hints);
  return look.percent < kClearPercent ? Ask(text, hints) : look;
}

}  // namespace

std::string_view LanguageSourceName(LanguageSource source) {
  switch (source) {
    case LanguageSource::kNone:
      return "none";
    case LanguageSource::kText:
      return "text";
    case LanguageSource::kDeclared:
      return "declared";
  }
  return "unknown";
}

LanguageGuess DetectLanguage(std::string_view text, const LanguageHints& hints) {
  text = charset::CutUtf8(text, kLanguageBytes);
  // cld2 expects a list as in the header; the page's own declaration is put first.
  std::string declared(hints.declared);
  if (!hints.content_language.empty())
    declared.append(declared.empty() ? "" : ",").append(hints.content_language);
  const std::string domain(hints.top_level_domain);
  const CLD2::CLDHints cld_hints = {declared.empty() ? nullptr : declared.c_str(),
                                    domain.empty() ? nullptr : domain.c_str(), CLD2::UNKNOWN_ENCODING,
                                    CLD2::UNKNOWN_LANGUAGE};
  Look look = LookAt(text, cld_hints, hints.site);
  if (look.code.empty()) return FromDeclaration(hints);
  return {std::move(look.code), look.percent / 100.0, LanguageSource::kText};
}

DocumentLanguages DetectLanguages(const Document& document, const LanguageHints& hints) {
  DocumentLanguages found;
  LanguageHints with_own = hints;
  if (with_own.declared.empty()) with_own.declared = document.language;
  found.document = DetectLanguage(document.MainText(), with_own);
  found.blocks.reserve(document.blocks.size());
  for (const Block& block : document.blocks) found.blocks.push_back(DetectLanguage(block.text));
  return found;
}

}  // namespace crivello::text
