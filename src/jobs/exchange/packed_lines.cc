// SPDX-License-Identifier: Apache-2.0
#include "jobs/exchange/packed_lines.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

namespace crivello::jobs {
namespace {

constexpr uint64_t kPeekBytes = 1 << 16;
constexpr size_t kMaxPiece = 1 << 30;  // zlib counts in 32 bits

}  // namespace

Result<PackedLines> PackedLines::Open(const std::string& path) {
  CRV_ASSIGN(MappedFile file, MappedFile::Open(path, AccessPattern::kSequential));
  auto owned = std::make_unique<MappedFile>(std::move(file));
  const Bytes bytes = owned->bytes();
  PackedLines lines = Of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  lines.file_ = std::move(owned);
  return lines;
}

PackedLines PackedLines::Of(std::string_view bytes, std::string name) {
  PackedLines lines;
  lines.name_ = std::move(name);
  lines.rest_ = bytes;
  lines.memory_ = store::MakeSourceMemory();
  lines.packed_ = store::ContainerOf(bytes) == store::Container::kGzip;
  return lines;
}

Status PackedLines::Bad(std::string_view why) const {
  return Status::Corruption(fmt::format("{}: line {}: {}", name_, number_, why));
}

// Appends more text; false at the end of the file, or on an error.
bool PackedLines::Fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  for (;;) {
    if (source_ == nullptr) {
      if (rest_.empty()) return false;
      if (packed_ && store::ContainerOf(rest_) != store::Container::kGzip) {
        status_ = Status::Corruption(fmt::format("{}: {} bytes after line {} are not compressed by gzip",
                                                 name_, rest_.size(), number_));
        return false;
      }
      source_ = packed_ ? store::GzipSource(rest_, memory_.get()) : store::PlainSource(rest_);
    }
    const std::string_view bytes = source_->Peek(kPeekBytes);
    if (!bytes.empty()) {
      const std::string_view some = bytes.substr(0, kPeekBytes);
      buffer_ += some;
      source_->Consume(some.size());
      return true;
    }
    if (source_->damaged() || !source_->stored_bytes()) {
      status_ = Status::Corruption(
          fmt::format("{}: the compressed data after line {} is damaged or truncated", name_, number_));
      return false;
    }
    rest_.remove_prefix(std::min<uint64_t>(*source_->stored_bytes(), rest_.size()));
    source_.reset();
  }
}

bool PackedLines::Next() {
  size_t looked = begin_;
  for (;;) {
    const size_t end = buffer_.find('\n', looked);
    if (end != std::string::npos && end - begin_ <= kMaxLineBytes) {
      line_ = std::string_view(buffer_).substr(begin_, end - begin_);
      begin_ = end + 1;
      number_++;
      return true;
    }
    const size_t held = buffer_.size() - begin_;
    if (held > kMaxLineBytes) {
      number_++;
      status_ = Bad(fmt::format("longer than {} bytes", kMaxLineBytes));
      begin_ = buffer_.size();
      at_end_ = true;
      return false;
    }
    if (at_end_ || !Fill()) {
      at_end_ = true;
      if (!status_.ok() || held == 0) return false;
      line_ = std::string_view(buffer_).substr(begin_);
      begin_ = buffer_.size();
      number_++;
      return true;
    }
    looked = held;
  }
}

struct PackedTextWriter::Stream {
  z_stream z = {};
  std::array<Bytef, 1 << 16> out;
  ~Stream() { deflateEnd(&z); }
};

PackedTextWriter::PackedTextWriter(AtomicFile file, std::unique_ptr<Stream> stream)
    : file_(std::move(file)), stream_(std::move(stream)) {}
PackedTextWriter::PackedTextWriter(PackedTextWriter&&) noexcept = default;
PackedTextWriter::~PackedTextWriter() = default;

Result<PackedTextWriter> PackedTextWriter::Create(const std::string& path, FileSystem& fs) {
  CRV_ASSIGN(AtomicFile file, AtomicFile::Create(path, fs));
  auto stream = std::make_unique<Stream>();
  constexpr int kGzipWindow = 15 + 16;
  if (deflateInit2(&stream->z, 6, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    return Status::IoError(fmt::format("cannot compress '{}': zlib did not start", path));
  }
  return PackedTextWriter(std::move(file), std::move(stream));
}

Status PackedTextWriter::Deflate(std::string_view text, bool last) {
  z_stream& z = stream_->z;
  // zlib does not modify its input.
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  int state = Z_OK;
  do {
    z.next_out = stream_->out.data();
    z.avail_out = static_cast<uInt>(stream_->out.size());
    state = deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
    if (state == Z_STREAM_ERROR) return Status::IoError("zlib cannot compress this text");
    CRV_TRY(file_.Append(std::as_bytes(std::span(stream_->out)).first(stream_->out.size() - z.avail_out)));
  } while (last ? state != Z_STREAM_END : z.avail_in > 0 || z.avail_out == 0);
  return Status::Ok();
}

Status PackedTextWriter::Append(std::string_view text) {
  for (; text.size() > kMaxPiece; text.remove_prefix(kMaxPiece))
    CRV_TRY(Deflate(text.substr(0, kMaxPiece), false));
  return Deflate(text, false);
}

Status PackedTextWriter::Finish() {
  CRV_TRY(Deflate({}, true));
  return file_.Finish();
}

}  // namespace crivello::jobs
