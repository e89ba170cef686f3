// SPDX-License-Identifier: Apache-2.0
#include "index/ranks/rank_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "index/segments/document_values.h"
#include "web/url/public_suffix.h"

namespace crivello::index {
namespace {

// Never the key of a page, because the hashed text is not a URL of a page.
int64_t HostKey(std::string_view host) { return UrlKey(fmt::format("host:{}", host)); }
int64_t DomainKey(std::string_view domain) { return UrlKey(fmt::format("domain:{}", domain)); }

}  // namespace

Result<RankPages> RankPages::FromImage(Bytes image) {
  ImageReader reader(image, "rank pages");
  RankPages pages;
  pages.image_ = image;
  CRV_ASSIGN(pages.scale_, RankScale::ReadFrom(reader));
  CRV_ASSIGN(const uint64_t count, reader.WordAtMost(image.size(), "pages"));
  CRV_ASSIGN(pages.keys_, reader.Words(count));
  CRV_ASSIGN(const Bytes codes, reader.RawBytes(count));
  CRV_TRY(reader.Finish());
  pages.codes_ = {reinterpret_cast<const uint8_t*>(codes.data()), codes.size()};
  return pages;
}

Result<std::shared_ptr<const RankPages>> RankPages::Open(const std::string& path, Verify verify) {
  CRV_ASSIGN(FormatFile file, FormatFile::Open(path, kFileKind, {.verify = verify}));
  Result<RankPages> pages = FromImage(file.payload());
  if (!pages.ok()) return pages.status().WithContext(path);
  pages->file_.emplace(std::move(file));
  return std::shared_ptr<const RankPages>(std::make_shared<const RankPages>(*std::move(pages)));
}

std::optional<uint8_t> RankPages::Find(int64_t key) const {
  const auto wanted = static_cast<uint64_t>(key);
  const size_t size = keys_.size();
  if (size == 0) return std::nullopt;
  // Starts at the expected position, with strides that double: hashes are close to it.
  const size_t guess = ScaleTo(wanted, size);
  size_t begin = guess;
  size_t end = guess;
  for (size_t stride = 8; begin > 0 && keys_[begin] > wanted; stride *= 2) {
    end = begin;
    begin -= std::min(stride, begin);
  }
  for (size_t stride = 8; end < size && keys_[end] <= wanted; stride *= 2) {
    begin = end;
    end += std::min(stride, size - end);
  }
  const auto found = std::lower_bound(keys_.begin() + static_cast<std::ptrdiff_t>(begin),
                                      keys_.begin() + static_cast<std::ptrdiff_t>(end), wanted);
  const auto at = static_cast<size_t>(found - keys_.begin());
  if (at == size || keys_[at] != wanted) return std::nullopt;
  return codes_[at];
}

std::optional<uint8_t> RankPages::FindHost(std::string_view host) const {
  if (const auto code = Find(HostKey(host))) return code;
  const std::string_view domain = web::PublicSuffixList::BuiltIn().RegistrableDomain(host);
  return Find(DomainKey(domain.empty() ? host : domain));
}

std::shared_ptr<const RankColumn> RankPages::ColumnOf(const Segment& segment) const {
  std::vector<uint8_t> codes(segment.documents(), scale_.median_code());
  const NumberColumn* keys = segment.values().numbers(column::kKey);
  const StringColumn* hosts = segment.values().strings(column::kSite);
  // By the number of a host; filled on first use.
  std::vector<std::optional<uint8_t>> of_host(hosts == nullptr ? 0 : hosts->strings());
  for (DocId doc = 0; doc < codes.size(); doc++) {
    std::optional<uint8_t> code;
    if (keys != nullptr) code = Find((*keys)[doc]);
    const uint64_t host = hosts == nullptr ? 0 : hosts->NumberOf(doc);
    if (!code && host < of_host.size()) {
      if (!of_host[host]) of_host[host] = FindHost(hosts->String(host)).value_or(scale_.median_code());
      code = of_host[host];
    }
    if (code) codes[doc] = *code;
  }
  return RankColumn::Make(scale_, codes);
}

Status RankPages::Check() const {
  for (size_t i = 1; i < keys_.size(); i++) {
    if (keys_[i - 1] >= keys_[i])
      return Status::Corruption(fmt::format("rank {}: page {} is out of order", name(), i));
  }
  return Status::Ok();
}

Description RankPages::Describe() const {
  Description description = scale_.Describe();
  description.push_back({"pages", pages()});
  return description;
}

std::vector<std::shared_ptr<const RankColumn>> ColumnsOf(
    const Segment& segment, std::span<const std::shared_ptr<const RankPages>> ranks) {
  std::vector<std::shared_ptr<const RankColumn>> columns;
  for (const auto& pages : ranks) columns.push_back(pages->ColumnOf(segment));
  return columns;
}

bool AreColumnsOf(std::span<const std::shared_ptr<const RankColumn>> columns,
                  std::span<const std::shared_ptr<const RankPages>> ranks) {
  return std::equal(columns.begin(), columns.end(), ranks.begin(), ranks.end(),
                    [](const auto& column, const auto& pages) { return column->scale() == pages->scale(); });
}

void RankPagesBuilder::Add(std::string_view url, float value) { AddKey(UrlKey(url), value); }
void RankPagesBuilder::AddHost(std::string_view host, float value) { AddKey(HostKey(host), value); }
void RankPagesBuilder::AddDomain(std::string_view domain, float value) { AddKey(DomainKey(domain), value); }

void RankPagesBuilder::AddKey(int64_t key, float value) {
  pages_.emplace_back(static_cast<uint64_t>(key), ScoreCode(value, scale_.table));
}

std::shared_ptr<const RankPages> RankPagesBuilder::Finish() && {
  std::sort(pages_.begin(), pages_.end(), std::greater<>());  // among equal keys, the greater code first
  pages_.erase(std::unique(pages_.begin(), pages_.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; }),
               pages_.end());
  std::reverse(pages_.begin(), pages_.end());
  ImageWriter image;
  scale_.AppendTo(image);
  image.Word(pages_.size());
  std::vector<uint8_t> codes;
  codes.reserve(pages_.size());
  for (const auto& [key, code] : pages_) {
    image.Word(key);
    codes.push_back(code);
  }
  image.RawBytes(std::as_bytes(std::span(codes)));
  std::vector<uint64_t> words = std::move(image).Release();
  RankPages pages = *RankPages::FromImage(std::as_bytes(std::span(words)));  // cannot fail: we just made it
  pages.words_ = std::move(words);
  return std::make_shared<const RankPages>(std::move(pages));
}

}  // namespace crivello::index
