// SPDX-License-Identifier: Apache-2.0
// An XML scanner for the XML that is out there: feeds and sitemaps, well-formed or not.
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
  // Elements nested deeper are not reported; their text counts as that of the deepest one that is.
  size_t max_depth = 256;
  // Attributes of one element beyond this number are passed over.
  size_t max_attributes = 128;
};

// Pulls events out of a document in memory: Start, Text and End, in balance whatever the bytes are.
// Namespaces are resolved; comments, processing instructions and the DOCTYPE pass unseen.
//
// Nothing is an error.  An end tag that matches no open element is dropped; one that matches an outer element
// ends the inner ones with it (upper and lower case are the same there); what is open at the end of the input
// is ended.  A '<' or '&' that starts nothing is text.  Attributes may lack quotes or a value.  An unfinished
// tag at the end is dropped, an unfinished comment ends at its first '>', an unfinished CDATA section at the
// end. Control characters that XML forbids are dropped, CR LF and CR become LF.
//
// Named references are those of HTML, declared or not.  Entities declared in the DOCTYPE are replaced by
// their text, in which references to other declared entities are not followed; all such replacements together
// add no more than the size of the input and 64 KiB.  So there is no "billion laughs".  Nothing external is
// ever read.
//
// The input is UTF-8 (bytes that are not pass through as they are; see XmlDeclaredEncoding for decoding
// before) and must outlive the scanner, as the views it returns point into it.  Time is linear in the input,
// memory bounded by the options and the longest text; no recursion.  One thread at a time.
class XmlScanner {
 public:
  enum class Event : uint8_t { kStart, kText, kEnd, kDone };

  explicit XmlScanner(std::string_view input, XmlScannerOptions options = {});

  Event Next();

  // Of the element just started or ended.  The root has depth 1.
  size_t depth() const { return current_.depth; }
  std::string_view prefix() const { return current_.name.substr(0, current_.prefix_size); }
  std::string_view local_name() const;
  // The URI that the prefix is bound to, trimmed; where it is not bound, the usual one of a prefix common in
  // feeds (dc, content, media, ...), or "".
  std::string_view namespace_uri() const { return current_.uri; }

  // Of the element just started.  The value, with references resolved, of the attribute with this local name
  // (upper and lower case are the same) that has no prefix, or a prefix bound to `uri`; the first if many.
  std::optional<std::string> Attribute(std::string_view local_name, std::string_view uri = {}) const;
  // The element is written as <a/>; its End follows.
  bool self_closing() const { return self_closing_; }
  // The start tag as written, from behind its name to its '>', included; without '>' if the next '<' cut it.
  std::string_view tag_rest() const { return tag_rest_; }

  // Of the element just ended: it was still open at the end of the input, which may have been cut off in it.
  bool cut_off() const { return cut_off_; }

  // Of the text just met, valid until the next call of Next().  An element's text may come in many events.
  std::string_view text() const { return text_; }

  // The bytes of the input passed so far.
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
  // Moves behind the next `token`, or to the end.
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
  // Ends to report before reading on.
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

// The label in <?xml version="1.0" encoding="LABEL"?> at the beginning of a document in an ASCII-compatible
// encoding, or "".
std::string_view XmlDeclaredEncoding(std::string_view bytes);

}  // namespace crivello::web
