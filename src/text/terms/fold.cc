// SPDX-License-Identifier: Apache-2.0
#include "text/terms/fold.h"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

#include <array>
#include <bitset>
#include <cstring>
#include <mutex>

#include "base/ascii.h"
#include "charset/utf8.h"

namespace crivello::text {
namespace {

// Room for the longest expansion: NFKC turns one character into up to eighteen.
constexpr size_t kUnits = Folder::kMaxInputBytes * 18 + 64;
constexpr size_t kOutBytes = 3 * kUnits;

struct Steps {
  AnalyserDescription::Fold fold;
  bool compatibility;
  bool accents;
};

// UTF-16 text in two buffers that alternate from step to step.
class Pipeline {
 public:
  void Take(std::string_view utf8) {
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = 0;
    u_strFromUTF8WithSub(from(), kCapacity, &length, utf8.data(), static_cast<int32_t>(utf8.size()), 0xFFFD,
                         nullptr, &status);
    size_ = U_SUCCESS(status) != 0 ? length : 0;
  }
  void Normalize(const UNormalizer2* form) {
    Step([&](UErrorCode* status) { return unorm2_normalize(form, from(), size_, to(), kCapacity, status); });
  }
  void FoldCase(AnalyserDescription::Fold fold) {
    if (fold == AnalyserDescription::Fold::kNone) return;
    const uint32_t options =
        fold == AnalyserDescription::Fold::kTurkic ? U_FOLD_CASE_EXCLUDE_SPECIAL_I : U_FOLD_CASE_DEFAULT;
    Step([&](UErrorCode* status) { return u_strFoldCase(to(), kCapacity, from(), size_, options, status); });
  }
  // Calls map(c, append) for each code point; the appended code points form the new text.
  template <typename Map>
  void MapCodePoints(Map&& map) {
    int32_t written = 0;
    const auto append = [&](UChar32 c) {
      if (written + 2 <= kCapacity) U16_APPEND_UNSAFE(to(), written, c);
    };
    for (int32_t i = 0; i < size_;) {
      UChar32 c;
      U16_NEXT(from(), i, size_, c);
      map(c, append);
    }
    size_ = written;
    Swap();
  }
  std::string_view Give(char* out) const {
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = 0;
    u_strToUTF8WithSub(out, static_cast<int32_t>(kOutBytes), &length, buffers_[from_].data(), size_, 0xFFFD,
                       nullptr, &status);
    return {out, U_SUCCESS(status) != 0 ? static_cast<size_t>(length) : 0};
  }

 private:
  static constexpr auto kCapacity = static_cast<int32_t>(kUnits);

  template <typename Do>
  void Step(Do&& step) {
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length = step(&status);
    if (U_FAILURE(status) != 0) return;
    size_ = length;
    Swap();
  }
  UChar* from() { return buffers_[from_].data(); }
  UChar* to() { return buffers_[1 - from_].data(); }
  void Swap() { from_ = 1 - from_; }

  std::array<UChar, kUnits> buffers_[2];
  size_t from_ = 0;
  int32_t size_ = 0;
};

struct Forms {
  const UNormalizer2* nfc;
  const UNormalizer2* nfd;
  const UNormalizer2* nfkc;

  static const Forms& Get() {
    static const Forms forms = [] {
      UErrorCode status = U_ZERO_ERROR;
      return Forms{unorm2_getNFCInstance(&status), unorm2_getNFDInstance(&status),
                   unorm2_getNFKCInstance(&status)};
    }();
    return forms;
  }
};

UScriptCode ScriptOf(UChar32 c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(c, &status);
}

bool IsCyrillicVowel(UChar32 c) {
  constexpr std::u32string_view kVowels =
      U"\u0430\u0435\u0438\u043E\u0443\u044B\u044D\u044E\u044F\u0456\u0454"
      U"\u0410\u0415\u0418\u041E\u0423\u042B\u042D\u042E\u042F\u0406\u0404";
  return kVowels.find(static_cast<char32_t>(c)) != std::u32string_view::npos;
}

// Whether a mark on this letter is an accent rather than part of the letter.
bool IsAccent(UChar32 base, UChar32 mark) {
  const UScriptCode script = ScriptOf(base);
  const UScriptCode marks = ScriptOf(mark);
  if (marks != script && marks != USCRIPT_INHERITED && marks != USCRIPT_COMMON) return false;
  switch (script) {
    case USCRIPT_LATIN:
    case USCRIPT_GREEK:
    case USCRIPT_HEBREW:
    case USCRIPT_ARABIC:
      return true;
    case USCRIPT_CYRILLIC:
      if (mark == 0x300 || mark == 0x301) return IsCyrillicVowel(base);
      return mark == 0x308 && (base == 0x435 || base == 0x415);
    default:
      return false;
  }
}

// Latin letters that no normal form decomposes.
struct Letter {
  char16_t from;
  char16_t to[2];
};
constexpr Letter kLetters[] = {
    {0x00C6, {'A', 'E'}}, {0x00E6, {'a', 'e'}}, {0x0152, {'O', 'E'}}, {0x0153, {'o', 'e'}},
    {0x00D8, {'O', 0}},   {0x00F8, {'o', 0}},   {0x0110, {'D', 0}},   {0x0111, {'d', 0}},
    {0x00D0, {'D', 0}},   {0x00F0, {'d', 0}},   {0x0141, {'L', 0}},   {0x0142, {'l', 0}},
    {0x0126, {'H', 0}},   {0x0127, {'h', 0}},   {0x0166, {'T', 0}},   {0x0167, {'t', 0}},
    {0x0131, {'i', 0}},   {0x00DE, {'T', 'H'}}, {0x00FE, {'t', 'h'}}, {0x0640, {0, 0}},
};

void RemoveAccentsFrom(Pipeline& text) {
  text.Normalize(Forms::Get().nfd);
  UChar32 base = 0;
  text.MapCodePoints([&](UChar32 c, const auto& append) {
    const int8_t type = u_charType(c);
    if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK) {
      if (!IsAccent(base, c)) append(c);
      return;
    }
    base = c;
    for (const Letter& letter : kLetters) {
      if (letter.from != c) continue;
      for (const char16_t to : letter.to) {
        if (to != 0) append(to);
      }
      return;
    }
    append(c);
  });
  text.Normalize(Forms::Get().nfc);
}

void FoldFrom(Pipeline& text, const Steps& steps) {
  const Forms& forms = Forms::Get();
  text.MapCodePoints([](UChar32 c, const auto& append) {
    if (!u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) append(c);
  });
  // Unicode's caseless matching, definitions 145 and 146; the Turkic rule needs composed letters.
  const bool turkic = steps.fold == AnalyserDescription::Fold::kTurkic;
  text.Normalize(turkic ? forms.nfc : forms.nfd);
  text.FoldCase(steps.fold);
  text.Normalize(steps.compatibility ? forms.nfkc : forms.nfc);
  if (steps.compatibility) {
    text.FoldCase(steps.fold);
    text.Normalize(forms.nfkc);
  }
  // Some compatibility forms contain spaces, terms never do; digits of all scripts become 0 to 9.
  text.MapCodePoints([&](UChar32 c, const auto& append) {
    if (steps.compatibility && u_isUWhiteSpace(c) != 0) return;
    const int32_t digit = steps.compatibility ? u_charDigitValue(c) : -1;
    if (digit >= 0) c = '0' + digit;
    append(c == 0x2019 || c == 0x2018 || c == 0x02BC || c == 0xFF07 ? '\'' : c);
  });
}

// The form of one character, in at most seven bytes.
struct Mapped {
  char bytes[7];
  uint8_t size;  // kNone: ICU must handle it
};
constexpr uint8_t kNone = 0xFF;

constexpr char32_t kFirst = 0x80;
constexpr char32_t kLowEnd = 0x780;  // Latin to Arabic
constexpr char32_t kHighBegin = 0x1E00;
constexpr char32_t kHighEnd = 0x2000;  // more Latin and Greek
constexpr size_t kLow = kLowEnd - kFirst;

struct Table {
  struct Entry {
    Mapped folded;
    Mapped bare;
  };
  std::array<Entry, kLow + (kHighEnd - kHighBegin)> entries;
  std::bitset<0x10000> same;  // other characters that no step changes

  static size_t IndexOf(char32_t c) { return c < kLowEnd ? c - kFirst : c - kHighBegin + kLow; }
};

Mapped Stored(std::string_view bytes) {
  Mapped mapped = {};
  mapped.size = kNone;
  if (bytes.size() > sizeof mapped.bytes) return mapped;
  std::memcpy(mapped.bytes, bytes.data(), bytes.size());
  mapped.size = static_cast<uint8_t>(bytes.size());
  return mapped;
}

// Whether a character can be mapped without its neighbours, if they can be too.
bool StandsAlone(UChar32 c) {
  return u_getCombiningClass(c) == 0 && u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) != UNORM_MAYBE &&
         u_getIntPropertyValue(c, UCHAR_NFKC_QUICK_CHECK) != UNORM_MAYBE &&
         u_charType(c) != U_NON_SPACING_MARK && u_charType(c) != U_ENCLOSING_MARK && !U_IS_SURROGATE(c);
}

bool BeginsAlone(std::string_view text) {
  size_t at = 0;
  return text.empty() || StandsAlone(static_cast<UChar32>(charset::TakeCodePoint(text, &at)));
}

bool StaysTheSame(UChar32 c, const Steps& steps) {
  if (!StandsAlone(c) || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return false;
  const UProperty check = steps.compatibility ? UCHAR_NFKC_QUICK_CHECK : UCHAR_NFC_QUICK_CHECK;
  if (u_getIntPropertyValue(c, check) != UNORM_YES) return false;
  if (u_hasBinaryProperty(c, UCHAR_CHANGES_WHEN_CASEFOLDED)) return false;
  if (c == 0x2018 || c == 0x2019 || c == 0xFF07 || u_isUWhiteSpace(c) != 0) return false;
  if (steps.compatibility && u_charDigitValue(c) >= 0) return false;
  const UScriptCode script = ScriptOf(c);
  // Letters that may carry accents are left to ICU in this range.
  return script != USCRIPT_LATIN && script != USCRIPT_GREEK && script != USCRIPT_CYRILLIC &&
         script != USCRIPT_HEBREW && script != USCRIPT_ARABIC;
}

}  // namespace

struct Folder::Impl {
  Steps steps;
  const Table* table = nullptr;
  Pipeline pipeline;
  std::array<char, kOutBytes> folded;
  std::array<char, kOutBytes> bare;
};

namespace {

const Table* TableFor(const Steps& steps, Folder& by_icu) {
  static std::array<std::unique_ptr<Table>, 12> tables;
  static std::array<std::once_flag, 12> made;
  const size_t i =
      static_cast<size_t>(steps.fold) * 4 + (steps.compatibility ? 2u : 0) + (steps.accents ? 1u : 0);
  std::call_once(made[i], [&] {
    auto table = std::make_unique<Table>();
    for (char32_t c = kFirst; c < kHighEnd; c = c + 1 == kLowEnd ? kHighBegin : c + 1) {
      Table::Entry& entry = table->entries[Table::IndexOf(c)];
      entry.folded.size = kNone;
      if (!StandsAlone(static_cast<UChar32>(c))) continue;
      char bytes[4];
      const Folder::Forms forms = by_icu.FoldByIcu({bytes, charset::EncodeUtf8(c, bytes)});
      entry = {Stored(forms.folded), Stored(forms.bare)};
      // A form that begins with a mark, like that of U+02D8, combines with the letter before it.
      if (entry.bare.size == kNone || !BeginsAlone(forms.folded) || !BeginsAlone(forms.bare)) {
        entry.folded.size = kNone;
      }
    }
    for (UChar32 c = kLowEnd; c < 0x10000; ++c) {
      table->same[static_cast<size_t>(c)] = StaysTheSame(c, steps);
    }
    tables[i] = std::move(table);
  });
  return tables[i].get();
}

void Append(const Mapped& mapped, char** out) {
  std::memcpy(*out, mapped.bytes, sizeof mapped.bytes);
  *out += mapped.size;
}

}  // namespace

Folder::Folder(const AnalyserDescription& description) : impl_(std::make_unique<Impl>()) {
  impl_->steps = {description.fold, description.compatibility, description.accents};
  impl_->table = TableFor(impl_->steps, *this);
}
Folder::~Folder() = default;
Folder::Folder(Folder&&) noexcept = default;
Folder& Folder::operator=(Folder&&) noexcept = default;

Folder::Forms Folder::FoldByIcu(std::string_view word) {
  impl_->pipeline.Take(charset::CutUtf8(word, kMaxInputBytes));
  FoldFrom(impl_->pipeline, impl_->steps);
  Forms forms;
  forms.folded = forms.bare = impl_->pipeline.Give(impl_->folded.data());
  if (impl_->steps.accents) {
    RemoveAccentsFrom(impl_->pipeline);
    forms.bare = impl_->pipeline.Give(impl_->bare.data());
  }
  return forms;
}

std::string_view Folder::RemoveAccents(std::string_view folded) {
  if (!impl_->steps.accents) return folded;
  impl_->pipeline.Take(charset::CutUtf8(folded, kMaxInputBytes));
  RemoveAccentsFrom(impl_->pipeline);
  return impl_->pipeline.Give(impl_->bare.data());
}

Folder::Forms Folder::Fold(std::string_view word) {
  word = charset::CutUtf8(word, kMaxInputBytes);
  const bool folds = impl_->steps.fold != AnalyserDescription::Fold::kNone;
  const bool turkic = impl_->steps.fold == AnalyserDescription::Fold::kTurkic;
  char* folded = impl_->folded.data();
  char* bare = impl_->bare.data();
  const auto* bytes = reinterpret_cast<const uint8_t*>(word.data());
  for (size_t i = 0; i < word.size();) {
    const uint8_t byte = bytes[i];
    if (byte < 0x80) {
      if (turkic && byte == 'I') return FoldByIcu(word);
      const char c = static_cast<char>(byte);
      *folded++ = *bare++ = folds ? AsciiLower(c) : c;
      ++i;
      continue;
    }
    const size_t begin = i;
    UChar32 c;
    U8_NEXT(bytes, i, word.size(), c);
    if (c < 0 || c >= 0x10000) return FoldByIcu(word);
    const auto code = static_cast<char32_t>(c);
    if (code < kLowEnd || (code >= kHighBegin && code < kHighEnd)) {
      const Table::Entry& entry = impl_->table->entries[Table::IndexOf(code)];
      if (entry.folded.size == kNone) return FoldByIcu(word);
      Append(entry.folded, &folded);
      Append(entry.bare, &bare);
    } else if (code == 0x2019) {
      *folded++ = *bare++ = '\'';
    } else if (impl_->table->same[code]) {
      std::memcpy(folded, word.data() + begin, i - begin);
      std::memcpy(bare, word.data() + begin, i - begin);
      folded += i - begin;
      bare += i - begin;
    } else {
      return FoldByIcu(word);
    }
  }
  const auto view = [](const std::array<char, kOutBytes>& out, const char* end) {
    return std::string_view(out.data(), static_cast<size_t>(end - out.data()));
  };
  const std::string_view with = view(impl_->folded, folded);
  return {with, impl_->steps.accents ? view(impl_->bare, bare) : with};
}

}  // namespace crivello::text
