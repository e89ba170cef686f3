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

// The 64 bytes at the start of every file of ours: magic, kind, version, checksum (docs/formats/envelope.md).

static_assert(std::endian::native == std::endian::little, "files are little-endian and read in place");

// What a file holds.  The name is at most kMaxKindBytes of ASCII and, once released, never changes its
// meaning; the version counts incompatible changes of the payload, from 1.  A program writes `version` and
// reads from `least_version` on: raise it with `version` if older files are not converted.
struct FileKind {
  std::string_view name;
  uint32_t version = 1;
  uint32_t least_version = 1;
};

constexpr size_t kMaxKindBytes = 16;
constexpr size_t kHeaderBytes = 64;  // the payload starts at a cache line

// REQUIRES: kind.name.size() <= kMaxKindBytes.
std::array<std::byte, kHeaderBytes> EncodeFileHeader(FileKind kind);

struct FileHeader {
  std::string_view kind;  // in the bytes that were decoded
  uint32_t version = 0;
  uint64_t checksum = 0;  // of the header itself; seeds the checksums of what follows it

  // Corruption, naming `path`, unless the file is of this kind and of a version that this program reads.
  Status Expect(const std::string& path, FileKind expected) const;
};
Result<FileHeader> DecodeFileHeader(const std::string& path, Bytes file);

// Little-endian fields at an offset.  REQUIRES: they lie inside.
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
