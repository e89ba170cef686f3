// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace crivello::store {

// The bytes of a part of an archive file, decompressed on demand: a whole plain file, one gzip member or one
// zstd frame. Memory: the peeked bytes plus the codec's window. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The bytes from the current position: at least n, or all that are left and readable. Valid until the next
  // call.
  virtual std::string_view Peek(uint64_t n) = 0;
  // Advances by n bytes. REQUIRES: n <= the size of the last Peek.
  virtual void Consume(uint64_t n) = 0;
  // How many bytes of the file it occupies. Known once Peek has reached the end, sometimes earlier.
  virtual std::optional<uint64_t> stored_bytes() const = 0;
  // The compressed data is damaged or truncated. What came before the damage could be read.
  virtual bool damaged() const = 0;
};

// The buffer and the codecs' tables, shared by the members of a file one after another. Most members are a
// few kilobytes, and allocating these for each would take as long as decompressing it.
struct SourceMemory;
struct FreeSourceMemory {
  void operator()(SourceMemory* memory) const;
};
using SourceMemoryPtr = std::unique_ptr<SourceMemory, FreeSourceMemory>;
SourceMemoryPtr MakeSourceMemory();

// Each source is a view of `file`, which must outlive it, and starts at its first byte. Of the sources that
// share a memory, only the newest may be used.
std::unique_ptr<ByteSource> PlainSource(std::string_view file);

// One gzip member. A member of up to 16 MiB is inflated in one call by libdeflate; a larger or damaged one is
// inflated as a stream by zlib.
std::unique_ptr<ByteSource> GzipSource(std::string_view file, SourceMemory* memory);

// A dictionary for zstd frames, prepared once for use by all of them.
class ZstdDictionary;
std::shared_ptr<const ZstdDictionary> MakeZstdDictionary(std::string_view bytes);

// One zstd frame; `dictionary` may be null. A frame that declares its size, up to 16 MiB, is decompressed in
// one call. A window of over 128 MiB counts as damage.
std::unique_ptr<ByteSource> ZstdSource(std::string_view file,
                                       std::shared_ptr<const ZstdDictionary> dictionary,
                                       SourceMemory* memory);

// The first bytes of the gzip member at the start of `file`, at most n, to check whether it is one. Reads
// less than a kilobyte of `file`.
std::string GzipStart(std::string_view file, size_t n);

// The format of the bytes at the start of `file`.
enum class Container { kPlain, kGzip, kZstd, kZstdDictionary, kZstdSkippable, kLz4 };
Container ContainerOf(std::string_view file);

// The length of the gzip member, zstd frame or skippable frame at the start of `file`, if it is known without
// decompressing: a zstd frame's block headers give it, a gzip member only by the extra field "sl".
std::optional<uint64_t> StoredLength(std::string_view file);

// The payload of a skippable zstd frame, whose length StoredLength returns.
std::string_view SkippablePayload(std::string_view file);

}  // namespace crivello::store
