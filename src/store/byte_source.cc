// SPDX-License-Identifier: Apache-2.0
#include "store/byte_source.h"

#include <libdeflate.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace crivello::store {
namespace {

constexpr size_t kWholeMemberBytes = 16 << 20;
constexpr size_t kChunkBytes = 1 << 16;

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

// A source that decompresses into a buffer: what was consumed is dropped when room is needed.
class Buffered : public ByteSource {
 public:
  std::string_view Peek(uint64_t n) override {
    while (buffer_.size() - begin_ < n && !done_) {
      if (begin_ > 0) {
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(begin_));
        begin_ = 0;
      }
      // At least doubling, so that a long record is copied a constant number of times.
      Fill(std::max<size_t>(kChunkBytes, std::min<size_t>(buffer_.size(), n)));
    }
    return {buffer_.data() + begin_, buffer_.size() - begin_};
  }
  void Consume(uint64_t n) override { begin_ += n; }
  std::optional<uint64_t> stored_bytes() const override {
    if (!done_) return std::nullopt;
    return stored_;
  }
  bool damaged() const override { return damaged_; }

 protected:
  // Appends up to `room` bytes to buffer_; sets done_, stored_ and damaged_ at the end.
  virtual void Fill(size_t room) = 0;

  // Not std::string: resizing must not clear what will be overwritten more than it has to.
  std::vector<char> buffer_;
  size_t begin_ = 0;
  bool done_ = false;
  bool damaged_ = false;
  uint64_t stored_ = 0;
};

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* d) const { libdeflate_free_decompressor(d); }
};

class Gzip final : public Buffered {
 public:
  explicit Gzip(std::string_view file) : file_(file) { InflateWhole(); }
  ~Gzip() override {
    if (streaming_) inflateEnd(&stream_);
  }

 private:
  void InflateWhole() {
    thread_local const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(
        libdeflate_alloc_decompressor());
    for (size_t room = kChunkBytes; room <= kWholeMemberBytes; room *= 4) {
      buffer_.resize(room);
      size_t in = 0, out = 0;
      const auto result = libdeflate_gzip_decompress_ex(decompressor.get(), file_.data(), file_.size(),
                                                        buffer_.data(), room, &in, &out);
      if (result == LIBDEFLATE_SUCCESS) {
        buffer_.resize(out);
        stored_ = in;
        done_ = true;
        return;
      }
      if (result != LIBDEFLATE_INSUFFICIENT_SPACE) break;
    }
    buffer_.clear();
    streaming_ = inflateInit2(&stream_, 15 + 16) == Z_OK;
    done_ = damaged_ = !streaming_;
  }

  void Fill(size_t room) override {
    const size_t at = buffer_.size();
    buffer_.resize(at + room);
    stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data() + at);
    stream_.avail_out = static_cast<uInt>(std::min<size_t>(room, 1u << 30));
    const size_t before = stream_.avail_out;
    const size_t available = std::min<size_t>(file_.size() - stored_, 1u << 30);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file_.data() + stored_));
    stream_.avail_in = static_cast<uInt>(available);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    const size_t written = before - stream_.avail_out;
    const size_t read = available - stream_.avail_in;
    stored_ += read;
    buffer_.resize(at + written);
    if (result == Z_STREAM_END) {
      done_ = true;
    } else if (result != Z_OK || (read == 0 && written == 0)) {  // no progress: the member is cut
      done_ = damaged_ = true;
    }
  }

  const std::string_view file_;
  z_stream stream_ = {};
  bool streaming_ = false;
};

}  // namespace

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

class Zstd final : public Buffered {
 public:
  Zstd(std::string_view file, std::shared_ptr<const ZstdDictionary> dictionary)
      : file_(file), dictionary_(std::move(dictionary)), context_(ZSTD_createDCtx()) {
    if (dictionary_ != nullptr) ZSTD_DCtx_refDDict(context_, dictionary_->get());
  }
  ~Zstd() override { ZSTD_freeDCtx(context_); }

 private:
  void Fill(size_t room) override {
    const size_t at = buffer_.size();
    buffer_.resize(at + room);
    ZSTD_outBuffer out = {buffer_.data() + at, room, 0};
    ZSTD_inBuffer in = {file_.data(), file_.size(), stored_};
    const size_t result = ZSTD_decompressStream(context_, &out, &in);
    const bool progress = in.pos > stored_ || out.pos > 0;
    stored_ = in.pos;
    buffer_.resize(at + out.pos);
    if (result == 0) {
      done_ = true;
    } else if (ZSTD_isError(result) != 0 || !progress) {
      done_ = damaged_ = true;
    }
  }

  const std::string_view file_;
  const std::shared_ptr<const ZstdDictionary> dictionary_;
  ZSTD_DCtx* const context_;
};

constexpr size_t kSkippableHeaderBytes = 8;

}  // namespace

std::unique_ptr<ByteSource> PlainSource(std::string_view file) { return std::make_unique<Plain>(file); }
std::unique_ptr<ByteSource> GzipSource(std::string_view file) { return std::make_unique<Gzip>(file); }
std::unique_ptr<ByteSource> ZstdSource(std::string_view file,
                                       std::shared_ptr<const ZstdDictionary> dictionary) {
  return std::make_unique<Zstd>(file, std::move(dictionary));
}
std::shared_ptr<const ZstdDictionary> MakeZstdDictionary(std::string_view bytes) {
  return std::make_shared<ZstdDictionary>(bytes);
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
      // The extra field "sl" of the Internet Archive: the member's length, then that of its content.
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
