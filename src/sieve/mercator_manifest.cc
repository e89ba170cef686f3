// SPDX-License-Identifier: Apache-2.0
#include "sieve/mercator_manifest.h"

namespace crivello::sieve {
namespace {

constexpr uint64_t kMaxKeys = uint64_t{1} << 56;  // so that sums do not overflow

}  // namespace

uint64_t MercatorManifest::known() const {
  uint64_t keys = 0;
  for (const Run& run : runs) keys += run.keys;
  return keys;
}

ImageWriter MercatorManifest::Encode() const {
  ImageWriter image;
  image.Word(next_batch);
  image.Word(released);
  image.Word(runs.size());
  for (const Run& run : runs) {
    image.Word(run.id);
    image.Word(run.keys);
  }
  image.Word(batches.size());
  for (const Batch& batch : batches) {
    image.Word(batch.id);
    image.Word(batch.keys);
    image.Word(batch.passed);
  }
  return image;
}

Result<MercatorManifest> MercatorManifest::FromImage(Bytes bytes) {
  ImageReader image(bytes, "sieve manifest");
  MercatorManifest manifest;
  CRV_ASSIGN(manifest.next_batch, image.Word());
  CRV_ASSIGN(manifest.released, image.Word());
  CRV_ASSIGN(const uint64_t runs, image.WordAtMost(bytes.size() / 16, "runs"));
  for (uint64_t i = 0; i < runs; i++) {
    Run run;
    CRV_ASSIGN(run.id, image.Word());
    CRV_ASSIGN(run.keys, image.WordAtMost(kMaxKeys, "keys of a run"));
    if (run.id >= manifest.next_batch || (i > 0 && run.id <= manifest.runs.back().id)) {
      return image.Damaged("runs out of order");
    }
    manifest.runs.push_back(run);
  }
  CRV_ASSIGN(const uint64_t batches, image.WordAtMost(bytes.size() / 24, "batches"));
  for (uint64_t i = 0; i < batches; i++) {
    Batch batch;
    CRV_ASSIGN(batch.id, image.Word());
    CRV_ASSIGN(batch.keys, image.WordAtMost(kMaxKeys, "keys of a batch"));
    CRV_ASSIGN(batch.passed, image.WordAtMost(batch.keys, "emitted keys of a batch"));
    if (batch.passed == 0 || batch.id >= manifest.next_batch ||
        (i > 0 && batch.id <= manifest.batches.back().id)) {
      return image.Damaged("batches out of order");
    }
    manifest.batches.push_back(batch);
  }
  if (manifest.batches.empty() ? manifest.released > 0
                               : manifest.released >= manifest.batches.front().passed) {
    return image.Damaged("more keys were released than emitted");
  }
  CRV_TRY(image.Finish());
  return manifest;
}

Description MercatorManifest::Describe() const {
  uint64_t untaken = 0;
  for (const Batch& batch : batches) untaken += batch.passed;
  return {{"known", known()},
          {"runs", uint64_t{runs.size()}},
          {"batches", uint64_t{batches.size()}},
          {"unreleased", untaken - released},
          {"next-batch", next_batch}};
}

ImageWriter MercatorMarks::Encode() const {
  ImageWriter image;
  image.Word(keys);
  image.Words(bits);
  return image;
}

Result<MercatorMarks> MercatorMarks::FromImage(Bytes bytes) {
  ImageReader image(bytes, "sieve marks");
  CRV_ASSIGN(const uint64_t keys, image.WordAtMost(bytes.size() * 8, "keys"));
  CRV_ASSIGN(const auto words, image.Words(keys / 64 + 1));
  CRV_TRY(image.Finish());
  MercatorMarks marks(keys);
  marks.bits.assign(words.begin(), words.end());
  return marks;
}

}  // namespace crivello::sieve
