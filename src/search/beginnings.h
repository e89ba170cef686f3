// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace crivello::search {

// Tells in a few instructions a byte which stretches of a text can hold one of some terms: by the letters
// that its words, and parts of words, begin with.  To analyse a text for its terms takes many times as long.
class Beginnings {
 public:
  // If the analyser keeps beginnings (text/terms/analyser.h); otherwise every stretch can.
  Beginnings(std::span<const std::string> terms, bool keeps_beginnings);

  // Calls take(begin, end) for each stretch of text, from white space to white space, that can; adjoining
  // ones are one.
  template <typename Take>
  void ForEachStretch(std::string_view text, Take take) const {
    size_t begin = 0;
    size_t at = 0;
    while (at < text.size()) {
      const Run run = Next(text, at);
      if (!run.can && at > begin) take(begin, at);
      if (!run.can) begin = run.end;
      at = run.end;
    }
    if (text.size() > begin) take(begin, text.size());
  }

 private:
  struct Run {
    size_t end;
    bool can;
  };
  // The bytes from a place up to white space, and that.
  Run Next(std::string_view text, size_t at) const;
  // Whether a term begins as the text does there.
  bool CanBegin(std::string_view text) const;

  bool all_;
  std::bitset<128> firsts_;
  // Second and third letters behind a first one, by their place in the alphabet.
  std::array<std::array<uint32_t, 32>, 128> next_ = {};
};

}  // namespace crivello::search
