// SPDX-License-Identifier: Apache-2.0
#include "store/tombstone.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cassert>

#include "base/civil_time.h"

namespace crivello::store {
namespace {

constexpr std::string_view kNote = "removed: on request";

// The largest size of a raw block.
constexpr uint64_t kDeflateBlockBytes = 65535;
constexpr uint64_t kZstdBlockBytes = 128 << 10;

constexpr uint64_t kDeflateBlockHead = 5;
constexpr uint64_t kZstdBlockHead = 3;
// The header, with the extra field "sl" (warc_encoder.h), and the trailer.
constexpr uint64_t kGzipFrame = 24 + 8;
// Magic number, descriptor, window, length of the content.
constexpr uint64_t kZstdFrame = 4 + 1 + 1 + 8;

void AppendNumber(uint64_t value, int bytes, std::string* out) {
  for (int i = 0; i < bytes; ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

// The text of the record, of that size, with or without the empty lines that end it.
std::string Text(uint64_t size, bool ended, int64_t date, Random& random) {
  const auto head = [&](uint64_t block) {
    // The length has a fixed width, so that the size of the head does not depend on it.
    return fmt::format(
        "WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Date: {}\r\nWARC-Record-ID: {}\r\nContent-Length: "
        "{:>10}\r\n\r\n",
        FormatRfc3339(date), MakeRecordId(random), block);
  };
  const std::string_view end = ended ? "\r\n\r\n" : "";
  const uint64_t around = head(0).size() + end.size();
  assert(size >= around);
  std::string block(kNote.substr(0, size - around));
  block.resize(size - around, ' ');
  return head(block.size()) + block + std::string(end);
}

// How many blocks, with their heads, it takes to fill `room` bytes.
uint64_t Blocks(uint64_t room, uint64_t block, uint64_t head) {
  return (room + block + head - 1) / (block + head);
}

std::string GzipMember(uint64_t length, int64_t date, Random& random) {
  const uint64_t room = length - kGzipFrame;
  const uint64_t blocks = Blocks(room, kDeflateBlockBytes, kDeflateBlockHead);
  const std::string text = Text(room - blocks * kDeflateBlockHead, true, date, random);
  std::string out("\x1f\x8b\x08\x04\0\0\0\0\0\xff\x0c\0sl\x08\0", 16);
  AppendNumber(length, 4, &out);
  AppendNumber(text.size(), 4, &out);
  for (uint64_t i = 0; i < blocks; ++i) {
    const std::string_view piece = std::string_view(text).substr(
        std::min<uint64_t>(i * kDeflateBlockBytes, text.size()), kDeflateBlockBytes);
    out.push_back(i + 1 == blocks ? 1 : 0);
    AppendNumber(piece.size(), 2, &out);
    AppendNumber(~piece.size(), 2, &out);
    out += piece;
  }
  AppendNumber(libdeflate_crc32(0, text.data(), text.size()), 4, &out);
  AppendNumber(text.size(), 4, &out);
  return out;
}

std::string ZstdFrame(uint64_t length, int64_t date, Random& random) {
  const uint64_t room = length - kZstdFrame;
  const uint64_t blocks = Blocks(room, kZstdBlockBytes, kZstdBlockHead);
  const std::string text = Text(room - blocks * kZstdBlockHead, true, date, random);
  // The descriptor: eight bytes of content size, no checksum, no dictionary.  The window: 128 KiB.
  std::string out("\x28\xb5\x2f\xfd\xc0\x38", 6);
  AppendNumber(text.size(), 8, &out);
  for (uint64_t i = 0; i < blocks; ++i) {
    const std::string_view piece =
        std::string_view(text).substr(std::min<uint64_t>(i * kZstdBlockBytes, text.size()), kZstdBlockBytes);
    AppendNumber((piece.size() << 3) | (i + 1 == blocks ? 1 : 0), 3, &out);
    out += piece;
  }
  return out;
}

}  // namespace

std::string MakeTombstone(WarcCompression compression, uint64_t length, int64_t date, Random& random) {
  if (length < kMinTombstoneBytes) return std::string(length, '\0');
  std::string tombstone;
  switch (compression) {
    case WarcCompression::kGzip:
      tombstone = GzipMember(length, date, random);
      break;
    case WarcCompression::kZstd:
      tombstone = ZstdFrame(length, date, random);
      break;
    case WarcCompression::kNone:
      tombstone = Text(length, false, date, random);
      break;
  }
  assert(tombstone.size() == length);
  return tombstone;
}

bool IsTombstone(const WarcRecord& record) {
  return record.type == WarcType::kMetadata && record.target_uri.empty() && record.block.starts_with(kNote);
}

}  // namespace crivello::store
