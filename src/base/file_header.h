// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/status.h"

namespace crivello {

// The first 64 bytes of all our files: magic, kind, version, checksum (docs/formats/envelope.md).

static_assert(std::endian::native == std::endian::little, "files are little-endian and read in place");

// The kind of a file. The name has at most kMaxKindBytes of ASCII and, once released, never changes its
// meaning. The version counts incompatible changes of the payload, from 1. A program writes `version` and
// reads versions from `least_version` on: raise it with `version` if older files are not converted.
struct FileKind {
  std::string_view name;
  uint32_t version = 1;
  uint32_t least_version = 1;
};

constexpr size_t kMaxKindBytes = 16;
constexpr size_t kHeaderBytes = 64;  // the payload starts at a cache line boundary

// REQUIRES: kind.name.size() <= kMaxKindBytes.
std::array<std::byte, kHeaderBytes> EncodeFileHeader(FileKind kind);

struct FileHeader {
  std::string_view kind;  // points into the decoded bytes
  uint32_t version = 0;
  uint64_t checksum = 0;  // of the header itself; seeds the checksums of the rest of the file

  // Corruption, naming `path`, unless the file is of this kind and a version that this program can read.
  Status Expect(const std::string& path, FileKind expected) const;
};
Result<FileHeader> DecodeFileHeader(const std::string& path, Bytes file);

// Little-endian fields at an offset. REQUIRES: they are inside the bytes.
template <typename T>
T LoadField(Bytes bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <typename T>
void StoreField(std::span<std::byte> bytes, size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace crivello
