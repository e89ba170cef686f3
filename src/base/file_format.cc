// SPDX-License-Identifier: Apache-2.0
#include "base/file_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace crivello {
namespace {

constexpr size_t kFooterBytes = 32;
constexpr std::string_view kEndMagic("CRVEND\r\n", 8);

constexpr size_t kPayloadBytesAt = 0;
constexpr size_t kPayloadChecksumAt = 8;
constexpr size_t kEndMagicAt = 16;
constexpr size_t kFooterChecksumAt = 24;

Result<Bytes> ReadPayload(const std::string& path, Bytes file, uint64_t header_checksum, Verify verify) {
  if (file.size() < kHeaderBytes + kFooterBytes) {
    return Status::Corruption(
        fmt::format("{}: truncated: the file has {} bytes, too few for a footer", path, file.size()));
  }
  const Bytes payload = file.subspan(kHeaderBytes, file.size() - kHeaderBytes - kFooterBytes);
  const Bytes footer = file.last(kFooterBytes);
  if (AsText(footer.subspan(kEndMagicAt, kEndMagic.size())) != kEndMagic) {
    return Status::Corruption(
        fmt::format("{}: truncated or corrupt: no footer in the last {} bytes", path, kFooterBytes));
  }
  if (LoadField<uint64_t>(footer, kFooterChecksumAt) !=
      Hash64(footer.first(kFooterChecksumAt), header_checksum)) {
    return Status::Corruption(fmt::format("{}: corrupt footer (checksum mismatch)", path));
  }
  const auto size = LoadField<uint64_t>(footer, kPayloadBytesAt);
  if (size != payload.size()) {
    return Status::Corruption(fmt::format("{}: corrupt: found a payload of {} bytes, but the footer says {}",
                                          path, payload.size(), size));
  }
  if (verify == Verify::kPayload && LoadField<uint64_t>(footer, kPayloadChecksumAt) != Hash64(payload)) {
    return Status::Corruption(fmt::format("{}: corrupt payload (checksum mismatch)", path));
  }
  return payload;
}

}  // namespace

Result<FormatFileWriter> FormatFileWriter::Create(const std::string& path, FileKind kind, FileSystem& fs) {
  const auto header = EncodeFileHeader(kind);
  CRV_ASSIGN(const FileHeader decoded, DecodeFileHeader(path, header));
  CRV_ASSIGN(auto file, AtomicFile::Create(path, fs));
  CRV_TRY(file.Append(header));
  return FormatFileWriter(std::move(file), decoded.checksum);
}

Status FormatFileWriter::Append(Bytes payload) {
  hasher_.Update(payload);
  payload_bytes_ += payload.size();
  return file_.Append(payload);
}

Status FormatFileWriter::Finish() {
  constexpr std::array<std::byte, 8> kZeros = {};
  CRV_TRY(Append(Bytes(kZeros).first((8 - payload_bytes_ % 8) % 8)));
  std::array<std::byte, kFooterBytes> footer = {};
  StoreField(std::span(footer), kPayloadBytesAt, payload_bytes_);
  StoreField(std::span(footer), kPayloadChecksumAt, hasher_.Digest());
  std::memcpy(footer.data() + kEndMagicAt, kEndMagic.data(), kEndMagic.size());
  StoreField(std::span(footer), kFooterChecksumAt,
             Hash64(Bytes(footer).first(kFooterChecksumAt), header_checksum_));
  CRV_TRY(file_.Append(footer));
  return file_.Finish();
}

Result<FormatFile> FormatFile::OpenAny(const std::string& path, FormatFileOptions options) {
  CRV_ASSIGN(MappedFile file, MappedFile::Open(path, options.pattern));
  CRV_ASSIGN(const FileHeader header, DecodeFileHeader(path, file.bytes()));
  CRV_ASSIGN(const Bytes payload, ReadPayload(path, file.bytes(), header.checksum, options.verify));
  return FormatFile(std::move(file), header, payload);
}

Result<FormatFile> FormatFile::Open(const std::string& path, FileKind kind, FormatFileOptions options) {
  CRV_ASSIGN(FormatFile file, OpenAny(path, options));
  CRV_TRY(file.Expect(kind));
  return file;
}

}  // namespace crivello
