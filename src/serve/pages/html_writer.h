// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::serve {

// The name of an element or of an attribute: a literal of our own source, checked when that is compiled.  So
// no byte of a page or a request can become one.
class MarkupName {
 public:
  consteval MarkupName(const char* name) : text_(name) {  // NOLINT: implicit, for calls to read well
    if (text_.empty()) throw "a name has letters";
    for (const char c : text_) {
      const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      if (!fits) throw "no name of an element or an attribute";
    }
  }
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

struct MarkupAttribute {
  MarkupName name;
  std::string_view value;  // of href, src and action: where it leads, see HtmlWriter
  bool present = true;     // else it is left out
};
using MarkupAttributes = std::initializer_list<MarkupAttribute>;

// Writes HTML in which foreign text can only be text:
//
//   HtmlWriter html;
//   html.Open("p", {{"class", "note"}});
//   html.Text(title_of_some_page);
//   html.Close();
//
// What is given as text or as a value of an attribute is escaped, and made UTF-8 without control characters
// and without the characters that turn the direction of the text after them.  Attributes that lead somewhere
// (href, src, action) are left out unless they lead to a path of this site, to a fragment, or to http(s).
// Every element that was opened is closed, in order.  One thread at a time.
class HtmlWriter {
 public:
  void Open(MarkupName name, MarkupAttributes attributes = {});
  void Text(std::string_view text);
  void Close();
  // An element with nothing but text in it; with nothing at all, as <input>; and a doctype or the like.
  void Element(MarkupName name, MarkupAttributes attributes, std::string_view text);
  void Void(MarkupName name, MarkupAttributes attributes);

  // Closes what is open.
  std::string Finish() &&;

  static HtmlWriter Html5();

 private:
  void Start(MarkupName name, MarkupAttributes attributes);

  std::string out_;
  std::vector<std::string_view> open_;
};

// Whether a link may be shown: "/path", "?query", "#fragment", "http:" and "https:".
bool IsSafeTarget(std::string_view target);

}  // namespace crivello::serve
