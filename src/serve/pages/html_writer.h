// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::serve {

// The name of an element or attribute: a literal in our own source, checked at compile time.  So no byte of a
// page or a request can become a name.
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
  std::string_view value;  // for href, src and action: the target, see HtmlWriter
  bool present = true;     // if false, the attribute is omitted
};
using MarkupAttributes = std::initializer_list<MarkupAttribute>;

// Writes HTML in which foreign text can never become markup:
//
//   HtmlWriter html;
//   html.Open("p", {{"class", "note"}});
//   html.Text(title_of_some_page);
//   html.Close();
//
// Text and attribute values are escaped, converted to UTF-8, and stripped of control characters and of
// characters that change the direction of the text after them.  Attributes that hold a target (href, src,
// action) are omitted unless it is a path of this site, a fragment, or http(s).  Every element that was
// opened is closed, in order.  One thread at a time.
class HtmlWriter {
 public:
  void Open(MarkupName name, MarkupAttributes attributes = {});
  void Text(std::string_view text);
  void Close();
  // An element that contains only text; an element without content, such as <input>, or a doctype.
  void Element(MarkupName name, MarkupAttributes attributes, std::string_view text);
  void Void(MarkupName name, MarkupAttributes attributes);

  // Closes all open elements.
  std::string Finish() &&;

  static HtmlWriter Html5();

 private:
  void Start(MarkupName name, MarkupAttributes attributes);

  std::string out_;
  std::vector<std::string_view> open_;
};

// Whether a link target is allowed: "/path", "?query", "#fragment", "http:" and "https:".
bool IsSafeTarget(std::string_view target);

}  // namespace crivello::serve
