// SPDX-License-Identifier: Apache-2.0
#include "index/segments/index_copy.h"

#include <filesystem>
#include <system_error>

#include "base/copy_file.h"
#include "base/folder.h"
#include "index/segments/manifest.h"

namespace crivello::index {
namespace {

constexpr int kTries = 100;

// NotFound if a file has disappeared, with its segment.
Status CopySegments(const Manifest& manifest, const std::string& index, const std::string& to) {
  CRV_TRY(MakeFolders(SegmentsPath(to)));
  for (const Manifest::Entry& entry : manifest.segments) {
    const std::string from_segment = SegmentPath(index, entry.id), to_segment = SegmentPath(to, entry.id);
    CRV_TRY(MakeFolders(to_segment));
    std::error_code error;
    for (std::filesystem::directory_iterator it(from_segment, error), end; !error && it != end;
         it.increment(error)) {
      const std::string name = it->path().filename().string();
      // Of these, copy only the files that the manifest names.
      if (name.starts_with("deleted-") || name.starts_with("rank-")) continue;
      CRV_TRY(LinkOrCopy(from_segment + "/" + name, to_segment + "/" + name));
    }
    if (error == std::errc::no_such_file_or_directory) return Status::NotFound(from_segment);
    if (error) return Status::FromErrno("list folder", from_segment, error.value());
    if (entry.deletions > 0) CRV_TRY(LinkOrCopy(DeletionsPath(index, entry), DeletionsPath(to, entry)));
    for (const Manifest::Rank& rank : manifest.ranks) {
      CRV_TRY(LinkOrCopy(RankColumnPath(index, entry.id, rank), RankColumnPath(to, entry.id, rank)));
    }
    CRV_TRY(PosixFileSystem().SyncDirectory(to_segment));
  }
  if (!manifest.ranks.empty()) {
    CRV_TRY(MakeFolders(RanksPath(to)));
    for (const Manifest::Rank& rank : manifest.ranks) {
      CRV_TRY(LinkOrCopy(RankPagesPath(index, rank), RankPagesPath(to, rank)));
    }
    CRV_TRY(PosixFileSystem().SyncDirectory(RanksPath(to)));
  }
  return PosixFileSystem().SyncDirectory(SegmentsPath(to));
}

}  // namespace

Result<std::optional<uint64_t>> CopyIndex(const std::string& index, const std::string& to) {
  Status status;
  for (int i = 0; i < kTries; ++i) {
    const auto manifest = Manifest::Read(index);
    if (manifest.status().code() == StatusCode::kNotFound) return std::optional<uint64_t>();
    CRV_TRY(manifest.status());
    CRV_TRY(RemoveFolder(to));
    status = CopySegments(*manifest, index, to);
    if (status.code() == StatusCode::kNotFound) continue;
    CRV_TRY(status);
    // A segment that is being removed may have lost files, but not yet its folder.
    const auto after = Manifest::Read(index);
    CRV_TRY(after.status());
    if (after->generation != manifest->generation) continue;
    CRV_TRY(manifest->Write(to, PosixFileSystem()));
    return std::optional(manifest->sequence);
  }
  return Status::Unavailable(index + ": cannot copy the index: it keeps changing; try again later")
      .WithContext(status.ToString());
}

Result<std::optional<uint64_t>> IndexSequence(const std::string& index) {
  const auto manifest = Manifest::Read(index);
  if (manifest.status().code() == StatusCode::kNotFound) return std::optional<uint64_t>();
  CRV_TRY(manifest.status());
  return std::optional(manifest->sequence);
}

}  // namespace crivello::index
