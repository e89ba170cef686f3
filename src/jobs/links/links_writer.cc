// SPDX-License-Identifier: Apache-2.0
#include "jobs/links/links_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/record.h"
#include "jobs/links/links_file.h"

namespace crivello::jobs {
namespace {

// Encodes a string by its difference from the previous one, which it replaces.
void FrontCode(std::string_view next, std::string* last, RecordWriter& out) {
  const auto differs = std::mismatch(next.begin(), next.end(), last->begin(), last->end()).first;
  const auto shared = static_cast<size_t>(differs - next.begin());
  out.Number(shared);
  out.Text(next.substr(shared));
  last->resize(shared);
  last->append(next.substr(shared));
}

}  // namespace

Result<LinksWriter> LinksWriter::Create(const std::string& path, const LinksOrigin& origin, FileSystem& fs) {
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path, LinksFile::kFileKind, fs));
  return LinksWriter(std::move(file), origin.Encode());
}

Status LinksWriter::Add(const LinkRecord& link) {
  const bool same_target = tail_.records > 0 && link.target == target_;
  if (tail_.records > 0 && (same_target ? link.source < source_ : link.target < target_)) {
    return Status::InvalidArgument(
        fmt::format("the link from '{}' to '{}' comes too late", link.source, link.target));
  }
  if (!same_target) tail_.targets++;
  tail_.records++;
  const bool starts_block = block_records_++ == 0;
  if (starts_block) {
    target_.clear();
    source_.clear();
    text_.clear();
  }
  const bool same_text = link.text == text_;
  RecordWriter out(&block_);
  out.Number((same_target && !starts_block ? 1u : 0u) | (same_text ? 2u : 0u) | uint64_t{link.flags} << 2 |
             static_cast<uint64_t>(link.kind) << 6);
  if (!same_target || starts_block) FrontCode(link.target, &target_, out);
  FrontCode(link.source, &source_, out);
  if (!same_text) {
    out.Text(link.text);
    text_ = link.text;
  }
  return block_.size() >= kLinksBlockBytes ? EndBlock() : Status::Ok();
}

Status LinksWriter::EndBlock() {
  const std::string block = SealLinksBlock(tail_.offsets.size(), block_records_, block_);
  tail_.offsets.push_back(file_.payload_bytes());
  CRV_TRY(file_.Append(AsBytes(block)));
  block_.clear();
  block_records_ = 0;
  return Status::Ok();
}

Status LinksWriter::Finish() {
  if (block_records_ > 0) CRV_TRY(EndBlock());
  CRV_TRY(file_.Append(AsBytes(SealLinksTail(tail_, file_.payload_bytes()))));
  return file_.Finish();
}

}  // namespace crivello::jobs
