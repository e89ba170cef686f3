// SPDX-License-Identifier: Apache-2.0
// The interface between decompress.cc and each library; for decompress*.cc only.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "web/http/decompress.h"

namespace crivello::web {

class Decompressor::Codec {
 public:
  enum class State : uint8_t {
    kMore,      // may take more input, or has more output
    kEnd,       // the stream has ended; unconsumed input does not belong to it
    kCorrupt,   // final
    kNoMemory,  // final: the library could not allocate its state
  };
  struct Progress {
    size_t consumed = 0;
    size_t produced = 0;
    State state = State::kMore;
  };

  virtual ~Codec() = default;
  // Decodes until the input is used up or the output is full. If it neither consumed nor produced anything,
  // it needs more input.
  virtual Progress Decode(std::string_view in, std::span<char> out) = 0;
  // Whether the input may end here, in state kMore: for formats without an end marker, and between members.
  virtual bool MayEnd() const = 0;
};

std::unique_ptr<Decompressor::Codec> MakeCodec(ContentCoding coding);

}  // namespace crivello::web
