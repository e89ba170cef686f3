// SPDX-License-Identifier: Apache-2.0
#include "store/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/record.h"
#include "web/http/usage_preferences.h"

namespace crivello::store {
namespace {

constexpr uint8_t kFetchVersion = 1;
constexpr uint8_t kTextVersion = 2;
constexpr uint8_t kLinkVersion = 1;

// Bits of a FetchCell's flags: never renumbered.
struct FetchFlag {
  uint64_t bit;
  bool FetchCell::*field;
};
constexpr FetchFlag kFetchFlags[] = {
    {1, &FetchCell::noindex},   {2, &FetchCell::noarchive}, {4, &FetchCell::nofollow},
    {8, &FetchCell::truncated}, {16, &FetchCell::revisit},  {32, &FetchCell::near_copy},
};
constexpr uint64_t kHasLastModified = 64;
constexpr uint64_t kHasText = 128;
constexpr uint64_t kHasId = 256;
constexpr uint64_t kHasCanonical = 512;
constexpr uint64_t kHasKind = 1024;
constexpr uint64_t kHasTranslations = 2048;
constexpr uint64_t kHasUnavailableAfter = 4096;
constexpr uint64_t kHasUsage = 8192;
constexpr uint64_t kKnownFlags = 16383;

Status Damaged(std::string_view what) {
  return Status::Corruption(fmt::format("corrupt {} cell in the table", what));
}

// Ok, or the reason why a cell of this version cannot be read.
Status CheckVersion(RecordReader* reader, uint8_t known, std::string_view what) {
  const uint64_t version = reader->Number();
  if (!reader->ok() || version == 0) return Damaged(what);
  if (version != known) {
    return Status::Corruption(fmt::format("found a {} cell of version {}, but this program reads version {}",
                                          what, version, known));
  }
  return Status::Ok();
}

}  // namespace

std::string_view PageKindName(PageKind kind) {
  switch (kind) {
    case PageKind::kUnknown:
      return "unknown";
    case PageKind::kHome:
      return "home";
    case PageKind::kArticle:
      return "article";
    case PageKind::kListing:
      return "listing";
    case PageKind::kError:
      return "error";
    case PageKind::kOther:
      return "other";
  }
  return "";
}

std::string FetchCell::AllUsage() const {
  web::UsagePreferences all = web::UsagePreferences::Parse(usage);
  all.Add(web::UsagePreferences::Parse(robots_usage));
  return all.ToString();
}

std::string EncodeFetchCell(const FetchCell& cell) {
  const bool has_text = cell.text_digest != 0 || cell.simhash != 0;
  const bool has_usage = !cell.usage.empty() || !cell.robots_usage.empty();
  uint64_t flags = (cell.last_modified ? kHasLastModified : 0) | (has_text ? kHasText : 0) |
                   (cell.id.empty() ? 0 : kHasId) | (cell.canonical.empty() ? 0 : kHasCanonical) |
                   (cell.kind == PageKind::kUnknown ? 0 : kHasKind) |
                   (cell.translations.empty() ? 0 : kHasTranslations) |
                   (cell.unavailable_after ? kHasUnavailableAfter : 0) | (has_usage ? kHasUsage : 0);
  for (const FetchFlag& flag : kFetchFlags) flags |= cell.*flag.field ? flag.bit : 0;
  std::string out;
  out.reserve(96 + cell.content_type.size() + cell.etag.size() + cell.location.size() +
              cell.canonical.size() + cell.translations.size());
  RecordWriter writer(&out);
  writer.Number(kFetchVersion);
  writer.Number(flags);
  writer.Number(cell.status);
  writer.Number(cell.derived_by);
  writer.Number(cell.milliseconds);
  writer.Number(cell.body_bytes);
  writer.Number(cell.record.file);
  writer.Number(cell.record.offset);
  writer.Number(cell.record.length);
  out.append(reinterpret_cast<const char*>(cell.payload.data()), cell.payload.size());
  writer.Word(cell.head_digest);
  if (has_text) {
    writer.Word(cell.text_digest);
    writer.Word(cell.simhash);
  }
  if (cell.last_modified) writer.Signed(*cell.last_modified);
  writer.Text(cell.content_type);
  writer.Text(cell.etag);
  writer.Text(cell.location);
  if (!cell.id.empty()) writer.Text(cell.id);
  if (!cell.canonical.empty()) writer.Text(cell.canonical);
  if (cell.kind != PageKind::kUnknown) writer.Number(static_cast<uint8_t>(cell.kind));
  if (!cell.translations.empty()) writer.Text(cell.translations);
  if (cell.unavailable_after) writer.Signed(*cell.unavailable_after);
  if (has_usage) {
    writer.Text(cell.usage);
    writer.Text(cell.robots_usage);
  }
  return out;
}

Result<FetchCell> DecodeFetchCell(std::string_view bytes) {
  RecordReader reader(bytes);
  CRV_TRY(CheckVersion(&reader, kFetchVersion, "fetch"));
  FetchCell cell;
  const uint64_t flags = reader.NumberAtMost(kKnownFlags);
  for (const FetchFlag& flag : kFetchFlags) cell.*flag.field = (flags & flag.bit) != 0;
  cell.status = static_cast<uint16_t>(reader.NumberAtMost(UINT16_MAX));
  cell.derived_by = static_cast<uint32_t>(reader.NumberAtMost(UINT32_MAX));
  cell.milliseconds = static_cast<uint32_t>(reader.NumberAtMost(UINT32_MAX));
  cell.body_bytes = reader.Number();
  cell.record.file = static_cast<uint32_t>(reader.NumberAtMost(UINT32_MAX));
  cell.record.offset = reader.Number();
  cell.record.length = reader.Number();
  const std::string_view payload = reader.Raw(cell.payload.size());
  std::copy(payload.begin(), payload.end(), cell.payload.begin());
  cell.head_digest = reader.Word();
  if ((flags & kHasText) != 0) {
    cell.text_digest = reader.Word();
    cell.simhash = reader.Word();
  }
  if ((flags & kHasLastModified) != 0) cell.last_modified = reader.Signed();
  cell.content_type = reader.Text();
  cell.etag = reader.Text();
  cell.location = reader.Text();
  if ((flags & kHasId) != 0) cell.id = reader.Text();
  if ((flags & kHasCanonical) != 0) cell.canonical = reader.Text();
  if ((flags & kHasKind) != 0) cell.kind = static_cast<PageKind>(reader.NumberAtMost(kPageKinds - 1));
  if ((flags & kHasTranslations) != 0) cell.translations = reader.Text();
  if ((flags & kHasUnavailableAfter) != 0) cell.unavailable_after = reader.Signed();
  if ((flags & kHasUsage) != 0) {
    cell.usage = reader.Text();
    cell.robots_usage = reader.Text();
  }
  if (!reader.finished()) return Damaged("fetch");
  return cell;
}

std::string TextCell::MainText() const {
  std::string text;
  for (const TextBlock& block : blocks) {
    if (!block.main || block.text.empty()) continue;
    if (!text.empty()) text += "\n\n";
    text += block.text;
  }
  return text;
}

void EncodeTextCell(const TextCell& cell, std::string* out) {
  out->clear();
  RecordWriter writer(out);
  writer.Number(kTextVersion);
  writer.Number(cell.derived_by);
  writer.Text(cell.language);
  writer.Text(cell.charset);
  writer.Text(cell.title);
  writer.Text(cell.author);
  writer.Text(cell.site);
  writer.Text(cell.description);
  writer.Number(cell.published ? 1 : 0);
  if (cell.published) writer.Signed(*cell.published);
  for (const TextBlock& block : cell.blocks) {
    assert(block.kind <= TextBlock::kMaxKind && block.level <= TextBlock::kMaxLevel);
    writer.Number(uint64_t{block.main} | uint64_t{block.level} << 1 | uint64_t{block.kind} << 5);
    writer.Text(block.text);
  }
}

Result<TextCell> DecodeTextCell(std::string_view bytes) {
  RecordReader reader(bytes);
  CRV_TRY(CheckVersion(&reader, kTextVersion, "text"));
  TextCell cell;
  cell.derived_by = static_cast<uint32_t>(reader.NumberAtMost(UINT32_MAX));
  cell.language = reader.Text();
  cell.charset = reader.Text();
  cell.title = reader.Text();
  cell.author = reader.Text();
  cell.site = reader.Text();
  cell.description = reader.Text();
  if (reader.NumberAtMost(1) != 0) cell.published = reader.Signed();
  while (reader.ok() && reader.left() > 0) {
    const uint64_t what = reader.NumberAtMost(1 | TextBlock::kMaxLevel << 1 | TextBlock::kMaxKind << 5);
    cell.blocks.push_back({.kind = static_cast<uint8_t>(what >> 5),
                           .level = static_cast<uint8_t>(what >> 1 & TextBlock::kMaxLevel),
                           .main = (what & 1) != 0,
                           .text = reader.Text()});
  }
  if (!reader.finished()) return Damaged("text");
  return cell;
}

Result<StoredText> StoredText::Decode(std::string bytes) {
  StoredText text;
  text.bytes_ = std::make_unique<const std::string>(std::move(bytes));
  CRV_ASSIGN(text.cell_, DecodeTextCell(*text.bytes_));
  return text;
}

void LinkCellBuilder::Clear() {
  bytes_.clear();
  RecordWriter(&bytes_).Number(kLinkVersion);
  last_url_.clear();
  links_ = decoded_bytes_ = 0;
}

bool LinkCellBuilder::Add(std::string_view url, std::string_view text, uint8_t kind, bool nofollow) {
  assert(kind <= kMaxKind);
  if (url.size() + text.size() > kMaxDecodedBytes - decoded_bytes_) return false;
  decoded_bytes_ += url.size() + text.size();
  links_++;
  const auto shared = static_cast<size_t>(
      std::mismatch(url.begin(),
                    url.begin() + static_cast<std::ptrdiff_t>(std::min(url.size(), last_url_.size())),
                    last_url_.begin())
          .first -
      url.begin());
  RecordWriter writer(&bytes_);
  writer.Number(uint64_t{kind} << 1 | (nofollow ? 1 : 0));
  writer.Number(shared);
  writer.Text(url.substr(shared));
  writer.Text(text);
  last_url_.replace(shared, std::string::npos, url.substr(shared));
  return true;
}

Result<std::vector<OutLink>> DecodeLinkCell(std::string_view bytes) {
  RecordReader reader(bytes);
  CRV_TRY(CheckVersion(&reader, kLinkVersion, "link"));
  std::vector<OutLink> links;
  uint64_t decoded = 0;
  while (reader.ok() && reader.left() > 0) {
    OutLink link;
    const uint64_t kind = reader.NumberAtMost(LinkCellBuilder::kMaxKind << 1 | 1);
    link.kind = static_cast<uint8_t>(kind >> 1);
    link.nofollow = (kind & 1) != 0;
    const uint64_t shared = reader.NumberAtMost(links.empty() ? 0 : links.back().url.size());
    const std::string_view rest = reader.Text();
    const std::string_view text = reader.Text();
    decoded += shared + rest.size() + text.size();
    if (!reader.ok() || decoded > LinkCellBuilder::kMaxDecodedBytes) return Damaged("link");
    if (shared > 0) link.url = links.back().url.substr(0, shared);
    link.url += rest;
    link.text = text;
    links.push_back(std::move(link));
  }
  if (!reader.finished()) return Damaged("link");
  return links;
}

}  // namespace crivello::store
