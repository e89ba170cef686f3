// SPDX-License-Identifier: Apache-2.0
#include "base/file_header.h"

#include <fmt/format.h>

#include <cassert>

#include "base/hash.h"

namespace crivello {
namespace {

// Like PNG's: a non-ASCII byte, line ends and a control-Z detect transfers that mangle text.
constexpr std::string_view kMagic(
    "\x89"
    "CRV\r\n\x1a\n",
    8);
constexpr uint32_t kEnvelopeVersion = 1;

constexpr size_t kKindAt = 8;
constexpr size_t kVersionAt = 24;
constexpr size_t kEnvelopeVersionAt = 28;
constexpr size_t kChecksumAt = 56;

}  // namespace

std::array<std::byte, kHeaderBytes> EncodeFileHeader(FileKind kind) {
  assert(kind.name.size() <= kMaxKindBytes);
  std::array<std::byte, kHeaderBytes> header = {};
  std::memcpy(header.data(), kMagic.data(), kMagic.size());
  std::memcpy(header.data() + kKindAt, kind.name.data(), kind.name.size());
  StoreField(std::span(header), kVersionAt, kind.version);
  StoreField(std::span(header), kEnvelopeVersionAt, kEnvelopeVersion);
  StoreField(std::span(header), kChecksumAt, Hash64(Bytes(header).first(kChecksumAt)));
  return header;
}

Result<FileHeader> DecodeFileHeader(const std::string& path, Bytes file) {
  if (file.size() < kMagic.size() || AsText(file.first(kMagic.size())) != kMagic) {
    return Status::Corruption(fmt::format("{}: not a Crivello file (no magic number at its start)", path));
  }
  if (file.size() < kHeaderBytes) {
    return Status::Corruption(
        fmt::format("{}: truncated: found {} bytes, but a header has {}", path, file.size(), kHeaderBytes));
  }
  const Bytes header = file.first(kHeaderBytes);
  const auto checksum = LoadField<uint64_t>(header, kChecksumAt);
  if (checksum != Hash64(header.first(kChecksumAt))) {
    return Status::Corruption(fmt::format("{}: corrupt header (checksum mismatch)", path));
  }
  const auto envelope = LoadField<uint32_t>(header, kEnvelopeVersionAt);
  if (envelope != kEnvelopeVersion) {
    return Status::Corruption(fmt::format("{}: found envelope version {}, but this program reads version {}",
                                          path, envelope, kEnvelopeVersion));
  }
  std::string_view kind = AsText(header.subspan(kKindAt, kMaxKindBytes));
  kind = kind.substr(0, kind.find('\0'));
  return FileHeader{.kind = kind, .version = LoadField<uint32_t>(header, kVersionAt), .checksum = checksum};
}

Status FileHeader::Expect(const std::string& path, FileKind expected) const {
  if (kind != expected.name) {
    return Status::Corruption(
        fmt::format("{}: found a file of kind '{}', expected '{}'", path, kind, expected.name));
  }
  if (version < expected.least_version) {
    return Status::Corruption(fmt::format(
        "{}: found '{}' version {}, but this program reads versions from {} on; create the file again", path,
        kind, version, expected.least_version));
  }
  if (version > expected.version) {
    return Status::Corruption(fmt::format(
        "{}: found '{}' version {}, but this program reads versions up to {}; use a newer program", path,
        kind, version, expected.version));
  }
  return Status::Ok();
}

}  // namespace crivello
