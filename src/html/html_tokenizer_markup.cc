// SPDX-License-Identifier: Apache-2.0
// Comments, DOCTYPE, processing instructions and character references: the byte machine's other states.
#include <algorithm>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "html/entities.h"
#include "html/html_tokenizer.h"

namespace crivello::html {
namespace {

constexpr uint64_t kBeyondUnicode = 0x110000;

std::string_view OrReplacement(const char& c) {
  return c == '\0' ? charset::kReplacementCharacter : std::string_view(&c, 1);
}

}  // namespace

void HtmlTokenizer::BeginComment(std::string_view text) {
  value_.clear();
  cut_ = false;
  AppendComment(text);
}

void HtmlTokenizer::AppendComment(std::string_view bytes) {
  AppendLimited(bytes, limits_.max_comment_bytes, &value_);
}

// The text assembled in value_, cut between characters if it exceeded the limit.
std::string_view HtmlTokenizer::Comment() {
  if (!cut_) return value_;
  cut_ = false;
  ++counts_.cut;
  return charset::CutUtf8(value_, value_.size());
}

void HtmlTokenizer::EmitComment() {
  state_ = kData;
  sink_->OnComment(Comment());
}

void HtmlTokenizer::EmitDoctype() {
  state_ = kData;
  const auto part = [this](const std::string& text) {
    if (text.size() < limits_.max_comment_bytes) return std::string_view(text);
    return charset::CutUtf8(text, text.size());
  };
  if (cut_) ++counts_.cut;
  cut_ = false;
  doctype_.name = part(doctype_name_);
  doctype_.public_id = part(public_id_);
  doctype_.system_id = part(system_id_);
  sink_->OnDoctype(doctype_);
}

void HtmlTokenizer::EmitInstruction() {
  state_ = kData;
  sink_->OnProcessingInstruction(temp_, Comment());
}

// Reads "<!" and what follows, until its kind is known.
bool HtmlTokenizer::StepMarkupDeclaration(char c) {
  constexpr std::string_view kOpenComment = "--", kDoctypeWord = "doctype", kOpenCdata = "[CDATA[";
  temp_ += c;
  const auto begins = [this](std::string_view word) {
    return EqualsIgnoringCase(temp_, word.substr(0, temp_.size())) && temp_.size() <= word.size();
  };
  if (temp_ == kOpenComment) {
    BeginComment({});
    state_ = kCommentStart;
    return true;
  }
  if (EqualsIgnoringCase(temp_, kDoctypeWord)) {
    doctype_ = {};
    doctype_name_.clear();
    public_id_.clear();
    system_id_.clear();
    cut_ = false;
    state_ = kDoctype;
    return true;
  }
  const bool begins_cdata = kOpenCdata.substr(0, temp_.size()) == temp_;
  if (temp_ == kOpenCdata && cdata_allowed_) {
    state_ = kCdata;
    return true;
  }
  if (begins(kOpenComment) || begins(kDoctypeWord) || (begins_cdata && temp_.size() < kOpenCdata.size())) {
    return true;
  }
  temp_.pop_back();
  BeginComment(temp_);
  state_ = kBogusComment;
  return false;
}

bool HtmlTokenizer::StepComment(char c) {
  const auto go = [this](State state, bool consumed) {
    state_ = state;
    return consumed;
  };
  switch (state_) {
    case kMarkupDeclaration:
      return StepMarkupDeclaration(c);
    case kBogusComment:
      if (c == '>') return EmitComment(), true;
      return AppendComment(OrReplacement(c)), true;
    case kCommentStart:
      if (c == '-') return go(kCommentStartDash, true);
      if (c == '>') return EmitComment(), true;
      return go(kComment, false);
    case kCommentStartDash:
      if (c == '-') return go(kCommentEnd, true);
      if (c == '>') return EmitComment(), true;
      return AppendComment("-"), go(kComment, false);
    case kComment:
      if (c == '-') return go(kCommentEndDash, true);
      AppendComment(OrReplacement(c));
      if (c == '<') state_ = kCommentLess;
      return true;
    case kCommentLess:
      if (c != '!' && c != '<') return go(kComment, false);
      AppendComment(OrReplacement(c));
      if (c == '!') state_ = kCommentLessBang;
      return true;
    case kCommentLessBang:
      if (c == '-') return go(kCommentLessBangDash, true);
      return go(kComment, false);
    case kCommentLessBangDash:
      if (c == '-') return go(kCommentLessBangDashDash, true);
      return go(kCommentEndDash, false);
    case kCommentLessBangDashDash:
      return go(kCommentEnd, false);
    case kCommentEndDash:
      if (c == '-') return go(kCommentEnd, true);
      return AppendComment("-"), go(kComment, false);
    case kCommentEnd:
      if (c == '>') return EmitComment(), true;
      if (c == '!') return go(kCommentEndBang, true);
      if (c == '-') return AppendComment("-"), true;
      return AppendComment("--"), go(kComment, false);
    default:  // kCommentEndBang
      if (c == '>') return EmitComment(), true;
      AppendComment("--!");
      if (c == '-') return go(kCommentEndDash, true);
      return go(kComment, false);
  }
}

bool HtmlTokenizer::StepDoctype(char c) {
  const auto go = [this](State state, bool consumed) {
    state_ = state;
    return consumed;
  };
  const bool space = IsAsciiSpace(c);
  switch (state_) {
    case kDoctype:
    case kBeforeDoctypeName:
      if (space) return go(kBeforeDoctypeName, true);
      if (c == '>') return doctype_.force_quirks = true, EmitDoctype(), true;
      doctype_.has_name = true;
      return go(kDoctypeName, false);
    case kDoctypeName: {
      temp_.clear();
      if (space) return go(kAfterDoctypeName, true);
      if (c == '>') return EmitDoctype(), true;
      const char lower = AsciiLower(c);
      return AppendLimited(OrReplacement(lower), limits_.max_comment_bytes, &doctype_name_), true;
    }
    case kAfterDoctypeName:
      if (temp_.empty() && space) return true;
      if (temp_.empty() && c == '>') return EmitDoctype(), true;
      temp_ += AsciiLower(c);
      if (temp_ == "public") return go(kAfterPublicKeyword, true);
      if (temp_ == "system") return go(kAfterSystemKeyword, true);
      if (std::string_view("public").starts_with(temp_) || std::string_view("system").starts_with(temp_)) {
        return true;
      }
      doctype_.force_quirks = true;
      return go(kBogusDoctype, false);
    case kBogusDoctype:
      if (c == '>') EmitDoctype();
      return true;
    default:
      return StepDoctypeId(c);
  }
}

bool HtmlTokenizer::StepDoctypeId(char c) {
  const bool space = IsAsciiSpace(c);
  const auto bogus = [this](bool quirks) {
    if (quirks) doctype_.force_quirks = true;
    state_ = kBogusDoctype;
    return false;
  };
  const auto open_system = [this, c] {
    doctype_.has_system_id = true;
    state_ = c == '"' ? kSystemIdDouble : kSystemIdSingle;
    return true;
  };
  const bool quote = c == '"' || c == '\'';
  switch (state_) {
    case kAfterPublicKeyword:
    case kBeforePublicId:
      if (space) return true;
      if (!quote) return bogus(true);
      doctype_.has_public_id = true;
      state_ = c == '"' ? kPublicIdDouble : kPublicIdSingle;
      return true;
    case kAfterPublicId:
    case kBetweenIds:
      if (space) return true;
      if (c == '>') return EmitDoctype(), true;
      return quote ? open_system() : bogus(true);
    case kAfterSystemKeyword:
    case kBeforeSystemId:
      if (space) return true;
      return quote ? open_system() : bogus(true);
    case kAfterSystemId:
      if (space) return true;
      if (c == '>') return EmitDoctype(), true;
      return bogus(false);
    default:
      break;
  }
  // In an identifier.
  const bool is_public = state_ == kPublicIdDouble || state_ == kPublicIdSingle;
  const char close = state_ == kPublicIdDouble || state_ == kSystemIdDouble ? '"' : '\'';
  if (c == close) {
    state_ = is_public ? kAfterPublicId : kAfterSystemId;
    return true;
  }
  if (c == '>') return bogus(true);
  AppendLimited(OrReplacement(c), limits_.max_comment_bytes, is_public ? &public_id_ : &system_id_);
  return true;
}

bool HtmlTokenizer::StepInstruction(char c) {
  const auto go = [this](State state, bool consumed) {
    state_ = state;
    return consumed;
  };
  const auto comment = [this] {
    BeginComment("?");
    AppendComment(temp_);
    state_ = kBogusComment;
    return false;
  };
  switch (state_) {
    case kPiOpen:
      return IsAsciiAlpha(c) || c == '_' ? go(kPiTarget, false) : comment();
    case kPiTarget:
      if (IsAsciiAlnum(c) || c == '-' || c == '_') {
        // Longer than any useful target: treat it as a comment, which has its own limit.
        return temp_.size() < limits_.max_name_bytes ? (temp_ += c, true) : comment();
      }
      if (!IsAsciiSpace(c) && c != '?' && c != '>') return comment();
      if (EqualsIgnoringCase(temp_, "xml") || EqualsIgnoringCase(temp_, "xml-stylesheet")) return comment();
      BeginComment({});
      return go(kPiAfterTarget, false);
    case kPiAfterTarget:
      if (IsAsciiSpace(c)) return true;
      return go(kPiData, false);
    case kPiData:
      if (c == '?') return go(kPiQuestion, true);
      if (c == '>') return EmitInstruction(), true;
      return AppendComment(OrReplacement(c)), true;
    default:  // kPiQuestion
      if (c == '>') return EmitInstruction(), true;
      return AppendComment("?"), go(kPiData, false);
  }
}

void HtmlTokenizer::Referenced(std::string_view utf8) {
  const bool in_attribute = return_state_ >= kValueDouble && return_state_ <= kValueUnquoted;
  if (in_attribute) {
    AppendValue(utf8);
  } else {
    Text(utf8);
  }
}

bool HtmlTokenizer::StepReference(char c) {
  const auto back = [this](bool consumed) {
    state_ = return_state_;
    return consumed;
  };
  const int base = state_ == kHex || state_ == kHexStart ? 16 : 10;
  const int digit = HexValue(c);
  const bool is_digit = digit >= 0 && digit < base;
  switch (state_) {
    case kReference:
      temp_.clear();
      if (IsAsciiAlnum(c)) return state_ = kNamedReference, false;
      if (c == '#') return temp_ = c, state_ = kNumericReference, true;
      return Referenced("&"), back(false);
    case kNamedReference: {
      if (IsAsciiAlnum(c) && temp_.size() < kMaxEntityNameBytes) return temp_ += c, true;
      // The rules need the character after the name; temp_ includes it, unless the input ends.
      temp_ += c;
      const bool in_attribute = return_state_ >= kValueDouble && return_state_ <= kValueUnquoted;
      const CharacterReference reference = MatchCharacterReference(temp_, in_attribute, /*at_end=*/true);
      Referenced(reference.size == 0 ? std::string_view("&") : reference.value());
      if (reference.size == temp_.size()) return back(true);
      temp_.pop_back();
      Referenced(std::string_view(temp_).substr(reference.size));
      return back(false);
    }
    case kNumericReference:
      if (c == 'x' || c == 'X') return temp_ += c, state_ = kHexStart, true;
      return state_ = kDecimalStart, false;
    case kHexStart:
    case kDecimalStart:
      number_ = 0;
      if (is_digit) return state_ = state_ == kHexStart ? kHex : kDecimal, false;
      Referenced("&");
      Referenced(temp_);
      return back(false);
    default:  // kHex, kDecimal
      if (is_digit) {
        number_ =
            std::min(number_ * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit), kBeyondUnicode);
        return true;
      }
      temp_.clear();
      charset::AppendUtf8(NumericReference(number_), &temp_);
      Referenced(temp_);
      return back(c == ';');
  }
}

void HtmlTokenizer::FinishMarkup() {
  // The end of input ends a reference like a character that does not belong to it.
  while (state_ >= kReference) {
    if (StepReference('\0')) break;
  }
  if (state_ == kMarkupDeclaration) {
    BeginComment(temp_);
    EmitComment();
  } else if (state_ >= kBogusComment && state_ < kDoctype) {
    EmitComment();
  } else if (state_ >= kDoctype && state_ < kPiOpen) {
    if (state_ != kBogusDoctype) doctype_.force_quirks = true;
    EmitDoctype();
  }
}

}  // namespace crivello::html
