// SPDX-License-Identifier: Apache-2.0
#include "text/terms/analyser.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "text/terms/ascii_scan.h"
#include "text/terms/compounds.h"
#include "text/terms/fold.h"
#include "text/terms/stem_cache.h"
#include "text/terms/stemmer.h"
#include "text/terms/stop_words.h"
#include "text/terms/word_break.h"

namespace crivello::text {
namespace {

// What the byte after an ASCII word means for the word.
enum Behind : uint8_t {
  kEnds = 0,
  kMayJoin = 1,  // joins unless white space follows: . , ' ;
  kMayName = 2,  // may continue a name or address: @ + # : % -
  kJoins = 4,    // not ASCII
};

constexpr std::array<uint8_t, 256> kBehind = [] {
  std::array<uint8_t, 256> table = {};
  for (const char c : {'.', ',', '\'', ';'}) table[static_cast<uint8_t>(c)] = kMayJoin;
  for (const char c : {'@', '+', '#', ':', '%', '-'}) table[static_cast<uint8_t>(c)] = kMayName;
  for (size_t c = 0x80; c < 256; ++c) table[c] = kJoins;
  return table;
}();

// The commas of 1,000.5 are not part of its value; those of 1,2,3 separate a list, and stay.
bool HasGroupingCommas(std::string_view number) {
  const size_t comma = number.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma > 3) return false;
  size_t i = comma;
  while (i < number.size() && number[i] == ',') {
    for (size_t k = 1; k <= 3; ++k) {
      if (i + k >= number.size() || !IsAsciiDigit(number[i + k])) return false;
    }
    i += 4;
  }
  return i == number.size() || (number[i] == '.' && number.find(',', i) == std::string_view::npos);
}

}  // namespace

std::string_view TermKindName(TermKind kind) {
  switch (kind) {
    case TermKind::kWord:
      return "word";
    case TermKind::kNumber:
      return "number";
    case TermKind::kCompound:
      return "compound";
    case TermKind::kPart:
      return "part";
    case TermKind::kStem:
      return "stem";
  }
  return "unknown";
}

class Analyser::Impl {
 public:
  explicit Impl(const AnalyserDescription& description) : description_(description), folder_(description) {}

  Status Open() {
    if (!description_.stop.empty()) {
      CRV_ASSIGN(stop_words_, StopWords(description_.stop));
    }
    if (!description_.lemma.empty()) {
      CRV_ASSIGN(auto reducer, MakeLemmatiser(description_.lemma));
      stemmers_.push_back({description_.lemma, std::move(reducer), {}});
    } else if (!description_.stem.empty() && description_.stem != "auto") {
      CRV_ASSIGN(auto reducer, MakeStemmer(description_.stem));
      stemmers_.push_back({description_.stem, std::move(reducer), {}});
    }
    return Status::Ok();
  }

  const AnalyserDescription& description() const { return description_; }

  bool KeepsBeginnings(std::string_view language) {
    const Reducer* stemmer = ChooseStemmer(language);
    return stemmer == nullptr || stemmer->reducer->keeps_beginnings();
  }

  uint32_t Analyse(std::string_view text, const Options& options, TermSink& sink) {
    text_ = text;
    sink_ = &sink;
    position_ = options.position;
    compound_end_ = hyphenated_end_ = 0;
    stemmer_ = ChooseStemmer(options.language);
    size_t at = 0;
    while (at < text.size()) {
      window_begin_ = at;
      window_.Assign(text.substr(at, AsciiWindow::kBytes));
      at = description_.tokens == AnalyserDescription::Tokens::kPlain ? PlainWindow() : WordsWindow();
      Flush();  // the window's bytes are about to change
    }
    return position_;
  }

 private:
  struct Reducer {
    std::string language;
    std::unique_ptr<WordReducer> reducer;
    StemCache cache;
  };

  // Stemmers are kept once made, because languages are few.
  Reducer* ChooseStemmer(std::string_view language) {
    if (description_.stem != "auto") return stemmers_.empty() ? nullptr : &stemmers_.front();
    const std::string code = PrimaryLanguage(language);
    for (Reducer& known : stemmers_) {
      if (known.language == code) return &known;
    }
    auto made = MakeStemmer(code);
    if (!made.ok()) return nullptr;
    stemmers_.push_back({code, std::move(made).value(), {}});
    return &stemmers_.back();
  }

  // Both process the words of a window and return where the next window begins.
  size_t PlainWindow() {
    const bool last = window_begin_ + window_.size() == text_.size();
    for (size_t i = window_.NextAlnum(0); i < window_.size();) {
      const size_t end = window_.NextNoAlnum(i);
      if (end == window_.size() && !last && i > 0) return window_begin_ + i;
      // The rest of a word that fills a whole window is cut off.
      size_t text_end = window_begin_ + end;
      while (end == window_.size() && text_end < text_.size() && IsAsciiAlnum(text_[text_end])) ++text_end;
      EmitFolded(TermKind::kWord, {window_.lower() + i, end - i}, {window_begin_ + i, text_end});
      if (end == window_.size()) return text_end;
      i = window_.NextAlnum(end);
    }
    return window_begin_ + window_.size();
  }

  size_t WordsWindow() {
    const bool folds = description_.fold == AnalyserDescription::Fold::kFull;
    const bool names = description_.parts || description_.hyphens;
    const size_t size = window_.size();
    const bool last = window_begin_ + size == text_.size();
    size_t i = window_.NextStart(0);
    while (i < size) {
      const size_t begin = window_begin_ + i;
      if (window_.IsHigh(i)) {
        if (i + 4 > size && !last && i > 0) return begin;
        const size_t next = TakeAt(begin);
        if (next >= window_begin_ + size) return next;
        i = window_.NextStart(next - window_begin_);
        continue;
      }
      const size_t end = window_.NextEnd(i);
      // The bytes after the word decide whether it continues, so they must be in the window.
      if (end + 2 > size && !last) {
        if (i > 0) return begin;
        return TakeAt(begin);
      }
      if (IsSimple(i, end, names, folds)) {
        const Span span = {begin, window_begin_ + end};
        if (folds) {
          EmitSimple({window_.lower() + i, end - i}, span);
        } else {
          EmitSimple(text_.substr(begin, end - i), span);
        }
        i = window_.NextStart(end);
        continue;
      }
      const size_t next = TakeAt(begin);
      if (next >= window_begin_ + size) return next;
      i = window_.NextStart(next - window_begin_);
    }
    return window_begin_ + size;
  }

  // Whether the ASCII word [i, end) of the window can be used as it is: it ends there, has no parts, and
  // needs only ASCII lower-casing.
  bool IsSimple(size_t i, size_t end, bool names, bool folds) const {
    const size_t length = end - i;
    if (length > 64) return false;
    const char* lower = window_.lower();
    const uint8_t behind = kBehind[static_cast<uint8_t>(lower[end])];
    if (behind != kEnds && !(behind == kMayJoin && !IsWordish(lower[end + 1])) &&
        !(behind == kMayName && !names)) {
      return false;
    }
    const uint64_t mask = length == 64 ? ~uint64_t{0} : (uint64_t{1} << length) - 1;
    if ((window_.Underscore(i) & mask) != 0) return false;
    const uint64_t upper = window_.Upper(i) & mask;
    if (upper != 0 && !folds) {
      if (description_.fold != AnalyserDescription::Fold::kNone) return false;
    }
    if (!names) return true;
    if ((upper & ~uint64_t{1}) != 0 && upper != mask) return false;
    return !(window_begin_ + i > 0 && text_[window_begin_ + i - 1] == '.');
  }

  static bool IsWordish(char c) { return IsAsciiAlnum(c) || static_cast<uint8_t>(c) >= 0x80; }

  void EmitSimple(std::string_view word, Span span) {
    if (!IsAsciiDigit(word.front())) return EmitFolded(TermKind::kWord, word, span);
    for (const char c : word) {
      if (!IsAsciiDigit(c)) return EmitFolded(TermKind::kWord, word, span);
    }
    EmitFolded(TermKind::kNumber, word, span);
  }

  // Emits a word that has only one form, which is in the window or in the text.
  void EmitFolded(TermKind kind, std::string_view word, Span span) {
    const uint32_t position = position_++;
    if (word.size() > kMaxTermBytes) word = word.substr(0, kMaxTermBytes);
    if (!stop_words_.empty() && stop_words_.count(word) != 0) return;
    Add(kind, word, position, span);
    if (stemmer_ != nullptr && kind == TermKind::kWord) AddStem(word, position, span);
  }

  // Processes whatever begins at `begin`; returns where to continue.
  size_t TakeAt(size_t begin) {
    const WordBreaker::Scan scan = breaker_.ScanAt(text_, begin);
    if (scan.kind == WordBreaker::Scan::kWord) TakeWord({begin, scan.end, scan.number});
    if (scan.kind == WordBreaker::Scan::kStretch) {
      for (const Word& word : breaker_.stretch()) TakeWord(word);
    }
    return scan.end;
  }

  void TakeWord(const Word& word) {
    const uint32_t position = position_++;
    const Span span = {word.begin, word.end};
    const std::string_view raw = text_.substr(word.begin, word.end - word.begin);
    if (description_.parts && word.begin >= compound_end_) {
      if (const auto whole = CompoundAt(text_, span)) {
        compound_end_ = whole->end;
        AddCopy(TermKind::kCompound, folder_.Fold(text_.substr(whole->begin, whole->end - whole->begin)).bare,
                position, *whole);
      }
    }
    if (description_.hyphens && word.begin >= hyphenated_end_ && word.begin >= compound_end_) {
      if (const auto whole = HyphenatedAt(text_, span)) {
        hyphenated_end_ = whole->end;
        AddCopy(TermKind::kCompound, Joined(*whole), position, *whole);
      }
    }
    if (word.number) return TakeNumber(raw, position, span);
    if (!AddForms(TermKind::kWord, raw, position, span) || !description_.parts) return;
    for (const Span& part : WordParts(raw)) {
      AddForms(TermKind::kPart, raw.substr(part.begin, part.end - part.begin), position,
               {word.begin + part.begin, word.begin + part.end});
    }
  }

  void TakeNumber(std::string_view raw, uint32_t position, Span span) {
    const std::string_view number = folder_.Fold(raw).bare;
    if (!HasGroupingCommas(number)) return AddCopy(TermKind::kNumber, number, position, span);
    joined_.clear();
    for (const char c : number) {
      if (c != ',') joined_ += c;
    }
    AddCopy(TermKind::kNumber, joined_, position, span);
  }

  // The hyphenated word without hyphens, folded.
  std::string_view Joined(Span whole) {
    joined_.clear();
    for (size_t i = whole.begin; i < whole.end; ++i) {
      if (text_[i] != '-') joined_ += text_[i];
    }
    return folder_.Fold(joined_).bare;
  }

  // Adds a word or part and its stem; false if it is a stop word or folds to nothing.
  bool AddForms(TermKind kind, std::string_view raw, uint32_t position, Span span) {
    const Folder::Forms forms = folder_.Fold(raw);
    if (forms.bare.empty()) return false;
    const std::string_view folded = charset::CutUtf8(forms.folded, kMaxTermBytes);
    if (!stop_words_.empty() && stop_words_.count(folded) != 0) return false;
    AddCopy(kind, forms.bare, position, span);
    if (stemmer_ != nullptr) AddStem(folded, position, span);
    return true;
  }

  void AddStem(std::string_view folded, uint32_t position, Span span) {
    if (arena_used_ + kMaxTermBytes > arena_.size()) Flush();
    char* out = arena_.data() + arena_used_;
    const size_t size = stemmer_->cache.Get(folded, out, kMaxTermBytes, [this](std::string_view word) {
      const std::string_view stem = stemmer_->reducer->Reduce(word);
      const bool ascii =
          std::none_of(stem.begin(), stem.end(), [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
      return ascii ? stem : charset::CutUtf8(folder_.RemoveAccents(stem), kMaxTermBytes);
    });
    if (size == 0) return;
    arena_used_ += size;
    Add(TermKind::kStem, {out, size}, position, span);
  }

  void AddCopy(TermKind kind, std::string_view text, uint32_t position, Span span) {
    text = charset::CutUtf8(text, kMaxTermBytes);
    if (text.empty()) return;
    if (arena_used_ + text.size() > arena_.size()) Flush();
    char* copy = arena_.data() + arena_used_;
    std::memcpy(copy, text.data(), text.size());
    arena_used_ += text.size();
    Add(kind, {copy, text.size()}, position, span);
  }

  void Add(TermKind kind, std::string_view text, uint32_t position, Span span) {
    batch_[batched_++] = {text, position, static_cast<uint32_t>(span.begin), static_cast<uint32_t>(span.end),
                          kind};
    if (batched_ == batch_.size()) Flush();
  }

  void Flush() {
    if (batched_ > 0) sink_->OnTerms({batch_.data(), batched_});
    batched_ = 0;
    arena_used_ = 0;
  }

  const AnalyserDescription description_;
  WordBreaker breaker_;
  Folder folder_;
  std::unordered_set<std::string_view> stop_words_;
  std::vector<Reducer> stemmers_;

  // The text being analysed.
  std::string_view text_;
  TermSink* sink_ = nullptr;
  Reducer* stemmer_ = nullptr;
  uint32_t position_ = 0;
  size_t window_begin_ = 0;
  size_t compound_end_ = 0;    // no other compound begins inside one
  size_t hyphenated_end_ = 0;  // nor a hyphenated word inside one
  AsciiWindow window_;
  std::string joined_;
  // Terms not yet delivered, and the text of those that are neither in the window nor in the input.
  std::array<Term, 256> batch_;
  size_t batched_ = 0;
  std::array<char, 16384> arena_;
  size_t arena_used_ = 0;
};

Analyser::Analyser(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Analyser::~Analyser() = default;
Analyser::Analyser(Analyser&&) noexcept = default;
Analyser& Analyser::operator=(Analyser&&) noexcept = default;

Result<Analyser> Analyser::Create(const AnalyserDescription& description) {
  auto impl = std::make_unique<Impl>(description);
  CRV_TRY(impl->Open());
  return Analyser(std::move(impl));
}

Result<Analyser> Analyser::Create(std::string_view description) {
  CRV_ASSIGN(const AnalyserDescription parsed, AnalyserDescription::Parse(description));
  return Create(parsed);
}

const AnalyserDescription& Analyser::description() const { return impl_->description(); }

bool Analyser::KeepsBeginnings(std::string_view language) { return impl_->KeepsBeginnings(language); }

uint32_t Analyser::Analyse(std::string_view text, const Options& options, TermSink& sink) {
  assert(text.size() < UINT32_MAX);
  return impl_->Analyse(text, options, sink);
}

}  // namespace crivello::text
