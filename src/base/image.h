// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/file_format.h"
#include "base/file_system.h"
#include "base/status.h"

namespace crivello {

// The image of a structure is its bytes, the same in a file and in memory: a self-contained sequence of
// little-endian 64-bit words, at any address that is a multiple of 8. A structure X consists of
//   XBuilder            made in memory, ends in an ImageWriter
//   X::FromImage(bytes) a reader on those bytes, without copying; it validates every length it finds there
// An image may contain others, so the same X can be in a file of its own (Mapped<X>) or inside a larger one.

// Collects the words of an image.
class ImageWriter {
 public:
  void Word(uint64_t word) { words_.push_back(word); }
  // Words without their count, which the reader must know.
  void Words(std::span<const uint64_t> words) { words_.insert(words_.end(), words.begin(), words.end()); }
  // Bytes, zero-padded to a word, without their count.
  void RawBytes(Bytes bytes);
  // Another image, preceded by its length.
  void Nested(const ImageWriter& image) {
    Word(image.words_.size());
    Words(image.words_);
  }
  Bytes bytes() const { return std::as_bytes(std::span(words_)); }
  std::vector<uint64_t> Release() && { return std::move(words_); }

 private:
  std::vector<uint64_t> words_;
};

// Reads an image from start to end. Whatever does not fit is Corruption, so lengths may be untrusted.
class ImageReader {
 public:
  // `what` names the structure in errors.
  ImageReader(Bytes image, std::string_view what);

  Result<uint64_t> Word();
  // A word that must not exceed `limit`; the error names it.
  Result<uint64_t> WordAtMost(uint64_t limit, std::string_view name);
  Result<std::span<const uint64_t>> Words(uint64_t count);
  Result<Bytes> RawBytes(uint64_t count);
  Result<Bytes> Nested();
  // Ok if everything was read without error.
  Status Finish() const;
  // A Corruption that names the structure.
  Status Damaged(std::string_view why) const;

 private:
  std::span<const uint64_t> rest_;
  std::string what_;
  bool aligned_;
};

// Writes an image to a file of its own.
Status WriteImage(const std::string& path, FileKind kind, Bytes image, FileSystem& fs = PosixFileSystem());

// A structure X on a mapped file. X has `static constexpr FileKind kFileKind` and `static Result<X>
// FromImage(Bytes)`. Move-only; X stays valid when this is moved.
template <typename X>
class Mapped {
 public:
  static Result<Mapped> Open(const std::string& path, FormatFileOptions options = {}) {
    CRV_ASSIGN(FormatFile file, FormatFile::Open(path, X::kFileKind, options));
    Result<X> x = X::FromImage(file.payload());
    if (!x.ok()) return x.status().WithContext(path);
    return Mapped(std::move(file), std::move(x).value());
  }

  const X& operator*() const { return x_; }
  const X* operator->() const { return &x_; }
  const FormatFile& file() const { return file_; }

 private:
  Mapped(FormatFile file, X x) : file_(std::move(file)), x_(std::move(x)) {}

  FormatFile file_;
  X x_;  // views file_
};

}  // namespace crivello
