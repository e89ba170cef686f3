// SPDX-License-Identifier: Apache-2.0
#include "text/content/dom_filter.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "text/content/element_hints.h"
#include "text/content/stock_phrases.h"

namespace crivello::text {
namespace {

using html::Tag;

constexpr uint32_t kNoBlock = ~0u;
constexpr size_t kFewBytes = 150;
// Thresholds, none of them critical: one step up or down changes the scores of docs/conformance.md by about
// 0.003, at most 0.01.
constexpr double kDescend = 0.8;          // descend into a child with this share of the text
constexpr double kNamedShare = 0.3;       // of the text, for a part that calls itself the article
constexpr double kNamedLead = 2;          // and this many times the text of the next such part
constexpr double kRestOfNamed = 2;        // times a part's text must be left if its name cuts it
constexpr double kRestOfComments = 0.1;   // the same for comments
constexpr double kMinRest = 200;          // bytes that must always remain
constexpr double kBelowTitle = 0.2;       // of the text must be below its title
constexpr double kMaxStockSection = 0.5;  // of the text, under a stock phrase
constexpr double kEnclosing = 1.3;        // times the text that an enclosing article may have
constexpr double kLinkedLine = 0.8;       // share of a line in links that makes it a line of links
constexpr double kMaxLinkedLine = 300;    // bytes
constexpr double kLinkedList = 0.6;       // share of a list in links that makes it a list of links
constexpr size_t kMinSentence = 60;       // bytes of a block that counts as text
constexpr double kMaxCaptions = 0.1;      // of the text, in parts named after captions
constexpr double kMaxShareBytes = 100;
constexpr size_t kMaxHeadingBytes = 80;

class DomFilter {
 public:
  explicit DomFilter(const HtmlDocument& page)
      : page_(page), blocks_(page.document.blocks), cut_(blocks_.size(), CutReason::kNone) {}

  std::vector<CutReason> Run() {
    if (page_.parts.empty()) return std::move(cut_);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (page_.blocks[i].hidden) cut_[i] = CutReason::kHidden;
    }
    Measure();
    Weigh();
    CutNamedParts();
    Weigh();
    CutStockSections();
    const std::vector<CutReason> named = cut_;
    Weigh();
    const uint32_t candidate = Enclosing(FindCandidate());
    FindTitle(page_.parts[candidate]);
    CutOutside(candidate);
    CutLinkLists();
    CutTitle();
    CutLines();
    CutLonelyHeadings();
    KeepSomething(named);
    return std::move(cut_);
  }

 private:
  // Text that counts as content: bytes outside links, in blocks long enough for a sentence.
  static double Value(const Block& block) {
    const double plain = static_cast<double>(block.text.size() - block.linked);
    const double share = plain / static_cast<double>(std::max<size_t>(block.text.size(), 1));
    if (block.kind == BlockKind::kHeading || block.kind == BlockKind::kCaption) return 0;
    if (block.kind == BlockKind::kCode || block.kind == BlockKind::kTable) return plain * share;
    return block.text.size() < kMinSentence ? 0 : plain * share;
  }

  void Measure() {
    headings_.assign(blocks_.size() + 1, 0);
    bytes_.assign(blocks_.size() + 1, 0);
    linked_.assign(blocks_.size() + 1, 0);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const bool heading = blocks_[i].kind == BlockKind::kHeading && blocks_[i].level == 1;
      headings_[i + 1] = headings_[i] + (heading ? 1 : 0);
      bytes_[i + 1] = bytes_[i] + blocks_[i].text.size();
      linked_[i + 1] = linked_[i] + blocks_[i].linked;
    }
  }
  // Sums up what is not cut yet.
  void Weigh() {
    value_.assign(blocks_.size() + 1, 0);
    for (size_t i = 0; i < blocks_.size(); ++i)
      value_[i + 1] = value_[i] + (cut_[i] == CutReason::kNone ? Value(blocks_[i]) : 0);
  }
  double ValueOf(const HtmlPart& part) const { return value_[part.last_block] - value_[part.first_block]; }

  static CutReason ReasonOf(uint32_t hints) {
    if (hints & kHintComments) return CutReason::kComments;
    if (hints & (kHintNavigation | kHintFooter)) return CutReason::kNavigation;
    if (hints & (kHintShare | kHintRelated | kHintPromo | kHintAside)) return CutReason::kAside;
    if (hints & kHintByline) return CutReason::kByline;
    if (hints & kHintCaption) return CutReason::kCaption;
    if (hints & kHintForm) return CutReason::kForm;
    return CutReason::kAside;
  }

  void CutRange(uint32_t first, uint32_t last, CutReason reason) {
    for (uint32_t i = first; i < last; ++i) {
      if (cut_[i] == CutReason::kNone) cut_[i] = reason;
    }
  }

  // Parts whose names may also occur in the page's own text are cut only if they have little of it.
  bool MayCut(const HtmlPart& part) const {
    const uint32_t hints = part.hints & kCutHints;
    if (hints == 0 || (part.hints & kHintBody) != 0) return false;
    if (part.tag == Tag::kMain || part.tag == Tag::kBody || part.tag == Tag::kHtml) return false;
    if (part.tag == Tag::kArticle && (hints & (kHintComments | kHintRelated)) == 0) return false;
    // Tweets embedded in a text are quotations.
    if (part.tag == Tag::kBlockquote && (hints & ~kHintShare) == 0) return false;
    const double value = ValueOf(part);
    const double rest = value_.back() - value;
    if (hints & kHintComments) return rest >= std::max(kMinRest, kRestOfComments * value);
    // A bar of buttons has no sentences; a box with a quoted message does.
    if (hints == kHintShare) return value < kMaxShareBytes;
    // A list of related pages has links, and no heading of the first level.
    if (hints == kHintRelated && (linked_[part.last_block] == linked_[part.first_block] ||
                                  headings_[part.last_block] > headings_[part.first_block])) {
      return false;
    }
    if (hints == kHintCaption) return value < kMaxCaptions * value_.back();
    if (value == 0) return true;
    return rest >= std::max(kMinRest, kRestOfNamed * value);
  }

  void CutNamedParts() {
    for (uint32_t i = 1; i < page_.parts.size();) {
      const HtmlPart& part = page_.parts[i];
      if (MayCut(part)) {
        CutRange(part.first_block, part.last_block, ReasonOf(part.hints));
        i = part.end;
      } else {
        ++i;
      }
    }
  }

  // Finds the part that holds the page's text.
  uint32_t FindCandidate() const {
    uint32_t at = 0;
    const double all = ValueOf(page_.parts[0]);
    if (all <= 0) return 0;
    for (;;) {
      uint32_t best = kNoPart;
      for (uint32_t child = at + 1; child < page_.parts[at].end; child = page_.parts[child].end) {
        if (best == kNoPart || ValueOf(page_.parts[child]) > ValueOf(page_.parts[best])) best = child;
      }
      if (best == kNoPart || ValueOf(page_.parts[best]) < kDescend * ValueOf(page_.parts[at])) break;
      // One of several paragraphs or sections is not the whole text, however long it is.
      if (page_.parts[best].tag == Tag::kP || (page_.parts[best].hints & kHintSection) != 0) break;
      at = best;
    }
    uint32_t named = kNoPart;
    double second = 0;
    for (uint32_t i = at + 1; i < page_.parts[at].end;) {
      const HtmlPart& part = page_.parts[i];
      if ((part.hints & (kHintBody | kHintArticle | kHintMain)) == 0) {
        ++i;
        continue;
      }
      const double value = ValueOf(part);
      if (named == kNoPart || value > ValueOf(page_.parts[named])) {
        if (named != kNoPart) second = ValueOf(page_.parts[named]);
        named = i;
      } else {
        second = std::max(second, value);
      }
      i = part.end;
    }
    if (named != kNoPart) {
      const double value = ValueOf(page_.parts[named]);
      if (value > kNamedShare * ValueOf(page_.parts[at]) && value > kNamedLead * second) return named;
    }
    return at;
  }

  // An element around the candidate that calls itself an article, if it adds only a little.
  uint32_t Enclosing(uint32_t candidate) const {
    for (uint32_t up = candidate; up != kNoPart && up != 0; up = page_.parts[up].parent) {
      if ((page_.parts[up].hints & (kHintArticle | kHintBody)) == 0) continue;
      if (ValueOf(page_.parts[up]) <= kEnclosing * ValueOf(page_.parts[candidate])) return up;
    }
    return candidate;
  }

  // Finds the heading that repeats the title. Text above it is cut; text between it and the candidate may be
  // the opening.
  void FindTitle(const HtmlPart& candidate) {
    title_ = kNoBlock;
    for (uint32_t i = 0; i < candidate.last_block; ++i) {
      const Block& block = blocks_[i];
      if (block.kind != BlockKind::kHeading || page_.blocks[i].hidden) continue;
      const bool same = block.level <= 3 && SaysTitle(block.text);
      const bool first = block.level == 1 && title_ == kNoBlock;
      if (same || first) title_ = i;
      if (same) break;
    }
  }

  // One contains the other, and is not much longer.
  bool SaysTitle(const std::string& text) const {
    const std::string& title = page_.document.title;
    const std::string& longer = title.size() > text.size() ? title : text;
    const std::string& shorter = title.size() > text.size() ? text : title;
    return shorter.size() >= 8 && 5 * shorter.size() >= 2 * longer.size() &&
           longer.find(shorter) != std::string::npos;
  }

  void CutOutside(uint32_t candidate) {
    const HtmlPart& part = page_.parts[candidate];
    uint32_t first = part.first_block;
    if (title_ != kNoBlock && title_ >= first) {
      if (value_[part.last_block] - value_[title_] > kBelowTitle * ValueOf(part)) first = title_;
    } else if (title_ != kNoBlock) {
      // The opening: sentences between the title and the rest.
      for (uint32_t i = title_; i < first; ++i) {
        const bool opening = i > title_ && IsSentence(blocks_[i]) && OpensText(i);
        if (cut_[i] == CutReason::kNone && !opening) cut_[i] = CutReason::kOutside;
      }
      first = title_;
    }
    CutRange(0, first, CutReason::kOutside);
    for (uint32_t i = part.last_block; i < blocks_.size(); ++i) {
      if (cut_[i] == CutReason::kNone && !IsNeighbour(i, part)) cut_[i] = CutReason::kOutside;
    }
  }

  // Whether the block is a paragraph beside the candidate.
  bool IsNeighbour(uint32_t i, const HtmlPart& candidate) const {
    const HtmlPart& own = page_.parts[page_.blocks[i].part];
    return own.tag == Tag::kP && own.parent == candidate.parent && IsSentence(blocks_[i]) && OpensText(i);
  }

  bool OpensText(uint32_t i) const { return blocks_[i].linked * 2 < blocks_[i].text.size(); }

  // Whether it is long enough, or ends like a sentence.
  static bool IsSentence(const Block& block) {
    if (block.text.size() >= 100) return true;
    if (block.text.size() < 40) return false;
    const char last = block.text.back();
    return last == '.' || last == '!' || last == '?' || block.text.ends_with("\u3002") ||
           block.text.ends_with("\u201d") || block.text.ends_with("\u2026");
  }

  void CutLines() {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (cut_[i] == CutReason::kNone && blocks_[i].kind != BlockKind::kCode &&
          FindStockPhrase(blocks_[i].text) != StockPhrase::kNone)
        cut_[i] = CutReason::kAside;
    }
  }

  // Bottom up: cuts a heading with nothing left under it, and a short line above links.
  void CutLonelyHeadings() {
    bool content = false;  // whether there was content since the heading below
    for (size_t i = blocks_.size(); i-- > 0;) {
      if (cut_[i] != CutReason::kNone) continue;
      const Block& block = blocks_[i];
      const bool over_links = i + 1 < blocks_.size() && cut_[i + 1] == CutReason::kLinks;
      if (block.kind == BlockKind::kHeading) {
        const bool line = block.text.size() <= kMaxHeadingBytes;
        const bool lonely = !content || (over_links && line);
        if (lonely && (line || !IsSentence(block))) cut_[i] = CutReason::kOutside;
        content = cut_[i] == CutReason::kNone;
      } else if (over_links && block.text.size() <= kMaxHeadingBytes && !IsSentence(block)) {
        cut_[i] = CutReason::kLinks;
      } else {
        content = true;
      }
    }
  }

  // Cuts "You may also like" with its whole section.
  void CutStockSections() {
    for (uint32_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      if (block.kind != BlockKind::kHeading || cut_[i] != CutReason::kNone) continue;
      if (FindStockPhrase(block.text) != StockPhrase::kOther) continue;
      const uint32_t own = page_.blocks[i].part;
      const uint32_t parent = own == 0 ? 0 : page_.parts[own].parent;
      uint32_t end = i + 1;
      while (end < page_.parts[parent].last_block &&
             !(blocks_[end].kind == BlockKind::kHeading && blocks_[end].level <= block.level &&
               page_.parts[page_.blocks[end].part].parent == parent)) {
        ++end;
      }
      // Not if most of the text is there: then the phrase does not head an aside.
      if (value_[end] - value_[i] < kMaxStockSection * value_.back()) CutRange(i, end, CutReason::kAside);
    }
  }

  // Cuts lists and tables of links, and single lines that are a link.
  void CutLinkLists() {
    for (uint32_t i = 0; i < page_.parts.size();) {
      const HtmlPart& part = page_.parts[i];
      const bool list =
          part.tag == Tag::kUl || part.tag == Tag::kOl || part.tag == Tag::kDl || part.tag == Tag::kTable;
      const double bytes = static_cast<double>(bytes_[part.last_block] - bytes_[part.first_block]);
      const double linked = static_cast<double>(linked_[part.last_block] - linked_[part.first_block]);
      if (list && linked > kLinkedList * bytes) {
        CutRange(part.first_block, part.last_block, CutReason::kLinks);
        i = part.end;
      } else {
        ++i;
      }
    }
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (cut_[i] != CutReason::kNone) continue;
      const Block& block = blocks_[i];
      const double bytes = static_cast<double>(block.text.size());
      if (block.kind == BlockKind::kCaption) {
        cut_[i] = CutReason::kCaption;
      } else if (bytes < kMaxLinkedLine && block.linked > kLinkedLine * bytes) {
        cut_[i] = CutReason::kLinks;
      }
    }
  }

  void CutTitle() {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (cut_[i] != CutReason::kNone) continue;
      if (i == title_) cut_[i] = CutReason::kTitle;
      if (blocks_[i].text == page_.document.title) cut_[i] = CutReason::kTitle;
    }
  }

  size_t BytesLeft(const std::vector<CutReason>& cut) const {
    size_t bytes = 0;
    for (size_t i = 0; i < cut.size(); ++i) {
      if (cut[i] == CutReason::kNone) bytes += blocks_[i].text.size();
    }
    return bytes;
  }

  // A page of links or of single lines must not become empty. If almost nothing was left, restore everything
  // that was not cut by name; if that is nothing, everything that is visible.
  void KeepSomething(const std::vector<CutReason>& named) {
    const size_t left = BytesLeft(cut_);
    if (left >= kFewBytes) return;
    const size_t unnamed = BytesLeft(named);
    if (left == 0 || unnamed > 10 * left) {
      for (size_t i = 0; i < cut_.size(); ++i) {
        if (cut_[i] != CutReason::kTitle || left == 0) cut_[i] = named[i];
      }
    }
    if (left > 0 || unnamed > 0) return;
    for (size_t i = 0; i < cut_.size(); ++i)
      cut_[i] = page_.blocks[i].hidden ? CutReason::kHidden : CutReason::kNone;
  }

  const HtmlDocument& page_;
  const std::vector<Block>& blocks_;
  std::vector<CutReason> cut_;
  uint32_t title_ = kNoBlock;
  std::vector<double> value_;       // of all blocks before each block
  std::vector<uint32_t> headings_;  // first-level headings before each block
  std::vector<uint64_t> bytes_;
  std::vector<uint64_t> linked_;  // linked bytes before each block
};

}  // namespace

std::vector<CutReason> FilterByDom(const HtmlDocument& page) { return DomFilter(page).Run(); }

}  // namespace crivello::text
