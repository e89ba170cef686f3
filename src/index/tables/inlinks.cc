// SPDX-License-Identifier: Apache-2.0
#include "index/tables/inlinks.h"

#include "base/hash.h"
#include "web/url/row_key.h"
#include "web/url/url.h"

namespace crivello::index {
namespace {

// A record is the key of the target, a NUL, which no key holds, the hash of the source's host in eight bytes,
// and the text: so those of a target come together, and equal texts of one host follow one another.
constexpr size_t kHostBytes = 8;

// The text, cut to whole characters.
std::string_view Cut(std::string_view text) {
  if (text.size() <= InlinkSorter::kMaxTextBytes) return text;
  size_t end = InlinkSorter::kMaxTextBytes;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80) end--;
  return text.substr(0, end);
}

}  // namespace

Status InlinkSorter::Add(std::string_view host, const std::vector<store::OutLink>& links) {
  const uint64_t hash = Hash64(host);
  web::Url url;
  for (const store::OutLink& link : links) {
    if (link.nofollow || !url.Parse(link.url)) continue;
    record_.clear();
    if (!web::AppendRowKey(url, &record_).ok()) continue;
    record_ += '\0';
    record_.append(reinterpret_cast<const char*>(&hash), kHostBytes);
    record_ += Cut(link.text);
    CRV_TRY(sorter_.Add(record_));
  }
  return Status::Ok();
}

Status InlinkSorter::Sort() {
  CRV_TRY(sorter_.Sort());
  more_ = sorter_.Next();
  return sorter_.status();
}

Result<Inlinks> InlinkSorter::Of(std::string_view row_key) {
  Inlinks inlinks;
  std::string last;  // what of the last record was kept: host and text
  for (; more_; more_ = sorter_.Next()) {
    const std::string_view record = sorter_.record();
    const size_t end = record.find('\0');
    const int order = record.substr(0, end).compare(row_key);
    if (order > 0) break;
    if (order < 0) continue;  // a page that is linked to and not here
    inlinks.pages++;
    const std::string_view said = record.substr(end + 1);
    if (said.size() == kHostBytes || said == last || inlinks.texts.size() == kMaxTexts) continue;
    last = said;
    inlinks.texts.emplace_back(said.substr(kHostBytes));
  }
  CRV_TRY(sorter_.status());
  return inlinks;
}

}  // namespace crivello::index
