// SPDX-License-Identifier: Apache-2.0
// An XML scanner for real-world XML: feeds and sitemaps, well-formed or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crivello::web {

struct XmlScannerOptions {
  // Elements nested more deeply are not reported; their text counts as text of the deepest reported element.
  size_t max_depth = 256;
  // Further attributes of an element are ignored.
  size_t max_attributes = 128;
};

// Pulls events out of a document in memory: Start, Text and End, always balanced, whatever the bytes are.
// Namespaces are resolved; comments, processing instructions and the DOCTYPE are not reported.
//
// Nothing is an error. An end tag that matches no open element is dropped; one that matches an outer element
// also ends the inner ones (here upper and lower case are equal). At the end of the input, all open elements
// are ended. A '<' or '&' that starts nothing is text. Attributes may lack quotes or a value. An unfinished
// tag at the end is dropped; an unfinished comment ends at its first '>', an unfinished CDATA section at the
// end. Control characters that XML forbids are dropped; CR LF and CR become LF.
//
// Named references are those of HTML, declared or not. Entities declared in the DOCTYPE are replaced by their
// text, in which references to other declared entities are not expanded. All such replacements together add
// at most the size of the input and 64 KiB, which prevents a "billion laughs" attack. Nothing external is
// ever read.
//
// The input is UTF-8 (invalid bytes pass through unchanged; see XmlDeclaredEncoding for decoding it first).
// It must outlive the scanner, because the returned views point into it. Time is linear in the input, memory
// is bounded by the options and the longest text; no recursion. One thread at a time.
class XmlScanner {
 public:
  enum class Event : uint8_t { kStart, kText, kEnd, kDone };

  explicit XmlScanner(std::string_view input, XmlScannerOptions options = {});

  Event Next();

  // Of the element just started or ended. The root has depth 1.
  size_t depth() const { return current_.depth; }
  std::string_view prefix() const { return current_.name.substr(0, current_.prefix_size); }
  std::string_view local_name() const;
  // The trimmed URI that the prefix is bound to. For an unbound prefix that is common in feeds (dc, content,
  // media, ...), its usual URI; otherwise "".
  std::string_view namespace_uri() const { return current_.uri; }

  // Of the element just started: the value, with references resolved, of the first attribute with this local
  // name (ignoring case) that has no prefix, or a prefix bound to `uri`.
  std::optional<std::string> Attribute(std::string_view local_name, std::string_view uri = {}) const;
  // The element is written as <a/>; its End follows.
  bool self_closing() const { return self_closing_; }
  // The start tag as written, from after its name through its '>'; without '>' if the next '<' cut it.
  std::string_view tag_rest() const { return tag_rest_; }

  // Of the element just ended: it was still open at the end of the input, so its content may be truncated.
  bool cut_off() const { return cut_off_; }

  // The current text, valid until the next call of Next(). An element's text may come in many events.
  std::string_view text() const { return text_; }

  // How many bytes of the input have been read.
  size_t position() const { return pos_; }

 private:
  struct Element {
    std::string_view name;  // with prefix
    size_t prefix_size = 0;
    std::string_view uri;
    size_t depth = 0;
    size_t bindings_before = 0;
  };
  struct RawAttribute {
    std::string_view name;
    std::string_view value;
  };
  struct Binding {
    std::string_view prefix;
    std::string_view uri;
  };

  bool StartsWith(std::string_view token) const { return input_.substr(pos_, token.size()) == token; }
  // Moves past the next `token`, or to the end.
  void SkipPast(std::string_view token);
  void SkipComment();
  void SkipInstruction();
  // Each returns whether there is an event to report.
  bool ReadMarkup(Event* event);
  bool ReadStartTag();
  bool ReadEndTag();
  bool ReadCharacterData();
  bool ReadCdata();
  void ReadAttributes(bool* finished);
  std::string_view ReadAttributeValue();
  void ReadDoctype();
  bool ReadDoctypeParts();
  void ReadEntityDeclaration(std::string_view declaration);
  void Open(std::string_view name);
  void Close();
  std::string_view Resolve(std::string_view prefix) const;
  void SetText(std::string_view raw, bool has_references);
  void AppendDecoded(std::string_view raw, std::string* out) const;

  std::string_view input_;
  XmlScannerOptions options_;
  size_t pos_ = 0;
  std::vector<Element> open_;
  // Elements open beyond max_depth.
  size_t too_deep_ = 0;
  // Ends to report before reading further.
  size_t closes_due_ = 0;
  Element current_;
  bool self_closing_ = false;
  bool cut_off_ = false;
  std::string_view tag_rest_;
  std::vector<RawAttribute> attributes_;
  std::vector<Binding> bindings_;
  std::string_view text_;
  std::string text_buffer_;
  std::map<std::string_view, std::string> entities_;
  mutable size_t expansion_left_;
  bool doctype_seen_ = false;
  bool no_comment_end_ahead_ = false;
};

// The label in <?xml version="1.0" encoding="LABEL"?> at the start of a document in an ASCII-compatible
// encoding, or "".
std::string_view XmlDeclaredEncoding(std::string_view bytes);

}  // namespace crivello::web
