// SPDX-License-Identifier: Apache-2.0
#include "text/dom_filter.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "text/element_hints.h"

namespace crivello::text {
namespace {

using web::Tag;

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
    CutOutside(FindCandidate());
    CutLinkLists();
    CutTitle();
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

  void CutNamedParts() {
    const double all = value_.back();
    for (uint32_t i = 1; i < page_.parts.size();) {
      const HtmlPart& part = page_.parts[i];
      uint32_t hints = part.hints & kCutHints;
      const double value = ValueOf(part);
      bool cut = hints != 0;
      if (part.tag == Tag::kMain || part.tag == Tag::kBody || part.tag == Tag::kHtml) cut = false;
      if (part.tag == Tag::kArticle && (hints & (kHintComments | kHintRelated)) == 0) cut = false;
      if (part.hints & kHintBody) cut = false;
      if (value > 0.3 * all) cut = false;
      if (cut) {
        CutRange(part.first_block, part.last_block, ReasonOf(hints));
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

  void CutOutside(uint32_t candidate) {
    const HtmlPart& part = page_.parts[candidate];
    CutRange(0, part.first_block, CutReason::kOutside);
    CutRange(part.last_block, static_cast<uint32_t>(blocks_.size()), CutReason::kOutside);
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
      if (blocks_[i].kind == BlockKind::kHeading && blocks_[i].level == 1) cut_[i] = CutReason::kTitle;
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
  std::vector<double> value_;  // of the blocks before each
};

}  // namespace

std::vector<CutReason> FilterByDom(const HtmlDocument& page) { return DomFilter(page).Run(); }

}  // namespace crivello::text
