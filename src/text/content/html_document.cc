// SPDX-License-Identifier: Apache-2.0
#include "text/content/html_document.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.h"
#include "text/content/element_hints.h"
#include "text/content/element_style.h"
#include "text/content/html_metadata.h"
#include "web/page/page_text.h"

namespace crivello::text {
namespace {

using html::HtmlTree;
using html::Node;
using html::NodeId;
using html::NodeType;
using html::Tag;

constexpr size_t kMaxPathNames = 8;

// Nodes whose content is not text for a reader.
bool IsSkipped(const Node& node) {
  if (node.type != NodeType::kElement) return node.type != NodeType::kText;
  if (node.ns == html::Namespace::kSvg) return true;
  switch (node.tag) {
    case Tag::kHead:
    case Tag::kScript:
    case Tag::kStyle:
    case Tag::kTemplate:
    case Tag::kTitle:
    case Tag::kIframe:
    case Tag::kObject:
    case Tag::kApplet:
    case Tag::kCanvas:
    case Tag::kAudio:
    case Tag::kVideo:
    case Tag::kDatalist:
    case Tag::kNoembed:
    case Tag::kNoframes:
    case Tag::kRp:
    case Tag::kRt:
      return true;
    default:
      return false;
  }
}

uint8_t HeadingLevel(Tag tag) {
  switch (tag) {
    case Tag::kH1:
      return 1;
    case Tag::kH2:
      return 2;
    case Tag::kH3:
      return 3;
    case Tag::kH4:
      return 4;
    case Tag::kH5:
      return 5;
    case Tag::kH6:
      return 6;
    default:
      return 0;
  }
}

bool IsCell(Tag tag) { return tag == Tag::kTd || tag == Tag::kTh; }
bool IsList(Tag tag) { return tag == Tag::kUl || tag == Tag::kOl || tag == Tag::kDl; }
bool IsCode(Tag tag) { return tag == Tag::kPre || tag == Tag::kListing || tag == Tag::kXmp; }

// Whether there is only white space, including no-break spaces, which keep empty cells and lines open.
bool IsBlank(std::string_view text) {
  while (!text.empty()) {
    if (IsAsciiSpace(text.front())) {
      text.remove_prefix(1);
    } else if (text.starts_with("\u00a0") || text.starts_with("\u200b")) {
      text.remove_prefix(text.front() == '\xc2' ? 2 : 3);
    } else {
      return false;
    }
  }
  return true;
}

// The number of words of a run, separated by white space.
uint64_t CountWords(std::string_view text) {
  if (text.empty()) return 0;
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  uint64_t words = bytes[0] > ' ' ? 1 : 0;
  // Counts the beginnings of words in byte counters, so that the compiler vectorises the loop.
  for (size_t i = 1; i < text.size();) {
    const size_t end = std::min<size_t>(text.size(), i + 255);
    uint8_t begun = 0;
    for (; i < end; ++i) begun = static_cast<uint8_t>(begun + ((bytes[i] > ' ') & (bytes[i - 1] <= ' ')));
    words += begun;
  }
  return words;
}

// One walk over the tree that writes the blocks.
class Walk {
 public:
  Walk(const HtmlTree& tree, HtmlDocument* page) : tree_(tree), page_(*page) {}

  void Run(NodeId root) {
    NodeId id = root;
    for (;;) {
      const Node& node = tree_[id];
      bool entered = false;
      if (node.type == NodeType::kText) {
        Text(node.text);
      } else if (!IsSkipped(node)) {
        Open(id, node);
        entered = true;
        if (node.first_child != html::kNoNode) {
          id = node.first_child;
          continue;
        }
      } else if (node.type == NodeType::kElement) {
        page_.tags.AddTags(2);
      }
      if (entered) Close();
      while (id != root && tree_[id].next == html::kNoNode) {
        id = tree_[id].parent;
        Close();
      }
      if (id == root) break;
      id = tree_[id].next;
    }
    Flush();
  }

 private:
  struct OpenElement {
    Tag tag = Tag::kUnknown;
    bool part = false;
    bool hidden = false;
    bool pinned = false;
    bool link = false;
    bool row = false;  // a row whose cells form one block
    uint32_t color = kUnknownColor;
    uint32_t background = kUnknownColor;
  };
  static constexpr uint32_t kUnknownColor = ~0u;

  void Open(NodeId id, const Node& node) {
    page_.tags.AddTags(1);
    const bool html = node.ns == html::Namespace::kHtml;
    const Tag tag = html ? node.tag : Tag::kUnknown;
    if (tag == Tag::kBr) {
      Break();
      stack_.push_back({.tag = tag});
      return;
    }
    OpenElement open = Styled(node);
    open.tag = tag;
    // What stays in its place while a reader scrolls is a menu, a banner or a chat.
    const uint32_t hints = hints_.Read(node) | (open.pinned ? kHintAside : kNoHint);
    const bool cell = IsCell(tag);
    if (in_row_) {
      if (cell) NextCell();
      if (html::HasKind(tag, html::kBlock)) text_.BreakWord();
    } else if (html::HasKind(tag, html::kBlock) || cell || (hints & kCutHints) != 0) {
      // Its names set an inline element apart only if it is not in a paragraph.
      const bool inline_element = !html::HasKind(tag, html::kBlock) && !cell;
      if (!inline_element || !InParagraph()) {
        open.part = true;
        Flush();
        OpenPart(id, tag, hints);
      }
    }
    if (tag == Tag::kTr && !in_row_ && IsRow(id)) {
      open.row = in_row_ = true;
      cells_ = 0;
    }
    if (tag == Tag::kA) OpenLink(node, &open);
    if (IsList(tag)) ++lists_;
    if (tag == Tag::kBlockquote) ++quotes_;
    if (IsCode(tag)) ++codes_;
    if (tag == Tag::kFigcaption || tag == Tag::kCaption) ++captions_;
    if (HeadingLevel(tag) > 0) heading_ = HeadingLevel(tag);
    if (open.hidden) ++hidden_;
    stack_.push_back(open);
  }

  void Close() {
    const OpenElement open = stack_.back();
    if (!html::HasKind(open.tag, html::kVoid)) page_.tags.AddTags(1);
    if (open.row || open.part) Flush();
    if (open.row) in_row_ = false;
    if (open.part) ClosePart();
    if (open.link) CloseLink();
    if (IsList(open.tag)) --lists_;
    if (open.tag == Tag::kBlockquote) --quotes_;
    if (IsCode(open.tag)) --codes_;
    if (open.tag == Tag::kFigcaption || open.tag == Tag::kCaption) --captions_;
    if (HeadingLevel(open.tag) > 0) heading_ = 0;
    if (open.hidden) --hidden_;
    if (open.tag != Tag::kBr && open.tag != Tag::kWbr) Inline(open.tag);
    stack_.pop_back();
  }

  // Colours are inherited; text in the colour of its background counts as hidden.
  OpenElement Styled(const Node& node) {
    OpenElement open;
    if (!stack_.empty()) {
      open.color = stack_.back().color;
      open.background = stack_.back().background;
    }
    if (node.attribute_count == 0) return open;
    const ElementStyle style = ReadStyle(node);
    if (style.color) open.color = *style.color;
    if (style.background) open.background = *style.background;
    // A page that hides its whole body waits for a script to show it.
    const bool whole = node.tag == Tag::kBody || node.tag == Tag::kHtml;
    const bool unseen =
        open.color == open.background && open.color != kUnknownColor && (style.color || style.background);
    open.hidden = !whole && (style.hidden || unseen);
    open.pinned = !whole && style.pinned;
    return open;
  }

  // Icons and the like separate words even without a space in the source.
  void Inline(Tag tag) {
    if (tag == Tag::kButton || tag == Tag::kSelect || tag == Tag::kOption) text_.BreakWord();
  }

  bool InParagraph() const {
    const Tag tag = page_.parts.empty() ? Tag::kUnknown : page_.parts[part_].tag;
    return tag == Tag::kP || tag == Tag::kPre || HeadingLevel(tag) > 0;
  }

  void OpenPart(NodeId id, Tag tag, uint32_t hints) {
    HtmlPart part;
    part.node = id;
    part.parent = part_;
    part.first_block = static_cast<uint32_t>(page_.document.blocks.size());
    part.hints = hints;
    part.tag = tag;
    part_ = static_cast<uint32_t>(page_.parts.size());
    page_.parts.push_back(part);
  }
  void ClosePart() {
    HtmlPart& part = page_.parts[part_];
    part.last_block = static_cast<uint32_t>(page_.document.blocks.size());
    part.end = static_cast<uint32_t>(page_.parts.size());
    part_ = part.parent;
  }

  // A row is one block if it has several cells and nothing in them begins a line of its own. The search ends
  // at the first element that does; rows inside this one come after it. So it is linear over all rows.
  bool IsRow(NodeId row) const {
    size_t cells = 0;
    size_t paragraphs = 0;
    for (NodeId id = tree_.Next(row, row); id != html::kNoNode; id = tree_.Next(id, row)) {
      const Node& node = tree_[id];
      if (node.type != NodeType::kElement) continue;
      if (IsCell(node.tag)) {
        ++cells;
        paragraphs = 0;
      } else if (node.tag == Tag::kP || node.tag == Tag::kDiv) {
        if (++paragraphs > 1) return false;
      } else if (node.tag != Tag::kBr && html::HasKind(node.tag, html::kBlock)) {
        return false;
      }
    }
    return cells > 1;
  }
  void NextCell() {
    linked_ += LinkBytes();
    link_start_ = 0;
    if (cells_++ == 0) return;
    row_ += text_.Take();
    row_ += '\t';
  }

  // A line break; two of them separate paragraphs.
  void Break() {
    if (codes_ > 0) {
      code_ += '\n';
    } else if (broken_ && !in_row_) {
      Flush();
    } else {
      text_.BreakLine();
      broken_ = true;
    }
  }

  void Text(std::string_view text) {
    const uint64_t words = CountWords(text);
    if (words > 0) {
      if (!started_) first_token_ = static_cast<uint32_t>(page_.tags.size());
      started_ = true;
      broken_ = false;
      page_.tags.AddWords(words);
    }
    if (codes_ > 0) {
      code_ += text;
    } else {
      text_.Append(text);
    }
  }

  uint32_t LinkBytes() const { return links_ == 0 ? 0 : static_cast<uint32_t>(LinkPiece().size()); }
  // The part of the open link that is in the growing text.
  std::string_view LinkPiece() const {
    const std::string_view view = codes_ > 0 ? std::string_view(code_) : text_.view();
    return TrimAsciiSpace(view.substr(std::min(view.size(), link_start_)));
  }

  void OpenLink(const Node& node, OpenElement* open) {
    const std::string_view* href = node.Find("href");
    if (href == nullptr || links_ > 0) return;
    open->link = true;
    ++links_;
    link_start_ = codes_ > 0 ? code_.size() : text_.view().size();
    link_ = {std::string(TrimAsciiSpace(*href)), "", static_cast<uint32_t>(page_.document.blocks.size())};
  }
  void CloseLink() {
    TakeLinkText();
    linked_ += LinkBytes();
    --links_;
    // A link around several blocks belongs to the first; one without text after the last block, to none.
    page_.document.links.push_back(std::move(link_));
  }
  void TakeLinkText() {
    const std::string_view piece = LinkPiece();
    if (piece.empty()) return;
    if (!link_.text.empty()) link_.text += ' ';
    link_.text += piece;
  }

  void Flush() {
    broken_ = false;
    if (links_ > 0) TakeLinkText();
    linked_ += LinkBytes();
    link_start_ = 0;
    std::string text;
    if (in_row_) {
      row_ += text_.Take();
      text = std::exchange(row_, {});
      while (!text.empty() && text.back() == '\t') text.pop_back();
    } else if (!code_.empty()) {
      text = started_ ? TrimmedCode(std::exchange(code_, {})) : std::string();
      code_.clear();
      text_.Clear();
    } else {
      text = text_.Take();
    }
    if (!IsBlank(text)) AddBlock(std::move(text));
    linked_ = 0;
    started_ = false;
  }

  // Removes lines of white space at both ends.
  static std::string TrimmedCode(std::string code) {
    while (!code.empty() && IsAsciiSpace(code.back())) code.pop_back();
    size_t line = 0;
    for (size_t i = 0; i < code.size() && IsAsciiSpace(code[i]); ++i) {
      if (code[i] == '\n') line = i + 1;
    }
    code.erase(0, line);
    return code;
  }

  void AddBlock(std::string text) {
    Block block;
    if (codes_ > 0) {
      block.kind = BlockKind::kCode;
    } else if (heading_ > 0) {
      block.kind = BlockKind::kHeading;
      block.level = heading_;
    } else if (captions_ > 0) {
      block.kind = BlockKind::kCaption;
    } else if (in_row_) {
      block.kind = BlockKind::kTable;
    } else if (lists_ > 0) {
      block.kind = BlockKind::kListItem;
      block.level = static_cast<uint8_t>(std::min<uint32_t>(lists_, 255));
    } else if (quotes_ > 0) {
      block.kind = BlockKind::kQuote;
      block.level = static_cast<uint8_t>(std::min<uint32_t>(quotes_, 255));
    }
    block.depth =
        static_cast<uint16_t>(std::min<size_t>(stack_.size(), std::numeric_limits<uint16_t>::max()));
    block.linked = std::min(linked_, static_cast<uint32_t>(text.size()));
    block.text = std::move(text);
    block.path = PathOf(part_);
    if (hidden_ > 0) {
      block.main = false;
      block.cut = CutReason::kHidden;
    }
    HtmlBlock place;
    place.part = part_;
    place.first_token = first_token_;
    place.last_token = static_cast<uint32_t>(page_.tags.size());
    place.hidden = hidden_ > 0;
    page_.document.blocks.push_back(std::move(block));
    page_.blocks.push_back(place);
  }

  // The informative names, without those of mere containers.
  std::string PathOf(uint32_t part) const {
    std::string_view names[kMaxPathNames];
    size_t count = 0;
    for (size_t steps = 0; part != kNoPart && count < kMaxPathNames && steps < 4 * kMaxPathNames; ++steps) {
      const Tag tag = page_.parts[part].tag;
      if (tag != Tag::kDiv && tag != Tag::kUnknown && tag != Tag::kBody && tag != Tag::kHtml)
        names[count++] = html::TagName(tag);
      part = page_.parts[part].parent;
    }
    std::string path;
    while (count > 0) {
      path += names[--count];
      if (count > 0) path += '/';
    }
    return path;
  }

  const HtmlTree& tree_;
  HtmlDocument& page_;
  HintReader hints_;
  std::vector<OpenElement> stack_;
  uint32_t part_ = kNoPart;
  // The growing block.
  web::PageText text_{std::numeric_limits<size_t>::max()};
  std::string code_;
  std::string row_;  // its cells except the last
  size_t cells_ = 0;
  bool in_row_ = false;
  bool broken_ = false;   // by a <br>, with nothing after it
  bool started_ = false;  // has text
  uint32_t linked_ = 0;
  size_t link_start_ = 0;  // where the open link starts in the growing text
  DocumentLink link_;
  uint32_t first_token_ = 0;  // of the growing text
  // How many open elements are of each kind.
  uint32_t links_ = 0;
  uint32_t lists_ = 0;
  uint32_t quotes_ = 0;
  uint32_t codes_ = 0;
  uint32_t captions_ = 0;
  uint32_t hidden_ = 0;
  uint8_t heading_ = 0;
};

}  // namespace

HtmlDocument ReadHtmlDocument(const html::HtmlTree& tree, const HtmlDocumentOptions& options) {
  HtmlDocument page;
  NodeId root = tree.FindFirst(Tag::kBody);
  if (root == html::kNoNode) root = tree.FindFirst(Tag::kHtml);
  if (root != html::kNoNode) Walk(tree, &page).Run(root);
  for (DocumentLink& link : page.document.links) {
    if (link.block >= page.document.blocks.size()) link.block = ~0u;
  }
  ReadHtmlMetadata(tree, options.url, &page.document);
  return page;
}

}  // namespace crivello::text
