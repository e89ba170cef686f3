// SPDX-License-Identifier: Apache-2.0
// The LZW of compress(1): files .Z, and the coding "compress" or "x-compress" of HTTP.
//
// The format: a header (1F 9D, then the maximum width of codes and the block flag), then codes, least
// significant bit first, starting with 9 bits. When the width grows or the table is cleared, the rest of the
// current group of eight codes is padding. (Welch: A Technique for High-Performance Data Compression, 1984;
// the layout is ncompress's.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace crivello::web {

// Takes and returns bytes in pieces. 192 KiB for the largest tables, whatever the input. Each byte of output
// costs O(1). One thread at a time.
class LzwDecoder {
 public:
  enum class State : uint8_t { kMore, kCorrupt };
  struct Progress {
    size_t consumed = 0;
    size_t produced = 0;
    State state = State::kMore;
  };
  // Decodes until the input is used up or the output is full. Call again with the rest of the input, and with
  // empty input as long as that fills the output. Once corrupt, it stays corrupt.
  Progress Decode(std::string_view in, std::span<char> out);

  // True between codes, where the data may end: the format has no end marker.
  bool AtBoundary() const;

 private:
  bool ReadHeader(uint8_t byte);
  bool Accept(uint32_t code);

  static constexpr uint32_t kClear = 256;
  static constexpr int kMinBits = 9;

  int header_bytes_ = 0;
  bool block_mode_ = false;
  int max_bits_ = 16;
  int bits_ = kMinBits;
  bool corrupt_ = false;

  uint64_t window_ = 0;  // bits read but not yet used
  int window_bits_ = 0;
  int group_codes_ = 0;        // codes read in the current group of eight
  uint64_t padding_bits_ = 0;  // still to be dropped

  uint32_t free_ = 257;     // the next free entry of the table
  int64_t previous_ = -1;   // the previous code, or -1
  uint8_t first_byte_ = 0;  // first byte of the previous code's string
  std::vector<uint16_t> prefix_;
  std::vector<uint8_t> suffix_;
  std::vector<uint8_t> pending_;  // output of the last code, last byte first
};

}  // namespace crivello::web
