// SPDX-License-Identifier: Apache-2.0
// Tags: the fast machine for tags within the piece, the standard's states for the others, and attributes.
#include <cstring>

#include "base/ascii.h"
#include "base/hash.h"
#include "charset/utf8.h"
#include "html/entities.h"
#include "html/html_find.h"
#include "html/html_tokenizer.h"

namespace crivello::html {
namespace {

using internal::FindAny;

// Up to this number attributes are compared one by one; beyond it, a hash table keeps a tag linear.
constexpr size_t kFewAttributes = 16;

enum CharClass : uint8_t {
  kIsSpace = 1,
  kEndsTagName = 2,    // space / >, and NUL, which the byte machine handles
  kEndsAttribute = 4,  // the same, and =
  kEndsUnquoted = 8,   // space > & NUL
  kIsUpper = 16,
};

constexpr std::array<uint8_t, 256> kClasses = [] {
  std::array<uint8_t, 256> classes{};
  for (const char c : {' ', '\t', '\n', '\f', '\r'}) {
    classes[static_cast<uint8_t>(c)] = kIsSpace | kEndsTagName | kEndsAttribute | kEndsUnquoted;
  }
  classes['/'] = kEndsTagName | kEndsAttribute;
  classes['>'] = kEndsTagName | kEndsAttribute | kEndsUnquoted;
  classes['='] = kEndsAttribute;
  classes['&'] = kEndsUnquoted;
  classes[0] = kEndsTagName | kEndsAttribute | kEndsUnquoted;
  for (char c = 'A'; c <= 'Z'; ++c) classes[static_cast<uint8_t>(c)] = kIsUpper;
  return classes;
}();

uint8_t Class(char c) { return kClasses[static_cast<uint8_t>(c)]; }

std::string_view View(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

std::string_view Lowered(std::string_view name, Arena* arena) {
  char* to = arena->Allocate(name.size());
  for (size_t i = 0; i < name.size(); ++i) to[i] = AsciiLower(name[i]);
  return {to, name.size()};
}

}  // namespace

// Reads and emits the tag whose '<' is at p; returns the byte after it. Returns nullptr, with no effect, if
// it is not a tag, does not end in the piece, or contains something that only the byte machine handles.
const char* HtmlTokenizer::FastTag(const char* p, const char* end) {
  ++p;
  const bool is_end = p < end && *p == '/';
  if (is_end) ++p;
  if (p == end || !IsAsciiAlpha(*p)) return nullptr;
  const char* const name = p;
  uint8_t seen = 0;
  while (p < end && (Class(*p) & kEndsTagName) == 0) seen |= Class(*p++);
  if (p == end || *p == '\0') return nullptr;

  BeginTag(is_end);
  tag_.name = Cut(View(name, p), limits_.max_name_bytes);
  if ((seen & kIsUpper) != 0) tag_.name = Lowered(tag_.name, &arena_);
  tag_.tag = FindTag(tag_.name);
  if (*p != '>') {
    if (is_end) {
      while (p < end && (Class(*p) & kIsSpace) != 0) ++p;
      if (p == end || *p != '>') return nullptr;
    } else {
      p = FastAttributes(p, end);
      if (p == nullptr) return nullptr;
    }
  }
  EmitTag();
  return p + 1;
}

// Reads the attributes from p to the '>' that ends the tag; returns the position of the '>', or nullptr.
const char* HtmlTokenizer::FastAttributes(const char* p, const char* end) {
  const auto skip_spaces = [&p, end] {
    while (p < end && (Class(*p) & kIsSpace) != 0) ++p;
    return p < end;
  };
  for (;;) {
    if (!skip_spaces()) return nullptr;
    if (*p == '>') return p;
    if (*p == '/') {
      if (++p == end) return nullptr;
      tag_.self_closing = *p == '>';
      continue;
    }
    const char* const begin = p;
    uint8_t seen = Class(*p++);  // a '=' here is part of the name
    while (p < end && (Class(*p) & kEndsAttribute) == 0) seen |= Class(*p++);
    if (p == end || *p == '\0' || *begin == '\0') return nullptr;
    std::string_view name = Cut(View(begin, p), limits_.max_name_bytes);
    if ((seen & kIsUpper) != 0) name = Lowered(name, &arena_);
    AddAttribute(name);

    if (!skip_spaces()) return nullptr;
    if (*p != '=') continue;
    ++p;
    if (!skip_spaces()) return nullptr;
    if (*p == '>') return p;
    std::string_view value;
    p = FastValue(p, end, &value);
    if (p == nullptr) return nullptr;
    if (keep_attribute_) SetValue(value);
  }
}

const char* HtmlTokenizer::FastValue(const char* p, const char* end, std::string_view* value) {
  const char quote = *p;
  if (quote != '"' && quote != '\'') {
    const char* const begin = p;
    while (p < end && (Class(*p) & kEndsUnquoted) == 0) ++p;
    const char* close = p;
    while (close < end && *close != '>' && (Class(*close) & kIsSpace) == 0) ++close;
    if (close == end) return nullptr;
    *value = close == p ? View(begin, p) : DecodeValue(begin, close);
    return close;
  }
  const char* const begin = ++p;
  p = FindAny(p, end, quote, '&', '\r', '\0');
  if (p == end) return nullptr;
  if (*p == quote) {
    *value = View(begin, p);
    return p + 1;
  }
  const auto* close = static_cast<const char*>(std::memchr(p, quote, static_cast<size_t>(end - p)));
  if (close == nullptr) return nullptr;
  *value = DecodeValue(begin, close);
  return close + 1;
}

// Decodes a value that contains references, CR or NUL; neither '=' nor an alphanumeric follows it.
std::string_view HtmlTokenizer::DecodeValue(const char* p, const char* end) {
  if (!keep_attribute_) return {};
  value_.clear();
  while (p < end) {
    const char* stop = FindAny(p, end, '&', '\r', '\0');
    value_.append(p, stop);
    // The value already exceeds its limit, so the rest is not needed.
    if (stop == end || value_.size() > limits_.max_tag_bytes) break;
    p = stop + 1;
    if (*stop == '&') {
      const CharacterReference reference =
          MatchCharacterReference(View(p, end), /*in_attribute=*/true, /*at_end=*/true);
      value_.append(reference.size == 0 ? std::string_view("&") : reference.value());
      p += reference.size;
    } else if (*stop == '\0') {
      value_ += charset::kReplacementCharacter;
    } else if (p == end || *p != '\n') {
      value_ += '\n';
    }
  }
  return arena_.Copy(std::string_view(value_).substr(0, limits_.max_tag_bytes + 1));
}

void HtmlTokenizer::BeginTag(bool is_end) {
  arena_.Reset();
  attributes_.clear();
  hashed_ = false;
  tag_ = {};
  tag_counts_ = {};
  tag_bytes_ = 0;
  tag_is_end_ = is_end;
  keep_attribute_ = false;
  name_.clear();
  cut_ = false;
}

void HtmlTokenizer::EmitTag() {
  tag_.attributes = attributes_;
  counts_.dropped_attributes += tag_counts_.dropped_attributes;
  counts_.duplicate_attributes += tag_counts_.duplicate_attributes;
  counts_.cut += tag_counts_.cut;
  state_ = kData;
  if (tag_is_end_) {
    sink_->OnEndTag(tag_);
  } else {
    sink_->OnStartTag(tag_);
  }
}

std::string_view HtmlTokenizer::Cut(std::string_view bytes, size_t limit) {
  if (bytes.size() <= limit) return bytes;
  ++tag_counts_.cut;
  return charset::CutUtf8(bytes, limit);
}

// Adds an attribute, still without its value, if its name is new and there is room.
void HtmlTokenizer::AddAttribute(std::string_view name) {
  keep_attribute_ = false;
  if (tag_is_end_) return;
  if (attributes_.size() >= limits_.max_attributes) {
    ++tag_counts_.dropped_attributes;
    return;
  }
  if (HasAttribute(name)) {
    ++tag_counts_.duplicate_attributes;
    return;
  }
  attributes_.push_back({name, {}});
  tag_bytes_ += name.size();
  keep_attribute_ = true;
  if (hashed_) {
    if (attributes_.size() * 2 > attribute_slots_.size()) {
      HashAttributes();
    } else {
      attribute_slots_[AttributeSlot(name)] = attributes_.size();
    }
  } else if (attributes_.size() > kFewAttributes) {
    HashAttributes();
  }
}

size_t HtmlTokenizer::ValueLimit() const {
  return tag_bytes_ < limits_.max_tag_bytes ? limits_.max_tag_bytes - tag_bytes_ : 0;
}

void HtmlTokenizer::SetValue(std::string_view value) {
  attributes_.back().value = Cut(value, ValueLimit());
  tag_bytes_ += attributes_.back().value.size();
}

bool HtmlTokenizer::HasAttribute(std::string_view name) const {
  if (hashed_) return attribute_slots_[AttributeSlot(name)] != 0;
  for (const Attribute& attribute : attributes_) {
    if (attribute.name == name) return true;
  }
  return false;
}

// The slot of the attribute with that name in the table, or the slot for inserting it.
size_t HtmlTokenizer::AttributeSlot(std::string_view name) const {
  const size_t mask = attribute_slots_.size() - 1;
  size_t slot = Hash64(name) & mask;
  while (attribute_slots_[slot] != 0 && attributes_[attribute_slots_[slot] - 1].name != name) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

void HtmlTokenizer::HashAttributes() {
  size_t size = 64;
  while (size < attributes_.size() * 4) size *= 2;
  attribute_slots_.assign(size, 0);
  hashed_ = true;
  for (size_t i = 0; i < attributes_.size(); ++i)
    attribute_slots_[AttributeSlot(attributes_[i].name)] = i + 1;
}

// The rest belongs to the byte machine.

void HtmlTokenizer::AppendLimited(std::string_view bytes, size_t limit, std::string* out) {
  const size_t room = limit > out->size() ? limit - out->size() : 0;
  if (bytes.size() > room) {
    bytes = bytes.substr(0, room);
    cut_ = true;
  }
  out->append(bytes);
}

void HtmlTokenizer::AppendName(char c) {
  const char lower = AsciiLower(c);
  AppendLimited(c == '\0' ? charset::kReplacementCharacter : std::string_view(&lower, 1),
                limits_.max_name_bytes, &name_);
}

void HtmlTokenizer::AppendValue(std::string_view bytes) {
  if (keep_attribute_) AppendLimited(bytes, ValueLimit(), &value_);
}

// Copies what was assembled under a limit to the arena; clears cut_ for the next use.
std::string_view HtmlTokenizer::TakeLimited(std::string* text) {
  std::string_view taken = *text;
  if (cut_) {
    taken = charset::CutUtf8(taken, taken.size());
    ++tag_counts_.cut;
    cut_ = false;
  }
  taken = arena_.Copy(taken);
  text->clear();
  return taken;
}

void HtmlTokenizer::FinishTagName() {
  tag_.name = TakeLimited(&name_);
  tag_.tag = FindTag(tag_.name);
}

void HtmlTokenizer::FinishAttributeName() {
  value_.clear();
  if (tag_is_end_) {
    name_.clear();
    cut_ = false;
  } else {
    AddAttribute(TakeLimited(&name_));
  }
}

void HtmlTokenizer::FinishValue() {
  if (keep_attribute_) SetValue(TakeLimited(&value_));
}

bool HtmlTokenizer::StepTag(char c) {
  const auto go = [this](State state, bool consumed) {
    state_ = state;
    return consumed;
  };
  const bool space = IsAsciiSpace(c);
  switch (state_) {
    case kTagOpen:
      if (c == '!') return temp_.clear(), go(kMarkupDeclaration, true);
      if (c == '/') return go(kEndTagOpen, true);
      if (c == '?') return temp_.clear(), go(kPiOpen, true);
      if (IsAsciiAlpha(c)) return BeginTag(/*is_end=*/false), go(kTagName, false);
      return Text("<"), go(kData, false);
    case kEndTagOpen:
      if (IsAsciiAlpha(c)) return BeginTag(/*is_end=*/true), go(kTagName, false);
      if (c == '>') return go(kData, true);
      return BeginComment({}), go(kBogusComment, false);
    case kTagName:
      if (space || c == '/' || c == '>') return FinishTagName(), go(kBeforeAttribute, space);
      return AppendName(c), true;
    case kBeforeAttribute:
      if (space) return true;
      if (c == '/' || c == '>') return go(kAfterAttributeName, false);
      AppendName(c);
      return go(kAttributeName, true);
    case kAttributeName:
      if (space || c == '/' || c == '>') return FinishAttributeName(), go(kAfterAttributeName, space);
      if (c == '=') return FinishAttributeName(), go(kBeforeValue, true);
      return AppendName(c), true;
    case kAfterAttributeName:
      if (space) return true;
      if (c == '/') return go(kSelfClosing, true);
      if (c == '=') return go(kBeforeValue, true);
      if (c == '>') return EmitTag(), true;
      return go(kBeforeAttribute, false);
    case kBeforeValue:
      if (space) return true;
      if (c == '"') return go(kValueDouble, true);
      if (c == '\'') return go(kValueSingle, true);
      if (c == '>') return EmitTag(), true;
      return go(kValueUnquoted, false);
    case kValueDouble:
    case kValueSingle:
      if (c == (state_ == kValueDouble ? '"' : '\'')) return FinishValue(), go(kAfterValue, true);
      break;
    case kValueUnquoted:
      if (space) return FinishValue(), go(kBeforeAttribute, true);
      if (c == '>') return FinishValue(), EmitTag(), true;
      break;
    case kAfterValue:
      if (c == '/') return go(kSelfClosing, true);
      return go(kBeforeAttribute, false);
    default:  // kSelfClosing
      if (c != '>') return go(kBeforeAttribute, false);
      tag_.self_closing = true;
      return EmitTag(), true;
  }
  // In a value.
  if (c == '&') {
    return_state_ = state_;
    return go(kReference, true);
  }
  AppendValue(c == '\0' ? charset::kReplacementCharacter : std::string_view(&c, 1));
  return true;
}

}  // namespace crivello::html
