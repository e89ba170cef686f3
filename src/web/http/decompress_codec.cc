// SPDX-License-Identifier: Apache-2.0
#include "web/http/decompress_codec.h"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>

#include "web/http/lzw.h"

namespace crivello::web {
namespace {

using Codec = Decompressor::Codec;

// zlib with one of its three wrappers.
class Inflater {
 public:
  enum Envelope : int { kRaw = -MAX_WBITS, kZlib = MAX_WBITS, kGzip = MAX_WBITS + 16 };

  explicit Inflater(Envelope envelope) : usable_(inflateInit2(&stream_, envelope) == Z_OK) {}
  ~Inflater() { inflateEnd(&stream_); }  // does nothing if the stream has no state
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  Codec::Progress Decode(std::string_view in, std::span<char> out) {
    if (!usable_) return {0, 0, Codec::State::kNoMemory};
    constexpr size_t kMax = std::numeric_limits<uInt>::max();
    const auto in_size = static_cast<uInt>(std::min(in.size(), kMax));
    const auto out_size = static_cast<uInt>(std::min(out.size(), kMax));
    // zlib does not write to its input, but its C interface is not const.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = in_size;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = out_size;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    Codec::Progress progress = {in_size - stream_.avail_in, out_size - stream_.avail_out,
                                Codec::State::kMore};
    if (code == Z_STREAM_END) {
      progress.state = Codec::State::kEnd;
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
      progress.state = Codec::State::kCorrupt;  // also Z_NEED_DICT: HTTP has no agreed dictionary
    }
    return progress;
  }
  void Reset() { inflateReset(&stream_); }

 private:
  z_stream stream_ = {};
  bool usable_;
};

// The magic bytes of a gzip member or zstd frame, several of which may follow each other. They are matched
// one at a time, because they may arrive in pieces.
class Magic {
 public:
  using Matches = bool (*)(size_t place, uint8_t byte);
  Magic(size_t size, Matches matches) : size_(size), matches_(matches) {}

  // Continues matching; kEnd if the bytes do not match. `consumed` counts the matching bytes.
  Codec::Progress Read(std::string_view in) {
    Codec::Progress progress;
    while (progress.consumed < in.size() && !complete()) {
      const char byte = in[progress.consumed];
      if (!matches_(seen_, static_cast<uint8_t>(byte))) {
        progress.state = Codec::State::kEnd;
        break;
      }
      bytes_[seen_++] = byte;
      progress.consumed++;
    }
    return progress;
  }
  bool complete() const { return seen_ == size_; }
  std::string_view bytes() const { return {bytes_.data(), seen_}; }
  void Restart() { seen_ = 0; }

 private:
  size_t size_;
  Matches matches_;
  size_t seen_ = 0;
  std::array<char, 4> bytes_ = {};
};

// Consecutive members (RFC 1952, section 2.2). Bytes after a member that do not start another one are not
// part of the stream.
class GzipCodec final : public Codec {
 public:
  Progress Decode(std::string_view in, std::span<char> out) override {
    if (between_) {
      const Progress progress = magic_.Read(in);
      if (magic_.complete()) {
        between_ = false;
        inflater_.Reset();
        inflater_.Decode(magic_.bytes(), out.first(0));
        magic_.Restart();
      }
      return progress;
    }
    Progress progress = inflater_.Decode(in, out);
    if (progress.state == State::kEnd) {
      between_ = true;
      progress.state = State::kMore;
    }
    return progress;
  }
  bool MayEnd() const override { return between_; }

 private:
  static bool IsMagic(size_t place, uint8_t byte) { return byte == (place == 0 ? 0x1f : 0x8b); }
  Inflater inflater_{Inflater::kGzip};
  Magic magic_{2, IsMagic};
  bool between_ = false;
};

// "deflate" means the zlib format (RFC 9110, section 8.4.1.2), but some servers send raw deflate; the first
// two bytes tell which.
class DeflateCodec final : public Codec {
 public:
  Progress Decode(std::string_view in, std::span<char> out) override {
    Progress progress;
    while (!inflater_) {
      if (progress.consumed == in.size()) return progress;
      start_[started_++] = in[progress.consumed++];
      if (started_ < start_.size()) continue;
      const auto first = static_cast<uint8_t>(start_[0]);
      const auto second = static_cast<uint8_t>(start_[1]);
      const bool zlib = (first & 0x0f) == 8 && (first << 8 | second) % 31 == 0;
      inflater_ = std::make_unique<Inflater>(zlib ? Inflater::kZlib : Inflater::kRaw);
    }
    if (!replayed_) {
      // Two bytes produce at most the end of an empty stream.
      replayed_ = true;
      progress.state = inflater_->Decode({start_.data(), start_.size()}, out.first(0)).state;
      if (progress.state != State::kMore) return progress;
    }
    const Progress rest = inflater_->Decode(in.substr(progress.consumed), out);
    return {progress.consumed + rest.consumed, rest.produced, rest.state};
  }
  bool MayEnd() const override { return false; }

 private:
  std::array<char, 2> start_ = {};
  size_t started_ = 0;
  bool replayed_ = false;
  std::unique_ptr<Inflater> inflater_;
};

class BrotliCodec final : public Codec {
 public:
  BrotliCodec() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}
  Progress Decode(std::string_view in, std::span<char> out) override {
    if (!state_) return {0, 0, State::kNoMemory};
    size_t in_left = in.size();
    size_t out_left = out.size();
    const auto* next_in = reinterpret_cast<const uint8_t*>(in.data());
    auto* next_out = reinterpret_cast<uint8_t*>(out.data());
    const BrotliDecoderResult result =
        BrotliDecoderDecompressStream(state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    const State state = result == BROTLI_DECODER_RESULT_SUCCESS ? State::kEnd
                        : result == BROTLI_DECODER_RESULT_ERROR ? State::kCorrupt
                                                                : State::kMore;
    return {in.size() - in_left, out.size() - out_left, state};
  }
  bool MayEnd() const override { return false; }

 private:
  struct Destroy {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
  };
  std::unique_ptr<BrotliDecoderState, Destroy> state_;
};

class ZstdCodec final : public Codec {
 public:
  ZstdCodec() : context_(ZSTD_createDCtx()) {
    if (!context_) return;
    constexpr int kMaxWindowLog = 23;  // RFC 9659: the maximum in HTTP
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kMaxWindowLog);
  }
  // The library also decodes the formats before version 0.8, with different code whose results depend on the
  // pieces. So the start of every frame is checked here, including the first.
  Progress Decode(std::string_view in, std::span<char> out) override {
    if (!context_) return {0, 0, State::kNoMemory};
    if (between_) {
      Progress progress = magic_.Read(in);
      if (magic_.complete()) {
        between_ = false;
        first_ = false;
        Run(magic_.bytes(), out.first(0));
        magic_.Restart();
      } else if (first_ && progress.state == State::kEnd) {
        progress.state = State::kCorrupt;
      }
      return progress;
    }
    return Run(in, out);
  }
  bool MayEnd() const override { return between_ && !first_; }

 private:
  Progress Run(std::string_view in, std::span<char> out) {
    ZSTD_inBuffer input = {in.data(), in.size(), 0};
    ZSTD_outBuffer output = {out.data(), out.size(), 0};
    const size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(result)) return {0, output.pos, State::kCorrupt};
    // The result is also zero if Decode is called with no input before the first byte.
    between_ = result == 0 && (input.pos > 0 || output.pos > 0);
    return {input.pos, output.pos, State::kMore};
  }
  // A frame (FD2FB528, little-endian) or a skippable one (184D2A50 to 5F).
  static bool IsMagic(size_t place, uint8_t byte) {
    constexpr std::array<uint8_t, 4> kFrame = {0x28, 0xb5, 0x2f, 0xfd};
    constexpr std::array<uint8_t, 4> kSkipped = {0x50, 0x2a, 0x4d, 0x18};
    return byte == kFrame[place] || (place == 0 ? byte >> 4 == 5 : byte == kSkipped[place]);
  }

  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  Magic magic_{4, IsMagic};
  bool between_ = true;
  bool first_ = true;
};

class LzwCodec final : public Codec {
 public:
  Progress Decode(std::string_view in, std::span<char> out) override {
    const auto progress = decoder_.Decode(in, out);
    return {progress.consumed, progress.produced,
            progress.state == LzwDecoder::State::kCorrupt ? State::kCorrupt : State::kMore};
  }
  bool MayEnd() const override { return decoder_.AtBoundary(); }

 private:
  LzwDecoder decoder_;
};

}  // namespace

std::unique_ptr<Decompressor::Codec> MakeCodec(ContentCoding coding) {
  switch (coding) {
    case ContentCoding::kGzip:
      return std::make_unique<GzipCodec>();
    case ContentCoding::kDeflate:
      return std::make_unique<DeflateCodec>();
    case ContentCoding::kBrotli:
      return std::make_unique<BrotliCodec>();
    case ContentCoding::kZstd:
      return std::make_unique<ZstdCodec>();
    case ContentCoding::kCompress:
      return std::make_unique<LzwCodec>();
    case ContentCoding::kIdentity:
      break;
  }
  assert(false && "no codec");
  return nullptr;
}

}  // namespace crivello::web
