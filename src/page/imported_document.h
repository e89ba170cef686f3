// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::page {

// A document of a JSONL file: {"id"?, "url"?, "title"?, "text"|"html", "date"?, "language"?}, a line each.
struct ImportedDocument {
  std::string id = {};
  std::string url = {};  // canonical
  std::string title = {};
  std::string text = {};  // plain, in paragraphs parted by empty lines
  std::string html = {};  // or this
  bool is_html = false;
  std::optional<int64_t> date = {};  // seconds since 1970
  std::string language = {};         // if it is known
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

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A name that DNS never has (RFC 2606).
inline constexpr std::string_view kImportHost = "import.invalid";

}  // namespace crivello::page
