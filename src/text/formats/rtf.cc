// SPDX-License-Identifier: Apache-2.0
#include "text/formats/rtf.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "charset/encoding.h"
#include "charset/encoding_decode.h"
#include "charset/utf8.h"
#include "text/formats/document_builder.h"

namespace crivello::text {
namespace {

constexpr size_t kMaxDepth = 1024;

// Destinations that contain no text of the document.
constexpr std::string_view kSkipped[] = {
    "colortbl",          "comment",    "datafield",  "filetbl",
    "fontemb",           "fonttbl",    "footer",     "footerf",
    "footerl",           "footerr",    "header",     "headerf",
    "headerl",           "headerr",    "info",       "latentstyles",
    "listoverridetable", "listtable",  "nonshppict", "objdata",
    "operator",          "pict",       "private",    "revtbl",
    "rsidtbl",           "stylesheet", "themedata",  "xmlnstbl",
};

charset::Encoding EncodingOfCodePage(int page) {
  const auto encoding = charset::EncodingForLabel(page == 932     ? "shift_jis"
                                                  : page == 936   ? "gbk"
                                                  : page == 949   ? "euc-kr"
                                                  : page == 950   ? "big5"
                                                  : page == 65001 ? "utf-8"
                                                                  : "windows-" + std::to_string(page));
  return encoding.value_or(charset::Encoding::kWindows1252);
}

class RtfReader {
 public:
  RtfReader(std::string_view bytes, size_t max_text_bytes) : bytes_(bytes), to_(max_text_bytes) {}

  Document Read() {
    while (at_ < bytes_.size() && !to_.full()) {
      const char c = bytes_[at_];
      if (c == '{') {
        ++at_;
        OpenGroup();
      } else if (c == '}') {
        ++at_;
        CloseGroup();
      } else if (c == '\\') {
        ++at_;
        Control();
      } else {
        ++at_;
        if (c != '\r' && c != '\n' && c != '\0') Byte(c);
      }
    }
    FlushBytes();
    to_.document().title = Collapsed(to_.document().title);
    to_.document().author = Collapsed(to_.document().author);
    return to_.Finish();
  }

 private:
  enum class To : uint8_t { kBody, kNowhere, kTitle, kAuthor };
  struct Group {
    To to = To::kBody;
    int skip_after_unicode = 1;
  };

  void OpenGroup() {
    FlushBytes();
    if (++depth_ > kMaxDepth) return;
    groups_.push_back(group_);
  }

  void CloseGroup() {
    FlushBytes();
    if (depth_ == 0) return;
    if (--depth_ >= kMaxDepth) return;
    group_ = groups_.back();
    groups_.pop_back();
  }

  void Control() {
    if (at_ >= bytes_.size()) return;
    const char c = bytes_[at_];
    if (!IsAsciiAlpha(c)) return Symbol(c);
    const size_t begin = at_;
    while (at_ < bytes_.size() && IsAsciiAlpha(bytes_[at_]) && at_ - begin < 32) ++at_;
    const std::string_view word = bytes_.substr(begin, at_ - begin);
    bool negative = false;
    if (at_ + 1 < bytes_.size() && bytes_[at_] == '-' && IsAsciiDigit(bytes_[at_ + 1])) {
      negative = true;
      ++at_;
    }
    bool has_number = false;
    int64_t number = 0;
    while (at_ < bytes_.size() && IsAsciiDigit(bytes_[at_])) {
      has_number = true;
      number = std::min<int64_t>(number * 10 + (bytes_[at_] - '0'), INT32_MAX);
      ++at_;
    }
    if (negative) number = -number;
    if (at_ < bytes_.size() && bytes_[at_] == ' ') ++at_;
    Word(word, has_number, number);
  }

  void Symbol(char c) {
    ++at_;
    if (c == '\'') {
      const int high = at_ < bytes_.size() ? HexValue(bytes_[at_]) : -1;
      const int low = at_ + 1 < bytes_.size() ? HexValue(bytes_[at_ + 1]) : -1;
      if (high < 0 || low < 0) return;
      at_ += 2;
      return Byte(static_cast<char>(high * 16 + low));
    }
    if (c == '*') {
      group_.to = To::kNowhere;  // \*: a destination that readers may ignore if they do not know it
    } else if (c == '~') {
      Write(" ");
    } else if (c == '_') {
      Write("-");
    } else if (c == '\n' || c == '\r') {
      Break();
    } else if (c == '\\' || c == '{' || c == '}') {
      Byte(c);
    }
  }

  void Word(std::string_view word, bool has_number, int64_t number) {
    if (word == "bin") {
      at_ += std::min<size_t>(static_cast<size_t>(std::max<int64_t>(number, 0)), bytes_.size() - at_);
    } else if (word == "u") {
      if (has_number) Unicode(number);
    } else if (word == "uc") {
      group_.skip_after_unicode = static_cast<int>(std::clamp<int64_t>(number, 0, 32));
    } else if (word == "ansicpg") {
      FlushBytes();
      encoding_ = EncodingOfCodePage(static_cast<int>(number));
    } else if (word == "mac") {
      encoding_ = charset::Encoding::kMacintosh;
    } else if (word == "par" || word == "sect" || word == "page") {
      Break();
    } else if (word == "line" || word == "tab") {
      Write(" ");
    } else if (word == "cell") {
      EndCell();
    } else if (word == "row") {
      EndRow();
    } else if (word == "title" || word == "author") {
      group_.to = word == "title" ? To::kTitle : To::kAuthor;
    } else if (word == "outlinelevel" && has_number && number >= 0 && number < 6) {
      FlushBytes();
      if (group_.to == To::kBody) heading_ = static_cast<uint8_t>(number + 1);
    } else if (word == "pard") {
      heading_ = 0;
    } else if (const std::string_view mark = Mark(word); !mark.empty()) {
      Write(mark);
    } else if (std::find(std::begin(kSkipped), std::end(kSkipped), word) != std::end(kSkipped)) {
      group_.to = To::kNowhere;
    }
  }

  static std::string_view Mark(std::string_view word) {
    if (word == "emdash") return "\u2014";
    if (word == "endash") return "\u2013";
    if (word == "lquote") return "\u2018";
    if (word == "rquote") return "\u2019";
    if (word == "ldblquote") return "\u201C";
    if (word == "rdblquote") return "\u201D";
    if (word == "bullet") return "\u2022";
    return "";
  }

  // \uN is a UTF-16 unit as a signed number, followed by some characters as a fallback for readers without
  // Unicode.
  void Unicode(int64_t number) {
    FlushBytes();
    const auto unit = static_cast<uint32_t>(number & 0xFFFF);
    skip_ = group_.skip_after_unicode;
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_surrogate_ = unit;
      return;
    }
    char32_t code = unit;
    if (unit >= 0xDC00 && unit < 0xE000) {
      code = high_surrogate_ == 0 ? charset::kReplacementCodePoint
                                  : 0x10000 + ((high_surrogate_ - 0xD800) << 10) + (unit - 0xDC00);
    }
    high_surrogate_ = 0;
    std::string utf8;
    charset::AppendUtf8(code, &utf8);
    Write(utf8);
  }

  void Byte(char c) {
    if (skip_ > 0) {
      --skip_;
      return;
    }
    if (group_.to != To::kNowhere) pending_ += c;
  }

  // Bytes are collected until their run is complete, because a character may have two.
  void FlushBytes() {
    if (pending_.empty()) return;
    const std::string bytes = std::move(pending_);
    pending_.clear();
    Emit(charset::DecodeToUtf8(bytes, encoding_).text());
  }

  void Write(std::string_view utf8) {
    FlushBytes();
    Emit(utf8);
  }

  void Emit(std::string_view utf8) {
    switch (group_.to) {
      case To::kNowhere:
        return;
      case To::kTitle:
        to_.document().title += utf8;
        return;
      case To::kAuthor:
        to_.document().author += utf8;
        return;
      case To::kBody:
        if (!to_.open() && TrimAsciiSpace(utf8).empty()) return;
        if (!to_.open())
          to_.Open(heading_ > 0 ? BlockKind::kHeading : BlockKind::kParagraph, {.level = heading_});
        to_.Text(utf8);
    }
  }

  void Break() {
    FlushBytes();
    if (group_.to != To::kBody) return;
    if (cells_ > 0) {
      to_.Space();
    } else {
      to_.Close();
    }
  }

  // Only its end shows that a paragraph was a cell: the first one was opened as a paragraph.
  void EndCell() {
    FlushBytes();
    if (group_.to != To::kBody) return;
    if (!to_.open()) to_.Open(BlockKind::kTable, {});
    ++cells_;
    to_.BecomeTable();
    to_.Cell();
  }

  void EndRow() {
    FlushBytes();
    cells_ = 0;
    to_.Close();
  }

  const std::string_view bytes_;
  size_t at_ = 0;
  DocumentBuilder to_;
  Group group_;
  std::vector<Group> groups_;
  size_t depth_ = 0;
  size_t cells_ = 0;
  int skip_ = 0;
  uint32_t high_surrogate_ = 0;
  uint8_t heading_ = 0;
  charset::Encoding encoding_ = charset::Encoding::kWindows1252;
  std::string pending_;
};

}  // namespace

Result<Document> ConvertRtf(std::string_view bytes, size_t max_text_bytes) {
  if (!bytes.starts_with("{\\rtf")) return Status::Corruption("rtf: does not begin with {\\rtf");
  return RtfReader(bytes, max_text_bytes).Read();
}

}  // namespace crivello::text
