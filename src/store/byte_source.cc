// SPDX-License-Identifier: Apache-2.0
#include "store/byte_source.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace crivello::store {
namespace {

constexpr size_t kWholeMemberBytes = 16 << 20;
constexpr size_t kChunkBytes = 1 << 16;
constexpr int kZstdWindowLog = 27;  // zstd's own default limit
// For GzipStart: a gzip header with a name, and the longest code table (about 300 bytes).
constexpr size_t kProbeBytes = 768;

uint32_t Load32(std::string_view bytes, size_t at) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

class Plain final : public ByteSource {
 public:
  explicit Plain(std::string_view file) : rest_(file) {}
  std::string_view Peek(uint64_t) override { return rest_; }
  void Consume(uint64_t n) override {
    rest_.remove_prefix(n);
    taken_ += n;
  }
  std::optional<uint64_t> stored_bytes() const override { return taken_; }
  bool damaged() const override { return false; }

 private:
  std::string_view rest_;
  uint64_t taken_ = 0;
};

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
  void operator()(ZSTD_DCtx* d) const { ZSTD_freeDCtx(d); }
};

}  // namespace

// The buffer is not cleared when it grows, because every byte is written before it is read.
struct SourceMemory {
  std::unique_ptr<char[]> buffer;
  size_t capacity = 0;
  std::unique_ptr<libdeflate_decompressor, FreeDecompressor> deflate;
  std::unique_ptr<ZSTD_DCtx, FreeDecompressor> zstd;
};

void FreeSourceMemory::operator()(SourceMemory* memory) const { delete memory; }
SourceMemoryPtr MakeSourceMemory() { return SourceMemoryPtr(new SourceMemory); }

class ZstdDictionary {
 public:
  explicit ZstdDictionary(std::string_view bytes) : ddict_(ZSTD_createDDict(bytes.data(), bytes.size())) {}
  ~ZstdDictionary() { ZSTD_freeDDict(ddict_); }
  ZstdDictionary(const ZstdDictionary&) = delete;
  ZstdDictionary& operator=(const ZstdDictionary&) = delete;
  const ZSTD_DDict* get() const { return ddict_; }

 private:
  ZSTD_DDict* ddict_;
};

namespace {

// A source that decompresses into the shared buffer. Consumed bytes are dropped when room is needed.
class Buffered : public ByteSource {
 public:
  explicit Buffered(SourceMemory* memory) : memory_(*memory) {
    // The space for one huge record is not kept for all records after it.
    if (memory_.capacity > kWholeMemberBytes) {
      memory_.buffer.reset();
      memory_.capacity = 0;
    }
  }
  std::string_view Peek(uint64_t n) override {
    while (end_ - begin_ < n && !done_) {
      // Grows at least by doubling, so that a long record is copied a constant number of times.
      const size_t have = end_ - begin_;
      const size_t room = std::max<size_t>(kChunkBytes, std::min<size_t>(have, n));
      if (end_ + room > memory_.capacity || begin_ >= have) MoveToFront(have + room);
      end_ += Fill(memory_.buffer.get() + end_, room);
    }
    return {memory_.buffer.get() + begin_, end_ - begin_};
  }
  void Consume(uint64_t n) override { begin_ += n; }
  std::optional<uint64_t> stored_bytes() const override {
    if (!done_) return std::nullopt;
    return stored_;
  }
  bool damaged() const override { return damaged_; }

 protected:
  // Writes up to `room` bytes; sets done_, stored_ and damaged_ at the end.
  virtual size_t Fill(char* out, size_t room) = 0;

  void MoveToFront(size_t needed) {
    if (needed > memory_.capacity) {
      std::unique_ptr<char[]> larger(new char[needed]);
      if (end_ > begin_) std::memcpy(larger.get(), memory_.buffer.get() + begin_, end_ - begin_);
      memory_.buffer = std::move(larger);
      memory_.capacity = needed;
    } else if (begin_ > 0) {
      std::memmove(memory_.buffer.get(), memory_.buffer.get() + begin_, end_ - begin_);
    }
    end_ -= begin_;
    begin_ = 0;
  }

  SourceMemory& memory_;
  size_t begin_ = 0;  // start of the unconsumed bytes in the buffer
  size_t end_ = 0;
  bool done_ = false;
  bool damaged_ = false;
  uint64_t stored_ = 0;
};

class GzipBytes final : public Buffered {
 public:
  GzipBytes(std::string_view file, SourceMemory* memory) : Buffered(memory), file_(file) { InflateWhole(); }
  ~GzipBytes() override {
    if (streaming_) inflateEnd(&stream_);
  }

 private:
  void InflateWhole() {
    if (memory_.deflate == nullptr) memory_.deflate.reset(libdeflate_alloc_decompressor());
    for (size_t room = std::max(memory_.capacity, kChunkBytes);;
         room = std::min(room * 4, kWholeMemberBytes)) {
      MoveToFront(room);
      size_t in = 0, out = 0;
      const auto result = libdeflate_gzip_decompress_ex(memory_.deflate.get(), file_.data(), file_.size(),
                                                        memory_.buffer.get(), room, &in, &out);
      if (result == LIBDEFLATE_SUCCESS) {
        end_ = out;
        stored_ = in;
        done_ = true;
        return;
      }
      if (result != LIBDEFLATE_INSUFFICIENT_SPACE || room == kWholeMemberBytes) break;
    }
    streaming_ = inflateInit2(&stream_, 15 + 16) == Z_OK;
    done_ = damaged_ = !streaming_;
  }

  size_t Fill(char* out, size_t room) override {
    room = std::min<size_t>(room, 1u << 30);
    const size_t available = std::min<size_t>(file_.size() - stored_, 1u << 30);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file_.data() + stored_));
    stream_.avail_in = static_cast<uInt>(available);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    const size_t written = room - stream_.avail_out;
    const size_t read = available - stream_.avail_in;
    stored_ += read;
    if (result == Z_STREAM_END) {
      done_ = true;
    } else if (result != Z_OK || (read == 0 && written == 0)) {  // no progress: the member is truncated
      done_ = damaged_ = true;
    }
    return written;
  }

  const std::string_view file_;
  z_stream stream_ = {};
  bool streaming_ = false;
};

class ZstdBytes final : public Buffered {
 public:
  ZstdBytes(std::string_view file, std::shared_ptr<const ZstdDictionary> dictionary, SourceMemory* memory)
      : Buffered(memory), file_(file), dictionary_(std::move(dictionary)) {
    if (memory_.zstd == nullptr) memory_.zstd.reset(ZSTD_createDCtx());
    ZSTD_DCtx_reset(memory_.zstd.get(), ZSTD_reset_session_and_parameters);
    ZSTD_DCtx_setParameter(memory_.zstd.get(), ZSTD_d_windowLogMax, kZstdWindowLog);
    if (dictionary_ != nullptr) ZSTD_DCtx_refDDict(memory_.zstd.get(), dictionary_->get());
    DecompressWhole();
  }

 private:
  void DecompressWhole() {
    const uint64_t size = ZSTD_getFrameContentSize(file_.data(), file_.size());
    if (size > kWholeMemberBytes) return;  // so are the values for "unknown" and "error"
    const size_t frame = ZSTD_findFrameCompressedSize(file_.data(), file_.size());
    if (ZSTD_isError(frame) != 0) return;
    MoveToFront(std::max<size_t>(size, kChunkBytes));
    const size_t out =
        ZSTD_decompressDCtx(memory_.zstd.get(), memory_.buffer.get(), memory_.capacity, file_.data(), frame);
    if (ZSTD_isError(out) != 0) {
      ZSTD_DCtx_reset(memory_.zstd.get(), ZSTD_reset_session_only);
      return;
    }
    end_ = out;
    stored_ = frame;
    done_ = true;
  }

  size_t Fill(char* to, size_t room) override {
    ZSTD_outBuffer out = {to, room, 0};
    ZSTD_inBuffer in = {file_.data(), file_.size(), stored_};
    const size_t result = ZSTD_decompressStream(memory_.zstd.get(), &out, &in);
    const bool progress = in.pos > stored_ || out.pos > 0;
    stored_ = in.pos;
    if (result == 0) {
      done_ = true;
    } else if (ZSTD_isError(result) != 0 || !progress) {
      done_ = damaged_ = true;
    }
    return out.pos;
  }

  const std::string_view file_;
  const std::shared_ptr<const ZstdDictionary> dictionary_;
};

constexpr size_t kSkippableHeaderBytes = 8;

}  // namespace

std::unique_ptr<ByteSource> PlainSource(std::string_view file) { return std::make_unique<Plain>(file); }
std::unique_ptr<ByteSource> GzipSource(std::string_view file, SourceMemory* memory) {
  return std::make_unique<GzipBytes>(file, memory);
}
std::unique_ptr<ByteSource> ZstdSource(std::string_view file,
                                       std::shared_ptr<const ZstdDictionary> dictionary,
                                       SourceMemory* memory) {
  return std::make_unique<ZstdBytes>(file, std::move(dictionary), memory);
}
std::shared_ptr<const ZstdDictionary> MakeZstdDictionary(std::string_view bytes) {
  return std::make_shared<ZstdDictionary>(bytes);
}

std::string GzipStart(std::string_view file, size_t n) {
  // Reserved flags, and the header checksum, which no writer sets and which would have to be computed.
  constexpr unsigned kReservedOrHeadChecksum = 0xe2;
  file = file.substr(0, kProbeBytes);
  if (file.size() < 4 || (static_cast<uint8_t>(file[3]) & kReservedOrHeadChecksum) != 0) return "";
  std::string start(n, '\0');
  z_stream stream = {};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return "";
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file.data()));
  stream.avail_in = static_cast<uInt>(file.size());
  stream.next_out = reinterpret_cast<Bytef*>(start.data());
  stream.avail_out = static_cast<uInt>(n);
  inflate(&stream, Z_SYNC_FLUSH);
  start.resize(n - stream.avail_out);
  inflateEnd(&stream);
  return start;
}

Container ContainerOf(std::string_view file) {
  if (file.size() < 4) return Container::kPlain;
  const uint32_t magic = Load32(file, 0);
  if ((magic & 0xffffff) == 0x088b1f) return Container::kGzip;
  if (magic == 0xfd2fb528) return Container::kZstd;
  if (magic == 0x184d2a5d) return Container::kZstdDictionary;
  if ((magic & 0xfffffff0) == 0x184d2a50) return Container::kZstdSkippable;
  if (magic == 0x184d2204) return Container::kLz4;
  return Container::kPlain;
}

std::optional<uint64_t> StoredLength(std::string_view file) {
  switch (ContainerOf(file)) {
    case Container::kZstd: {
      const size_t size = ZSTD_findFrameCompressedSize(file.data(), file.size());
      if (ZSTD_isError(size) != 0) return std::nullopt;
      return size;
    }
    case Container::kZstdDictionary:
    case Container::kZstdSkippable:
      if (file.size() < kSkippableHeaderBytes) return std::nullopt;
      return std::min<uint64_t>(kSkippableHeaderBytes + uint64_t{Load32(file, 4)}, file.size());
    case Container::kGzip: {
      // The Internet Archive's extra field "sl": the length of the member, then of its content.
      constexpr size_t kExtraAt = 10;
      if (file.size() < kExtraAt + 2 + 12 || (file[3] & 4) == 0) return std::nullopt;
      if (file[kExtraAt + 2] != 's' || file[kExtraAt + 3] != 'l') return std::nullopt;
      const uint64_t length = Load32(file, kExtraAt + 6);
      if (length < 18 || length > file.size()) return std::nullopt;
      return length;
    }
    default:
      return std::nullopt;
  }
}

std::string_view SkippablePayload(std::string_view file) {
  const uint64_t length = StoredLength(file).value_or(kSkippableHeaderBytes);
  return file.substr(std::min<size_t>(kSkippableHeaderBytes, file.size()), length - kSkippableHeaderBytes);
}

}  // namespace crivello::store
