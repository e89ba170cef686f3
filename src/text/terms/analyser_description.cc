// SPDX-License-Identifier: Apache-2.0
#include "text/terms/analyser_description.h"

#include <fmt/format.h>

#include "base/ascii.h"

namespace crivello::text {
namespace {

constexpr size_t kMaxDescriptionBytes = 256;
constexpr size_t kMaxNameBytes = 16;

Status Wrong(size_t at, std::string what) {
  return Status::InvalidArgument(fmt::format("analyser: column {}: {}", at + 1, what));
}

// A step's text as shown in an error.
std::string Quoted(std::string_view step) {
  std::string quoted = "'";
  for (const char c : step.substr(0, 40)) quoted += c >= ' ' && c <= '~' ? c : '?';
  return quoted + "'";
}

bool IsName(std::string_view name) {
  if (name.empty() || name.size() > kMaxNameBytes) return false;
  for (const char c : name) {
    if (!IsAsciiAlnum(c) && c != '_' && c != '-') return false;
  }
  return true;
}

class Parser {
 public:
  Status Take(std::string_view step, size_t at) {
    const size_t colon = std::min(step.find(':'), step.size());
    const std::string_view name = step.substr(0, colon);
    const bool has_value = colon < step.size();
    const std::string_view value = has_value ? step.substr(colon + 1) : std::string_view();
    if (first_) return TakeTokens(step, at);
    if (name == "stop") return TakeName(name, value, {at, has_value}, &made_.stop);
    if (name == "stem") return TakeName(name, value, {at, has_value}, &made_.stem);
    if (name == "lemma") return TakeName(name, value, {at, has_value}, &made_.lemma);
    if (made_.tokens == AnalyserDescription::Tokens::kPlain) {
      return Wrong(
          at, fmt::format("'plain' can be combined only with stop:, stem: and lemma:, not {}", Quoted(step)));
    }
    if (name == "fold") return TakeFold(value, {at, has_value});
    if (step == "compat") return TakeFlag(at, step, &made_.compatibility);
    if (step == "accents") return TakeFlag(at, step, &made_.accents);
    if (step == "parts") return TakeFlag(at, step, &made_.parts);
    if (step == "hyphens") return TakeFlag(at, step, &made_.hyphens);
    return Wrong(at, fmt::format("unknown step {}; the steps are fold, compat, accents, parts, hyphens, "
                                 "stop:LANGUAGE, stem:LANGUAGE, lemma:DICTIONARY",
                                 Quoted(step)));
  }

  Result<AnalyserDescription> Finish(size_t end) {
    if (first_) return Wrong(end, "empty: expected 'words' or 'plain'");
    const bool folds = made_.fold != AnalyserDescription::Fold::kNone;
    if (!folds && (!made_.stem.empty() || !made_.lemma.empty() || !made_.stop.empty())) {
      return Wrong(end, "stop:, stem: and lemma: need words in lower case: add 'fold'");
    }
    if (!made_.stem.empty() && !made_.lemma.empty()) return Wrong(end, "stem: and lemma: cannot be combined");
    return std::move(made_);
  }

 private:
  struct Place {
    size_t at;
    bool has_value;
  };

  Status TakeTokens(std::string_view step, size_t at) {
    first_ = false;
    if (step == "plain") {
      made_.tokens = AnalyserDescription::Tokens::kPlain;
      made_.fold = AnalyserDescription::Fold::kFull;
      return Status::Ok();
    }
    if (step == "words") return Status::Ok();
    return Wrong(at, fmt::format("expected 'words' or 'plain', found {}", Quoted(step)));
  }

  Status TakeFlag(size_t at, std::string_view step, bool* flag) {
    if (*flag) return Wrong(at, fmt::format("{} twice", Quoted(step)));
    *flag = true;
    return Status::Ok();
  }

  Status TakeFold(std::string_view value, Place place) {
    if (made_.fold != AnalyserDescription::Fold::kNone) return Wrong(place.at, "'fold' twice");
    if (place.has_value && value != "tr") {
      return Wrong(place.at + 5, fmt::format("expected fold or fold:tr, found {}", Quoted(value)));
    }
    made_.fold = place.has_value ? AnalyserDescription::Fold::kTurkic : AnalyserDescription::Fold::kFull;
    return Status::Ok();
  }

  Status TakeName(std::string_view step, std::string_view value, Place place, std::string* name) {
    if (!name->empty()) return Wrong(place.at, fmt::format("'{}' twice", step));
    if (!IsName(value)) {
      return Wrong(place.at + step.size() + (place.has_value ? 1 : 0),
                   fmt::format("'{}' needs a language, as in {}:it", step, step));
    }
    *name = value;
    return Status::Ok();
  }

  bool first_ = true;
  AnalyserDescription made_;
};

}  // namespace

Result<AnalyserDescription> AnalyserDescription::Parse(std::string_view text) {
  if (text.size() > kMaxDescriptionBytes) {
    return Wrong(kMaxDescriptionBytes, fmt::format("longer than {} bytes", kMaxDescriptionBytes));
  }
  Parser parser;
  size_t i = 0;
  for (;;) {
    while (i < text.size() && IsAsciiSpace(text[i])) ++i;
    if (i == text.size()) return parser.Finish(i);
    const size_t begin = i;
    while (i < text.size() && !IsAsciiSpace(text[i])) ++i;
    CRV_TRY(parser.Take(text.substr(begin, i - begin), begin));
  }
}

std::string AnalyserDescription::ToString() const {
  std::string text = tokens == Tokens::kPlain ? "plain" : "words";
  if (compatibility) text += " compat";
  if (tokens == Tokens::kWords && fold == Fold::kFull) text += " fold";
  if (fold == Fold::kTurkic) text += " fold:tr";
  if (accents) text += " accents";
  if (parts) text += " parts";
  if (hyphens) text += " hyphens";
  if (!stop.empty()) text += " stop:" + stop;
  if (!stem.empty()) text += " stem:" + stem;
  if (!lemma.empty()) text += " lemma:" + lemma;
  return text;
}

}  // namespace crivello::text
