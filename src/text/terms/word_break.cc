// SPDX-License-Identifier: Apache-2.0
#include "text/terms/word_break.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace crivello::text {
namespace {

enum class WordClass : uint8_t {
  kOther,
  kLetter,
  kHebrew,
  kNumber,
  kJoiner,  // an underscore or similar
  kMidLetter,
  kMidNumber,
  kMidBoth,
  kSingleQuote,
  kDoubleQuote,
  kExtend,  // attaches to whatever precedes it
  kHangul,  // syllables, which join only each other
  kDictionary,
};

WordClass ClassFromIcu(UChar32 c) {
  if (c == ':' || c == 0xFE55 || c == 0xFF1A) return WordClass::kOther;  // as in ICU's rules
  if (c >= 0xAC00 && c <= 0xD7A3) return WordClass::kHangul;
  const auto property = static_cast<UWordBreakValues>(u_getIntPropertyValue(c, UCHAR_WORD_BREAK));
  if (property == U_WB_EXTEND || property == U_WB_FORMAT || property == U_WB_ZWJ) return WordClass::kExtend;
  if (property == U_WB_KATAKANA || u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT) {
    return WordClass::kDictionary;
  }
  if (u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC)) return WordClass::kDictionary;
  UErrorCode status = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(c, &status);
  if (script == USCRIPT_HAN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA) {
    return WordClass::kDictionary;
  }
  switch (property) {
    case U_WB_ALETTER:
      return WordClass::kLetter;
    case U_WB_HEBREW_LETTER:
      return WordClass::kHebrew;
    case U_WB_NUMERIC:
      return WordClass::kNumber;
    case U_WB_EXTENDNUMLET:
      return WordClass::kJoiner;
    case U_WB_MIDLETTER:
      return WordClass::kMidLetter;
    case U_WB_MIDNUM:
      return WordClass::kMidNumber;
    case U_WB_MIDNUMLET:
      return WordClass::kMidBoth;
    case U_WB_SINGLE_QUOTE:
      return WordClass::kSingleQuote;
    case U_WB_DOUBLE_QUOTE:
      return WordClass::kDoubleQuote;
    default:
      return WordClass::kOther;
  }
}

constexpr UChar32 kJoiner = 0x200D;  // attaches a pictograph to whatever precedes it

using ClassTable = std::array<WordClass, 0x10000>;

const ClassTable& Classes() {
  static const ClassTable table = [] {
    ClassTable made;
    for (size_t c = 0; c < made.size(); ++c) made[c] = ClassFromIcu(static_cast<UChar32>(c));
    return made;
  }();
  return table;
}

// Reads characters together with their classes.
class BreakReader {
 public:
  BreakReader(std::string_view text, size_t at, const ClassTable& classes)
      : bytes_(reinterpret_cast<const uint8_t*>(text.data())),
        size_(text.size()),
        at_(at),
        classes_(classes) {}

  struct Character {
    WordClass type = WordClass::kOther;
    UChar32 code = -1;
    size_t end = 0;
  };
  bool done() const { return at_ >= size_; }
  Character Take() {
    Character c;
    c.code = bytes_[at_];
    if (c.code < 0x80) {
      ++at_;
    } else {
      U8_NEXT(bytes_, at_, size_, c.code);
    }
    c.end = at_;
    if (c.code >= 0) {
      c.type = c.code < 0x10000 ? classes_[static_cast<size_t>(c.code)] : ClassFromIcu(c.code);
    }
    return c;
  }
  // The next character that is not attached to the one before; glued() reports a pictograph that is.
  Character TakeSkippingExtend() {
    UChar32 before = -1;
    while (!done()) {
      const Character c = Take();
      if (c.type != WordClass::kExtend) {
        glued_ |= before == kJoiner && u_hasBinaryProperty(c.code, UCHAR_EXTENDED_PICTOGRAPHIC);
        return c;
      }
      extended_to_ = c.end;
      before = c.code;
    }
    return {};
  }
  bool glued() const { return glued_; }
  size_t extended_to() const { return extended_to_; }

 private:
  const uint8_t* const bytes_;
  const size_t size_;
  size_t at_;
  const ClassTable& classes_;
  bool glued_ = false;
  size_t extended_to_ = 0;
};

bool IsLetter(WordClass c) { return c == WordClass::kLetter || c == WordClass::kHebrew; }

// Whether `c` may be inside a word after `before`, if a character of the same kind follows.
bool IsMiddle(WordClass before, WordClass c) {
  if (IsLetter(before)) {
    return c == WordClass::kMidLetter || c == WordClass::kMidBoth || c == WordClass::kSingleQuote ||
           (c == WordClass::kDoubleQuote && before == WordClass::kHebrew);
  }
  return before == WordClass::kNumber &&
         (c == WordClass::kMidNumber || c == WordClass::kMidBoth || c == WordClass::kSingleQuote);
}

bool Continues(WordClass before, WordClass middle, WordClass after) {
  if (before == WordClass::kNumber) return after == WordClass::kNumber;
  return middle == WordClass::kDoubleQuote ? after == WordClass::kHebrew : IsLetter(after);
}

// The size of a stretch for ICU: large enough that its iterator is not set up for every few words, small
// enough for its buffers. It ends at white space, soon after the last character that needs a dictionary.
constexpr size_t kStretchBytes = size_t{1} << 15;
constexpr size_t kStretchTail = 48;

struct Utf16 {
  std::vector<UChar> units;
  std::vector<uint32_t> offsets;  // offset of each unit's character, and the end

  void Assign(std::string_view text) {
    units.resize(text.size());
    offsets.resize(text.size() + 1);
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    size_t n = 0;
    for (size_t at = 0; at < text.size();) {
      const auto begin = static_cast<uint32_t>(at);
      UChar32 c;
      U8_NEXT_OR_FFFD(bytes, at, text.size(), c);
      offsets[n] = begin;
      if (c < 0x10000) {
        units[n++] = static_cast<UChar>(c);
      } else {
        units[n++] = U16_LEAD(c);
        offsets[n] = begin;
        units[n++] = U16_TRAIL(c);
      }
    }
    offsets[n] = static_cast<uint32_t>(text.size());
    units.resize(n);
  }
  int32_t size() const { return static_cast<int32_t>(units.size()); }
};

struct BreakIterator {
  explicit BreakIterator(UBreakIteratorType type) {
    UErrorCode status = U_ZERO_ERROR;
    handle = ubrk_open(type, "", nullptr, 0, &status);
  }
  ~BreakIterator() { ubrk_close(handle); }
  BreakIterator(const BreakIterator&) = delete;
  BreakIterator& operator=(const BreakIterator&) = delete;

  // Calls on_segment(begin, end, rule status) for each segment; offsets count UTF-16 units.
  template <typename OnSegment>
  void ForEach(const Utf16& text, OnSegment&& on_segment) {
    UErrorCode status = U_ZERO_ERROR;
    ubrk_setText(handle, text.units.data(), text.size(), &status);
    if (U_FAILURE(status) != 0) return;
    int32_t begin = ubrk_first(handle);
    for (int32_t end; (end = ubrk_next(handle)) != UBRK_DONE; begin = end) {
      on_segment(static_cast<size_t>(begin), static_cast<size_t>(end), ubrk_getRuleStatus(handle));
    }
  }

  UBreakIterator* handle;
};

std::vector<size_t> Boundaries(std::string_view text, UBreakIteratorType type) {
  Utf16 units;
  units.Assign(text);
  std::vector<size_t> boundaries = {0};
  BreakIterator(type).ForEach(units,
                              [&](size_t, size_t end, int32_t) { boundaries.push_back(units.offsets[end]); });
  return boundaries;
}

}  // namespace

struct WordBreaker::Icu {
  const ClassTable& classes = Classes();
  std::unique_ptr<BreakIterator> iterator;  // made when first needed, because few texts need it
  Utf16 units;
  std::vector<Word> words;

  // The end of the stretch that begins at `at`.
  size_t StretchEnd(std::string_view text, size_t at) const {
    size_t needed = at;  // end of the last character that needs a dictionary
    BreakReader reader(text, at, classes);
    for (size_t end = at; !reader.done();) {
      const BreakReader::Character c = reader.Take();
      if (c.type == WordClass::kDictionary) needed = c.end;
      if (c.code >= 0 && c.code < 0x80 && IsAsciiSpace(static_cast<char>(c.code)) &&
          (end - needed >= kStretchTail || end - at >= kStretchBytes)) {
        return end;
      }
      end = c.end;
      if (end - at >= 2 * kStretchBytes) return end;
    }
    return text.size();
  }

  bool HasLetter(size_t begin, size_t end) const {
    return std::any_of(units.units.begin() + static_cast<ptrdiff_t>(begin),
                       units.units.begin() + static_cast<ptrdiff_t>(end),
                       [this](char16_t unit) { return IsLetter(classes[unit]); });
  }
  bool SaysSomething(size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i) {
      const WordClass c = classes[units.units[i]];
      if (IsLetter(c) || c == WordClass::kNumber || c == WordClass::kHangul || c == WordClass::kDictionary)
        return true;
    }
    return false;
  }

  Scan Stretch(std::string_view text, size_t at) {
    if (iterator == nullptr) iterator = std::make_unique<BreakIterator>(UBRK_WORD);
    size_t end = StretchEnd(text, at);
    units.Assign(text.substr(at, end - at));
    words.clear();
    size_t last = 0;
    // ICU 72 treats @ as a letter; here it separates words, as in the annex.
    std::replace(units.units.begin(), units.units.end(), u'@', u'*');
    iterator->ForEach(units, [&](size_t begin, size_t to, int32_t status) {
      last = begin;
      // If a segment ends in marks, ICU may not report that it is a word.
      if (status < UBRK_WORD_NUMBER && !SaysSomething(begin, to)) return;
      // ICU reports only the kind of the segment's end.
      const bool number = status < UBRK_WORD_LETTER && !HasLetter(begin, to);
      words.push_back({at + units.offsets[begin], at + units.offsets[to], number});
    });
    // Cut where there is no white space: the last segment may continue.
    if (end < text.size() && !IsAsciiSpace(text[end]) && last > 0) {
      end = at + units.offsets[last];
      while (!words.empty() && words.back().begin >= end) words.pop_back();
    }
    return {Scan::kStretch, false, end};
  }
};

WordBreaker::WordBreaker() : icu_(std::make_unique<Icu>()) {}
WordBreaker::~WordBreaker() = default;
WordBreaker::WordBreaker(WordBreaker&&) noexcept = default;
WordBreaker& WordBreaker::operator=(WordBreaker&&) noexcept = default;

const std::vector<Word>& WordBreaker::stretch() const { return icu_->words; }

WordBreaker::Scan WordBreaker::ScanAt(std::string_view text, size_t at) {
  BreakReader reader(text, at, icu_->classes);
  BreakReader::Character c = reader.Take();
  if (c.type == WordClass::kDictionary) return icu_->Stretch(text, at);
  if (c.type == WordClass::kHangul) {
    size_t end = c.end;
    while (!reader.done() && (c = reader.Take()).type == WordClass::kHangul) end = c.end;
    while (c.type == WordClass::kExtend) {
      if (c.code == kJoiner) return icu_->Stretch(text, at);
      end = c.end;
      if (reader.done()) break;
      c = reader.Take();
    }
    return {Scan::kWord, false, end};
  }
  if (!IsLetter(c.type) && c.type != WordClass::kNumber && c.type != WordClass::kJoiner) {
    return {Scan::kNone, false, c.end};
  }
  bool letters = false;
  bool digits = false;
  size_t end;
  WordClass before;
  for (;;) {
    letters |= IsLetter(c.type);
    digits |= c.type == WordClass::kNumber;
    before = c.type;
    end = c.end;
    c = reader.TakeSkippingExtend();
    end = std::max(end, reader.extended_to());
    if (IsLetter(c.type) || c.type == WordClass::kNumber || c.type == WordClass::kJoiner) continue;
    if (IsMiddle(before, c.type)) {
      const WordClass middle = c.type;
      const size_t middle_end = c.end;
      c = reader.TakeSkippingExtend();
      if (c.type == WordClass::kDictionary) return icu_->Stretch(text, at);
      if (Continues(before, middle, c.type)) continue;
      if (before == WordClass::kHebrew && middle == WordClass::kSingleQuote) {
        end = std::max(middle_end, reader.extended_to());
      }
      break;
    }
    break;
  }
  if (c.type == WordClass::kDictionary || reader.glued()) return icu_->Stretch(text, at);
  if (!letters && !digits) return {Scan::kNone, false, end};
  return {Scan::kWord, !letters, end};
}

std::vector<size_t> WordBoundaries(std::string_view text) { return Boundaries(text, UBRK_WORD); }
std::vector<size_t> GraphemeBoundaries(std::string_view text) { return Boundaries(text, UBRK_CHARACTER); }

}  // namespace crivello::text
