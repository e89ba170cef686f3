// SPDX-License-Identifier: Apache-2.0
#include "web/http/decompress.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/ascii.h"
#include "web/http/decompress_codec.h"
#include "web/http/http_syntax.h"

namespace crivello::web {
namespace {

constexpr size_t kBufferBytes = 64 << 10;

// The maximum output for `in` bytes of input.
uint64_t AllowedBytes(const DecompressLimits& limits, uint64_t in) {
  const uint64_t by_ratio =
      in > UINT64_MAX / std::max<uint64_t>(limits.max_ratio, 1) ? UINT64_MAX : in * limits.max_ratio;
  return std::min(limits.max_bytes, std::max(by_ratio, limits.ratio_floor_bytes));
}

struct FreeDeflate {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

// Decodes a gzip of one member, whose last four bytes are its size. nullopt for anything else, or if it is
// too large: then the stream decoder decides.
std::optional<Decompressed> DecompressOneMember(std::string_view bytes, const DecompressLimits& limits) {
  constexpr size_t kSmallest = 18;
  if (bytes.size() < kSmallest) return std::nullopt;
  uint32_t size;  // little-endian, like the supported machines
  std::memcpy(&size, bytes.data() + bytes.size() - sizeof size, sizeof size);
  // Deflate expands at most 1032-fold, so a larger size is wrong.
  if (size > AllowedBytes(limits, bytes.size()) || size / 1032 > bytes.size()) return std::nullopt;
  // Creating one costs more than inflating a small page.
  thread_local const std::unique_ptr<libdeflate_decompressor, FreeDeflate> decompressor(
      libdeflate_alloc_decompressor());
  if (!decompressor) return std::nullopt;
  Decompressed result;
  result.body.resize(size);
  size_t consumed = 0, produced = 0;
  const libdeflate_result code = libdeflate_gzip_decompress_ex(
      decompressor.get(), bytes.data(), bytes.size(), result.body.data(), size, &consumed, &produced);
  if (code != LIBDEFLATE_SUCCESS || consumed != bytes.size()) return std::nullopt;
  result.body.resize(produced);
  return result;
}

}  // namespace

std::optional<ContentCoding> ContentCodingForName(std::string_view name) {
  struct Name {
    std::string_view name;
    ContentCoding coding;
  };
  constexpr std::array<Name, 8> kNames = {{{"gzip", ContentCoding::kGzip},
                                           {"x-gzip", ContentCoding::kGzip},
                                           {"deflate", ContentCoding::kDeflate},
                                           {"br", ContentCoding::kBrotli},
                                           {"zstd", ContentCoding::kZstd},
                                           {"compress", ContentCoding::kCompress},
                                           {"x-compress", ContentCoding::kCompress},
                                           {"identity", ContentCoding::kIdentity}}};
  name = internal::TrimHttpSpace(name);
  for (const Name& known : kNames) {
    if (EqualsIgnoringCase(name, known.name)) return known.coding;
  }
  return std::nullopt;
}

std::string_view DecompressStatusName(DecompressStatus status) {
  switch (status) {
    case DecompressStatus::kOk:
      return "ok";
    case DecompressStatus::kComplete:
      return "complete";
    case DecompressStatus::kTruncated:
      return "truncated";
    case DecompressStatus::kCorrupt:
      return "corrupt";
    case DecompressStatus::kTooLarge:
      return "too large";
    case DecompressStatus::kTooDense:
      return "too dense";
    case DecompressStatus::kUnsupported:
      return "unsupported";
    case DecompressStatus::kNoMemory:
      return "out of memory";
  }
  return "unsupported";
}

Decompressor::Decompressor(ContentCoding coding, const DecompressLimits& limits)
    : codec_(MakeCodec(coding)), limits_(limits), buffer_(new char[kBufferBytes]) {}
Decompressor::~Decompressor() = default;
Decompressor::Decompressor(Decompressor&&) noexcept = default;
Decompressor& Decompressor::operator=(Decompressor&&) noexcept = default;

DecompressStatus Decompressor::Feed(std::string_view bytes, const Sink& sink) {
  bytes_in_ += bytes.size();
  if (status_ == DecompressStatus::kComplete) trailing_bytes_ += bytes.size();
  while (status_ == DecompressStatus::kOk) {
    const Codec::Progress progress = codec_->Decode(bytes, {buffer_.get(), kBufferBytes});
    bytes.remove_prefix(progress.consumed);
    // The ratio is checked against the input consumed so far, so that the size of the pieces does not matter.
    const uint64_t allowed = AllowedBytes(limits_, bytes_in_ - bytes.size());
    uint64_t usable = progress.produced;
    if (bytes_out_ + usable > allowed) {
      usable = allowed > bytes_out_ ? allowed - bytes_out_ : 0;
      status_ = allowed == limits_.max_bytes ? DecompressStatus::kTooLarge : DecompressStatus::kTooDense;
    }
    bytes_out_ += usable;
    if (usable > 0) sink({buffer_.get(), usable});
    if (status_ != DecompressStatus::kOk) break;
    if (progress.state == Codec::State::kCorrupt) status_ = DecompressStatus::kCorrupt;
    if (progress.state == Codec::State::kNoMemory) status_ = DecompressStatus::kNoMemory;
    if (progress.state == Codec::State::kEnd) {
      status_ = DecompressStatus::kComplete;
      trailing_bytes_ += bytes.size();
    }
    if (progress.consumed == 0 && progress.produced == 0) break;
  }
  return status_;
}

DecompressStatus Decompressor::Finish() {
  if (status_ == DecompressStatus::kOk) {
    status_ = codec_->MayEnd() ? DecompressStatus::kComplete : DecompressStatus::kTruncated;
  }
  return status_;
}

Decompressed Decompress(std::string_view bytes, ContentCoding coding, const DecompressLimits& limits) {
  if (coding == ContentCoding::kIdentity) {
    Decompressed result;
    result.body = bytes.substr(0, limits.max_bytes);
    if (bytes.size() > limits.max_bytes) result.status = DecompressStatus::kTooLarge;
    return result;
  }
  if (coding == ContentCoding::kGzip) {
    if (auto result = DecompressOneMember(bytes, limits)) return *std::move(result);
  }
  Decompressed result;
  Decompressor decompressor(coding, limits);
  decompressor.Feed(bytes, [&](std::string_view piece) { result.body.append(piece); });
  result.status = decompressor.Finish();
  result.trailing_bytes = decompressor.trailing_bytes();
  return result;
}

DecodedContent DecodeContent(std::string_view bytes, std::string_view content_encoding,
                             const DecompressLimits& limits) {
  DecodedContent content;
  content.borrowed_ = bytes;
  std::vector<ContentCoding> codings;
  internal::FieldReader reader(content_encoding);
  do {
    const std::string_view name = internal::TrimHttpSpace(reader.TakeUntil(","));
    if (name.empty()) continue;
    const auto coding = ContentCodingForName(name);
    if (coding == ContentCoding::kIdentity) continue;
    if (!coding || codings.size() == kMaxContentCodings) {
      content.status_ = DecompressStatus::kUnsupported;
      return content;
    }
    codings.push_back(*coding);
  } while (reader.Take(','));
  // The codings are listed in the order in which they were applied.
  for (auto coding = codings.rbegin(); coding != codings.rend(); ++coding) {
    Decompressed result = Decompress(content.body(), *coding, limits);
    content.owned_ = std::move(result.body);
    content.owns_ = true;
    content.status_ = result.status;
    if (result.status != DecompressStatus::kComplete) break;
  }
  return content;
}

}  // namespace crivello::web
