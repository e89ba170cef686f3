// SPDX-License-Identifier: Apache-2.0
#include "web/page/page_text.h"

#include <utility>

#include "base/ascii.h"
#include "charset/utf8.h"
#include "html/html_find.h"

namespace crivello::web {
namespace {

namespace hn = html::internal::hn;

// The first position in [p, end) where the text cannot be copied unchanged: a control character, or a space
// followed by another space, a control character or the end.
const char* FindUneven(const char* p, const char* end) {
  const hn::CappedTag<uint8_t, 32> d;
  constexpr size_t kLanes = hn::MaxLanes(d);
  const auto space = hn::Set(d, ' ');
  for (; static_cast<size_t>(end - p) > kLanes; p += kLanes) {
    const auto here = hn::LoadU(d, reinterpret_cast<const uint8_t*>(p));
    const auto next = hn::LoadU(d, reinterpret_cast<const uint8_t*>(p + 1));
    // x <= ' ' is min(x, ' ') == x: unsigned comparison without a sign flip.
    const auto next_low = hn::Eq(hn::Min(next, space), next);
    const auto here_low = hn::Eq(hn::Min(here, space), here);
    const auto uneven = hn::And(here_low, hn::Or(next_low, hn::Ne(here, space)));
    const intptr_t first = hn::FindFirstTrue(d, uneven);
    if (first >= 0) return p + first;
  }
  const auto low = [](char c) { return static_cast<uint8_t>(c) <= ' '; };
  while (p < end && !(low(*p) && (*p != ' ' || p + 1 == end || low(p[1])))) ++p;
  return p;
}

}  // namespace

void PageText::Append(std::string_view run) {
  const char* p = run.data();
  const char* const end = p + run.size();
  while (p < end) {
    if (IsAsciiSpace(*p)) {
      BreakWord();
      ++p;
      continue;
    }
    if (pending_ != '\0') {
      if (!text_.empty()) Keep({&pending_, 1});
      pending_ = '\0';
    }
    // The first byte is not white space; another control character is copied too.
    const char* stop = FindUneven(p + 1, end);
    Keep({p, static_cast<size_t>(stop - p)});
    p = stop;
  }
}

void PageText::Keep(std::string_view bytes) {
  if (cut_) return;
  if (bytes.size() > max_bytes_ - text_.size()) {
    cut_ = true;
    text_.append(bytes.substr(0, max_bytes_ - text_.size()));
    text_.resize(charset::CutUtf8(text_, text_.size()).size());
    while (!text_.empty() && IsAsciiSpace(text_.back())) text_.pop_back();
    return;
  }
  text_.append(bytes);
}

void PageText::Clear() {
  text_.clear();
  pending_ = '\0';
  cut_ = false;
}

std::string PageText::Take() {
  std::string taken = std::move(text_);
  Clear();
  return taken;
}

}  // namespace crivello::web
