// SPDX-License-Identifier: Apache-2.0
#include "base/file_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace crivello {
namespace {

// As PNG's: a byte that is not ASCII, line ends and a control-Z show transfers that mangle text.
constexpr std::string_view kMagic(
    "\x89"
    "CRV\r\n\x1a\n",
    8);
constexpr std::string_view kEndMagic("CRVEND\r\n", 8);
constexpr uint32_t kEnvelopeVersion = 1;

// Offsets, as in docs/formats/envelope.md.
constexpr size_t kKindAt = 8;
constexpr size_t kVersionAt = 24;
constexpr size_t kEnvelopeVersionAt = 28;
constexpr size_t kHeaderChecksumAt = 56;
constexpr size_t kPayloadChecksumAt = 8;
constexpr size_t kEndMagicAt = 16;
constexpr size_t kFooterChecksumAt = 24;

template <typename T>
T Load(Bytes bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <typename T>
void Store(std::span<std::byte> bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct Header {
  std::string_view kind;
  uint32_t version = 0;
  uint64_t checksum = 0;
};

Result<Header> ReadHeader(const std::string& path, Bytes file) {
  if (file.size() < kMagic.size() || AsText(file.first(kMagic.size())) != kMagic) {
    return Status::Corruption(fmt::format("{}: not a file of Crivello (no magic number at its start)", path));
  }
  if (file.size() < kHeaderBytes + kFooterBytes) {
    return Status::Corruption(
        fmt::format("{}: cut: {} bytes, shorter than header and footer", path, file.size()));
  }
  const Bytes header = file.first(kHeaderBytes);
  const auto found = Load<uint64_t>(header, kHeaderChecksumAt);
  if (found != Hash64(header.first(kHeaderChecksumAt))) {
    return Status::Corruption(fmt::format("{}: damaged header (checksum does not match)", path));
  }
  if (Load<uint32_t>(header, kEnvelopeVersionAt) != kEnvelopeVersion) {
    return Status::Corruption(fmt::format("{}: envelope version {}, this program reads {}", path,
                                          Load<uint32_t>(header, kEnvelopeVersionAt), kEnvelopeVersion));
  }
  std::string_view kind = AsText(header.subspan(kKindAt, kMaxKindBytes));
  kind = kind.substr(0, kind.find('\0'));
  return Header{.kind = kind, .version = Load<uint32_t>(header, kVersionAt), .checksum = found};
}

Result<Bytes> ReadPayload(const std::string& path, Bytes file, uint64_t header_checksum, Verify verify) {
  const Bytes payload = file.subspan(kHeaderBytes, file.size() - kHeaderBytes - kFooterBytes);
  const Bytes footer = file.last(kFooterBytes);
  if (AsText(footer.subspan(kEndMagicAt, kEndMagic.size())) != kEndMagic) {
    return Status::Corruption(
        fmt::format("{}: cut or damaged: no footer in its last {} bytes", path, kFooterBytes));
  }
  if (Load<uint64_t>(footer, kFooterChecksumAt) != Hash64(footer.first(kFooterChecksumAt), header_checksum)) {
    return Status::Corruption(fmt::format("{}: damaged footer (checksum does not match)", path));
  }
  if (Load<uint64_t>(footer, 0) != payload.size()) {
    return Status::Corruption(fmt::format("{}: payload of {} bytes, its footer says {}", path, payload.size(),
                                          Load<uint64_t>(footer, 0)));
  }
  if (verify == Verify::kPayload && Load<uint64_t>(footer, kPayloadChecksumAt) != Hash64(payload)) {
    return Status::Corruption(fmt::format("{}: damaged payload (checksum does not match)", path));
  }
  return payload;
}

}  // namespace

Result<FormatFileWriter> FormatFileWriter::Create(const std::string& path, FileKind kind, FileSystem& fs) {
  assert(kind.name.size() <= kMaxKindBytes);
  std::array<std::byte, kHeaderBytes> header = {};
  std::memcpy(header.data(), kMagic.data(), kMagic.size());
  std::memcpy(header.data() + kKindAt, kind.name.data(), kind.name.size());
  Store(header, kVersionAt, kind.version);
  Store(header, kEnvelopeVersionAt, kEnvelopeVersion);
  const uint64_t checksum = Hash64(Bytes(header).first(kHeaderChecksumAt));
  Store(header, kHeaderChecksumAt, checksum);
  CRV_ASSIGN(auto file, AtomicFile::Create(path, fs));
  CRV_TRY(file.Append(header));
  return FormatFileWriter(std::move(file), checksum);
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
  Store(footer, 0, payload_bytes_);
  Store(footer, kPayloadChecksumAt, hasher_.Digest());
  std::memcpy(footer.data() + kEndMagicAt, kEndMagic.data(), kEndMagic.size());
  Store(footer, kFooterChecksumAt, Hash64(Bytes(footer).first(kFooterChecksumAt), header_checksum_));
  CRV_TRY(file_.Append(footer));
  return file_.Finish();
}

Result<FormatFile> FormatFile::OpenAny(const std::string& path, FormatFileOptions options) {
  CRV_ASSIGN(MappedFile file, MappedFile::Open(path, options.pattern));
  CRV_ASSIGN(const Header header, ReadHeader(path, file.bytes()));
  CRV_ASSIGN(const Bytes payload, ReadPayload(path, file.bytes(), header.checksum, options.verify));
  return FormatFile(std::move(file), header.kind, header.version, payload);
}

Result<FormatFile> FormatFile::Open(const std::string& path, FileKind kind, FormatFileOptions options) {
  CRV_ASSIGN(FormatFile file, OpenAny(path, options));
  if (file.kind() != kind.name) {
    return Status::Corruption(fmt::format("{}: holds '{}', expected '{}'", path, file.kind(), kind.name));
  }
  if (file.version() == 0 || file.version() > kind.version) {
    return Status::Corruption(fmt::format("{}: '{}' version {}, this program reads up to {}", path, kind.name,
                                          file.version(), kind.version));
  }
  return file;
}

}  // namespace crivello
