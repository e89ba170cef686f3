// SPDX-License-Identifier: Apache-2.0
#include "store/warc_writer.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "store/digest.h"

namespace crivello::store {
namespace {

// A gzip header with the extra field "sl": both lengths, little-endian, to be filled in.
constexpr size_t kGzipHeaderBytes = 10 + 2 + 4 + 8;
constexpr size_t kGzipTrailerBytes = 8;
constexpr std::string_view kGzipHeader(
    "\x1f\x8b\x08\x04\0\0\0\0\0\x03"  // deflate, extra field, no time, unix
    "\x0c\0sl\x08\0\0\0\0\0\0\0\0\0",
    kGzipHeaderBytes);

void Store32(std::string* out, size_t at, uint64_t value) {
  const auto low = static_cast<uint32_t>(value);
  std::memcpy(out->data() + at, &low, sizeof low);
}

constexpr size_t kMaxHeadBytes = 64 << 10;
constexpr uint64_t kMaxRecordBytes = 0xffff0000;  // what is left covers the codecs' growth

bool BreaksLine(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

// A token of RFC 9110 that no other line of the record has for a name.
bool IsFreeName(std::string_view name) {
  constexpr std::array<std::string_view, 8> kOurs = {
      "warc-type",           "warc-record-id",    "warc-date",    "warc-target-uri",
      "warc-payload-digest", "warc-block-digest", "content-type", "content-length"};
  const std::string lower = ToAsciiLower(name);
  constexpr std::string_view kToken = "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~";
  return !name.empty() && lower.find_first_not_of(kToken) == std::string::npos &&
         std::find(kOurs.begin(), kOurs.end(), lower) == kOurs.end();
}

}  // namespace

struct WarcWriter::Codec {
  ~Codec() {
    libdeflate_free_compressor(deflate);
    ZSTD_freeCCtx(zstd);
  }
  libdeflate_compressor* deflate = nullptr;
  ZSTD_CCtx* zstd = nullptr;
};

std::string MakeRecordId(Random& random) {
  const uint64_t a = random.Next(), b = random.Next();
  return fmt::format("<urn:uuid:{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}>", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     (b >> 48 & 0x3fff) | 0x8000, b & 0xffffffffffff);
}

WarcWriter::WarcWriter(AppendFile& file, uint64_t size, Options options, Random& random)
    : file_(file),
      size_(size),
      options_(std::move(options)),
      random_(random),
      codec_(std::make_unique<Codec>()) {
  if (options_.compression == WarcCompression::kGzip) {
    codec_->deflate = libdeflate_alloc_compressor(std::clamp(options_.level, 0, 12));
  } else if (options_.compression == WarcCompression::kZstd) {
    codec_->zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(codec_->zstd, ZSTD_c_compressionLevel, std::clamp(options_.level, 1, 19));
    ZSTD_CCtx_setParameter(codec_->zstd, ZSTD_c_checksumFlag, 1);
    if (!options_.zstd_dictionary.empty()) {
      ZSTD_CCtx_loadDictionary(codec_->zstd, options_.zstd_dictionary.data(),
                               options_.zstd_dictionary.size());
    }
  }
}

WarcWriter::~WarcWriter() = default;

Result<WarcLocation> WarcWriter::Append(const WarcDraft& draft) {
  WarcLocation location;
  location.record_id = draft.record_id.empty() ? MakeRecordId(random_) : draft.record_id;
  std::string& record = record_;
  record = fmt::format("WARC/1.1\r\nWARC-Type: {}\r\nWARC-Record-ID: {}\r\nWARC-Date: {}\r\n",
                       WarcTypeName(draft.type), location.record_id, FormatRfc3339(draft.date));
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) record.append(name).append(": ").append(value).append("\r\n");
  };
  bool broken =
      BreaksLine(draft.target_uri) || BreaksLine(draft.content_type) || BreaksLine(location.record_id);
  add("WARC-Target-URI", draft.target_uri);
  for (const auto& [name, value] : draft.fields) {
    broken = broken || !IsFreeName(name) || BreaksLine(value);
    add(name, value);
  }
  if (broken) return Status::InvalidArgument("a WARC record with a field that cannot be written");
  if (!draft.head.empty()) {
    location.payload_digest = Sha1Digest(draft.body);
    add("WARC-Payload-Digest", location.payload_digest);
  }
  add("WARC-Block-Digest", Sha1Digest(draft.head, draft.body));
  add("Content-Type", draft.content_type);
  const uint64_t block_bytes = draft.head.size() + draft.body.size();
  record += fmt::format("Content-Length: {}\r\n\r\n", block_bytes);
  if (record.size() > kMaxHeadBytes || block_bytes > kMaxRecordBytes) {
    return Status::InvalidArgument(
        fmt::format("a WARC record of {} and {} bytes is too large", record.size(), block_bytes));
  }
  record.append(draft.head).append(draft.body).append("\r\n\r\n");

  if (size_ == 0 && options_.compression == WarcCompression::kZstd && !options_.zstd_dictionary.empty()) {
    std::string frame("\x5d\x2a\x4d\x18\0\0\0\0", 8);
    Store32(&frame, 4, options_.zstd_dictionary.size());
    frame += options_.zstd_dictionary;
    CRV_TRY(file_.Append(AsBytes(frame)));
    size_ += frame.size();
  }
  location.offset = size_;
  const std::string* bytes = &record;
  if (options_.compression == WarcCompression::kGzip) {
    CompressGzip();
    bytes = &compressed_;
  } else if (options_.compression == WarcCompression::kZstd) {
    compressed_.resize(ZSTD_compressBound(record.size()));
    const size_t size =
        ZSTD_compress2(codec_->zstd, compressed_.data(), compressed_.size(), record.data(), record.size());
    if (ZSTD_isError(size) != 0) return Status::IoError(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
    compressed_.resize(size);
    bytes = &compressed_;
  }
  CRV_TRY(file_.Append(AsBytes(*bytes)));
  location.bytes = bytes->size();
  size_ += bytes->size();
  return location;
}

// libdeflate writes no extra field, so the member is put together here.
void WarcWriter::CompressGzip() {
  const size_t bound = libdeflate_deflate_compress_bound(codec_->deflate, record_.size());
  compressed_.resize(kGzipHeaderBytes + bound + kGzipTrailerBytes);
  std::memcpy(compressed_.data(), kGzipHeader.data(), kGzipHeaderBytes);
  const size_t size = libdeflate_deflate_compress(codec_->deflate, record_.data(), record_.size(),
                                                  compressed_.data() + kGzipHeaderBytes, bound);
  const size_t trailer = kGzipHeaderBytes + size;
  compressed_.resize(trailer + kGzipTrailerBytes);
  Store32(&compressed_, trailer, libdeflate_crc32(0, record_.data(), record_.size()));
  Store32(&compressed_, trailer + 4, record_.size());
  Store32(&compressed_, kGzipHeaderBytes - 8, compressed_.size());
  Store32(&compressed_, kGzipHeaderBytes - 4, record_.size());
}

}  // namespace crivello::store
