// SPDX-License-Identifier: Apache-2.0
#include "web/http/structured_dictionary.h"

#include <algorithm>
#include <unordered_map>

#include "base/ascii.h"

namespace crivello::web {
namespace {

bool IsKeyStart(char c) { return (c >= 'a' && c <= 'z') || c == '*'; }
bool IsKeyByte(char c) { return IsKeyStart(c) || IsAsciiDigit(c) || c == '_' || c == '-' || c == '.'; }
bool IsTokenByte(char c) {
  return IsAsciiAlnum(c) || std::string_view("!#$%&'*+-.^_`|~:/").find(c) != std::string_view::npos;
}
bool IsLowerHex(char c) { return IsAsciiDigit(c) || (c >= 'a' && c <= 'f'); }

// The grammar of RFC 9651, section 4.2, one function per rule. Each returns false where the RFC's algorithm
// fails.
class DictionaryParser {
 public:
  explicit DictionaryParser(std::string_view text) : rest_(text) {}

  bool Dictionary(std::vector<DictionaryMember>* members) {
    Skip(" ");
    while (!rest_.empty()) {
      DictionaryMember member;
      if (!Key(&member.key) || !MemberValue(&member.token)) return false;
      const auto [place, fresh] = places_.emplace(member.key, members->size());
      if (fresh) {
        members->push_back(member);
      } else {
        (*members)[place->second].token = member.token;
      }
      Skip(" \t");
      if (rest_.empty()) return true;
      if (!Take(',')) return false;
      Skip(" \t");
      if (rest_.empty()) return false;  // a comma at the end
    }
    return true;
  }

 private:
  char Peek() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void Skip(std::string_view bytes) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(bytes), rest_.size()));
  }
  template <typename Accept>
  std::string_view TakeWhile(Accept accept) {
    size_t size = 0;
    while (size < rest_.size() && accept(rest_[size])) size++;
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  bool Key(std::string_view* key) {
    if (!IsKeyStart(Peek())) return false;
    *key = TakeWhile(IsKeyByte);
    return true;
  }
  bool MemberValue(std::string_view* token) {
    if (!Take('=')) return Parameters();  // no value means true
    if (Peek() != '(') return Item(token);
    return InnerList();
  }
  bool InnerList() {
    if (!Take('(')) return false;
    while (true) {
      Skip(" ");
      if (Take(')')) return Parameters();
      std::string_view token;
      if (!Item(&token) || (Peek() != ' ' && Peek() != ')')) return false;
    }
  }
  bool Item(std::string_view* token) { return BareItem(token) && Parameters(); }
  bool Parameters() {
    while (Take(';')) {
      Skip(" ");
      std::string_view ignored;
      if (!Key(&ignored)) return false;
      if (Take('=') && !BareItem(&ignored)) return false;
    }
    return true;
  }
  bool BareItem(std::string_view* token) {
    const char c = Peek();
    if (c == '-' || IsAsciiDigit(c)) return Number(true);
    if (c == '"') return String();
    if (c == '*' || IsAsciiAlpha(c)) {
      *token = TakeWhile(IsTokenByte);
      return true;
    }
    if (Take(':')) {  // bytes
      TakeWhile([](char b) { return IsAsciiAlnum(b) || b == '+' || b == '/' || b == '='; });
      return Take(':');
    }
    if (Take('?')) return Take('0') || Take('1');
    if (Take('@')) return Number(false);  // a date
    if (Take('%')) return DisplayString();
    return false;
  }
  bool Number(bool may_be_decimal) {
    Take('-');
    const std::string_view whole = TakeWhile(IsAsciiDigit);
    if (whole.empty() || whole.size() > 15) return false;
    if (!Take('.')) return true;
    const std::string_view fraction = TakeWhile(IsAsciiDigit);
    return may_be_decimal && whole.size() <= 12 && !fraction.empty() && fraction.size() <= 3;
  }
  bool String() {
    Take('"');
    while (!rest_.empty()) {
      if (Take('"')) return true;
      if (Take('\\')) {
        if (Peek() != '"' && Peek() != '\\') return false;
      } else if (rest_.front() < 0x20 || rest_.front() > 0x7e) {
        return false;
      }
      if (rest_.empty()) return false;
      rest_.remove_prefix(1);
    }
    return false;
  }
  // The escapes may be invalid UTF-8, because the text is not used.
  bool DisplayString() {
    if (!Take('"')) return false;
    while (!rest_.empty()) {
      if (Take('"')) return true;
      if (rest_.front() < 0x20 || rest_.front() > 0x7e) return false;
      if (Take('%')) {
        if (rest_.size() < 2 || !IsLowerHex(rest_[0]) || !IsLowerHex(rest_[1])) return false;
        rest_.remove_prefix(2);
      } else {
        rest_.remove_prefix(1);
      }
    }
    return false;
  }

  std::string_view rest_;
  std::unordered_map<std::string_view, size_t> places_;  // positions of the members, by key
};

}  // namespace

std::optional<std::vector<DictionaryMember>> ParseDictionary(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  std::vector<DictionaryMember> members;
  if (!DictionaryParser(text).Dictionary(&members)) return std::nullopt;
  return members;
}

}  // namespace crivello::web
