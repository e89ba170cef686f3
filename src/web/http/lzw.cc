// SPDX-License-Identifier: Apache-2.0
#include "web/http/lzw.h"

#include <algorithm>

namespace crivello::web {

bool LzwDecoder::ReadHeader(uint8_t byte) {
  switch (header_bytes_++) {
    case 0:
      return byte == 0x1f;
    case 1:
      return byte == 0x9d;
    default:
      max_bits_ = byte & 0x1f;
      block_mode_ = (byte & 0x80) != 0;
      if ((byte & 0x60) != 0 || max_bits_ < kMinBits || max_bits_ > 16) return false;
      free_ = block_mode_ ? 257 : 256;
      prefix_.resize(size_t{1} << max_bits_);
      suffix_.resize(size_t{1} << max_bits_);
      return true;
  }
}

// Processes one code: puts its string into pending_ and a new entry into the table.
bool LzwDecoder::Accept(uint32_t code) {
  if (code == kClear && block_mode_) {
    padding_bits_ = static_cast<uint64_t>((8 - group_codes_) % 8 * bits_);
    group_codes_ = 0;
    bits_ = kMinBits;
    free_ = 257;
    previous_ = -1;
    return true;
  }
  if (previous_ < 0) {  // the first code is a literal byte
    if (code > 255) return false;
    first_byte_ = static_cast<uint8_t>(code);
    pending_.push_back(first_byte_);
    previous_ = code;
  } else {
    if (code > free_ || (code == free_ && free_ >= prefix_.size())) return false;
    uint32_t at = code;
    if (code == free_) {  // the entry just made: the previous string and its own first byte
      pending_.push_back(first_byte_);
      at = static_cast<uint32_t>(previous_);
    }
    // Entries point only to smaller ones, so this ends.
    for (; at > 255; at = prefix_[at]) pending_.push_back(suffix_[at]);
    first_byte_ = static_cast<uint8_t>(at);
    pending_.push_back(first_byte_);
    if (free_ < prefix_.size()) {
      prefix_[free_] = static_cast<uint16_t>(previous_);
      suffix_[free_] = first_byte_;
      free_++;
    }
    previous_ = code;
  }
  if (free_ >= (uint32_t{1} << bits_) && bits_ < max_bits_) {
    padding_bits_ = static_cast<uint64_t>((8 - group_codes_) % 8 * bits_);
    group_codes_ = 0;
    bits_++;
  }
  return true;
}

LzwDecoder::Progress LzwDecoder::Decode(std::string_view in, std::span<char> out) {
  Progress progress;
  while (!corrupt_) {
    while (!pending_.empty() && progress.produced < out.size()) {
      out[progress.produced++] = static_cast<char>(pending_.back());
      pending_.pop_back();
    }
    if (!pending_.empty()) break;
    const auto dropped =
        static_cast<int>(std::min<uint64_t>(padding_bits_, static_cast<uint64_t>(window_bits_)));
    window_ >>= dropped;
    window_bits_ -= dropped;
    padding_bits_ -= static_cast<uint64_t>(dropped);
    if (header_bytes_ == 3 && padding_bits_ == 0 && window_bits_ >= bits_) {
      const auto code = static_cast<uint32_t>(window_ & ((uint64_t{1} << bits_) - 1));
      window_ >>= bits_;
      window_bits_ -= bits_;
      group_codes_ = (group_codes_ + 1) % 8;
      corrupt_ = !Accept(code);
      continue;
    }
    if (progress.consumed == in.size()) break;
    const auto byte = static_cast<uint8_t>(in[progress.consumed++]);
    if (header_bytes_ < 3) {
      corrupt_ = !ReadHeader(byte);
    } else {
      window_ |= static_cast<uint64_t>(byte) << window_bits_;
      window_bits_ += 8;
    }
  }
  if (corrupt_) progress.state = State::kCorrupt;
  return progress;
}

bool LzwDecoder::AtBoundary() const {
  // The rest of the last byte must be zero padding.
  return header_bytes_ == 3 && pending_.empty() && window_bits_ < 8 && window_ == 0;
}

}  // namespace crivello::web
