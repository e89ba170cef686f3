// SPDX-License-Identifier: Apache-2.0
#include "store/warc_encoder.h"

#include <fmt/format.h>
#include <libdeflate.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "base/ascii.h"
#include "base/civil_time.h"
#include "base/digest.h"

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

// A shorter record is stored uncompressed: the code tables that it would need leave little to gain (a request
// of 500 bytes compresses to 350), and computing them takes as long as for several KB of a page.
constexpr size_t kLeastBytes = 1 << 10;

constexpr size_t kMaxWrittenHead = 64 << 10;
constexpr uint64_t kMaxRecordBytes = 0xffff0000;  // the rest covers the codecs' growth

bool BreaksLine(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

// A token of RFC 9110 that is not the name of a field we write ourselves.
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

struct WarcEncoder::Codec {
  ~Codec() {
    libdeflate_free_compressor(deflate);
    libdeflate_free_compressor(stored);
    ZSTD_freeCCtx(zstd);
  }
  libdeflate_compressor* deflate = nullptr;
  libdeflate_compressor* stored = nullptr;  // stores bytes uncompressed
  ZSTD_CCtx* zstd = nullptr;
};

std::string MakeRecordId(Random& random) {
  const uint64_t a = random.Next(), b = random.Next();
  return fmt::format("<urn:uuid:{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}>", a >> 32, a >> 16 & 0xffff, a & 0xfff,
                     (b >> 48 & 0x3fff) | 0x8000, b & 0xffffffffffff);
}

WarcEncoder::WarcEncoder(Options options, Random& random)
    : options_(std::move(options)), random_(random), codec_(std::make_unique<Codec>()) {
  if (options_.compression == WarcCompression::kGzip) {
    codec_->deflate = libdeflate_alloc_compressor(std::clamp(options_.level, 0, 12));
    codec_->stored = libdeflate_alloc_compressor(0);
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

WarcEncoder::~WarcEncoder() = default;

std::string WarcEncoder::Prologue() const {
  if (options_.compression != WarcCompression::kZstd || options_.zstd_dictionary.empty()) return {};
  // A dictionary may be written compressed, so one that begins like a frame must be.
  std::string dictionary = options_.zstd_dictionary;
  if (dictionary.starts_with("\x28\xb5\x2f\xfd")) {
    dictionary.resize(ZSTD_compressBound(options_.zstd_dictionary.size()));
    dictionary.resize(ZSTD_compress(dictionary.data(), dictionary.size(), options_.zstd_dictionary.data(),
                                    options_.zstd_dictionary.size(), 1));
  }
  std::string frame("\x5d\x2a\x4d\x18\0\0\0\0", 8);
  Store32(&frame, 4, dictionary.size());
  return frame + dictionary;
}

Result<WarcEncoded> WarcEncoder::Append(const WarcDraft& draft, std::string* out) {
  WarcEncoded encoded;
  encoded.record_id = draft.record_id.empty() ? MakeRecordId(random_) : draft.record_id;
  std::string& record = record_;
  record.clear();
  fmt::format_to(std::back_inserter(record),
                 "WARC/1.1\r\nWARC-Type: {}\r\nWARC-Record-ID: {}\r\nWARC-Date: {}\r\n",
                 WarcTypeName(draft.type), encoded.record_id, FormatRfc3339(draft.date));
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) record.append(name).append(": ").append(value).append("\r\n");
  };
  bool broken = BreaksLine(draft.target_uri) || BreaksLine(draft.content_type) ||
                BreaksLine(encoded.record_id) || BreaksLine(draft.payload_digest);
  add("WARC-Target-URI", draft.target_uri);
  for (const auto& [name, value] : draft.fields) {
    broken = broken || !IsFreeName(name) || BreaksLine(value);
    add(name, value);
  }
  if (broken)
    return Status::InvalidArgument(
        "cannot write a WARC record: a field has a line break or another forbidden character");
  encoded.payload_digest = draft.payload_digest;
  if (encoded.payload_digest.empty() && !draft.head.empty()) encoded.payload_digest = Sha1Digest(draft.body);
  add("WARC-Payload-Digest", encoded.payload_digest);
  if (!draft.payload_digest_only || encoded.payload_digest.empty()) {
    add("WARC-Block-Digest", Sha1Digest(draft.head, draft.body));
  }
  add("Content-Type", draft.content_type);
  const uint64_t block_bytes = draft.head.size() + draft.body.size();
  fmt::format_to(std::back_inserter(record), "Content-Length: {}\r\n\r\n", block_bytes);
  if (record.size() > kMaxWrittenHead || block_bytes > kMaxRecordBytes) {
    return Status::InvalidArgument(fmt::format(
        "cannot write a WARC record of {} and {} bytes: it is too large", record.size(), block_bytes));
  }
  record.append(draft.head).append(draft.body).append("\r\n\r\n");

  encoded.offset = out->size();
  if (options_.compression == WarcCompression::kGzip) {
    AppendGzip(/*stored=*/draft.compressed || record.size() < kLeastBytes, out);
  } else if (options_.compression == WarcCompression::kZstd) {
    const size_t bound = ZSTD_compressBound(record.size());
    out->resize(encoded.offset + bound);
    const size_t size =
        ZSTD_compress2(codec_->zstd, out->data() + encoded.offset, bound, record.data(), record.size());
    out->resize(encoded.offset + (ZSTD_isError(size) != 0 ? 0 : size));
    if (ZSTD_isError(size) != 0) return Status::IoError(fmt::format("zstd: {}", ZSTD_getErrorName(size)));
  } else {
    out->append(record);
  }
  encoded.bytes = out->size() - encoded.offset;
  return encoded;
}

// libdeflate cannot write an extra field, so the member is assembled here.
void WarcEncoder::AppendGzip(bool stored, std::string* out) {
  const size_t start = out->size();
  libdeflate_compressor* const codec = stored ? codec_->stored : codec_->deflate;
  const size_t bound = libdeflate_deflate_compress_bound(codec, record_.size());
  out->resize(start + kGzipHeaderBytes + bound + kGzipTrailerBytes);
  std::memcpy(out->data() + start, kGzipHeader.data(), kGzipHeaderBytes);
  const size_t size = libdeflate_deflate_compress(codec, record_.data(), record_.size(),
                                                  out->data() + start + kGzipHeaderBytes, bound);
  const size_t trailer = start + kGzipHeaderBytes + size;
  out->resize(trailer + kGzipTrailerBytes);
  Store32(out, trailer, libdeflate_crc32(0, record_.data(), record_.size()));
  Store32(out, trailer + 4, record_.size());
  Store32(out, start + kGzipHeaderBytes - 8, out->size() - start);
  Store32(out, start + kGzipHeaderBytes - 4, record_.size());
}

}  // namespace crivello::store
