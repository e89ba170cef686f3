// SPDX-License-Identifier: Apache-2.0
#include "text/dom_filter.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "text/element_hints.h"
#include "text/stock_phrases.h"

namespace crivello::text {
namespace {

using web::Tag;

constexpr uint32_t kNoBlock = ~0u;

class DomFilter {
 public:
  explicit DomFilter(const HtmlDocument& page)
      : page_(page), blocks_(page.document.blocks), cut_(blocks_.size(), CutReason::kNone) {}

  std::vector<CutReason> Run() {
    if (page_.parts.empty()) return std::move(cut_);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (page_.blocks[i].hidden) cut_[i] = CutReason::kHidden;
    }
    Weigh();
    CutNamedParts();
    Weigh();
    const uint32_t candidate = FindCandidate();
    FindTitle(page_.parts[candidate]);
    CutOutside(candidate);
    CutLinkLists();
    CutTitle();
    CutLines();
    CutLonelyHeadings();
    TrimEnds();
    return std::move(cut_);
  }

 private:
  // Text that counts as content: bytes outside of links, in blocks long enough to be a sentence.
  static double Value(const Block& block) {
    const double plain = static_cast<double>(block.text.size() - block.linked);
    const double share = plain / static_cast<double>(std::max<size_t>(block.text.size(), 1));
    if (block.kind == BlockKind::kHeading || block.kind == BlockKind::kCaption) return 0;
    if (block.kind == BlockKind::kCode || block.kind == BlockKind::kTable) return plain * share;
    return block.text.size() < 60 ? 0 : plain * share;
  }

  void Weigh() {
    value_.assign(blocks_.size() + 1, 0);
    linked_.assign(blocks_.size() + 1, 0);
    for (size_t i = 0; i < blocks_.size(); ++i) {
      value_[i + 1] = value_[i] + (cut_[i] == CutReason::kNone ? Value(blocks_[i]) : 0);
      linked_[i + 1] = linked_[i] + blocks_[i].linked;
    }
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

  // Names that a part of the page's own text may bear, too, go only with little of it.
  bool MayCut(const HtmlPart& part) const {
    const uint32_t hints = part.hints & kCutHints;
    if (hints == 0 || (part.hints & kHintBody) != 0) return false;
    if (part.tag == Tag::kMain || part.tag == Tag::kBody || part.tag == Tag::kHtml) return false;
    if (part.tag == Tag::kArticle && (hints & (kHintComments | kHintRelated)) == 0) return false;
    // Tweets in a text are quoted.
    if (part.tag == Tag::kBlockquote && (hints & ~kHintShare) == 0) return false;
    const double value = ValueOf(part);
    const double rest = value_.back() - value;
    if (hints & kHintComments) return rest >= 200;
    if (hints == kHintRelated && linked_[part.last_block] == linked_[part.first_block]) return false;
    if (hints == kHintCaption) return value < 0.1 * value_.back();
    if (value == 0) return true;
    return rest >= std::max(200.0, 2 * value);
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

  // The part that holds the page's text.
  uint32_t FindCandidate() const {
    uint32_t at = 0;
    const double all = ValueOf(page_.parts[0]);
    if (all <= 0) return 0;
    for (;;) {
      uint32_t best = kNoPart;
      for (uint32_t child = at + 1; child < page_.parts[at].end; child = page_.parts[child].end) {
        if (best == kNoPart || ValueOf(page_.parts[child]) > ValueOf(page_.parts[best])) best = child;
      }
      if (best == kNoPart || ValueOf(page_.parts[best]) < 0.85 * ValueOf(page_.parts[at])) break;
      if (page_.parts[best].tag == Tag::kP) break;
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
      if (value > 0.3 * ValueOf(page_.parts[at]) && value > 2 * second) return named;
    }
    return at;
  }

  // The heading that says the title: what is above it is not the text, what stands between it and the
  // candidate may be its opening.
  void FindTitle(const HtmlPart& candidate) {
    title_ = kNoBlock;
    const std::string& title = page_.document.title;
    for (uint32_t i = 0; i < candidate.last_block; ++i) {
      const Block& block = blocks_[i];
      if (block.kind != BlockKind::kHeading || page_.blocks[i].hidden) continue;
      const bool same =
          !title.empty() && block.text.size() >= 8 && block.level <= 3 &&
          (title.find(block.text) != std::string::npos || block.text.find(title) != std::string::npos);
      const bool first = block.level == 1 && title_ == kNoBlock;
      if (same || first) title_ = i;
      if (same) break;
    }
  }

  void CutOutside(uint32_t candidate) {
    const HtmlPart& part = page_.parts[candidate];
    uint32_t first = part.first_block;
    if (title_ != kNoBlock && title_ >= first) {
      if (value_[part.last_block] - value_[title_] > 0.2 * ValueOf(part)) first = title_;
    } else if (title_ != kNoBlock) {
      // The opening: sentences between the title and the rest.
      for (uint32_t i = title_; i < first; ++i) {
        const bool opening = i > title_ && IsSentence(blocks_[i]) && OpensText(i);
        if (cut_[i] == CutReason::kNone && !opening) cut_[i] = CutReason::kOutside;
      }
      first = title_;
    }
    CutRange(0, first, CutReason::kOutside);
    CutRange(part.last_block, static_cast<uint32_t>(blocks_.size()), CutReason::kOutside);
  }

  bool OpensText(uint32_t i) const { return blocks_[i].linked * 2 < blocks_[i].text.size(); }

  // Long enough, or it ends as sentences do.
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
          IsStockPhrase(blocks_[i].text))
        cut_[i] = CutReason::kAside;
    }
  }

  // A heading, or a line like one, over things that were all cut belongs to them.
  void CutLonelyHeadings() {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (cut_[i] != CutReason::kNone) continue;
      const Block& block = blocks_[i];
      const bool heading = block.kind == BlockKind::kHeading;
      if (!heading && (block.text.size() > 60 || IsSentence(block))) continue;
      size_t next = i + 1;
      if (next < blocks_.size() && cut_[next] == CutReason::kLinks) cut_[i] = CutReason::kLinks;
    }
  }

  void CutLinkLists() {
    for (const HtmlPart& part : page_.parts) {
      if (part.tag != Tag::kUl && part.tag != Tag::kOl && part.tag != Tag::kTable && part.tag != Tag::kDl)
        continue;
      size_t bytes = 0, linked = 0;
      for (uint32_t i = part.first_block; i < part.last_block; ++i) {
        bytes += blocks_[i].text.size();
        linked += blocks_[i].linked;
      }
      if (linked * 10 > bytes * 6) CutRange(part.first_block, part.last_block, CutReason::kLinks);
    }
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const Block& block = blocks_[i];
      if (cut_[i] != CutReason::kNone) continue;
      if (block.kind == BlockKind::kCaption) cut_[i] = CutReason::kCaption;
      if (block.linked * 10u > block.text.size() * 8u && block.text.size() < 200) cut_[i] = CutReason::kLinks;
    }
  }

  void CutTitle() {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      if (cut_[i] != CutReason::kNone) continue;
      if (i == title_) cut_[i] = CutReason::kTitle;
      if (blocks_[i].text == page_.document.title) cut_[i] = CutReason::kTitle;
    }
  }

  // A heading with nothing under it heads what was cut.
  void TrimEnds() {
    bool content = false;
    for (size_t i = blocks_.size(); i-- > 0;) {
      if (cut_[i] != CutReason::kNone) continue;
      if (blocks_[i].kind == BlockKind::kHeading && !content) {
        cut_[i] = CutReason::kOutside;
      } else {
        content = true;
      }
    }
  }

  const HtmlDocument& page_;
  const std::vector<Block>& blocks_;
  std::vector<CutReason> cut_;
  uint32_t title_ = kNoBlock;
  std::vector<double> value_;     // of the blocks before each
  std::vector<uint64_t> linked_;  // their bytes in links
};

}  // namespace

std::vector<CutReason> FilterByDom(const HtmlDocument& page) { return DomFilter(page).Run(); }

}  // namespace crivello::text
