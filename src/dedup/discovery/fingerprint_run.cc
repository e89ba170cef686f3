// SPDX-License-Identifier: Apache-2.0
#include "dedup/discovery/fingerprint_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"

namespace crivello::dedup {
namespace {

constexpr std::string_view kMethodNames[] = {"shingles", "minhash", "simhash"};

// Writes two numbers per word.
class HalfWriter {
 public:
  explicit HalfWriter(ImageWriter* image) : image_(image) {}
  void Add(uint32_t number) {
    if (odd_) {
      image_->Word(low_ | uint64_t{number} << 32);
    } else {
      low_ = number;
    }
    odd_ = !odd_;
  }
  void Finish() {
    if (odd_) image_->Word(low_);
  }

 private:
  ImageWriter* image_;
  uint64_t low_ = 0;
  bool odd_ = false;
};

constexpr uint64_t HalfWords(uint64_t count) { return count / 2 + count % 2; }

}  // namespace

Result<Method> ParseMethod(std::string_view name) {
  for (size_t i = 0; i < std::size(kMethodNames); i++) {
    if (name == kMethodNames[i]) return static_cast<Method>(i);
  }
  return Status::InvalidArgument(
      fmt::format("unknown method '{}': expected shingles, minhash or simhash", name));
}

std::string_view MethodName(Method method) { return kMethodNames[static_cast<size_t>(method)]; }

Result<FingerprintRun> FingerprintRun::FromImage(Bytes image) {
  ImageReader reader(image, "fingerprint run");
  FingerprintRun run;
  run.image_ = image;
  CRV_ASSIGN(const uint64_t method, reader.WordAtMost(std::size(kMethodNames) - 1, "the method"));
  run.shape_.method = static_cast<Method>(method);
  CRV_ASSIGN(run.shape_.parameters, reader.Word());
  CRV_ASSIGN(const uint64_t parts, reader.WordAtMost(kMostParts, "the number of parts"));
  run.shape_.parts = static_cast<uint32_t>(parts);
  CRV_ASSIGN(const uint64_t first, reader.WordAtMost(UINT32_MAX, "the first document"));
  run.first_ = static_cast<uint32_t>(first);
  CRV_ASSIGN(const uint64_t documents, reader.WordAtMost(UINT32_MAX - first, "the number of documents"));
  CRV_ASSIGN(run.signatures_, reader.Words(documents));
  CRV_ASSIGN(run.key_counts_, reader.Words(HalfWords(documents)));
  for (uint64_t i = 0; i < parts; i++) {
    Part part;
    CRV_ASSIGN(const uint64_t size, reader.Word());
    CRV_ASSIGN(part.keys, reader.Words(size));
    CRV_ASSIGN(part.documents, reader.Words(HalfWords(size)));
    run.parts_.push_back(part);
  }
  CRV_TRY(reader.Finish());
  return run;
}

uint64_t FingerprintRun::LowerBound(uint32_t part, uint64_t key) const {
  const auto keys = parts_[part].keys;
  return static_cast<uint64_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
}

uint64_t FingerprintRun::Checksum() const { return Hash64(image_); }

Description FingerprintRun::Describe() const {
  uint64_t keys = 0;
  for (const Part& part : parts_) keys += part.keys.size();
  return {{"method", std::string(MethodName(shape_.method))},
          {"parameters", shape_.parameters},
          {"first-document", uint64_t{first_}},
          {"documents", uint64_t{documents()}},
          {"parts", uint64_t{shape_.parts}},
          {"keys", keys}};
}

FingerprintRunBuilder::FingerprintRunBuilder(RunShape shape, uint32_t first_document)
    : shape_(shape), first_(first_document), parts_(shape.parts) {}

void FingerprintRunBuilder::Add(uint64_t signature, std::span<const PartKey> keys) {
  const uint32_t document = first_ + documents();
  signatures_.push_back(signature);
  key_counts_.push_back(static_cast<uint32_t>(keys.size()));
  for (const PartKey& one : keys) parts_[one.part].push_back({one.key, document});
}

uint64_t FingerprintRunBuilder::MemoryBytes() const {
  uint64_t bytes = signatures_.capacity() * (sizeof(uint64_t) + sizeof(uint32_t));
  for (const auto& part : parts_) bytes += part.capacity() * sizeof(KeyedDocument);
  return bytes;
}

ImageWriter FingerprintRunBuilder::Build() {
  ImageWriter image;
  image.Word(static_cast<uint64_t>(shape_.method));
  image.Word(shape_.parameters);
  image.Word(shape_.parts);
  image.Word(first_);
  image.Word(signatures_.size());
  image.Words(signatures_);
  HalfWriter counts(&image);
  for (const uint32_t count : key_counts_) counts.Add(count);
  counts.Finish();
  std::vector<KeyedDocument> scratch;
  for (auto& part : parts_) {
    SortByKey(&part, &scratch);
    image.Word(part.size());
    for (const KeyedDocument& one : part) image.Word(one.key);
    HalfWriter documents(&image);
    for (const KeyedDocument& one : part) documents.Add(one.document);
    documents.Finish();
    part = {};
  }
  signatures_ = {};
  key_counts_ = {};
  return image;
}

Status FingerprintRunBuilder::WriteFile(const std::string& path, FileSystem& fs) {
  return WriteImage(path, FingerprintRun::kFileKind, Build().bytes(), fs);
}

}  // namespace crivello::dedup
