// SPDX-License-Identifier: Apache-2.0
#include "sieve/offline_manifest.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "base/file_format.h"
#include "sieve/sieve_files.h"

namespace crivello::sieve {
namespace {

using Words = std::array<uint64_t, 8>;

}  // namespace

std::string OfflineManifest::SeenPath(const std::string& folder) const {
  return seen_generation == 0 ? "" : folder + "/" + NumberedName(kSeenPrefix, seen_generation);
}

Result<OfflineManifest> OfflineManifest::Read(const std::string& path) {
  if (FileSize(path).status().code() == StatusCode::kNotFound) return OfflineManifest{};
  CRV_ASSIGN(const FormatFile file, FormatFile::Open(path, kFileKind));
  if (file.payload().size() != sizeof(Words)) {
    return Status::Corruption(fmt::format("{}: corrupt: found {} bytes, but a manifest has {}", path,
                                          file.payload().size(), sizeof(Words)));
  }
  const auto words = LoadField<Words>(file.payload(), 0);
  OfflineManifest manifest;
  manifest.seen_generation = words[0];
  manifest.known = words[1];
  manifest.first_batch = words[2];
  manifest.queue_end = words[3];
  manifest.queued = words[4];
  manifest.released = {.segment = words[5], .keys = words[6], .bytes = words[7]};
  if (manifest.released.segment > manifest.queue_end || manifest.released.segment == 0) {
    return Status::Corruption(
        fmt::format("{}: corrupt: released up to segment {}, but the queue ends before {}", path,
                    manifest.released.segment, manifest.queue_end));
  }
  return manifest;
}

Status OfflineManifest::Write(const std::string& path, FileSystem& fs) const {
  const Words words = {seen_generation,  known,         first_batch,   queue_end, queued,
                       released.segment, released.keys, released.bytes};
  CRV_ASSIGN(FormatFileWriter file, FormatFileWriter::Create(path, kFileKind, fs));
  CRV_TRY(file.Append(std::as_bytes(std::span(words))));
  return file.Finish();
}

}  // namespace crivello::sieve
