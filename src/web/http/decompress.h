// SPDX-License-Identifier: Apache-2.0
// Safe decoding of content codings: gzip, deflate, brotli, zstd and compress, with a limit on the output.
//
// A body that ends early yields what could be decoded, with a status that says so. Output is cut at a limit,
// also with its own status: a few kilobytes can claim to be terabytes. Memory is bounded by the codec's
// window (32 KiB for deflate, 8 MiB for zstd as in RFC 9659, 16 MiB for brotli) and by the limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace crivello::web {

enum class ContentCoding : uint8_t { kIdentity, kGzip, kDeflate, kBrotli, kZstd, kCompress };

// "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "identity"; in any case.
std::optional<ContentCoding> ContentCodingForName(std::string_view name);

enum class DecompressStatus : uint8_t {
  kOk,           // so far; the end has not been reached
  kComplete,     // the stream ended as it should
  kTruncated,    // the bytes ended before the stream
  kCorrupt,      // not this coding, or damaged: the output before the damage is returned
  kTooLarge,     // cut at max_bytes
  kTooDense,     // cut at max_ratio
  kUnsupported,  // an unknown coding, or too many codings
  kNoMemory,     // the library of the coding could not allocate its state
};
// "ok", "complete", "truncated", ...
std::string_view DecompressStatusName(DecompressStatus status);

struct DecompressLimits {
  uint64_t max_bytes = 64 << 20;
  // Output over input; checked only past ratio_floor_bytes, because a short page of one letter is harmless.
  uint64_t max_ratio = 500;
  uint64_t ratio_floor_bytes = 4 << 20;
};

// One stream, fed in pieces of any size. How it is divided does not affect the output, except where damage or
// a ratio is noticed. One thread at a time.
class Decompressor {
 public:
  // Receives the output piece by piece, each valid during the call.
  using Sink = std::function<void(std::string_view)>;

  // REQUIRES: coding is not kIdentity.
  explicit Decompressor(ContentCoding coding, const DecompressLimits& limits = {});
  ~Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;

  // kOk while more may come; kComplete once the stream has ended (what follows is counted but not decoded);
  // otherwise the final status. Consecutive gzip members, or zstd frames, belong to one stream.
  DecompressStatus Feed(std::string_view bytes, const Sink& sink);
  // To be called at the end of the input: kComplete, kTruncated, or what Feed returned before.
  DecompressStatus Finish();

  uint64_t bytes_in() const { return bytes_in_; }
  uint64_t bytes_out() const { return bytes_out_; }
  // Bytes after the end of the stream.
  uint64_t trailing_bytes() const { return trailing_bytes_; }

  class Codec;  // one of the libraries, behind one interface

 private:
  DecompressStatus status_ = DecompressStatus::kOk;
  std::unique_ptr<Codec> codec_;
  DecompressLimits limits_;
  std::unique_ptr<char[]> buffer_;
  uint64_t bytes_in_ = 0;
  uint64_t bytes_out_ = 0;
  uint64_t trailing_bytes_ = 0;
};

struct Decompressed {
  std::string body;
  DecompressStatus status = DecompressStatus::kComplete;
  uint64_t trailing_bytes = 0;
};

// Decodes a whole body. A gzip of one member whose trailer declares its size is decoded by libdeflate, at 1.5
// to 2.4 times zlib's speed.
Decompressed Decompress(std::string_view bytes, ContentCoding coding, const DecompressLimits& limits = {});

inline constexpr size_t kMaxContentCodings = 3;

// A body decoded according to its Content-Encoding: "gzip", or "deflate, gzip" for a gzip of a deflate. If
// nothing had to be decoded, the body is a view of the bytes. Stops at the first coding that fails; the body
// is then the output of that coding.
class DecodedContent {
 public:
  std::string_view body() const { return owns_ ? std::string_view(owned_) : borrowed_; }
  DecompressStatus status() const { return status_; }
  bool borrowed() const { return !owns_; }

 private:
  friend DecodedContent DecodeContent(std::string_view, std::string_view, const DecompressLimits&);
  std::string_view borrowed_;
  std::string owned_;
  bool owns_ = false;
  DecompressStatus status_ = DecompressStatus::kComplete;
};
DecodedContent DecodeContent(std::string_view bytes, std::string_view content_encoding,
                             const DecompressLimits& limits = {});

}  // namespace crivello::web
