// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace crivello::store {

// The bytes of a stretch of an archive file, decompressed as they are asked for: a whole plain file, one gzip
// member, one zstd frame.  Memory is what is peeked at, plus the codec's window.  One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The bytes from the current place: at least n, or all that are left (and can be had).  Valid until the
  // next call.
  virtual std::string_view Peek(uint64_t n) = 0;
  // Moves on.  REQUIRES: n <= the size of the last Peek.
  virtual void Consume(uint64_t n) = 0;
  // How many bytes of the file it took, once its end has been peeked at; before, if it is known.
  virtual std::optional<uint64_t> stored_bytes() const = 0;
  // The compressed data is damaged or cut; what came before the damage could be read.
  virtual bool damaged() const = 0;
};

// The buffer and the codecs' tables, which the members of a file use one after the other: most are a few
// kilobytes, and making these anew for each would take as long as decompressing it.
struct SourceMemory;
struct FreeSourceMemory {
  void operator()(SourceMemory* memory) const;
};
using SourceMemoryPtr = std::unique_ptr<SourceMemory, FreeSourceMemory>;
SourceMemoryPtr MakeSourceMemory();

// Each is a view of `file`, which must outlive it, and starts at its first byte.  Of those on one memory,
// only the last that was made may be used.
std::unique_ptr<ByteSource> PlainSource(std::string_view file);

// One gzip member.  One of up to 16 MiB is inflated at once, by libdeflate; a larger one, or a damaged one,
// as a stream, by zlib.
std::unique_ptr<ByteSource> GzipSource(std::string_view file, SourceMemory* memory);

// A dictionary for zstd frames, digested once.
class ZstdDictionary;
std::shared_ptr<const ZstdDictionary> MakeZstdDictionary(std::string_view bytes);

// One zstd frame; `dictionary` may be null.  One that says its size, up to 16 MiB, is decompressed at once; a
// window of over 128 MiB counts as damage.
std::unique_ptr<ByteSource> ZstdSource(std::string_view file,
                                       std::shared_ptr<const ZstdDictionary> dictionary,
                                       SourceMemory* memory);

// Up to n bytes that the gzip member at the start of `file` begins with, for a look at whether it is one:
// less than a kilobyte of it is read.
std::string GzipStart(std::string_view file, size_t n);

// What the bytes at the start of `file` are.
enum class Container { kPlain, kGzip, kZstd, kZstdDictionary, kZstdSkippable, kLz4 };
Container ContainerOf(std::string_view file);

// The length of the gzip member, zstd frame or skippable frame at the start of `file` where that can be told
// without decompressing: a zstd frame's blocks say it, a gzip member's only if it has the extra field "sl".
std::optional<uint64_t> StoredLength(std::string_view file);

// The payload of a skippable zstd frame, whose length StoredLength tells.
std::string_view SkippablePayload(std::string_view file);

}  // namespace crivello::store
