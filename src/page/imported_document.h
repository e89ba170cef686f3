// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "store/cells.h"

namespace crivello::page {

// A block of a document's text, as in a text cell.
struct ImportedBlock {
  uint8_t kind = 0;   // text::BlockKind
  uint8_t level = 0;  // of a heading
  bool main = true;
  std::string text = {};
};

// A document of a JSONL file: {"id"?, "url"?, "title"?, "text"|"html", "date"?, "language"?}, one per line.
// Lines written by `crivello export --jsonl` also have "time", "usage" if the page states usage preferences,
// and "blocks" if the text is structured.
struct ImportedDocument {
  std::string id = {};
  std::string url = {};  // canonical
  std::string title = {};
  std::string text = {};  // plain text, with paragraphs separated by empty lines
  std::string html = {};  // or HTML instead
  bool is_html = false;
  std::optional<int64_t> date = {};        // seconds since 1970
  std::string language = {};               // if known
  std::string usage = {};                  // preferences (web/http/usage_preferences.h)
  std::optional<int64_t> time = {};        // of the version, seconds since 1970; defaults to `date`, or now
  std::vector<ImportedBlock> blocks = {};  // of the text; if empty, its paragraphs
  std::vector<store::OutLink> links = {};  // only for a document that is not HTML
};

// A line that `crivello export --jsonl --links` writes after the page that contains the link: {"from", "to",
// "text"?, "rel"?}.
struct ImportedLink {
  std::string from = {};  // canonical
  store::OutLink link = {};
};

// Parses such lines; reuses memory. One thread at a time.
class DocumentLineParser {
 public:
  DocumentLineParser();
  ~DocumentLineParser();
  // Replaces *document. A document without a URL gets one under kImportHost, from its id, or from its content
  // if it has none. "date" is a text that web/http/date_parse.h can parse, or seconds since 1970.
  // InvalidArgument says what is wrong with the line. Unknown members are ignored.
  Status Parse(std::string_view line, ImportedDocument* document);
  // Whether a line starts like a link's.
  static bool IsLink(std::string_view line);
  // InvalidArgument says what is wrong with the line.
  Status ParseLink(std::string_view line, ImportedLink* link);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A host name that never exists in DNS (RFC 2606).
inline constexpr std::string_view kImportHost = "import.invalid";

}  // namespace crivello::page
