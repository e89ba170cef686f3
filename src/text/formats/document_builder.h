// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/formats/document.h"

namespace crivello::text {

// Collects the output of every converter. Text goes into the open block; white space is collapsed, except in
// code. Blocks without text are dropped. Text beyond a limit is dropped, and full() then returns true. One
// thread at a time.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(size_t max_text_bytes) : room_(max_text_bytes) {}

  struct Place {
    uint8_t level = 0;
    uint16_t depth = 0;
    std::string_view path = {};
  };
  // Closes the open block, if any, and opens another.
  void Open(BlockKind kind, const Place& place);
  void Close();
  bool open() const { return open_; }
  BlockKind kind() const { return block_.kind; }

  // Opens a paragraph if no block is open and the text is not empty.
  void Text(std::string_view text);
  // Separators of words: a space, the end of a line (kept in code), the end of a table cell.
  void Space() { Text(" "); }
  void Line() { Text("\n"); }
  void Cell();
  // Turns the open block into a row of a table.
  void BecomeTable() { block_.kind = BlockKind::kTable; }

  // A link extends to EndLink(), or to the end of its block.
  void BeginLink(std::string_view href);
  void EndLink();

  bool full() const { return room_ == 0; }
  size_t written() const { return written_; }
  Document& document() { return document_; }
  Document Finish();

 private:
  void Append(std::string_view text);

  Document document_;
  Block block_;
  bool open_ = false;
  bool space_ = false;  // a space is due before the next word
  bool linked_ = false;
  size_t link_begin_ = 0;  // in the block's text
  std::string href_;
  size_t room_;
  size_t written_ = 0;
};

// The text with white space collapsed and trimmed.
std::string Collapsed(std::string_view text);

}  // namespace crivello::text
