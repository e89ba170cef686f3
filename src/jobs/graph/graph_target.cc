// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/graph_target.h"

#include <filesystem>

#include "base/file_system.h"
#include "base/folder.h"
#include "jobs/graph/graph_folder.h"

namespace crivello::jobs {
namespace {

std::string FolderOf(const std::string& basename) {
  const std::filesystem::path folder = std::filesystem::path(basename).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

bool SameGraphFiles(const std::string& a, const std::string& b) {
  std::error_code error_a, error_b;
  const auto path_a = std::filesystem::weakly_canonical(a, error_a);
  const auto path_b = std::filesystem::weakly_canonical(b, error_b);
  return a == b || (!error_a && !error_b && path_a == path_b);
}

Result<ScratchFolder> ScratchBeside(const std::string& basename) {
  const std::string name = std::filesystem::path(basename).filename().string();
  return ScratchFolder::Create({.prefix = name + ".scratch-", .folder = FolderOf(basename)});
}

Status RemoveLeftovers(const std::string& basename, GraphFormat format) {
  CRV_TRY(RemoveFolder(NamesPath(basename)));
  if (format == GraphFormat::kBv) return RemoveFolder(basename + std::string(kEfEnding));
  // Without .properties, the others are not a graph.
  for (const char* const ending : {".properties", ".offsets", ".graph"}) {
    CRV_TRY(RemoveFolder(basename + ending));
  }
  return Status::Ok();
}

Status MoveNames(const std::string& from, const std::string& basename) {
  CRV_TRY(PosixFileSystem().Rename(from, NamesPath(basename)));
  return PosixFileSystem().SyncDirectory(FolderOf(basename));
}

}  // namespace crivello::jobs
