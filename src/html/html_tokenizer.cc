// SPDX-License-Identifier: Apache-2.0
// The loop of the tokenizer, its text states, and the end of input.
#include "html/html_tokenizer.h"

#include "base/ascii.h"
#include "charset/utf8.h"
#include "html/entities.h"
#include "html/html_find.h"

namespace crivello::html {

using internal::FindAny;

HtmlTokenizer::HtmlTokenizer(TokenSink* sink, TokenizerLimits limits) : sink_(sink), limits_(limits) {}

void HtmlTokenizer::Reset() {
  state_ = kData;
  skip_lf_ = false;
  cdata_allowed_ = false;
  content_name_.clear();
  counts_ = {};
}

void HtmlTokenizer::SetContent(Content content) { SetContent(content, tag_.name); }

void HtmlTokenizer::SetContent(Content content, std::string_view element) {
  constexpr State kStates[] = {kData, kRcdata, kRawtext, kScript, kPlaintext, kCdata};
  state_ = kStates[static_cast<size_t>(content)];
  content_name_ = element;
}

void HtmlTokenizer::Text(std::string_view text) {
  if (!text.empty()) sink_->OnText(text);
}

void HtmlTokenizer::Feed(std::string_view piece) {
  const char* p = piece.data();
  const char* const end = p + piece.size();
  if (p < end && skip_lf_) {
    skip_lf_ = false;
    if (*p == '\n') ++p;
  }
  while (p < end) {
    if (state_ <= kCdata) {
      p = RunText(p, end);
      continue;
    }
    p = Bulk(p, end);
    if (p == end) break;
    char c = *p;
    if (c == '\r') {
      c = '\n';
      if (p + 1 == end) {
        skip_lf_ = true;
      } else if (p[1] == '\n') {
        ++p;
      }
    }
    // A character handed back to a text state is read again there, as the start of a run.
    bool consumed = Step(c);
    while (!consumed && state_ > kCdata) consumed = Step(c);
    if (consumed) ++p;
  }
}

// Reads text until the state is not a text state any more, or to the end.
const char* HtmlTokenizer::RunText(const char* p, const char* end) {
  while (p < end && state_ <= kCdata) {
    const char* run = p;
    switch (state_) {
      case kData:
      case kRcdata:
        p = FindAny(p, end, '<', '&', '\r', '\0');
        break;
      case kPlaintext:
        p = FindAny(p, end, '\r', '\0');
        break;
      case kCdata:
        p = FindAny(p, end, ']', '\r', '\0');
        break;
      case kScriptEscaped:
      case kScriptDouble:
        p = FindAny(p, end, '<', '-', '\r', '\0');
        break;
      default:
        p = FindAny(p, end, '<', '\r', '\0');
        break;
    }
    if (p > run) sink_->OnText({run, static_cast<size_t>(p - run)});
    if (p < end) p = StopInText(p, end);
  }
  return p;
}

// Processes the character that ended a run of text.
const char* HtmlTokenizer::StopInText(const char* p, const char* end) {
  switch (*p) {
    case '\r':
      // After CRLF the next run starts with the LF.
      if (p + 1 < end && p[1] == '\n') return p + 1;
      skip_lf_ = p + 1 == end;
      Text("\n");
      return p + 1;
    case '\0':
      Text(state_ == kData || state_ == kCdata ? std::string_view("\0", 1) : charset::kReplacementCharacter);
      return p + 1;
    case '&': {
      const CharacterReference reference = MatchCharacterReference({p + 1, static_cast<size_t>(end - p - 1)},
                                                                   /*in_attribute=*/false, /*at_end=*/false);
      if (!reference.complete) {
        return_state_ = state_;
        state_ = kReference;
        return p + 1;
      }
      Text(reference.size == 0 ? std::string_view("&") : reference.value());
      return p + 1 + reference.size;
    }
    case '-':
      Text("-");
      state_ = state_ == kScriptEscaped ? kScriptEscapedDash : kScriptDoubleDash;
      return p + 1;
    case ']':
      state_ = kCdataBracket;
      return p + 1;
    default:
      return LessInText(p, end);
  }
}

const char* HtmlTokenizer::LessInText(const char* p, const char* end) {
  text_state_ = state_;
  switch (state_) {
    case kData: {
      const char* after = FastTag(p, end);
      if (after != nullptr) return after;
      state_ = kTagOpen;
      return p + 1;
    }
    case kScriptEscaped:
      state_ = kScriptEscapedLess;
      return p + 1;
    case kScriptDouble:
      Text("<");
      state_ = kScriptDoubleLess;
      return p + 1;
    default:
      break;
  }
  // In RCDATA, RAWTEXT or scripts, this '<' is usually text, and the piece shows it.
  const size_t name = content_name_.size();
  if (static_cast<size_t>(end - p) > name + 2) {
    const char after_name = p[2 + name];
    if (p[1] == '/' && name > 0 && EqualsIgnoringCase({p + 2, name}, content_name_) &&
        (IsAsciiSpace(after_name) || after_name == '/' || after_name == '>')) {
      const char* after = FastTag(p, end);
      if (after != nullptr) return after;
    } else if (state_ != kScript || p[1] != '!') {
      Text("<");
      return p + 1;
    }
  }
  state_ = kTextLess;
  return p + 1;
}

// In states with long runs, skips ahead to the next significant character.
const char* HtmlTokenizer::Bulk(const char* p, const char* end) {
  const char* run = p;
  switch (state_) {
    case kValueDouble:
      p = FindAny(p, end, '"', '&', '\r', '\0');
      break;
    case kValueSingle:
      p = FindAny(p, end, '\'', '&', '\r', '\0');
      break;
    case kComment:
      p = FindAny(p, end, '-', '<', '\r', '\0');
      break;
    case kBogusComment:
      p = FindAny(p, end, '>', '\r', '\0');
      break;
    case kPiData:
      p = FindAny(p, end, '?', '>', '\r', '\0');
      break;
    default:
      return p;
  }
  const std::string_view text(run, static_cast<size_t>(p - run));
  if (state_ == kValueDouble || state_ == kValueSingle) {
    AppendValue(text);
  } else {
    AppendComment(text);
  }
  return p;
}

bool HtmlTokenizer::Step(char c) {
  if (state_ < kTagOpen) return StepText(c);
  if (state_ < kMarkupDeclaration) return StepTag(c);
  if (state_ < kDoctype) return StepComment(c);
  if (state_ < kPiOpen) return StepDoctype(c);
  if (state_ < kReference) return StepInstruction(c);
  return StepReference(c);
}

bool HtmlTokenizer::StepText(char c) {
  const std::string_view character(&c, 1);
  const bool ends_name = IsAsciiSpace(c) || c == '/' || c == '>';
  const auto reconsume = [this](State state) {
    state_ = state;
    return false;
  };
  const auto consume = [this](State state) {
    state_ = state;
    return true;
  };
  switch (state_) {
    case kTextLess:
      temp_.clear();
      if (c == '/') return consume(kTextEndOpen);
      if (c == '!' && text_state_ == kScript) return Text("<!"), consume(kScriptEscapeStart);
      return Text("<"), reconsume(text_state_);
    case kTextEndOpen:
      if (IsAsciiAlpha(c)) return reconsume(kTextEndName);
      return Text("</"), reconsume(text_state_);
    case kTextEndName:
      return StepTextEndName(c);

    case kScriptEscapeStart:
    case kScriptEscapeStartDash:
      if (c != '-') return reconsume(kScript);
      return Text("-"),
             consume(state_ == kScriptEscapeStart ? kScriptEscapeStartDash : kScriptEscapedDashDash);
    case kScriptEscapedDash:
    case kScriptEscapedDashDash:
      if (c == '-') return Text("-"), consume(kScriptEscapedDashDash);
      if (c == '<') return text_state_ = kScriptEscaped, consume(kScriptEscapedLess);
      if (c == '>' && state_ == kScriptEscapedDashDash) return Text(">"), consume(kScript);
      return reconsume(kScriptEscaped);
    case kScriptEscapedLess:
      temp_.clear();
      if (c == '/') return consume(kTextEndOpen);
      Text("<");
      return reconsume(IsAsciiAlpha(c) ? kScriptDoubleStart : kScriptEscaped);
    case kScriptDoubleStart:
    case kScriptDoubleEnd: {
      const State other = state_ == kScriptDoubleStart ? kScriptDouble : kScriptEscaped;
      const State same = state_ == kScriptDoubleStart ? kScriptEscaped : kScriptDouble;
      if (ends_name) return Text(character), consume(temp_ == "script" ? other : same);
      if (!IsAsciiAlpha(c)) return reconsume(same);
      if (temp_.size() <= 6) temp_ += AsciiLower(c);
      return Text(character), true;
    }
    case kScriptDoubleDash:
    case kScriptDoubleDashDash:
      if (c == '-') return Text("-"), consume(kScriptDoubleDashDash);
      if (c == '<') return Text("<"), consume(kScriptDoubleLess);
      if (c == '>' && state_ == kScriptDoubleDashDash) return Text(">"), consume(kScript);
      return reconsume(kScriptDouble);
    case kScriptDoubleLess:
      temp_.clear();
      if (c == '/') return Text("/"), consume(kScriptDoubleEnd);
      return reconsume(kScriptDouble);

    case kCdataBracket:
      if (c == ']') return consume(kCdataEnd);
      return Text("]"), reconsume(kCdata);
    case kCdataEnd:
      if (c == ']') return Text("]"), true;
      if (c == '>') return consume(kData);
      return Text("]]"), reconsume(kCdata);
    default:
      return reconsume(kData);  // not reached: RunText() handles text states
  }
}

bool HtmlTokenizer::StepTextEndName(char c) {
  // At most as long as the name that would end the content, so that the buffer stays small.
  if (IsAsciiAlpha(c) && temp_.size() < content_name_.size()) {
    temp_ += c;
    return true;
  }
  const bool ends_name = IsAsciiSpace(c) || c == '/' || c == '>';
  if (!ends_name || content_name_.empty() || !EqualsIgnoringCase(temp_, content_name_)) {
    Text("</");
    Text(temp_);
    state_ = text_state_;
    return false;
  }
  BeginTag(/*is_end=*/true);
  name_ = content_name_;
  FinishTagName();
  state_ = kBeforeAttribute;
  return IsAsciiSpace(c);
}

void HtmlTokenizer::Finish() {
  switch (state_) {
    case kTextLess:
    case kScriptEscapedLess:
    case kTagOpen:
      Text("<");
      break;
    case kTextEndOpen:
    case kEndTagOpen:
      Text("</");
      break;
    case kTextEndName:
      Text("</");
      Text(temp_);
      break;
    case kCdataBracket:
      Text("]");
      break;
    case kCdataEnd:
      Text("]]");
      break;
    default:
      FinishMarkup();
      break;
  }
  state_ = kData;
}

}  // namespace crivello::html
