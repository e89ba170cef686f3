// SPDX-License-Identifier: Apache-2.0
#include "text/formats/plain_text.h"

#include "base/ascii.h"
#include "text/formats/document_builder.h"

namespace crivello::text {
namespace {

constexpr size_t kMaxTitleBytes = 120;

// "exam-" and "ple": letters on both sides, the second one in lower case.
bool IsCutWord(std::string_view line, std::string_view next) {
  if (line.size() < 2 || line.back() != '-' || next.empty()) return false;
  const char before = line[line.size() - 2];
  const bool letter = IsAsciiAlpha(before) || static_cast<uint8_t>(before) >= 0x80;
  return letter && ((IsAsciiAlpha(next.front()) && !IsAsciiUpper(next.front())) ||
                    static_cast<uint8_t>(next.front()) >= 0x80);
}

}  // namespace

Document ConvertPlainText(std::string_view utf8, const PlainTextOptions& options) {
  DocumentBuilder to(options.max_text_bytes);
  if (utf8.starts_with("\xEF\xBB\xBF")) utf8.remove_prefix(3);
  std::string_view previous;
  size_t lines = 0;  // of the paragraph
  bool cut = false;  // a word continues on the next line
  for (size_t at = 0; at < utf8.size() && !to.full();) {
    const size_t end = std::min(utf8.find_first_of("\n\f", at), utf8.size());
    const std::string_view line = TrimAsciiSpace(utf8.substr(at, end - at));
    const bool page_ends = end < utf8.size() && utf8[end] == '\f' && line.empty();
    at = end + 1;
    if (line.empty() && !page_ends) {
      if (to.document().title.empty() && to.document().blocks.empty() && lines == 1 &&
          previous.size() <= kMaxTitleBytes) {
        to.document().title = Collapsed(previous);
      }
      to.Close();
      lines = 0;
      cut = false;
      continue;
    }
    const size_t next_end = at < utf8.size() ? std::min(utf8.find('\n', at), utf8.size()) : at;
    const std::string_view next = at < utf8.size() ? TrimAsciiSpace(utf8.substr(at, next_end - at)) : "";
    if (lines > 0 && !cut) to.Space();
    cut = options.join_hyphens && IsCutWord(line, next);
    to.Text(cut ? line.substr(0, line.size() - 1) : line);
    previous = line;
    ++lines;
  }
  return to.Finish();
}

}  // namespace crivello::text
