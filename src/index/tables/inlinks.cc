// SPDX-License-Identifier: Apache-2.0
#include "index/tables/inlinks.h"

#include <iterator>

#include "base/hash.h"

namespace crivello::index {

std::string_view InlinksBuilder::Cut(std::string_view text) {
  if (text.size() <= kMaxTextBytes) return text;
  size_t end = kMaxTextBytes;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) end--;
  return text.substr(0, end);
}

uint64_t InlinksBuilder::HostNumber(std::string_view host) {
  return __builtin_bswap64(Hash64(host));  // in the byte order in which the little-endian hash compares
}

void InlinksBuilder::Add(uint64_t host, std::string_view text) {
  pages_++;
  text = Cut(text);
  if (text.empty()) return;
  const std::pair<uint64_t, std::string_view> said(host, text);
  const bool full = texts_.size() == kMaxTexts;
  if (full && !Less()(said, *texts_.rbegin())) return;
  const auto at = texts_.lower_bound(said);
  if (at != texts_.end() && !Less()(said, *at)) return;
  texts_.emplace_hint(at, host, text);
  if (full) texts_.erase(std::prev(texts_.end()));
}

Inlinks InlinksBuilder::Finish() {
  Inlinks inlinks = {.pages = std::exchange(pages_, 0)};
  inlinks.texts.reserve(texts_.size());
  while (!texts_.empty()) inlinks.texts.push_back(std::move(texts_.extract(texts_.begin()).value().second));
  return inlinks;
}

}  // namespace crivello::index
