// SPDX-License-Identifier: Apache-2.0
#include "base/image.h"

#include <fmt/format.h>

#include <cstring>

namespace crivello {

void ImageWriter::RawBytes(Bytes bytes) {
  const size_t at = words_.size();
  words_.resize(at + (bytes.size() + 7) / 8);
  if (!bytes.empty()) std::memcpy(words_.data() + at, bytes.data(), bytes.size());
}

ImageReader::ImageReader(Bytes image, std::string_view what)
    : what_(what), aligned_(image.size() % 8 == 0 && reinterpret_cast<uintptr_t>(image.data()) % 8 == 0) {
  if (aligned_) rest_ = {reinterpret_cast<const uint64_t*>(image.data()), image.size() / 8};
}

Status ImageReader::Damaged(std::string_view why) const {
  return Status::Corruption(fmt::format("corrupt {}: {}", what_, why));
}

Result<std::span<const uint64_t>> ImageReader::Words(uint64_t count) {
  if (!aligned_) return Damaged("it does not consist of aligned 64-bit words");
  if (count > rest_.size())
    return Damaged(fmt::format("truncated: {} words are left, expected {}", rest_.size(), count));
  const auto words = rest_.first(count);
  rest_ = rest_.subspan(count);
  return words;
}

Result<uint64_t> ImageReader::Word() {
  CRV_ASSIGN(const auto words, Words(1));
  return words[0];
}

Result<uint64_t> ImageReader::WordAtMost(uint64_t limit, std::string_view name) {
  CRV_ASSIGN(const uint64_t word, Word());
  if (word > limit) return Damaged(fmt::format("{} is {}, but at most {} is possible", name, word, limit));
  return word;
}

Result<Bytes> ImageReader::RawBytes(uint64_t count) {
  CRV_ASSIGN(const auto words, Words(count / 8 + (count % 8 != 0)));
  return std::as_bytes(words).first(count);
}

Result<Bytes> ImageReader::Nested() {
  CRV_ASSIGN(const uint64_t count, Word());
  CRV_ASSIGN(const auto words, Words(count));
  return std::as_bytes(words);
}

Status ImageReader::Finish() const {
  if (!aligned_) return Damaged("it does not consist of aligned 64-bit words");
  if (!rest_.empty()) return Damaged(fmt::format("{} extra words at its end", rest_.size()));
  return Status::Ok();
}

Status WriteImage(const std::string& path, FileKind kind, Bytes image, FileSystem& fs) {
  CRV_ASSIGN(auto file, FormatFileWriter::Create(path, kind, fs));
  CRV_TRY(file.Append(image));
  return file.Finish();
}

}  // namespace crivello
