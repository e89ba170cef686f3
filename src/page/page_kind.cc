// SPDX-License-Identifier: Apache-2.0
#include "page/page_kind.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "web/url/language_path.h"

namespace crivello::page {
namespace {

using store::PageKind;

// A page that says "not found" with more text than this is about something that was not found.
constexpr size_t kMaxErrorBytes = 600;
constexpr size_t kMinListedBytes = 200;

// Titles and headings of error pages that are served with status 200.
constexpr std::array<std::string_view, 14> kErrors = {
    "not found",     "404 error",     "error 404",     "does not exist",       "doesn't exist",
    "no such page",  "403 forbidden", "access denied", "nicht gefunden",       "introuvable",
    "no encontrada", "non trovata",   "niet gevonden", "internal server error"};

bool SaysError(std::string_view text) {
  const std::string lower = ToAsciiLower(text.substr(0, 200));
  const bool is_number = lower == "404" || lower.starts_with("404 ") || lower.starts_with("404:");
  return is_number || std::any_of(kErrors.begin(), kErrors.end(), [&](std::string_view error) {
           return lower.find(error) != std::string::npos;
         });
}

bool ListsFolder(std::string_view title) {
  return StartsWithIgnoringCase(title, "index of /") || StartsWithIgnoringCase(title, "directory listing");
}

}  // namespace

PageKind KindOfPage(const web::Url& url, const text::Document& document) {
  size_t read = 0;
  size_t linked = 0;
  std::string_view heading;
  for (const text::Block& block : document.blocks) {
    if (heading.empty() && block.kind == text::BlockKind::kHeading) heading = block.text;
    if (!block.main && block.cut != text::CutReason::kLinks && block.cut != text::CutReason::kTags) continue;
    const size_t links = std::min<size_t>(block.linked, block.text.size());
    linked += links;
    read += block.text.size() - links;
  }
  if (read < kMaxErrorBytes && (SaysError(document.title) || SaysError(heading))) return PageKind::kError;
  if (ListsFolder(document.title)) return PageKind::kListing;
  const bool is_home = web::IsHomePage(url);
  if (!is_home && linked >= kMinListedBytes && 10 * linked >= 6 * (linked + read)) return PageKind::kListing;
  if (is_home) return PageKind::kHome;
  return read >= kArticleBytes ? PageKind::kArticle : PageKind::kOther;
}

}  // namespace crivello::page
