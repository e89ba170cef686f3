// SPDX-License-Identifier: Apache-2.0
#include "engine/disk_stats.h"

#include <sys/statvfs.h>

#include <chrono>
#include <filesystem>
#include <system_error>

namespace crivello::engine {
namespace {

namespace fs = std::filesystem;
constexpr Duration kDiskPatience = std::chrono::seconds(15);

// By the subfolder of the tablet that a file is in: "tablets/t-0/archive/...".
uint64_t serve::DiskStats::*PartOf(const fs::path& relative) {
  auto part = relative.begin();
  if (part == relative.end() || *part != "tablets") return &serve::DiskStats::other;
  for (int i = 0; i < 2 && part != relative.end(); i++) ++part;
  if (part == relative.end()) return &serve::DiskStats::other;
  if (*part == "archive") return &serve::DiskStats::archive;
  if (*part == "index") return &serve::DiskStats::index;
  return *part == "db" ? &serve::DiskStats::database : &serve::DiskStats::other;
}

}  // namespace

serve::DiskStats MeasureDisk(const std::string& directory) {
  serve::DiskStats stats;
  struct statvfs disk = {};
  if (statvfs(directory.c_str(), &disk) != 0) return stats;
  stats.free = uint64_t{disk.f_bavail} * disk.f_frsize;
  stats.total = uint64_t{disk.f_blocks} * disk.f_frsize;
  std::error_code error;
  fs::recursive_directory_iterator it(directory, fs::directory_options::skip_permission_denied, error), end;
  for (; !error && it != end; it.increment(error)) {
    std::error_code gone;
    if (!it->is_regular_file(gone) || gone) continue;
    const uint64_t bytes = it->file_size(gone);
    if (!gone) stats.*PartOf(it->path().lexically_relative(directory)) += bytes;
  }
  stats.known = true;
  return stats;
}

serve::DiskStats DiskWatch::Get() {
  MutexLock lock(mu_);
  const MonotonicTime now = clock_.Now();
  if (!last_.known || now - measured_ >= kDiskPatience) {
    last_ = MeasureDisk(directory_);
    measured_ = now;
  }
  return last_;
}

}  // namespace crivello::engine
