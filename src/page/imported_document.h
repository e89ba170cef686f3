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

// A block of the text of a document, as a text cell keeps it.
struct ImportedBlock {
  uint8_t kind = 0;   // text::BlockKind
  uint8_t level = 0;  // of a heading
  bool main = true;
  std::string text = {};
};

// A document of a JSONL file: {"id"?, "url"?, "title"?, "text"|"html", "date"?, "language"?}, a line each.
// Lines that `crivello export --jsonl` writes also have "time", "usage" where the page states preferences of
// use, and "blocks" where the text has structure.
struct ImportedDocument {
  std::string id = {};
  std::string url = {};  // canonical
  std::string title = {};
  std::string text = {};  // plain, in paragraphs parted by empty lines
  std::string html = {};  // or this
  bool is_html = false;
  std::optional<int64_t> date = {};        // seconds since 1970
  std::string language = {};               // if it is known
  std::string usage = {};                  // preferences (web/http/usage_preferences.h)
  std::optional<int64_t> time = {};        // of the version, seconds since 1970; else that of `date`, or now
  std::vector<ImportedBlock> blocks = {};  // of the text; empty: its paragraphs
  std::vector<store::OutLink> links = {};  // of a document that is not HTML
};

// A line that `crivello export --jsonl --links` writes after the page that the link is on:
// {"from", "to", "text"?, "rel"?}.
struct ImportedLink {
  std::string from = {};  // canonical
  store::OutLink link = {};
};

// Reads such lines; memory is reused.  One thread at a time.
class DocumentLineParser {
 public:
  DocumentLineParser();
  ~DocumentLineParser();
  // Replaces *document.  A document without a URL gets one under kImportHost, from its id, or from what it
  // says if it has none.  "date" is a text that web/http/date_parse.h reads, or seconds since 1970.
  // InvalidArgument tells what is wrong with the line.  Unknown members are passed over.
  Status Parse(std::string_view line, ImportedDocument* document);
  // Whether a line begins as that of a link does.
  static bool IsLink(std::string_view line);
  // InvalidArgument tells what is wrong with the line.
  Status ParseLink(std::string_view line, ImportedLink* link);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A name that DNS never has (RFC 2606).
inline constexpr std::string_view kImportHost = "import.invalid";

}  // namespace crivello::page
