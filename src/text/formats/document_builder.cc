// SPDX-License-Identifier: Apache-2.0
#include "text/formats/document_builder.h"

#include "base/ascii.h"
#include "charset/utf8.h"

namespace crivello::text {
namespace {

constexpr size_t kMaxLinks = 50000;
constexpr size_t kMaxHrefBytes = 8192;

}  // namespace

void DocumentBuilder::Open(BlockKind kind, const Place& place) {
  Close();
  block_ = Block();
  block_.kind = kind;
  block_.level = place.level;
  block_.depth = place.depth;
  block_.path = place.path;
  open_ = true;
}

void DocumentBuilder::Close() {
  EndLink();
  space_ = false;
  if (!open_) return;
  open_ = false;
  while (!block_.text.empty() && IsAsciiSpace(block_.text.back())) block_.text.pop_back();
  if (!block_.text.empty()) document_.blocks.push_back(std::move(block_));
  block_ = Block();
}

void DocumentBuilder::Append(std::string_view text) {
  if (text.size() > room_) text = charset::CutUtf8(text, room_);
  room_ -= text.size();
  if (text.empty()) room_ = 0;
  written_ += text.size();
  block_.text += text;
}

void DocumentBuilder::Text(std::string_view text) {
  if (open_ && block_.kind == BlockKind::kCode) {
    if (!text.empty() && room_ > 0) Append(text);
    return;
  }
  size_t i = 0;
  while (i < text.size() && room_ > 0) {
    if (IsAsciiSpace(text[i])) {
      space_ = true;
      ++i;
      continue;
    }
    const size_t begin = i;
    while (i < text.size() && !IsAsciiSpace(text[i])) ++i;
    if (!open_) Open(BlockKind::kParagraph, {});
    if (space_ && !block_.text.empty() && block_.text.back() != '\t') Append(" ");
    space_ = false;
    if (room_ > 0) Append(text.substr(begin, i - begin));
  }
}

void DocumentBuilder::Cell() {
  space_ = false;
  if (open_ && room_ > 0) Append("\t");
}

void DocumentBuilder::BeginLink(std::string_view href) {
  EndLink();
  if (href.empty() || href.size() > kMaxHrefBytes || document_.links.size() >= kMaxLinks) return;
  linked_ = true;
  href_ = href;
  link_begin_ = open_ ? block_.text.size() : 0;
}

void DocumentBuilder::EndLink() {
  if (!linked_) return;
  linked_ = false;
  DocumentLink link;
  link.href = href_;
  if (open_ && block_.text.size() > link_begin_) {
    link.text = TrimAsciiSpace(std::string_view(block_.text).substr(link_begin_));
    link.block = static_cast<uint32_t>(document_.blocks.size());
    block_.linked += static_cast<uint32_t>(link.text.size());
  }
  document_.links.push_back(std::move(link));
}

Document DocumentBuilder::Finish() {
  Close();
  // A link may refer to the last block, which turned out to be empty.
  for (DocumentLink& link : document_.links) {
    if (link.block >= document_.blocks.size()) link.block = ~0u;
  }
  return std::move(document_);
}

std::string Collapsed(std::string_view text) {
  std::string collapsed;
  for (const char c : text) {
    if (!IsAsciiSpace(c)) {
      collapsed += c;
    } else if (!collapsed.empty() && collapsed.back() != ' ') {
      collapsed += ' ';
    }
  }
  if (!collapsed.empty() && collapsed.back() == ' ') collapsed.pop_back();
  return collapsed;
}

}  // namespace crivello::text
