// SPDX-License-Identifier: Apache-2.0
// The manifest and the queue of an offline sieve, with arbitrary bytes in valid envelopes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "base/file_format.h"
#include "base/test_support.h"
#include "sieve/arrival_queue.h"
#include "sieve/offline_manifest.h"

namespace {

using crivello::Bytes;
using crivello::FileKind;

void WriteEnvelope(const std::string& path, FileKind kind, Bytes payload) {
  auto file = crivello::FormatFileWriter::Create(path, kind);
  if (!file.ok() || !file->Append(payload).ok() || !file->Finish().ok()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::sieve;
  static const crivello::TemporaryFolder folder;
  const Bytes bytes = std::as_bytes(std::span(data, size));
  const Bytes manifest_bytes = bytes.first(std::min<size_t>(size, 64));
  WriteEnvelope(OfflineManifest::Path(folder.path()), OfflineManifest::kFileKind, manifest_bytes);
  WriteEnvelope(ArrivalQueue::SegmentPath(folder.path(), 1), QueueSegmentWriter::kFileKind,
                bytes.subspan(manifest_bytes.size()));

  const auto manifest = OfflineManifest::Read(OfflineManifest::Path(folder.path()));
  if (!manifest.ok()) return 0;
  ArrivalQueue queue(folder.path(), manifest->released, manifest->queue_end, manifest->queued);
  uint64_t sum = 0;
  for (;;) {
    const auto taken = queue.Take(1000, [&](std::string_view key) {
      for (const char c : key) sum += static_cast<unsigned char>(c);
    });
    if (!taken.ok() || *taken == 0) break;
  }
  return sum == UINT64_MAX ? 1 : 0;
}
